package cli

import (
	"io"
	"os"
)

func (e *env) errTerminal() bool { return isTerminal(e.err) }

// isTerminal reports whether the output goes to a person.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
