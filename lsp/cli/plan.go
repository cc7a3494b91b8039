package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pypto-ls/analysis"
)

// planOptions are the flags of plan.
type planOptions struct {
	target
	format, only string
}

func (o *planOptions) register(fs *flag.FlagSet) {
	o.target.flags(fs)
	fs.StringVar(&o.format, "format", "table", "table or json")
	fs.StringVar(&o.only, "function", "", "only this function")
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
	doc, err := e.document(analysis.NewEngine(64<<20), &o.target, pos[0])
	if err != nil {
		return e.fail("%v", err)
	}
	var funcs []analysis.PlanFunction
	for _, f := range doc.PlanTable() {
		if o.only == "" || f.Name == o.only {
			funcs = append(funcs, f)
		}
	}
	switch o.format {
	case "json":
		if funcs == nil {
			funcs = []analysis.PlanFunction{}
		}
		enc := json.NewEncoder(e.out)
		enc.SetIndent("", "  ")
		_ = enc.Encode(map[string]any{"functions": funcs})
	case "table":
		fmt.Fprintf(e.out, "platform %s, planner %s\n", doc.Settings.Name, doc.Settings.Planner)
		WriteTable(e.out, funcs)
		if len(funcs) == 0 {
			fmt.Fprintln(e.out, "no function with on-chip tiles")
		}
	default:
		return e.fail("unknown format '%s': table or json", o.format)
	}
	code := exitOK
	for _, f := range doc.Findings() {
		if f.Severity == analysis.Error {
			code = exitFindings
			if o.format == "table" {
				fmt.Fprintf(e.err, "%s: %s: %s\n", f.Func, f.Severity, f.Message)
			}
		}
	}
	return code
}

// WriteTable prints placements as people read them.
func WriteTable(w io.Writer, funcs []analysis.PlanFunction) {
	for _, f := range funcs {
		fmt.Fprintf(w, "\n%s (%s)\n", f.Name, f.Type)
		for _, a := range f.Approximate {
			fmt.Fprintf(w, "  approximate: %s\n", a)
		}
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  tile\tspace\taddress\tsize\tlive\tbuffer\tshares with")
		for _, t := range f.Tiles {
			addr := "-"
			switch {
			case t.Dynamic != "":
				addr = t.Dynamic
			case t.Address != nil:
				addr = fmt.Sprintf("0x%05x", *t.Address)
			}
			live := ""
			if t.Live[0] > 0 {
				live = fmt.Sprintf("%d–%d", t.Live[0], t.Live[1])
			}
			buf := t.Buffer
			if buf == "" {
				buf = "(ring slot)"
			}
			fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Space, addr, analysis.Thousands(t.Size), live, buf, short(t.Shares))
		}
		tw.Flush()
		for _, s := range f.Spaces {
			fmt.Fprintf(w, "  %s\n", UsageText(s))
		}
	}
}

func short(names []string) string {
	if len(names) > 4 {
		return strings.Join(names[:4], ", ") + fmt.Sprintf(" +%d", len(names)-4)
	}
	return strings.Join(names, ", ")
}

// UsageText is one space's usage: `Vec 143,872 / 188,416 B (76 %)`.
func UsageText(s analysis.PlanSpace) string {
	out := fmt.Sprintf("%s %s", s.Space, analysis.Thousands(s.Used))
	if s.Limit > 0 {
		out += fmt.Sprintf(" / %s B (%d %%)", analysis.Thousands(s.Limit), (s.Used*100+s.Limit/2)/s.Limit)
		if s.Used > s.Limit {
			out += fmt.Sprintf(", %s B over", analysis.Thousands(s.Used-s.Limit))
		}
	} else {
		out += " B"
	}
	if s.Reserved > 0 {
		out += fmt.Sprintf(", %s B reserved", analysis.Thousands(s.Reserved))
	}
	if s.PeakLine > 0 {
		out += fmt.Sprintf(", most live at line %d", s.PeakLine)
	}
	return out
}
