package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// patience is how long an answer may take.
const patience = 4 * time.Minute

// Server is a running language server behind two pipes.
type Server struct {
	whole   bool // changes are sent as whole texts
	cmd     *exec.Cmd
	in      io.WriteCloser
	started time.Time

	mu      sync.Mutex
	cond    *sync.Cond
	seq     int
	replies map[int]json.RawMessage
	pushed  []Push
	err     error
}

// Push is one publication of diagnostics.
type Push struct {
	URI     string
	Version int
	// Text is the list of diagnostics as it came.
	Text string
	At   time.Time
}

// Start starts a server.
func Start(program string, args ...string) (*Server, error) {
	s := &Server{cmd: exec.Command(program, args...), replies: map[int]json.RawMessage{}, started: time.Now()}
	s.cond = sync.NewCond(&s.mu)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(bufio.NewReaderSize(out, 1<<20))
	return s, nil
}

func (s *Server) read(r *bufio.Reader) {
	for {
		n := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				s.end(err)
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				n, _ = strconv.Atoi(v)
			}
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			s.end(err)
			return
		}
		s.take(body)
	}
}

func (s *Server) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	s.cond.Broadcast()
}

func (s *Server) take(body []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
		Result json.RawMessage
		Error  json.RawMessage
	}
	at := time.Now()
	if json.Unmarshal(body, &m) != nil {
		return
	}
	if m.Method != "" && m.ID != nil {
		s.answer(m.ID, m.Method, m.Params)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Method == "textDocument/publishDiagnostics" {
		var p struct {
			URI         string
			Version     int
			Diagnostics json.RawMessage
		}
		_ = json.Unmarshal(m.Params, &p)
		s.pushed = append(s.pushed, Push{p.URI, p.Version, string(p.Diagnostics), at})
	} else if m.Method == "" {
		id, _ := strconv.Atoi(string(m.ID))
		if m.Error != nil {
			s.replies[id] = m.Error
		} else {
			s.replies[id] = m.Result
		}
	}
	s.cond.Broadcast()
}

// answer answers a request of the server with nothing.
func (s *Server) answer(id json.RawMessage, method string, params json.RawMessage) {
	var result any
	if method == "workspace/configuration" {
		var p struct{ Items []any }
		_ = json.Unmarshal(params, &p)
		result = make([]any, len(p.Items))
	}
	_ = s.send(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func (s *Server) send(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// Notify sends a notification.
func (s *Server) Notify(method string, params any) error {
	return s.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// wait waits for a condition, which is asked under the lock.
func (s *Server) wait(what string, ok func() bool) error {
	late := false
	t := time.AfterFunc(patience, func() {
		s.mu.Lock()
		late = true
		s.cond.Broadcast()
		s.mu.Unlock()
	})
	defer t.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !ok() {
		if late {
			return fmt.Errorf("waited %v in vain for %s", patience, what)
		}
		if s.err != nil {
			return fmt.Errorf("the server ended before %s: %w", what, s.err)
		}
		s.cond.Wait()
	}
	return nil
}

// Call sends a request and waits for the answer.
func (s *Server) Call(method string, params any) (json.RawMessage, error) {
	s.mu.Lock()
	s.seq++
	id := s.seq
	s.mu.Unlock()
	if err := s.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	var out json.RawMessage
	err := s.wait(method, func() bool {
		r, ok := s.replies[id]
		out = r
		delete(s.replies, id)
		return ok
	})
	return out, err
}

// Initialize begins the session and tells how long that took since the start of
// the process.
func (s *Server) Initialize(root string) (time.Duration, error) {
	reply, err := s.Call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + root,
		"workspaceFolders": []any{map[string]any{"uri": "file://" + root, "name": "bench"}},
		"capabilities": map[string]any{
			"general":      map[string]any{"positionEncodings": []string{"utf-8", "utf-16"}},
			"textDocument": map[string]any{"publishDiagnostics": map[string]any{"relatedInformation": true, "versionSupport": true}},
			"workspace":    map[string]any{"configuration": true},
		},
	})
	took := time.Since(s.started)
	if err != nil {
		return took, err
	}
	s.whole = wantsWholeTexts(reply)
	return took, s.Notify("initialized", map[string]any{})
}

// wantsWholeTexts reports whether the server takes changes as whole texts only:
// its textDocumentSync, a number or an object with one, is 1.
func wantsWholeTexts(reply json.RawMessage) bool {
	var r struct {
		Capabilities struct {
			TextDocumentSync json.RawMessage
		}
	}
	if json.Unmarshal(reply, &r) != nil {
		return false
	}
	var options struct{ Change int }
	kind := json.RawMessage(r.Capabilities.TextDocumentSync)
	if json.Unmarshal(kind, &options) == nil {
		return options.Change == 1
	}
	return string(kind) == "1"
}

// Published waits for a publication about a document that holds texts, and
// forgets all publications up to it.
func (s *Server) Published(uri string, version int, holds ...string) (Push, error) {
	var found Push
	err := s.wait(fmt.Sprintf("diagnostics of version %d with %q", version, holds), func() bool {
		for i, p := range s.pushed {
			if p.URI == uri && (p.Version == version || p.Version == 0) && !slices.ContainsFunc(holds, func(h string) bool { return !strings.Contains(p.Text, h) }) {
				found = p
				s.pushed = append([]Push(nil), s.pushed[i+1:]...)
				return true
			}
		}
		return false
	})
	return found, err
}

// RSS is the resident memory of the process in bytes; 0 where it is not known.
func (s *Server) RSS() int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(data), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmRSS:" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n << 10
		}
	}
	return 0
}

// CPU is the time that the process has computed.
func (s *Server) CPU() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * (time.Second / 100)
}

// Stop ends the server.
func (s *Server) Stop() {
	_ = s.in.Close()
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = s.cmd.Process.Kill()
		<-done
	}
}
