package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// pad collects what is written, for a reader in another goroutine.
type pad struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *pad) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *pad) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.b.String()
	p.b.Reset()
	return s
}

// patience is how long a report may take that must come; nothing depends on
// how long it does take.
const patience = time.Minute

// wait waits until a text was written that has want in it.
func (p *pad) wait(t *testing.T, want string) string {
	t.Helper()
	got := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if got += p.take(); strings.Contains(got, want) {
			return got
		}
	}
	t.Fatalf("%q does not appear; got %q", want, got)
	return ""
}

// replace writes a file at once, so that nobody sees a part of it.
func replace(t *testing.T, name, text string) {
	t.Helper()
	put(t, "new", text)
	if err := os.Rename("new", name); err != nil {
		t.Fatal(err)
	}
}

// TestWatch: a change, a new file, a removed one and a changed configuration
// each give a new report; it ends with its input.
func TestWatch(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "d/a.pypto.py", good)
	put(t, "d/b.pypto.py", over950)
	in, stop := io.Pipe()
	var out, errs pad
	ended := make(chan int)
	go func() { ended <- Main([]string{"check", "--watch", "--stats", "d"}, in, &out, &errs) }()
	const over = "d/b.pypto.py:6:9: error: Vec buffer usage (229376 bytes)"
	const undefined = "d/a.pypto.py:8:58: error: Undefined variable 'nowhere'"
	first := out.wait(t, over)
	if strings.Contains(first, "a.pypto.py") {
		t.Errorf("got %q", first)
	}
	errs.wait(t, "2 files")

	replace(t, "d/a.pypto.py", bad)
	both := out.wait(t, over)
	if !strings.HasPrefix(both, undefined) {
		t.Errorf("got %q", both)
	}
	errs.wait(t, "2 files")

	replace(t, "d/c.pypto.py", bad)
	out.wait(t, "d/c.pypto.py:8:58: error: ")
	errs.wait(t, "3 files")

	if err := os.Remove("d/c.pypto.py"); err != nil {
		t.Fatal(err)
	}
	errs.wait(t, "2 files")
	out.take()

	replace(t, "d/pypto-ls.toml", "platform = \"Ascend950\"\n")
	errs.wait(t, "2 files")
	if got := out.take(); !strings.HasPrefix(got, undefined) || strings.Contains(got, "b.pypto.py") {
		t.Errorf("with another platform: %q", got)
	}

	stop.Close()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(patience):
		t.Fatal("it does not end with its input")
	}
}
