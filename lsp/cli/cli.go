// Package cli is the command line of pypto-ls: serve, check, plan, ir, map,
// report, version (design: "Command line").
package cli

import (
	"flag"
	"fmt"
	"io"
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
		"ir": {runIR, "ir FILE|- --after PASS|all [--from PASS]", "print the IR after a pass, byte-equal to the compiler's dump",
			func(fs *flag.FlagSet) { new(irOptions).register(fs) }},
		"map": {runMap, "map FILE|- [-o OUT.html] [--function NAME] [--compare]", "draw the memory map: address across, lifetime down, as one HTML page",
			func(fs *flag.FlagSet) { new(mapOptions).register(fs) }},
		"check": {runCheck, "check PATHS…|- [--format FORMAT] [--fail-level LEVEL] [--baseline FILE] [--against PATH] [--max-usage SPACE=LIMIT] [--fix|--diff] [--watch]",
			"report every finding; exit 1 when there are errors", func(fs *flag.FlagSet) { new(checkOptions).register(fs) }},
		"report": {runReport, "report PATHS…|- [--format html|markdown] [-o FILE] [--maps FOLDER]", "usage of every function and space, fullest first",
			func(fs *flag.FlagSet) { new(reportOptions).register(fs) }},
		"replay": {runReplay, "replay FILE [--anonymise [-o OUT]]", "play a session that `serve --record` wrote, or take the names out of it",
			func(fs *flag.FlagSet) { new(replayOptions).register(fs) }},
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
	case "-h", "-help", "--help", "help":
		if len(args) > 1 {
			return e.help(args[1])
		}
		usage(out)
		return exitOK
	case "--stdio", "-stdio":
		name, args = "serve", append([]string{"serve"}, args...)
	}
	c, ok := commands()[name]
	if !ok {
		return e.unknownCommand(name)
	}
	if wantsHelp(args[1:]) {
		commandHelp(out, c)
		return exitOK
	}
	return c.run(e, args[1:])
}

func (e *env) help(name string) int {
	c, ok := commands()[name]
	if !ok {
		return e.unknownCommand(name)
	}
	commandHelp(e.out, c)
	return exitOK
}

func (e *env) unknownCommand(name string) int {
	hint := ""
	if near := nearestCommand(name); near != "" {
		hint = "; did you mean " + near + "?"
	}
	e.fail("unknown command '%s'%s", name, hint)
	fmt.Fprintln(e.err, "`pypto-ls --help` lists the commands.")
	return exitUsage
}

func (e *env) fail(format string, args ...any) int {
	fmt.Fprintln(e.err, "pypto-ls: "+strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"))
	return exitUsage
}
