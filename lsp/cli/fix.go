package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
)

// maxRounds bounds how often a file is fixed again, since one fix may make
// room for another.
const maxRounds = 5

// applyFixes makes the safe fixes of the given files, and the preferred ones of
// errors that there is nothing to mind about. With --diff it prints a patch
// instead and changes nothing; the exit code then tells whether there is one.
func (e *env) applyFixes(o *checkOptions, t target, files []string) int {
	code, patched := exitOK, false
	for _, path := range files {
		if path == "-" && !o.diff {
			return e.fail("--fix changes files; use --diff for standard input")
		}
		before, after, err := e.fixed(&t, path)
		var unread *readError
		switch {
		case errors.As(err, &unread) && !o.diff:
			continue // the check reports it
		case err != nil:
			fmt.Fprintf(e.err, "pypto-ls: %v\n", err)
			code = exitUsage
			continue
		case before == after:
			continue
		}
		patched = true
		if o.diff {
			name := path
			if path == "-" {
				name = t.stdinName
			}
			if _, err := fmt.Fprint(e.out, unifiedDiff(filepath.ToSlash(name), before, after)); err != nil {
				return e.fail("%v", err)
			}
			continue
		}
		if err := replaceFile(path, after); err != nil {
			fmt.Fprintf(e.err, "pypto-ls: %s: %v\n", path, reasonOf(err))
			code = exitUsage
		}
	}
	if code == exitOK && patched && o.diff {
		code = exitFindings
	}
	return code
}

// fixed is a file's text before and after its fixes.
func (e *env) fixed(t *target, path string) (before, after string, err error) {
	before, err = e.read(path)
	if err != nil {
		return "", "", err
	}
	name := path
	if path == "-" {
		name = t.stdinName
	}
	after = before
	for range maxRounds {
		doc, err := e.documentOf(analysis.NewEngine(8<<20), t, path, name, irsyntax.Parse(after), after)
		if err != nil {
			return "", "", err
		}
		next := analysis.ApplyEdits(after, doc.SureFixes())
		if next == after {
			break
		}
		after = next
	}
	return before, after, nil
}

// replaceFile writes a file in one step: whoever reads it meanwhile, and
// whatever fails, there is the old text or the new one. A link stays a link.
func replaceFile(path, text string) (err error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if st, err := os.Stat(real); err == nil {
		mode = st.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(real), ".pypto-ls-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.WriteString(text)
	if e := f.Chmod(mode); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), real)
}
