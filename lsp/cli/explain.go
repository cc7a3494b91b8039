package cli

import (
	"flag"
	"fmt"
	"strings"

	"pypto-ls/analysis/rules"
)

// runExplain prints the manual page of a code; without one the list of codes.
func runExplain(e *env, args []string) int {
	fs := flag.NewFlagSet("explain", flag.ContinueOnError)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) == 0 {
		for _, r := range rules.All() {
			fmt.Fprintf(e.out, "%-24s %-12s %s\n", r.Code, r.Severity, r.Title)
		}
		return exitOK
	}
	code, shown := exitOK, 0
	for _, name := range pos {
		r, ok := rules.Find(name)
		if !ok {
			hint := ""
			if near := rules.Nearest(name); len(near) > 0 {
				hint = "; did you mean " + strings.Join(near, ", ") + "?"
			} else {
				hint = "; `pypto-ls explain` lists them"
			}
			code = e.fail("there is no diagnostic '%s'%s", name, hint)
			continue
		}
		if shown++; shown > 1 {
			fmt.Fprintln(e.out)
		}
		fmt.Fprint(e.out, r.Page())
	}
	return code
}
