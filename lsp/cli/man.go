package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// runMan prints the manual page; docs/pypto-ls.1 is a copy.
func runMan(e *env, args []string) int {
	fs := flag.NewFlagSet("man", flag.ContinueOnError)
	if _, ok := e.parse(fs, args); !ok {
		return exitUsage
	}
	writeMan(e.out)
	return exitOK
}

func writeMan(w io.Writer) {
	fmt.Fprintf(w, ".TH PYPTO-LS 1 \"\" \"pypto-ls %s\" \"User Commands\"\n", Version)
	fmt.Fprint(w, ".SH NAME\npypto-ls \\- addresses, sizes and overflows of PyPTO kernels, as you type\n")
	fmt.Fprint(w, ".SH SYNOPSIS\n.B pypto-ls\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n")
	fmt.Fprint(w, ".SH DESCRIPTION\nReads kernels and pass dumps of the PyPTO IR, runs the memory passes of the compiler on them and reports the address and size of every tile, what overflows and by how much. Without a command it serves the Language Server Protocol on standard input and output.\n")
	fmt.Fprint(w, ".SH COMMANDS\n")
	cs := commands()
	for _, n := range commandNames() {
		c := cs[n]
		fmt.Fprintf(w, ".SS %s\n.B pypto-ls %s\n.PP\n%s.\n", roff(n), roff(c.usage), roff(c.short))
		for _, f := range flagsOf(c) {
			val := ""
			if takesValue(f) {
				val = " \\fIVALUE\\fR"
			}
			def := ""
			if f.DefValue != "" && f.DefValue != "false" && f.Name != "jobs" {
				def = " (default " + f.DefValue + ")"
			}
			fmt.Fprintf(w, ".TP\n.B \\-\\-%s%s\n%s%s.\n", roff(f.Name), val, roff(f.Usage), roff(def))
		}
	}
	fmt.Fprint(w, ".SH FILES\n.TP\n.I pypto-ls.toml\nPlatform, planner and properties of platforms for the files below its folder; the nearest one upwards from a file counts.\n")
	fmt.Fprint(w, ".SH EXIT STATUS\n.TP\n.B 0\nNothing at or above the fail level.\n.TP\n.B 1\nThere are findings.\n.TP\n.B 2\nA file could not be read, a folder holds nothing to check, or the arguments are wrong.\n")
}

// roff protects what the formatter would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
