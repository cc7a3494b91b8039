package cli

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"pypto-ls/lsp/report"
)

// checkOptions are the flags of check.
type checkOptions struct {
	target    target
	platforms list
	planners  list
	format    string
	level     string
	failLevel report.Level
	baseline  string
	against   string
	maxUsage  list
	jobs      int
	stats     bool
	watch     bool
	noColor   bool
	fix, diff bool
}

// list is a flag that may be given several times, or once with commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	for _, x := range strings.Split(s, ",") {
		if x = strings.TrimSpace(x); x != "" {
			*l = append(*l, x)
		}
	}
	return nil
}

// register defines the flags of check.
func (o *checkOptions) register(fl *flag.FlagSet) {
	fl.StringVar(&o.level, "fail-level", "error", "exit 1 for findings of this severity or worse: error, warning, information, hint")
	fl.Var(&o.platforms, "platform", "target platform; several make a matrix")
	fl.Var(&o.planners, "planner", "memory planner PYPTO, DSA_RP or PTOAS; several make a matrix")
	fl.StringVar(&o.target.config, "config", "", "pypto-ls.toml to use instead of the one found upwards from each file")
	fl.StringVar(&o.target.from, "from", "", "the pass after which the texts stand (default: told by name and content)")
	fl.StringVar(&o.target.stdinName, "stdin-filename", "", "name of the text on standard input")
	fl.StringVar(&o.format, "format", "text", "text, json, jsonl, sarif, github, gitlab or junit")
	fl.StringVar(&o.baseline, "baseline", "", "JSON of an earlier run: only findings that are not in it count")
	fl.StringVar(&o.against, "against", "", "saved copy of the file or folder: report what grew or moved")
	fl.Var(&o.maxUsage, "max-usage", "budget such as Vec=90%; a space above it is a warning")
	fl.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "files checked at a time")
	fl.BoolVar(&o.stats, "stats", false, "print counts and speed to standard error")
	fl.BoolVar(&o.watch, "watch", false, "check again whenever a file changes")
	fl.BoolVar(&o.noColor, "no-color", false, "no colours, even on a terminal")
	fl.BoolVar(&o.fix, "fix", false, "apply the safe fixes to the files")
	fl.BoolVar(&o.diff, "diff", false, "print what --fix would change, as a patch")
}

func parseCheck(e *env, args []string) (*checkOptions, []string, int) {
	o := &checkOptions{}
	fl := flag.NewFlagSet("check", flag.ContinueOnError)
	o.register(fl)
	pos, ok := e.parse(fl, args)
	if !ok {
		return nil, nil, exitUsage
	}
	if len(pos) == 0 {
		return nil, nil, e.fail("check takes files, folders, globs or -")
	}
	if o.failLevel, ok = report.ParseLevel(o.level); !ok {
		return nil, nil, e.fail("unknown --fail-level '%s': error, warning, information or hint", o.level)
	}
	if report.Formats[o.format] == nil {
		return nil, nil, e.fail("unknown format '%s': text, json, jsonl, sarif, github, gitlab or junit", o.format)
	}
	if o.jobs < 1 {
		return nil, nil, e.fail("--jobs must be at least 1")
	}
	if _, err := parseBudgets(o.maxUsage); err != nil {
		return nil, nil, e.fail("%v", err)
	}
	if o.watch && (o.fix || o.diff || containsString(pos, "-")) {
		return nil, nil, e.fail("--watch goes with files and folders, without --fix and --diff")
	}
	return o, pos, exitOK
}

func containsString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func runCheck(e *env, args []string) int {
	o, paths, code := parseCheck(e, args)
	if code != exitOK {
		return code
	}
	if o.watch {
		return e.watch(o, paths)
	}
	return e.checkOnce(o, paths)
}

// checkOnce checks everything once and writes the report.
func (e *env) checkOnce(o *checkOptions, paths []string) int {
	began := time.Now()
	files, trouble := e.expand(paths)
	targets, err := o.targets()
	if err != nil {
		return e.fail("%v", err)
	}
	if o.fix || o.diff {
		if code := e.applyFixes(o, targets[0], files); code != exitOK || o.diff {
			return code
		}
	}
	code := exitOK
	if len(trouble) > 0 {
		code = exitUsage
	}
	r := &runner{env: e, o: o, targets: targets}
	items, stats, failed := r.all(files)
	if failed {
		code = exitUsage
	}
	items = append(trouble, items...)
	fresh := items
	if o.baseline != "" {
		old, err := loadBaseline(o.baseline)
		if err != nil {
			return e.fail("%v", err)
		}
		fresh = old.filter(items)
	}
	opt := report.Options{Version: Version, Excerpts: e.terminal(), Color: e.terminal() && !o.noColor}
	if err := report.Formats[o.format](e.out, fresh, opt); err != nil {
		return e.fail("%v", err)
	}
	if len(targets) > 1 && o.format == "text" {
		writeMatrix(e.out, targets, fresh, o.failLevel)
	}
	if o.stats {
		stats.print(e.err, time.Since(began))
	}
	if code == exitOK && failing(fresh, o.failLevel) {
		code = exitFindings
	}
	return code
}

func failing(items []report.Item, limit report.Level) bool {
	for _, it := range items {
		if it.Severity <= limit {
			return true
		}
	}
	return false
}

// targets are all combinations of platforms and planners asked for; one empty
// target leaves the choice to each file.
func (o *checkOptions) targets() ([]target, error) {
	ps, ms := o.platforms, o.planners
	if len(ps) == 0 {
		ps = list{""}
	}
	if len(ms) == 0 {
		ms = list{""}
	}
	var out []target
	for _, p := range ps {
		for _, m := range ms {
			t := o.target
			t.platform, t.planner = p, m
			out = append(out, t)
		}
	}
	return out, nil
}

// writeMatrix prints one line for each target that fails.
func writeMatrix(w io.Writer, targets []target, items []report.Item, limit report.Level) {
	count := map[string]int{}
	var order []string
	for _, it := range items {
		k := it.Platform + " " + it.Planner
		if it.Severity <= limit && it.Platform != "" {
			if count[k] == 0 {
				order = append(order, k)
			}
			count[k]++
		}
	}
	for _, k := range order {
		fmt.Fprintf(w, "%s: %d finding(s) at or above the fail level\n", k, count[k])
	}
	if len(order) == 0 {
		fmt.Fprintf(w, "all %d targets pass\n", len(targets))
	}
}
