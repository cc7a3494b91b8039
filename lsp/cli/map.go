package cli

import (
	"flag"
	"path/filepath"

	"pypto-ls/analysis"
	"pypto-ls/lsp/report"
	"pypto-ls/memmap"
	"pypto-ls/memory"
)

// mapOptions are the flags of map.
type mapOptions struct {
	target
	out, only string
	compare   bool
}

func (o *mapOptions) register(fs *flag.FlagSet) {
	o.target.flags(fs)
	fs.StringVar(&o.out, "o", "", "file to write instead of standard output")
	fs.StringVar(&o.only, "function", "", "only this function")
	fs.BoolVar(&o.compare, "compare", false, "draw PYPTO and DSA_RP side by side")
}

// runMap writes the memory map as one HTML page. Findings do not fail it: the map is there to look at them.
func runMap(e *env, args []string) int {
	fs := flag.NewFlagSet("map", flag.ContinueOnError)
	var o mapOptions
	o.register(fs)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) != 1 {
		return e.fail("map takes one file")
	}
	doc, err := e.document(analysis.NewEngine(64<<20), &o.target, pos[0])
	if err != nil {
		return e.fail("%v", err)
	}
	if _, err := functions(doc, o.only); err != nil {
		return e.fail("%v", err)
	}
	docs := []*analysis.Document{doc}
	if o.compare {
		docs = []*analysis.Document{doc.With(memory.PYPTO), doc.With(memory.DSARP)}
	}
	title := filepath.Base(pos[0])
	if pos[0] == "-" {
		title = "standard input"
		if o.stdinName != "" {
			title = filepath.Base(o.stdinName)
		}
	}
	html, err := mapPage(title, o.only, docs...)
	if err != nil {
		return e.fail("%v", err)
	}
	if err := e.write(o.out, html); err != nil {
		return e.fail("%v", err)
	}
	return exitOK
}

// mapPage draws the plans of documents side by side.
func mapPage(title, only string, docs ...*analysis.Document) ([]byte, error) {
	page := memmap.Page{Title: title}
	for _, d := range docs {
		page.Plans = append(page.Plans, memmap.Plan{
			Planner: d.Settings.Planner.String(), Platform: d.Settings.Name,
			Functions: report.PlanModels(d.PlanModels(analysis.PlanOptions{Function: only, Source: true})),
		})
	}
	return memmap.Render(page, "")
}
