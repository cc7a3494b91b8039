package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/lsp/report"
)

// reportOptions are the flags of report.
type reportOptions struct {
	target
	format, out, maps, title string
	jobs                     int
}

func (o *reportOptions) register(fs *flag.FlagSet) {
	o.target.flags(fs)
	fs.StringVar(&o.format, "format", "html", "html, or markdown for a comment on a pull request")
	fs.StringVar(&o.out, "o", "", "file to write instead of standard output")
	fs.StringVar(&o.maps, "maps", "", "folder to write the memory map of every file to; the report links them")
	fs.StringVar(&o.title, "title", "On-chip memory", "heading of the report")
	fs.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "files planned at a time")
}

func runReport(e *env, args []string) int {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	var o reportOptions
	o.register(fs)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) == 0 {
		return e.fail("report takes files, folders, patterns or -")
	}
	if o.format != "html" && o.format != "markdown" {
		return e.fail("unknown --format '%s': html or markdown", o.format)
	}
	if o.jobs < 1 {
		return e.fail("--jobs must be at least 1")
	}
	if o.maps != "" {
		if err := os.MkdirAll(o.maps, 0o755); err != nil {
			return e.fail("%v", err)
		}
	}
	files, trouble := e.expand(pos)
	f, failed := e.folder(&o, files)
	f.Findings = append(trouble, f.Findings...)
	var b bytes.Buffer
	write := f.HTML
	if o.format == "markdown" {
		write = f.Markdown
	}
	if err := write(&b); err != nil {
		return e.fail("%v", err)
	}
	if err := e.write(o.out, b.Bytes()); err != nil {
		return e.fail("%v", err)
	}
	switch {
	case failed || len(trouble) > 0:
		return exitUsage
	case f.Errors() > 0:
		return exitFindings
	}
	return exitOK
}

// write writes to a file, or to standard output for "".
func (e *env) write(path string, data []byte) error {
	if path == "" || path == "-" {
		_, err := io.Copy(e.out, bytes.NewReader(data))
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// folderPart is what one file adds to a report.
type folderPart struct {
	rows   []report.Row
	items  []report.Item
	target string
	failed bool
}

// folder plans all files, o.jobs at a time, keeping only rows and findings.
func (e *env) folder(o *reportOptions, files []source) (*report.Folder, bool) {
	parts := make([]folderPart, len(files))
	progress := e.progress(len(files))
	forEach(files, o.jobs, func(i, workers int) {
		parts[i] = e.folderPart(o, files[i].path, i, workers)
		progress.done()
	})
	progress.finish()
	f := &report.Folder{Title: o.title, Files: len(files)}
	failed := false
	for _, p := range parts {
		f.Rows = append(f.Rows, p.rows...)
		f.Findings = append(f.Findings, p.items...)
		failed = failed || p.failed
		switch {
		case f.Target == "":
			f.Target = p.target
		case p.target != "" && f.Target != p.target:
			f.Target = "several targets"
		}
	}
	f.Sort()
	return f, failed
}

func (e *env) folderPart(o *reportOptions, path string, n, workers int) (p folderPart) {
	name := nameOf(&o.target, path)
	text, err := e.read(path)
	code := "unreadable-file"
	var doc *analysis.Document
	if err == nil {
		code = "configuration"
		doc, err = e.documentOf(analysis.NewEngine(memoSize), &o.target, path, name, irsyntax.Parse(text), text)
	}
	if err != nil {
		p.failed = true
		p.items = []report.Item{report.Problem(name, code, reasonOf(err))}
		return p
	}
	_ = doc.Compute(context.Background(), nil, workers)
	p.target = doc.Settings.Name + ", " + doc.Settings.Planner.String()
	p.rows = report.Rows(name, doc)
	p.items = report.Items(name, doc, false)
	if o.maps != "" && len(p.rows) > 0 {
		file := filepath.Join(o.maps, fmt.Sprintf("%04d_%s.html", n+1, filepath.Base(name)))
		html, err := mapPage(filepath.Base(name), "", doc)
		if err == nil {
			err = os.WriteFile(file, html, 0o644)
		}
		if err != nil {
			p.failed = true
			p.items = append(p.items, report.Problem(name, "unreadable-file", err.Error()))
			return p
		}
		link := linkFrom(o.out, file)
		for i := range p.rows {
			p.rows[i].Map = link
		}
	}
	return p
}

// linkFrom is the address of a file as seen from the report, escaped.
func linkFrom(page, file string) string {
	dir := "."
	if page != "" && page != "-" {
		dir = filepath.Dir(page)
	}
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return (&url.URL{Path: filepath.ToSlash(file)}).String()
}
