package cli

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// usage prints all commands.
func usage(w io.Writer) {
	cs := commands()
	fmt.Fprintln(w, "pypto-ls: addresses, sizes and overflows of PyPTO kernels, as you type")
	fmt.Fprintln(w, "\nUsage: pypto-ls COMMAND [ARGUMENTS]; without a command it serves on standard input and output")
	for _, n := range commandNames() {
		fmt.Fprintf(w, "\n  pypto-ls %s\n      %s\n", cs[n].usage, cs[n].short)
	}
	fmt.Fprintln(w, "\n`pypto-ls COMMAND --help` lists the flags of a command.")
}

// commandHelp prints what one command takes.
func commandHelp(w io.Writer, c command) {
	fmt.Fprintf(w, "%s\n\nUsage: pypto-ls %s\n", sentence(c.short), c.usage)
	fl := flagsOf(c)
	if len(fl) == 0 {
		return
	}
	fmt.Fprintln(w, "\nFlags:")
	for _, f := range fl {
		fmt.Fprintf(w, "  %s\n      %s%s\n", flagSyntax(f), f.Usage, defaultText(f))
	}
}

// sentence makes one of the beginning of a text.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// flagSyntax is how a flag is written: `--jobs N`, `-o FILE`.
func flagSyntax(f *flag.Flag) string {
	out := dashed(f.Name)
	if takesValue(f) {
		out += " " + metavar(f)
	}
	return out
}

// dashed puts the dashes before a flag's name.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// metavars name the values of flags in help and manual.
var metavars = map[string]string{
	"platform": "NAME", "planner": "NAME", "format": "FORMAT", "fail-level": "LEVEL", "jobs": "N", "max-usage": "SPACE=LIMIT",
	"from": "PASS", "after": "PASS", "against": "PATH", "listen": "ADDR", "log-level": "LEVEL", "function": "NAME", "title": "TEXT", "color": "WHEN", "maps": "DIR",
	"stdin-filename": "NAME", "compare": "PATH",
}

func metavar(f *flag.Flag) string {
	if m, ok := metavars[f.Name]; ok {
		return m
	}
	return "FILE"
}

// defaultText tells a default that is worth knowing.
func defaultText(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" || !takesValue(f) || f.Name == "jobs" {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// wantsHelp tells whether help is asked for before a `--`.
func wantsHelp(args []string) bool {
	for _, a := range args {
		switch a {
		case "--":
			return false
		case "-h", "-help", "--help":
			return true
		}
	}
	return false
}

// parse reads flags and positional arguments in any order; after `--` all are
// positional. What is wrong is told on the error stream.
func (e *env) parse(fs *flag.FlagSet, args []string) ([]string, bool) {
	fs.SetOutput(io.Discard)
	var rest []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, rest = args[:i], args[i+1:]
	}
	var pos []string
	for {
		if err := fs.Parse(args); err != nil {
			e.badFlag(fs, err)
			return nil, false
		}
		args = fs.Args()
		if len(args) == 0 {
			return append(pos, rest...), true
		}
		// A lone "-" is standard input; everything else is positional too.
		pos = append(pos, args[0])
		args = args[1:]
	}
}

// badFlag tells what is wrong with the flags, and where to look.
func (e *env) badFlag(fs *flag.FlagSet, err error) {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		text = "unknown flag " + dashed(name)
		if near := nearestFlag(fs, name); near != "" {
			text += "; did you mean " + dashed(near) + "?"
		}
	} else if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		text = dashed(name) + " needs a value"
	} else if what, rest, ok := cutAny(text, " for flag -", " for -"); ok { // invalid value "x" for flag -jobs: parse error
		name, why, _ := strings.Cut(rest, ": ")
		text = what + " for " + dashed(name)
		if why != "parse error" {
			text += ": " + why
		}
	}
	e.fail("%s: %s", fs.Name(), text)
	fmt.Fprintf(e.err, "`pypto-ls %s --help` lists the flags.\n", fs.Name())
}

// cutAny cuts around the first separator that s has.
func cutAny(s string, seps ...string) (before, after string, ok bool) {
	for _, sep := range seps {
		if before, after, ok = strings.Cut(s, sep); ok {
			return before, after, true
		}
	}
	return s, "", false
}

// nearestFlag is the flag that a misspelt name is likely to mean, or "".
func nearestFlag(fs *flag.FlagSet, name string) string {
	best, most := "", 3 // more changes than that are another word
	fs.VisitAll(func(f *flag.Flag) {
		d := distance(f.Name, name)
		if strings.HasPrefix(f.Name, name) {
			d = min(d, 1)
		}
		if d < most && d < len(f.Name) {
			best, most = f.Name, d
		}
	})
	return best
}

// distance counts the letters to change, insert or remove between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := diag
			if a[i-1] != b[j-1] {
				d++
			}
			diag = row[j]
			row[j] = min(d, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// nearestCommand is the command that a misspelt name is likely to mean, or "".
func nearestCommand(name string) string {
	best, most := "", 3
	for _, n := range commandNames() {
		if d := distance(n, name); d < most {
			best, most = n, d
		}
	}
	return best
}

func commandNames() []string {
	var names []string
	for n := range commands() {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// flagsOf lists the flags of a command in the order of their names.
func flagsOf(c command) []*flag.Flag {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	if c.flags != nil {
		c.flags(fs)
	}
	var out []*flag.Flag
	fs.VisitAll(func(f *flag.Flag) { out = append(out, f) })
	return out
}

// takesValue tells a flag with a value from a switch.
func takesValue(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}
