package cli

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
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
	color     string
	excerpts  bool
	fix, diff bool
	budgets   []budget
	known     baseline
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
	fl.Var(&o.platforms, "platform", "target platform (default Ascend910B); several, or a list with commas, make a matrix")
	fl.Var(&o.planners, "planner", "memory planner: PYPTO, DSA_RP or PTOAS (default PYPTO); several make a matrix")
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
	fl.StringVar(&o.color, "color", "auto", "colours in the text format: auto (on a terminal, unless NO_COLOR is set), always or never")
	fl.BoolVar(&o.excerpts, "excerpts", false, "show the source lines also when the output is no terminal")
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
		return nil, nil, e.fail("check takes files, folders, patterns or -")
	}
	if err := o.validate(pos); err != nil {
		return nil, nil, e.fail("%v", err)
	}
	return o, pos, exitOK
}

// validate finds what is wrong with the flags before any file is looked at.
func (o *checkOptions) validate(pos []string) (err error) {
	var ok bool
	if o.failLevel, ok = report.ParseLevel(o.level); !ok {
		return fmt.Errorf("unknown --fail-level '%s': error, warning, information or hint", o.level)
	}
	if report.Formats[o.format] == nil {
		return fmt.Errorf("unknown --format '%s': text, json, jsonl, sarif, github, gitlab or junit", o.format)
	}
	if o.color != "auto" && o.color != "always" && o.color != "never" {
		return fmt.Errorf("unknown --color '%s': auto, always or never", o.color)
	}
	for _, p := range o.planners {
		if err := knownPlanner(p); err != nil {
			return err
		}
	}
	if err := knownPass(o.target.from); err != nil {
		return err
	}
	if o.jobs < 1 {
		return fmt.Errorf("--jobs must be at least 1")
	}
	if o.watch && (o.fix || o.diff || slices.Contains(pos, "-")) {
		return fmt.Errorf("--watch goes with files and folders, without --fix and --diff")
	}
	if o.budgets, err = parseBudgets(o.maxUsage); err != nil {
		return err
	}
	if o.baseline != "" {
		if o.known, err = loadBaseline(o.baseline); err != nil {
			return err
		}
	}
	return nil
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
	targets := o.targets()
	if err := o.knownPlatforms(files); err != nil {
		return e.fail("%v", err)
	}
	if o.fix || o.diff {
		if code := e.applyFixes(o, targets[0], pathsOf(files)); code != exitOK || o.diff {
			return code
		}
	}
	r := &runner{env: e, o: o, targets: targets, budgets: o.budgets, fixes: e.showsFixes(o)}
	return e.conclude(o, files, trouble, r.all(files), began)
}

// conclude writes the report of what was found and chooses the exit code.
func (e *env) conclude(o *checkOptions, files []source, trouble []report.Item, results []fileResult, began time.Time) int {
	items, stats, failed := join(results)
	failed = failed || len(trouble) > 0
	items = append(trouble, items...)
	if o.known != nil {
		items = o.known.filter(items)
	}
	if err := e.writeReport(o, files, items, failed); err != nil {
		return e.fail("%v", err)
	}
	if o.stats {
		stats.print(e.err, time.Since(began))
	}
	switch {
	case failed:
		return exitUsage
	case failing(items, o.failLevel):
		return exitFindings
	}
	return exitOK
}

// excerpts tells whether the report is for somebody who looks at it now.
func (e *env) excerpts(o *checkOptions) bool {
	return o.format == "text" && (o.excerpts || o.color == "always" || isTerminal(e.out))
}

// showsFixes tells whether the report has the fixes of findings.
func (e *env) showsFixes(o *checkOptions) bool {
	return o.format == "json" || o.format == "jsonl" || e.excerpts(o)
}

func (e *env) writeReport(o *checkOptions, files []source, items []report.Item, incomplete bool) error {
	opt := places()
	opt.Version, opt.FailLevel, opt.Incomplete = Version, o.failLevel, incomplete
	opt.Excerpts = e.excerpts(o)
	opt.Color = o.color == "always" || o.color == "auto" && isTerminal(e.out) && os.Getenv("NO_COLOR") == ""
	for _, f := range files {
		opt.Files = append(opt.Files, nameOf(&o.target, f.path))
	}
	w := bufio.NewWriter(e.out)
	if err := report.Formats[o.format](w, items, opt); err != nil {
		return err
	}
	if targets := o.targets(); len(targets) > 1 && o.format == "text" {
		writeMatrix(w, len(targets), items, o.failLevel)
	}
	return w.Flush()
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
func (o *checkOptions) targets() []target {
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
	return out
}

// knownPlatforms refuses a platform that neither we nor a pypto-ls.toml of the
// files know.
func (o *checkOptions) knownPlatforms(files []source) error {
	configured := o.target.config != ""
	for i := 0; i < len(files) && !configured; i++ {
		configured = configFile(nameOf(&o.target, files[i].path)) != ""
	}
	if configured {
		return nil // each file tells
	}
	for _, p := range o.platforms {
		if err := knownPlatform(p); err != nil {
			return err
		}
	}
	return nil
}

// writeMatrix prints one line for each target that fails, in the order in which
// the targets first fail.
func writeMatrix(w io.Writer, targets int, items []report.Item, limit report.Level) {
	type key struct{ platform, planner string }
	count, files := map[key]int{}, map[key]map[string]bool{}
	var order []key
	for _, it := range items {
		if it.Severity > limit {
			continue
		}
		k := key{it.Platform, it.Planner}
		if count[k] == 0 {
			order = append(order, k)
			files[k] = map[string]bool{}
		}
		count[k]++
		files[k][it.File] = true
	}
	for _, k := range order {
		name := k.platform + " " + k.planner
		if k.platform == "" {
			name = "whatever the target"
		}
		fmt.Fprintf(w, "%s: %s at or above the fail level in %s\n", name, report.Count(count[k], "finding"), report.Count(len(files[k]), "file"))
	}
	if len(order) == 0 {
		fmt.Fprintf(w, "all %d targets pass\n", targets)
	}
}
