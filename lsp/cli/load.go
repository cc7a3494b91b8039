package cli

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// target are the flags that all planning commands share.
type target struct {
	platform, planner, config, from string
	stdinName                       string
}

func (t *target) flags(fs *flag.FlagSet) {
	fs.StringVar(&t.platform, "platform", "", "target platform (default Ascend910B)")
	fs.StringVar(&t.planner, "planner", "", "memory planner: PYPTO, DSA_RP or PTOAS (default PYPTO)")
	fs.StringVar(&t.config, "config", "", "pypto-ls.toml to use instead of the one found upwards from the file")
	fs.StringVar(&t.from, "from", "", "the pass after which the text stands (default: told by the file's name and content)")
	fs.StringVar(&t.stdinName, "stdin-filename", "", "name of the text on standard input")
}

// maxFile bounds what a command reads of one file, in bytes.
const maxFile = 256 << 20

// read reads a file, or standard input for "-".
func (e *env) read(path string) (string, error) {
	if path == "-" {
		b, err := io.ReadAll(io.LimitReader(e.in, maxFile+1))
		if len(b) > maxFile {
			return "", fmt.Errorf("standard input is larger than %d MiB", maxFile>>20)
		}
		return string(b), err
	}
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if st.IsDir() {
		return "", fmt.Errorf("%s is a directory", path)
	}
	if st.Size() > maxFile {
		return "", fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	// Straight into a string: a slice would be there a second time while it
	// is copied.
	var b strings.Builder
	b.Grow(int(st.Size()))
	n, err := io.Copy(&b, io.LimitReader(f, maxFile+1))
	if n > maxFile {
		return "", fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	}
	return b.String(), err
}

// configFile finds pypto-ls.toml upwards from a file.
func configFile(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return ""
	}
	for {
		f := filepath.Join(dir, "pypto-ls.toml")
		if st, err := os.Stat(f); err == nil && st.Mode().IsRegular() {
			return f
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// settings resolves the target of one file: command line, comment in the
// file, pypto-ls.toml, default; nearest wins.
func (e *env) settings(t *target, path, text string) (analysis.Settings, error) {
	set := platforms.Builtin()
	layers := []analysis.Layer{{Platform: t.platform, Planner: t.planner, From: "command line"}, analysis.FileLayer(text)}
	cfg := t.config
	if cfg == "" && path != "-" {
		cfg = configFile(path)
	}
	if cfg != "" {
		data, err := os.ReadFile(cfg)
		if err != nil {
			return analysis.Settings{}, err
		}
		s, problems := platforms.Decode(data)
		if len(problems) > 0 {
			return analysis.Settings{}, fmt.Errorf("%s: %s", cfg, problems[0].Message)
		}
		set = s
		if l, ok := analysis.ConfigLayer(data); ok {
			layers = append(layers, l)
		}
	}
	s := analysis.Resolve(set, layers...)
	if s.Problem != "" && (t.platform != "" || t.planner != "") {
		return s, fmt.Errorf("%s", strings.TrimSuffix(s.Problem, " instead."))
	}
	return s, nil
}

// document loads one file as a document.
func (e *env) document(eng *analysis.Engine, t *target, path string) (*analysis.Document, error) {
	text, err := e.read(path)
	if err != nil {
		return nil, err
	}
	name := path
	if path == "-" {
		name = t.stdinName
	}
	return e.documentOf(eng, t, path, name, irsyntax.Parse(text), text)
}

// documentOf makes a document of a text that is loaded already.
func (e *env) documentOf(eng *analysis.Engine, t *target, path, name string, file *irsyntax.File, text string) (*analysis.Document, error) {
	s, err := e.settings(t, path, text)
	if err != nil {
		return nil, err
	}
	opt := analysis.Options{}
	if t.from != "" {
		st, ok := analysis.StartAfter(t.from)
		if !ok {
			return nil, fmt.Errorf("unknown pass '%s'", t.from)
		}
		opt.Start = &st
	}
	return eng.NewDocument(name, file, s, opt, nil), nil
}
