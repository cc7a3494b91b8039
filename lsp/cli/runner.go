package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/report"
)

// memoSize is the memo of one file's functions: what is kept for the next file
// would only grow.
const memoSize = 8 << 20

// runner checks many files with a bounded amount of memory: a file's text and
// IR are dropped as soon as its findings are made, and results are put in
// order whatever the number of jobs.
type runner struct {
	env     *env
	o       *checkOptions
	targets []target
	budgets []budget
	// fixes: the report shows the fixes of findings.
	fixes bool
	// known are results that still hold, by path; see watch.
	known map[string]fileResult
}

type fileResult struct {
	items  []report.Item
	lines  int
	funcs  int
	failed bool
}

type runStats struct {
	files, lines, funcs int
	byLevel             [4]int
}

func (s *runStats) print(w io.Writer, took time.Duration) {
	fmt.Fprintf(w, "%s, %s, %s in %.2f s (%.0f lines/s): %s, %s, %s\n",
		report.Count(s.files, "file"), report.Count(s.funcs, "function"), report.Count(s.lines, "line"), took.Seconds(), float64(s.lines)/max(took.Seconds(), 1e-9),
		report.Count(s.byLevel[report.Error], "error"), report.Count(s.byLevel[report.Warning], "warning"), report.Count(s.byLevel[report.Information]+s.byLevel[report.Hint], "note"))
}

// forEach calls do for every file, on jobs workers. Large files begin first, so
// that none of them is left for the end; workers tells how many goroutines one
// file may use besides.
func forEach(files []source, jobs int, do func(i, workers int)) {
	defer collect()()
	sizes := make([]int64, len(files))
	order := make([]int, len(files))
	for i, f := range files {
		order[i] = i
		if st, err := os.Stat(f.path); err == nil {
			sizes[i] = st.Size()
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	n := max(1, min(jobs, len(files)))
	next := make(chan int)
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				do(i, max(1, min(jobs, runtime.GOMAXPROCS(0))/n))
			}
		}()
	}
	for _, i := range order {
		next <- i
	}
	close(next)
	wg.Wait()
}

// all checks the files on o.jobs workers; the results are in the order of the
// files.
func (r *runner) all(files []source) []fileResult {
	results := make([]fileResult, len(files))
	progress := r.env.progress(len(files))
	forEach(files, r.o.jobs, func(i, workers int) {
		if old, ok := r.known[files[i].path]; ok {
			results[i] = old
		} else {
			results[i] = r.file(files[i], workers)
		}
		progress.done()
	})
	progress.finish()
	return results
}

// join puts the results of all files together.
func join(results []fileResult) ([]report.Item, *runStats, bool) {
	var items []report.Item
	stats := &runStats{files: len(results)}
	failed := false
	for _, fr := range results {
		items = append(items, fr.items...)
		stats.lines += fr.lines
		stats.funcs += fr.funcs
		failed = failed || fr.failed
	}
	for _, it := range items {
		stats.byLevel[it.Severity]++
	}
	return items, stats, failed
}

// file checks one file on all targets. Whatever is wrong with it becomes a
// finding or a message; it never hides other files.
func (r *runner) file(src source, workers int) (fr fileResult) {
	name := nameOf(&r.o.target, src.path)
	text, err := r.env.read(src.path)
	if err != nil {
		return fileResult{failed: true, items: []report.Item{unreadable(name, err)}}
	}
	fr.lines = lineCount(text)
	file := irsyntax.Parse(text)
	for i := range r.targets {
		doc, err := r.env.documentOf(analysis.NewEngine(memoSize), &r.targets[i], src.path, name, file, text)
		if err != nil {
			fr.failed = true
			fr.items = append(fr.items, report.Problem(name, "configuration", reasonOf(err)))
			continue
		}
		_ = doc.Compute(context.Background(), nil, workers)
		report.LookBeyond(context.Background(), doc)
		items := report.Items(name, doc, r.fixes)
		items = append(items, overBudget(name, doc, r.budgets)...)
		if r.o.against != "" {
			more, err := r.compare(&r.targets[i], src, name, doc)
			if err != nil {
				fr.failed = true
				items = append(items, report.Problem(name, "against", err.Error()))
			}
			items = append(items, more...)
		}
		if len(r.targets) > 1 {
			for k := range items {
				items[k].Platform, items[k].Planner = doc.Settings.Name, doc.Settings.Planner.String()
			}
		}
		slices.SortStableFunc(items, func(a, b report.Item) int {
			return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character), cmp.Compare(a.Severity, b.Severity))
		})
		fr.items = append(fr.items, items...)
		if i == 0 {
			fr.funcs = len(doc.FuncChunks())
		}
	}
	return fr
}

// nameOf is the name of a file in findings.
func nameOf(t *target, path string) string {
	if path == "-" && t.stdinName != "" {
		return t.stdinName
	}
	return path
}

// lineCount counts lines, also a last one without its end.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
