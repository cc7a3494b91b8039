package cli

import (
	"flag"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"

	"pypto-ls/analysis"
	"pypto-ls/lsp/report"
)

func runCheck(e *env, args []string) int {
	fl := flag.NewFlagSet("check", flag.ContinueOnError)
	var t target
	t.flags(fl)
	format := fl.String("format", "text", "text or json")
	level := fl.String("fail-level", "error", "exit 1 for findings of this severity or worse: error, warning, information, hint")
	pos, ok := e.parse(fl, args)
	if !ok {
		return exitUsage
	}
	if len(pos) == 0 {
		return e.fail("check takes files, folders or -")
	}
	limit, ok := report.ParseLevel(*level)
	if !ok {
		return e.fail("unknown --fail-level '%s': error, warning, information or hint", *level)
	}
	write, ok := report.Formats[*format]
	if !ok {
		return e.fail("unknown format '%s'", *format)
	}
	files, code := e.expand(pos)
	eng := analysis.NewEngine(64 << 20)
	var all []report.Item
	for _, f := range files {
		doc, err := e.document(eng, &t, f)
		if err != nil {
			e.fail("%v", err)
			code = exitUsage
			continue
		}
		name := f
		if f == "-" && t.stdinName != "" {
			name = t.stdinName
		}
		all = append(all, report.Items(name, doc)...)
	}
	write(e.out, all)
	for _, it := range all {
		if it.Severity <= limit && code == exitOK {
			code = exitFindings
		}
	}
	return code
}

// expand turns folders into the dumps and kernels in them.
func (e *env) expand(paths []string) (files []string, code int) {
	for _, p := range paths {
		if p == "-" {
			files = append(files, p)
			continue
		}
		var found []string
		err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if path != p && strings.HasPrefix(d.Name(), ".") {
					return filepath.SkipDir
				}
				return nil
			}
			if path == p || isDump(path) {
				found = append(found, path)
			}
			return nil
		})
		if err != nil {
			e.fail("%v", err)
			code = exitUsage
		}
		sort.Strings(found)
		files = append(files, found...)
	}
	return files, code
}

func isDump(path string) bool {
	slash := filepath.ToSlash(path)
	return strings.HasSuffix(slash, ".pypto.py") || strings.HasSuffix(slash, ".py") && strings.Contains(slash, "passes_dump/")
}
