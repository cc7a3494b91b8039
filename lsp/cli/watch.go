package cli

import (
	"fmt"
	"os"
	"time"
)

// watchEvery is how often the files are looked at; the sizes and times of a
// thousand files are read in a few milliseconds.
const watchEvery = 300 * time.Millisecond

// watch checks again whenever a file changed, appeared or went; files that did
// not are not checked again. It ends when standard input is closed or the
// process is interrupted.
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
	stamps, known := map[string]string{}, map[string]fileResult{}
	for first := true; ; first = false {
		began := time.Now()
		files, trouble := e.expand(paths)
		now := map[string]string{}
		for _, f := range files {
			now[f.path] = o.stamp(f)
		}
		for _, t := range trouble {
			now[t.File] = t.Message
		}
		if first || !same(now, stamps) {
			if !first {
				fmt.Fprintf(e.err, "— %s\n", began.Format("15:04:05"))
			}
			if err := o.knownPlatforms(files); err != nil {
				return e.fail("%v", err)
			}
			for f := range known {
				if now[f] != stamps[f] {
					delete(known, f)
				}
			}
			r := &runner{env: e, o: o, targets: o.targets(), budgets: o.budgets, fixes: e.showsFixes(o), known: known}
			results := r.all(files)
			known = make(map[string]fileResult, len(files))
			for i, f := range files {
				known[f.path] = results[i]
			}
			stamps = now
			e.conclude(o, files, trouble, results, began)
		}
		select {
		case <-done:
			return exitOK
		case <-time.After(watchEvery):
		}
	}
}

// stamp changes when the file, its configuration or its saved copy does.
func (o *checkOptions) stamp(f source) string {
	config := o.target.config
	if config == "" {
		config = configFile(f.path)
	}
	s := stampOf(f.path) + stampOf(config)
	if o.against != "" {
		old, _ := savedCopy(o.against, f, f.path)
		s += stampOf(old)
	}
	return s
}

func stampOf(path string) string {
	st, err := os.Stat(path)
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%s %d %d\n", path, st.Size(), st.ModTime().UnixNano())
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}
