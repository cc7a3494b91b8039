package cli

import (
	"flag"
	"fmt"
	"strings"

	"pypto-ls/analysis"
)

// irOptions are the flags of ir.
type irOptions struct {
	target
	after string
}

func (o *irOptions) register(fs *flag.FlagSet) {
	o.target.flags(fs)
	fs.StringVar(&o.after, "after", "", "the pass to print the IR after: MaterializeTensorStrides, InitMemRef, MaterializeSemanticAliases, MemoryReuse, AllocateMemoryAddr, or all")
}

func runIR(e *env, args []string) int {
	fs := flag.NewFlagSet("ir", flag.ContinueOnError)
	var o irOptions
	o.register(fs)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) != 1 || o.after == "" {
		return e.fail("ir takes one file and --after PASS|all")
	}
	doc, err := e.document(analysis.NewEngine(64<<20), &o.target, pos[0])
	if err != nil {
		return e.fail("%v", err)
	}
	sections, failed := doc.IRAfter()
	found := false
	for _, s := range sections {
		if o.after == "all" {
			fmt.Fprintf(e.out, "-- after_%s.py --\n%s", s.Pass, s.Text)
			found = true
		} else if s.Pass == o.after {
			fmt.Fprint(e.out, s.Text)
			found = true
		}
	}
	if failed != nil {
		fmt.Fprintln(e.err, failed.String())
		return exitFindings
	}
	if !found {
		return e.fail("there is no IR after '%s' here: %s", o.after, available(sections))
	}
	return e.doubts(&o.target, pos[0], doc)
}

// doubts tells why the printed IR is not the compiler's: functions with errors
// that it refuses before the memory passes, and those whose lowering is
// approximate.
func (e *env) doubts(t *target, path string, doc *analysis.Document) int {
	code := exitOK
	for _, f := range doc.Findings() {
		switch {
		case f.Severity == analysis.Error:
			code = exitFindings
		case f.Code != "approximate":
			continue
		}
		e.tell(t, path, doc, f)
	}
	return code
}

func available(sections []analysis.IR) string {
	if len(sections) == 0 {
		return "the text holds no kernel IR"
	}
	var names []string
	for _, x := range sections {
		names = append(names, x.Pass)
	}
	return "there is one after " + strings.Join(names, ", ")
}
