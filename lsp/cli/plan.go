package cli

import (
	"flag"
	"fmt"

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
	var funcs []analysis.PlanFunction
	for _, f := range doc.PlanTable() {
		if o.only == "" || f.Name == o.only {
			funcs = append(funcs, f)
		}
	}
	switch o.format {
	case "json":
		report.PlanJSON(e.out, funcs)
	case "table":
		report.Table(e.out, doc, funcs)
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
