package cli

import (
	"fmt"
	"os"
	"time"
)

// watchEvery is how often the files are looked at; the sizes and times of a
// thousand files are read in a few milliseconds.
const watchEvery = 300 * time.Millisecond

// watch checks again whenever a file changed, appeared or went. It ends when
// standard input is closed or the process is interrupted.
func (e *env) watch(o *checkOptions, paths []string) int {
	done := make(chan struct{})
	go func() {
		buf := make([]byte, 256)
		for {
			if _, err := e.in.Read(buf); err != nil {
				close(done)
				return
			}
		}
	}()
	last := ""
	for {
		files, _ := e.expand(paths)
		if now := stamp(files); now != last {
			if last != "" {
				fmt.Fprintf(e.err, "— %s\n", time.Now().Format("15:04:05"))
			}
			last = now
			e.checkOnce(o, paths)
		}
		select {
		case <-done:
			return exitOK
		case <-time.After(watchEvery):
		}
	}
}

// stamp changes when any of the files does.
func stamp(files []string) string {
	s := ""
	for _, f := range files {
		if st, err := os.Stat(f); err == nil {
			s += fmt.Sprintf("%s %d %d\n", f, st.Size(), st.ModTime().UnixNano())
		}
	}
	return s
}
