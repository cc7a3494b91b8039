package cli

import (
	"io"
	"os"
)

// terminal reports whether the output goes to a person.
func (e *env) terminal() bool { return isTerminal(e.out) && os.Getenv("NO_COLOR") == "" }

func (e *env) errTerminal() bool { return isTerminal(e.err) }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
