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
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) > 0 {
		return e.fail("man takes no arguments")
	}
	writeMan(e.out)
	return exitOK
}

const manHead = `.SH NAME
pypto\-ls \- addresses, sizes and overflows of PyPTO kernels, as you type
.SH SYNOPSIS
.B pypto\-ls
[\fICOMMAND\fR [\fIARGUMENTS\fR]]
.SH DESCRIPTION
Reads kernels and pass dumps of the PyPTO IR, runs the memory passes of the compiler on them and tells the address and size of every tile, what overflows and by how much.
Without a command it serves the Language Server Protocol on standard input and output.
.PP
Flags and names may stand in any order; after \fB\-\-\fR everything is a name.
A name may be a file, a folder (its dumps, \fIpasses_dump/*.py\fR and \fI*after_*.py\fR, and kernels, \fI*.pypto.py\fR, are taken), a pattern, in which \fB**\fR stands for any number of folders, or \fB\-\fR for standard input.
.SH COMMANDS
`

const manTail = `.SH FILES
.TP
.I pypto\-ls.toml
Platform, planner and properties of platforms for the files below its folder; the nearest one upwards from a file counts.
.PP
A comment in the first lines of a file, \fB# pypto\-ls: platform=Ascend950 planner=DSA_RP\fR, comes before it, and flags before both.
.SH ENVIRONMENT
.TP
.B NO_COLOR
When set, no colours are used unless \fB\-\-color always\fR asks for them.
.SH EXIT STATUS
.TP
.B 0
Nothing at or above the fail level.
.TP
.B 1
There are findings at or above the fail level, or the text cannot be planned.
.TP
.B 2
Something could not be read, a folder or pattern holds nothing to check, or the arguments are wrong.
.SH EXAMPLES
.TP
.B pypto\-ls check build/passes_dump
Every finding of a folder of dumps.
.TP
.B pypto\-ls check \-\-platform Ascend910B,Ascend950 \-\-max\-usage Vec=90% kernels
On both platforms, with a warning for what fills more than nine tenths of Vec.
.TP
.B pypto\-ls plan kernel.pypto.py
Where every tile lies.
.TP
.B pypto\-ls explain capacity
What a finding means and what to do about it.
`

func writeMan(w io.Writer) {
	fmt.Fprintf(w, ".\\\" written by pypto-ls man\n.TH PYPTO\\-LS 1 \"\" \"pypto\\-ls %s\" \"User Commands\"\n.nh\n", Version)
	fmt.Fprint(w, manHead)
	cs := commands()
	for _, n := range commandNames() {
		c := cs[n]
		fmt.Fprintf(w, ".SS %s\n.B pypto\\-ls %s\n.PP\n%s\n", roff(n), roff(c.usage), roff(sentence(c.short)))
		for _, f := range flagsOf(c) {
			val := ""
			if takesValue(f) {
				val = " \\fI" + roff(metavar(f)) + "\\fR"
			}
			fmt.Fprintf(w, ".TP\n\\fB%s\\fR%s\n%s\n", roff(dashed(f.Name)), val, roff(f.Usage+defaultText(f)+"."))
		}
	}
	fmt.Fprint(w, manTail)
}

// roff protects what the formatter would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
