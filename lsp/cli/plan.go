package cli

import (
	"flag"
	"fmt"
	"strings"

	"pypto-ls/analysis"
	"pypto-ls/lsp/report"
)

// planOptions are the flags of plan.
type planOptions struct {
	target
	format, only string
	compare      bool
}

func (o *planOptions) register(fs *flag.FlagSet) {
	o.target.flags(fs)
	fs.StringVar(&o.format, "format", "table", "table or json")
	fs.StringVar(&o.only, "function", "", "only this function")
	fs.BoolVar(&o.compare, "compare", false, "peaks under PYPTO and DSA_RP side by side, on every platform unless one is given")
}

func runPlan(e *env, args []string) int {
	fs := flag.NewFlagSet("plan", flag.ContinueOnError)
	var o planOptions
	o.register(fs)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) != 1 {
		return e.fail("plan takes one file")
	}
	if o.format != "table" && o.format != "json" {
		return e.fail("unknown format '%s': table or json", o.format)
	}
	if o.compare {
		return e.comparePlans(&o, pos[0])
	}
	doc, err := e.document(analysis.NewEngine(64<<20), &o.target, pos[0])
	if err != nil {
		return e.fail("%v", err)
	}
	only, err := functions(doc, o.only)
	if err != nil {
		return e.fail("%v", err)
	}
	var funcs []analysis.PlanFunction
	for _, f := range doc.PlanTable() {
		if only == nil || only[f.Name] {
			funcs = append(funcs, f)
		}
	}
	switch o.format {
	case "json":
		report.PlanJSON(e.out, funcs)
	case "table":
		report.Table(e.out, doc, funcs)
	}
	failed := false
	for _, f := range doc.Findings() {
		if f.Severity == analysis.Error && (only == nil || only[f.Func]) {
			failed = true
			if o.format == "table" {
				e.tell(&o.target, pos[0], doc, f)
			}
		}
	}
	if failed {
		return exitFindings
	}
	return exitOK
}

// tell prints a finding to standard error, as check does to standard output.
func (e *env) tell(t *target, path string, doc *analysis.Document, f analysis.Finding) {
	_ = report.Text(e.err, []report.Item{report.FromFinding(nameOf(t, path), doc, f)}, report.Options{})
}

// functions is what a name stands for: a planned function, or all that one of
// the text becomes; nil, for all, without a name.
func functions(doc *analysis.Document, name string) (map[string]bool, error) {
	if name == "" {
		return nil, nil
	}
	var names []string
	want := map[string]bool{}
	for _, i := range doc.FuncChunks() {
		f := doc.Func(i)
		names = append(names, f.Name)
		if f.Name == name {
			want[name] = true
		}
		for n := range f.Planned {
			p := f.Planned[n].Name
			if p != f.Name {
				names = append(names, p)
			}
			if f.Name == name || p == name {
				want[p] = true
			}
		}
	}
	switch {
	case len(want) > 0:
		return want, nil
	case len(names) == 0:
		return nil, fmt.Errorf("there is no function '%s': the text holds no kernel IR", name)
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return nil, fmt.Errorf("there is no function '%s'; there are: %s", name, strings.Join(names, ", "))
}

// maxNamed keeps a message on the screen.
const maxNamed = 12
