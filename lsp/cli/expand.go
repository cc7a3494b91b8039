package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"pypto-ls/lsp/report"
)

// source is a file to check.
type source struct {
	// path is the file as findings name it, "-" for standard input.
	path string
	// below is the name relative to the folder that was given; "" for files that
	// were given themselves.
	below string
}

// expand turns folders and patterns into files: in folders the dumps
// (`passes_dump/*.py`, `*after_*.py`) and kernels (`*.pypto.py`), given files
// as they are. What cannot be used becomes a finding of its own.
func (e *env) expand(paths []string) (files []source, trouble []report.Item) {
	seen := map[string]bool{}
	for _, p := range paths {
		matches := []string{p}
		if isPattern(p) {
			m, why := glob(p)
			if why != "" {
				trouble = append(trouble, noDumps(p, why))
				continue
			}
			matches = m
		}
		for _, m := range matches {
			found, bad := e.walk(m)
			trouble = append(trouble, bad...)
			for _, f := range found {
				if key := filepath.Clean(f.path); !seen[key] {
					seen[key] = true
					files = append(files, f)
				}
			}
		}
	}
	return files, trouble
}

// pathsOf are the files alone.
func pathsOf(files []source) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.path
	}
	return out
}

// isPattern tells a pattern from the name of a file that has its characters.
func isPattern(p string) bool {
	if !strings.ContainsAny(p, "*?[") {
		return false
	}
	_, err := os.Lstat(p)
	return err != nil
}

func noDumps(path, why string) report.Item {
	it := report.Problem(path, "no-dumps", why)
	it.Severity = report.Warning
	return it
}

func unreadable(path string, err error) report.Item {
	return report.Problem(path, "unreadable-file", reasonOf(err))
}

// walk lists the dumps below a folder in the order of their names; a file is
// itself. Symbolic links to files are followed, those to folders are not, so
// that a walk ends; what cannot be looked at is told.
func (e *env) walk(path string) (files []source, trouble []report.Item) {
	if path == "-" {
		return []source{{path: path}}, nil
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, []report.Item{unreadable(path, err)}
	}
	if !st.IsDir() {
		return []source{{path: path}}, nil
	}
	root, err := filepath.EvalSymlinks(path) // WalkDir does not enter a root that is a link
	if err != nil {
		return nil, []report.Item{unreadable(path, err)}
	}
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		below, relErr := filepath.Rel(root, p)
		if relErr != nil {
			return relErr
		}
		name := filepath.Join(path, below)
		switch {
		case err != nil:
			trouble = append(trouble, unreadable(name, err))
			return fs.SkipDir
		case d.IsDir():
			if p != root && skipped(d.Name()) {
				return fs.SkipDir
			}
		case !isDump(name):
		case d.Type().IsRegular():
			files = append(files, source{name, below})
		case d.Type()&fs.ModeSymlink != 0:
			if st, err := os.Stat(p); err != nil {
				trouble = append(trouble, unreadable(name, err))
			} else if st.Mode().IsRegular() {
				files = append(files, source{name, below})
			}
		}
		return nil
	})
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	if len(files) == 0 && len(trouble) == 0 {
		trouble = append(trouble, noDumps(path, "the folder holds no dumps (passes_dump/*.py) and no kernels (*.pypto.py)"))
	}
	return files, trouble
}

// skipped folders hold nothing that was written to be checked.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__"
}

func isDump(path string) bool {
	slash := filepath.ToSlash(path)
	return strings.HasSuffix(slash, ".pypto.py") || strings.HasSuffix(slash, ".py") && (strings.Contains(slash, "passes_dump/") || strings.Contains(filepath.Base(slash), "after_"))
}
