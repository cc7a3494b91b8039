package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ReplayReport is what became of a recorded session.
type ReplayReport struct {
	Messages, Requests int
	// Differences are requests with another answer than in the recording.
	Differences []ReplayDifference
	// Code is the server's exit code; Took the time of the whole session.
	Code int
	Took time.Duration
}

// ReplayDifference is one request with another answer than recorded. An answer
// is a result or an error, as JSON; Want is nil when the recording has none.
type ReplayDifference struct {
	ID, Method string
	Want, Got  json.RawMessage
}

// maxRecordedLine bounds one message of a recording, in bytes.
const maxRecordedLine = 256 << 20

// ReadRecording reads the messages of a recorded session. The last one may be
// cut off: the session may have ended in a crash.
func ReadRecording(r io.Reader) ([]Recorded, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 1<<16), maxRecordedLine)
	var out []Recorded
	var bad error
	for n := 1; sc.Scan(); n++ {
		if bad != nil {
			return nil, bad
		}
		var rec Recorded
		if err := json.Unmarshal(sc.Bytes(), &rec); err != nil {
			bad = fmt.Errorf("line %d is not a recorded message: %w", n, err)
			continue
		}
		out = append(out, rec)
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	if bad != nil && len(out) == 0 {
		return nil, bad
	}
	return out, nil
}

// envelope is what a player needs to know of a message.
type envelope struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// answer is the result or error of a response.
func (e *envelope) answer() json.RawMessage {
	if e.Error != nil {
		return e.Error
	}
	return e.Result
}

// replayer plays a recording to a server. A message waits for the answers that
// the client had when it sent it, so that the order is that of the recording.
type replayer struct {
	conn io.ReadWriteCloser

	mu       sync.Mutex
	cond     *sync.Cond
	answers  map[string]json.RawMessage // by request id; guarded by mu
	replies  map[string][]json.RawMessage
	ended    bool          // guarded by mu
	patience time.Duration // for one answer
}

// Replay plays a recorded session to a new server in this process and compares
// its answers with the recorded ones.
func Replay(ctx context.Context, recording []Recorded, opts Options) (*ReplayReport, error) {
	server, client := duplex()
	p := &replayer{conn: client, answers: map[string]json.RawMessage{}, replies: clientReplies(recording), patience: time.Minute}
	p.cond = sync.NewCond(&p.mu)
	begin := time.Now()
	code := make(chan int, 1)
	go func() { code <- Serve(ctx, server, opts) }()
	go p.read()
	report, err := p.play(recording)
	_ = client.Close()
	report.Code = <-code
	report.Took = time.Since(begin)
	return report, err
}

// pipe is one end of a connection within the process.
type pipe struct {
	*io.PipeReader
	*io.PipeWriter
}

func (p pipe) Close() error { return errors.Join(p.PipeReader.Close(), p.PipeWriter.Close()) }

// duplex makes both ends.
func duplex() (a, b pipe) {
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	return pipe{r1, w2}, pipe{r2, w1}
}

// clientReplies are the recorded answers of the client to requests of the
// server, by the request's method in order.
func clientReplies(recording []Recorded) map[string][]json.RawMessage {
	methods := map[string]string{}
	out := map[string][]json.RawMessage{}
	for _, rec := range recording {
		var e envelope
		if json.Unmarshal(rec.Message, &e) != nil || e.ID == nil {
			continue
		}
		if !rec.In && e.Method != "" {
			methods[string(e.ID)] = e.Method
		} else if rec.In && e.Method == "" {
			m := methods[string(e.ID)]
			out[m] = append(out[m], rec.Message)
		}
	}
	return out
}

