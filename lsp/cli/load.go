package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
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

// readError tells why a file cannot be checked.
type readError struct{ path, reason string }

func (e *readError) Error() string { return e.path + ": " + e.reason }

// reasonOf is an error without the names of operation and file that come
// before what matters.
func reasonOf(err error) string {
	var re *readError
	var pe *fs.PathError
	switch {
	case errors.As(err, &re):
		return re.reason
	case errors.As(err, &pe):
		return pe.Err.Error()
	}
	return err.Error()
}

// headSize is how much of a file is looked at before all of it is read.
const headSize = 8 << 10

// read reads a text file, or standard input for "-". Its errors say in words
// why a file is none.
func (e *env) read(path string) (string, error) {
	in, size := e.in, int64(0)
	if path != "-" {
		st, err := os.Stat(path)
		if err != nil {
			return "", &readError{path, reasonOf(err)}
		}
		if reason := notReadable(st); reason != "" {
			return "", &readError{path, reason}
		}
		f, err := os.Open(path)
		if err != nil {
			return "", &readError{path, reasonOf(err)}
		}
		defer f.Close()
		in, size = f, st.Size()
	}
	text, err := readText(in, size)
	if err != nil {
		name := path
		if path == "-" {
			name = "standard input"
		}
		return "", &readError{name, reasonOf(err)}
	}
	return text, nil
}

func notReadable(st fs.FileInfo) string {
	switch {
	case st.IsDir():
		return "is a directory"
	case st.Mode()&fs.ModeDevice != 0:
		return "is a device"
	case st.Mode()&fs.ModeSocket != 0:
		return "is a socket"
	case st.Size() > maxFile:
		return tooLarge
	}
	return ""
}

var tooLarge = fmt.Sprintf("the file is larger than %d MiB", maxFile>>20)

// readText reads a text of at most maxFile bytes; size is what it is expected
// to have. Of something else no more than the head is read.
func readText(in io.Reader, size int64) (string, error) {
	var head [headSize]byte
	n, err := io.ReadFull(in, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	if reason := notText(string(head[:n])); reason != "" {
		return "", errors.New(reason)
	}
	// Straight into a string: a slice would be there a second time while it is
	// copied.
	var b strings.Builder
	b.Grow(max(n, int(size)))
	b.Write(head[:n])
	if n == headSize {
		if _, err := io.Copy(&b, io.LimitReader(in, maxFile+1-headSize)); err != nil {
			return "", err
		}
	}
	text := b.String()
	if len(text) > maxFile {
		return "", errors.New(tooLarge)
	}
	if reason := notText(text); reason != "" {
		return "", errors.New(reason)
	}
	if i := invalid(text); i >= 0 {
		return "", fmt.Errorf("the file is not UTF-8: byte 0x%02x in line %d", text[i], 1+strings.Count(text[:i], "\n"))
	}
	return text, nil
}

// notText tells by a text's beginning why it is none; "" when it may be.
func notText(s string) string {
	switch {
	case strings.HasPrefix(s, "\xff\xfe"), strings.HasPrefix(s, "\xfe\xff"):
		return "the file is UTF-16, not UTF-8"
	case strings.IndexByte(s, 0) >= 0:
		return "the file is binary: it has NUL bytes"
	}
	return ""
}

// invalid is the offset of the first byte that is not UTF-8, -1 for none.
func invalid(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
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
// file, pypto-ls.toml, default; nearest wins. What is wrong with a file's own
// settings is a finding, as in an editor; what is wrong with the command line
// is an error. name is the file's name, also of standard input.
func (e *env) settings(t *target, name, text string) (analysis.Settings, error) {
	cfg := analysis.NoConfig()
	var data []byte
	path := t.config
	if path == "" && name != "" && name != "-" {
		path = configFile(name)
	}
	if path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			return analysis.Settings{}, errors.New(path + ": " + reasonOf(err)) // with its name: it is not the file that is checked
		}
		cfg = analysis.ReadConfig(data)
	}
	if t.config != "" && len(cfg.Problems) > 0 {
		p := cfg.Problems[0]
		return analysis.Settings{}, fmt.Errorf("%s:%d: %s", t.config, 1+bytes.Count(data[:min(p.Start, len(data))], []byte("\n")), p.Message)
	}
	line := analysis.Layer{Platform: t.platform, Planner: t.planner, From: "command line"}
	s := analysis.Resolve(cfg, line, analysis.FileLayer(text), cfg.Layer)
	if strings.Contains(s.Problem, "("+line.From+")") {
		wrong, _, _ := strings.Cut(s.Problem, ". Planned ") // nothing is planned here
		return s, errors.New(wrong)
	}
	s.AddProblems(cfg)
	return s, nil
}

// knownPlanner, knownPlatform and knownPass tell what is wrong with a value of
// the command line; "" is always right.
func knownPlanner(name string) error {
	if s := analysis.Resolve(analysis.NoConfig(), analysis.Layer{Planner: name, From: "command line"}); s.Problem != "" {
		return errors.New("unknown --planner '" + name + "': PYPTO, DSA_RP or PTOAS")
	}
	return nil
}

func knownPlatform(name string) error {
	none := analysis.NoConfig()
	if s := analysis.Resolve(none, analysis.Layer{Platform: name, From: "command line"}); s.Problem != "" {
		return errors.New("unknown --platform '" + name + "': " + strings.Join(none.Names(), ", ") + ", none, or one of a pypto-ls.toml")
	}
	return nil
}

func knownPass(name string) error {
	if _, ok := analysis.StartAfter(name); !ok && name != "" {
		return fmt.Errorf("unknown --from '%s': frontend, or a pass such as MaterializeTensorStrides or MemoryReuse", name)
	}
	return nil
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
	if name == "" {
		name = path
	}
	s, err := e.settings(t, name, text)
	if err != nil {
		return nil, err
	}
	opt := analysis.Options{}
	if t.from != "" {
		if err := knownPass(t.from); err != nil {
			return nil, err
		}
		st, _ := analysis.StartAfter(t.from)
		opt.Start = &st
	}
	return eng.NewDocument(name, file, s, opt, nil), nil
}
