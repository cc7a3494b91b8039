package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/report"
)

// runner checks many files with a bounded amount of memory: a file's text and
// IR are dropped as soon as its findings are made, and results are put in
// order whatever the number of jobs.
type runner struct {
	env     *env
	o       *checkOptions
	targets []target
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
	fmt.Fprintf(w, "%d files, %d functions, %d lines in %.2f s (%.0f lines/s): %d errors, %d warnings, %d notes\n",
		s.files, s.funcs, s.lines, took.Seconds(), float64(s.lines)/max(took.Seconds(), 1e-9), s.byLevel[0], s.byLevel[1], s.byLevel[2]+s.byLevel[3])
}

// all checks the files on o.jobs workers.
func (r *runner) all(files []string) ([]report.Item, *runStats, bool) {
	// What a large file needs counts more than the few percent of time that
	// collecting earlier takes.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	results := make([]fileResult, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	progress := r.progress(len(files))
	for range min(r.o.jobs, max(len(files), 1)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				results[i] = r.file(files[i])
				progress.done()
			}
		}()
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	progress.finish()
	var items []report.Item
	stats := &runStats{files: len(files)}
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
func (r *runner) file(path string) (fr fileResult) {
	name := path
	if path == "-" && r.o.target.stdinName != "" {
		name = r.o.target.stdinName
	}
	text, err := r.env.read(path)
	if err != nil {
		fr.failed = true
		fr.items = []report.Item{report.Problem(name, "unreadable-file", err.Error())}
		return fr
	}
	if reason := notText(text); reason != "" {
		fr.failed = true
		fr.items = []report.Item{report.Problem(name, "unreadable-file", reason)}
		return fr
	}
	fr.lines = strings.Count(text, "\n")
	budgets, _ := parseBudgets(r.o.maxUsage)
	for i := range r.targets {
		t := &r.targets[i]
		eng := analysis.NewEngine(8 << 20)
		doc, err := r.env.documentOf(eng, t, path, name, irsyntax.Parse(text), text)
		if err != nil {
			fr.failed = true
			fr.items = append(fr.items, report.Problem(name, "configuration", err.Error()))
			continue
		}
		items := report.Items(name, doc)
		items = append(items, overBudget(name, doc, budgets)...)
		if r.o.against != "" {
			more, err := r.compare(t, path, name, doc)
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
		fr.items = append(fr.items, items...)
		if i == 0 {
			fr.funcs = len(doc.FuncChunks())
		}
	}
	return fr
}

// notText tells why a file is not a text at all; "" when it is.
func notText(s string) string {
	head := s[:min(len(s), 8192)]
	if strings.IndexByte(head, 0) >= 0 {
		return "the file is binary (it has NUL bytes)"
	}
	if !utf8.ValidString(head) && !utf8.ValidString(strings.ToValidUTF8(head, "")) {
		return "the file is not UTF-8"
	}
	return ""
}

// progressBar shows on a terminal how far a long run has come.
type progressBar struct {
	mu    sync.Mutex
	w     io.Writer
	total int
	n     int
	last  time.Time
}

func (r *runner) progress(total int) *progressBar {
	p := &progressBar{total: total, last: time.Now()}
	if r.env.errTerminal() && total > 20 {
		p.w = r.env.err
	}
	return p
}

func (p *progressBar) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	if p.w != nil && time.Since(p.last) > 200*time.Millisecond {
		p.last = time.Now()
		fmt.Fprintf(p.w, "\r%d of %d files", p.n, p.total)
	}
}

func (p *progressBar) finish() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