func (p *replayer) play(recording []Recorded) (*ReplayReport, error) {
	report := &ReplayReport{}
	open := map[string]string{} // method by id of requests that are out
	var order []string
	want := map[string]json.RawMessage{}
	for _, rec := range recording {
		if !rec.In {
			// What the client had before its next message it gets before it here.
			var e envelope
			if json.Unmarshal(rec.Message, &e) == nil && e.Method == "" && open[string(e.ID)] != "" {
				want[string(e.ID)] = e.answer()
				if err := p.wait(string(e.ID)); err != nil {
					return report, err
				}
			}
			continue
		}
		content := rec.Raw
		if content == nil {
			var e envelope
			_ = json.Unmarshal(rec.Message, &e)
			if e.Method == "" {
				continue // answers are given when the server asks
			}
			if e.ID != nil {
				report.Requests++
				open[string(e.ID)] = e.Method
				order = append(order, string(e.ID))
			}
			content = playable(&e, rec.Message)
		}
		report.Messages++
		if err := p.send(content); err != nil {
			return report, fmt.Errorf("after %d messages: %w", report.Messages, err)
		}
	}
	for _, id := range order {
		if err := p.wait(id); err != nil {
			break // a session may end with requests open
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range order {
		if w, ok := want[id]; ok && !sameAnswer(w, p.answers[id]) {
			report.Differences = append(report.Differences, ReplayDifference{ID: id, Method: open[id], Want: w, Got: p.answers[id]})
		}
	}
	return report, nil
}

// playable is a message as it can be played here: the recorded editor's process
// is not there any more.
func playable(e *envelope, raw json.RawMessage) json.RawMessage {
	if e.Method != "initialize" {
		return raw
	}
	var params map[string]any
	if json.Unmarshal(e.Params, &params) != nil {
		return raw
	}
	params["processId"] = nil
	out, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.ID, "method": e.Method, "params": params})
	if err != nil {
		return raw
	}
	return out
}

// sameAnswer compares two answers, but for members that name a state of the
// session.
func sameAnswer(a, b json.RawMessage) bool {
	return bytes.Equal(canonical(a), canonical(b))
}

func canonical(raw json.RawMessage) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	out, err := json.Marshal(withoutData(v))
	if err != nil {
		return raw
	}
	return out
}

func withoutData(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "data")
		delete(v, "serverInfo")
		for k, x := range v {
			v[k] = withoutData(x)
		}
	case []any:
		for i, x := range v {
			v[i] = withoutData(x)
		}
	}
	return v
}

func (p *replayer) send(content []byte) error {
	_, err := fmt.Fprintf(p.conn, "Content-Length: %d\r\n\r\n%s", len(content), content)
	return err
}

var errReplayEnd = errors.New("the server ended")

// wait waits for the answer to a request.
func (p *replayer) wait(id string) error {
	late := false
	t := time.AfterFunc(p.patience, func() {
		p.mu.Lock()
		late = true
		p.cond.Broadcast()
		p.mu.Unlock()
	})
	defer t.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.answers[id] == nil {
		if p.ended {
			return errReplayEnd
		}
		if late {
			return fmt.Errorf("no answer to request %.60s within %v", id, p.patience)
		}
		p.cond.Wait()
	}
	return nil
}

// read takes what the server says.
func (p *replayer) read() {
	r := bufio.NewReader(p.conn)
	for {
		content, err := readContent(r)
		if err != nil {
			p.mu.Lock()
			p.ended = true
			p.cond.Broadcast()
			p.mu.Unlock()
			return
		}
		var e envelope
		if json.Unmarshal(content, &e) != nil || e.ID == nil {
			continue
		}
		if e.Method != "" {
			p.reply(&e)
			continue
		}
		answer := e.answer()
		if answer == nil {
			answer = json.RawMessage("null")
		}
		p.mu.Lock()
		p.answers[string(e.ID)] = answer
		p.cond.Broadcast()
		p.mu.Unlock()
	}
}

// reply answers a request of the server as the recorded client did, or with
// null.
func (p *replayer) reply(e *envelope) {
	var recorded envelope
	p.mu.Lock()
	if list := p.replies[e.Method]; len(list) > 0 {
		_ = json.Unmarshal(list[0], &recorded)
		p.replies[e.Method] = list[1:]
	}
	p.mu.Unlock()
	m := map[string]any{"jsonrpc": "2.0", "id": e.ID}
	if recorded.Error != nil {
		m["error"] = recorded.Error
	} else {
		m["result"] = recorded.Result
	}
	if content, err := json.Marshal(m); err == nil {
		go func() { _ = p.send(content) }() // the server may be sending itself
	}
}

func readContent(r *bufio.Reader) ([]byte, error) {
	n := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if v, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if n, err = strconv.Atoi(strings.TrimSpace(v)); err != nil {
				return nil, err
			}
		}
	}
	if n < 0 {
		return nil, errors.New("a message without a length")
	}
	content := make([]byte, n)
	_, err := io.ReadFull(r, content)
	return content, err
}
