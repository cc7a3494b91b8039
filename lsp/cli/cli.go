// Package cli is the command line of pypto-ls: serve, check, plan, ir, map,
// report, version (design: "Command line").
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"sort"
	"strings"
)

// Exit codes.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
)

// env is what a command works with.
type env struct {
	in       io.Reader
	out, err io.Writer
}

type command struct {
	run   func(e *env, args []string) int
	usage string
	short string
	// flags defines the command's flags, for completions and the manual page.
	flags func(*flag.FlagSet)
}

// commands is filled by the files of the commands.
func commands() map[string]command {
	return map[string]command{
		"serve": {runServe, "serve [--stdio] [--listen ADDR] [--log-file F] [--log-level L] [--record FILE]", "the language server; also what runs without a command",
			func(fs *flag.FlagSet) { new(serveOptions).register(fs) }},
		"plan": {runPlan, "plan FILE|- [--format table|json] [--function NAME] [--compare]", "print the placement: one row a tile, then usage per space",
			func(fs *flag.FlagSet) { new(planOptions).register(fs) }},
		"ir": {runIR, "ir FILE|- --after PASS|all [--from PASS]", "print the IR after a pass, byte-equal to the reference",
			func(fs *flag.FlagSet) { new(irOptions).register(fs) }},
		"map": {runMap, "map FILE|- [-o OUT.html] [--function NAME] [--compare]", "draw the memory map: address across, lifetime down, as one HTML page",
			func(fs *flag.FlagSet) { new(mapOptions).register(fs) }},
		"check": {runCheck, "check PATHS…|- [--format FORMAT] [--fail-level LEVEL] [--baseline FILE] [--against PATH] [--max-usage SPACE=LIMIT] [--fix|--diff] [--watch]",
			"report every finding; exit 1 when there are some", func(fs *flag.FlagSet) { new(checkOptions).register(fs) }},
		"report": {runReport, "report PATHS…|- [--format html|markdown] [-o FILE] [--maps FOLDER]", "usage of every function and space, fullest first",
			func(fs *flag.FlagSet) { new(reportOptions).register(fs) }},
		"explain":    {runExplain, "explain [CODE…]", "print the manual page of a diagnostic; without a code list them all", nil},
		"completion": {runCompletion, "completion bash|zsh|fish", "print a completion script for a shell", nil},
		"man":        {runMan, "man", "print the manual page", nil},
		"version":    {runVersion, "version [--json]", "print version, build and LSP level", versionFlags},
	}
}

// Main runs the command line and returns the exit code.
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	e := &env{in, out, errw}
	if len(args) == 0 {
		args = []string{"serve"}
	}
	name := args[0]
	switch name {
	case "--version", "-version":
		name = "version"
	case "-h", "--help", "help":
		usage(out)
		return exitOK
	case "--stdio", "-stdio":
		name, args = "serve", append([]string{"serve"}, args...)
	}
	c, ok := commands()[name]
	if !ok {
		fmt.Fprintf(errw, "pypto-ls: unknown command '%s'\n\n", name)
		usage(errw)
		return exitUsage
	}
	return c.run(e, args[1:])
}

func usage(w io.Writer) {
	cs := commands()
	names := make([]string, 0, len(cs))
	for n := range cs {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Fprintln(w, "pypto-ls: addresses, sizes and overflows of PyPTO kernels, as you type")
	fmt.Fprintln(w, "\nUsage: pypto-ls COMMAND [ARGUMENTS]; without a command it serves on standard input and output")
	for _, n := range names {
		fmt.Fprintf(w, "\n  pypto-ls %s\n      %s\n", cs[n].usage, cs[n].short)
	}
	fmt.Fprintln(w, "\nAll commands that plan take --platform NAME, --planner PYPTO|DSA_RP|PTOAS and --config FILE.")
}

// parse reads flags and positional arguments in any order.
func (e *env) parse(fs *flag.FlagSet, args []string) ([]string, bool) {
	fs.SetOutput(e.err)
	var pos []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, false
			}
			return nil, false
		}
		args = fs.Args()
		if len(args) == 0 {
			return pos, true
		}
		// A lone "-" is standard input; everything else is positional too.
		pos = append(pos, args[0])
		args = args[1:]
	}
}

func (e *env) fail(format string, args ...any) int {
	fmt.Fprintln(e.err, "pypto-ls: "+strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
	return exitUsage
}
