package fake

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// Patience is how long the editor waits for what must come.
const Patience = time.Minute

// Editor is one editor with one server.
type Editor struct {
	t    testing.TB
	conn io.ReadWriteCloser
	gone chan struct{} // closed when the server's side has ended

	writeMu sync.Mutex
	gate    sync.Mutex // held while nothing is to be read

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced when something arrived; guarded by mu
	seq      int           // guarded by mu
	pending  map[string]*Pending
	queue    []Message // of the server, not consumed yet
	answers  map[string]func(json.RawMessage) (any, *RPCError)
	optional map[string]bool
	loose    bool // end without checking
	end      error
}

// New makes an editor on a connection. At the end of the test the connection is
// closed and everything must have been consumed.
func New(t testing.TB, conn io.ReadWriteCloser) *Editor {
	e := &Editor{
		t: t, conn: conn, gone: make(chan struct{}), changed: make(chan struct{}), pending: map[string]*Pending{},
		answers: map[string]func(json.RawMessage) (any, *RPCError){}, optional: map[string]bool{"window/logMessage": true},
	}
	go e.read()
	t.Cleanup(e.teardown)
	return e
}

// Pause stops reading, apart from the message that is awaited now. Resume goes on.
func (e *Editor) Pause() { e.gate.Lock() }

func (e *Editor) waitGate() {
	e.gate.Lock()
	defer e.gate.Unlock()
}

// Resume reads again.
func (e *Editor) Resume() { e.gate.Unlock() }

// Pending is a request without an answer.
type Pending struct {
	e      *Editor
	ID     json.RawMessage
	method string
	reply  *Message // guarded by e.mu
}

func (e *Editor) read() {
	defer close(e.gone)
	r := bufio.NewReader(e.conn)
	for {
		e.waitGate()
		body, err := readFrame(r)
		if err != nil {
			e.mu.Lock()
			e.end = err
			e.arrived()
			e.mu.Unlock()
			return
		}
		messages, err := parse(body)
		if err != nil {
			e.t.Errorf("the server sent what is no message: %v: %.200q", err, body)
			continue
		}
		for _, m := range messages {
			e.take(m)
		}
	}
}

// arrived wakes whoever waits. The lock must be held.
func (e *Editor) arrived() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// take sorts one message of the server.
func (e *Editor) take(m Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.arrived()
	if m.Version != "2.0" {
		e.t.Errorf("a message without version 2.0: %+v", m)
	}
	switch {
	case m.Method != "":
		checkSent(e.t, m)
		e.queue = append(e.queue, m)
		if m.ID != nil {
			e.answer(m)
		}
	case string(m.ID) == "null":
		m.Method = "(error)"
		e.queue = append(e.queue, m)
	default:
		p := e.pending[string(m.ID)]
		if p == nil {
			e.t.Errorf("an answer to no request: id %s", m.ID)
			return
		}
		if (m.Result == nil) == (m.Error == nil) {
			e.t.Errorf("%s: an answer needs either a result or an error", p.method)
		}
		delete(e.pending, string(m.ID))
		p.reply = &m
		if m.Error == nil {
			checkResult(e.t, p.method, m.Result)
		}
	}
}

// answer answers a request of the server, as the test has said or with null.
func (e *Editor) answer(m Message) {
	f := e.answers[m.Method]
	go func() {
		var result any
		var rpcErr *RPCError
		if f != nil {
			result, rpcErr = f(m.Params)
		}
		if rpcErr != nil {
			e.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": rpcErr})
		} else {
			e.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
		}
	}()
}

// Answer sets how requests of the server are answered; nil results are null. f
// may be called from several goroutines at once.
func (e *Editor) Answer(method string, f func(params json.RawMessage) (any, *RPCError)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers[method] = f
}

// Optional lets messages of these methods be left unconsumed.
func (e *Editor) Optional(methods ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range methods {
		e.optional[m] = true
	}
}

func (e *Editor) send(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		e.t.Errorf("encoding: %v", err)
		return
	}
	e.Raw(Frame(string(body)))
}

