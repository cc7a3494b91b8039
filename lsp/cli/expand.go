package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"pypto-ls/lsp/report"
)

// expand turns folders and globs into files: in folders the dumps
// (`passes_dump/*.py`) and kernels (`*.pypto.py`), given files as they are.
// What cannot be used becomes a finding of its own.
func (e *env) expand(paths []string) (files []string, trouble []report.Item) {
	seen := map[string]bool{}
	add := func(f string) {
		if !seen[f] {
			seen[f] = true
			files = append(files, f)
		}
	}
	for _, p := range paths {
		if p == "-" {
			add(p)
			continue
		}
		matches := []string{p}
		if strings.ContainsAny(p, "*?[") {
			if _, err := os.Lstat(p); err != nil {
				m, err := filepath.Glob(p)
				if err != nil || len(m) == 0 {
					trouble = append(trouble, report.Problem(p, "unreadable-file", "no file matches"))
					continue
				}
				sort.Strings(m)
				matches = m
			}
		}
		for _, m := range matches {
			found, item := e.walk(m)
			if item != nil {
				trouble = append(trouble, *item)
			}
			for _, f := range found {
				add(f)
			}
		}
	}
	return files, trouble
}

// walk lists the dumps below a folder in order; symbolic links to folders are
// not followed, so that an endless link ends.
func (e *env) walk(path string) ([]string, *report.Item) {
	st, err := os.Stat(path)
	if err != nil {
		it := report.Problem(path, "unreadable-file", errorText(err))
		return nil, &it
	}
	if !st.IsDir() {
		return []string{path}, nil
	}
	var found []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if p != path && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "__pycache__") {
				return fs.SkipDir
			}
			return nil
		}
		if isDump(p) && d.Type().IsRegular() {
			found = append(found, p)
		}
		return nil
	})
	if err != nil {
		it := report.Problem(path, "unreadable-file", errorText(err))
		return nil, &it
	}
	sort.Strings(found)
	if len(found) == 0 {
		it := report.Problem(path, "no-dumps", "the folder holds no dumps (passes_dump/*.py) and no kernels (*.pypto.py)")
		it.Severity = report.Warning
		return nil, &it
	}
	return found, nil
}

// errorText is an error without the operation and path that Go puts first.
func errorText(err error) string {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

func isDump(path string) bool {
	slash := filepath.ToSlash(path)
	return strings.HasSuffix(slash, ".pypto.py") || strings.HasSuffix(slash, ".py") && (strings.Contains(slash, "passes_dump/") || strings.Contains(filepath.Base(slash), "after_"))
}