// Raw sends bytes as they are. That the server no longer reads is no error here.
func (e *Editor) Raw(bytes string) {
	e.writeMu.Lock()
	defer e.writeMu.Unlock()
	_, _ = io.WriteString(e.conn, bytes)
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Request sends a request and does not wait.
func (e *Editor) Request(method string, params any) *Pending {
	e.mu.Lock()
	e.seq++
	id := e.seq
	e.mu.Unlock()
	return e.RequestAs(fmt.Sprint(id), method, params)
}

// RequestAs sends a request under an id given as JSON.
func (e *Editor) RequestAs(id, method string, params any) *Pending {
	p := e.Expect(id, method)
	m := map[string]any{"jsonrpc": "2.0", "id": p.ID, "method": method}
	if params != nil {
		m["params"] = params
	}
	e.send(m)
	return p
}

// Expect awaits the answer to a request that the test sends itself.
func (e *Editor) Expect(id, method string) *Pending {
	p := &Pending{e: e, ID: json.RawMessage(id), method: method}
	e.mu.Lock()
	e.pending[id] = p
	e.mu.Unlock()
	return p
}

// Wait waits for the answer and decodes its result into result, if not nil.
func (p *Pending) Wait(result any) *RPCError {
	p.e.t.Helper()
	p.e.until(fmt.Sprintf("the answer to %s (id %s)", p.method, p.ID), func() bool { return p.reply != nil })
	if p.reply.Error != nil {
		return p.reply.Error
	}
	if result != nil {
		if err := json.Unmarshal(p.reply.Result, result); err != nil {
			p.e.t.Errorf("%s: %v in %.300s", p.method, err, p.reply.Result)
		}
	}
	return nil
}

// Answered reports whether the answer has come.
func (p *Pending) Answered() bool {
	p.e.mu.Lock()
	defer p.e.mu.Unlock()
	return p.reply != nil
}

// Cancel sends $/cancelRequest.
func (p *Pending) Cancel() { p.e.Notify("$/cancelRequest", map[string]any{"id": p.ID}) }

// Call sends a request and waits.
func (e *Editor) Call(method string, params, result any) *RPCError {
	e.t.Helper()
	return e.Request(method, params).Wait(result)
}

// until waits for a condition, which is checked under the lock.
func (e *Editor) until(what string, ok func() bool) {
	e.t.Helper()
	timeout := time.NewTimer(Patience)
	defer timeout.Stop()
	for {
		e.mu.Lock()
		done, end, changed := ok(), e.end, e.changed
		e.mu.Unlock()
		if done {
			return
		}
		if end != nil {
			e.t.Fatalf("the connection ended (%v) before %s came", end, what)
		}
		select {
		case <-changed:
		case <-timeout.C:
			e.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// Next waits for the next message of a method and consumes it. Errors without
// an id have the method "(error)".
func (e *Editor) Next(method string) Message {
	e.t.Helper()
	var found Message
	e.until(method, func() bool {
		var ok bool
		found, ok = e.pop(method)
		return ok
	})
	return found
}

// pop takes the first message of a method; the lock must be held.
func (e *Editor) pop(method string) (Message, bool) {
	for i, m := range e.queue {
		if m.Method == method {
			e.queue = append(e.queue[:i:i], e.queue[i+1:]...)
			return m, true
		}
	}
	return Message{}, false
}

// Barrier returns when the server has handled all that was sent before.
func (e *Editor) Barrier() {
	e.t.Helper()
	if err := e.Call("$/barrier", nil, nil); err == nil {
		e.t.Error("an unknown method was served")
	}
}

// None fails if a message of a method is there after a barrier.
func (e *Editor) None(method string) {
	e.t.Helper()
	e.Barrier()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.queue {
		if m.Method == method {
			e.t.Errorf("unexpected %s: %.300s", method, m.Params)
		}
	}
}

// Close ends the connection from our side.
func (e *Editor) Close() { _ = e.conn.Close() }

// Ended waits until the server has closed the connection.
func (e *Editor) Ended() {
	e.t.Helper()
	select {
	case <-e.gone:
	case <-time.After(Patience):
		e.t.Fatal("the server does not end the connection")
	}
}

// Abandon leaves out the checks at the end, for tests that break the connection.
func (e *Editor) Abandon() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.loose = true
}

func (e *Editor) teardown() {
	e.Close()
	<-e.gone
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loose {
		return
	}
	var left []string
	for _, m := range e.queue {
		if !e.optional[m.Method] {
			left = append(left, fmt.Sprintf("%s %.300s%v", m.Method, m.Params, m.Error))
		}
	}
	if left != nil {
		e.t.Errorf("messages that nobody consumed:\n%s", strings.Join(left, "\n"))
	}
	for _, p := range e.pending {
		e.t.Errorf("no answer to %s (id %s)", p.method, p.ID)
	}
}
