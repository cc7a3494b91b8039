package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// Events is what a Stream tells besides messages. Every field may be nil; the
// functions must be quick.
type Events struct {
	// Fault is told about everything unreadable; the text holds nothing of a document.
	Fault func(msg string)
	// Lost is given the first bytes of content that could not be handed on: it
	// may have been an edit, so documents may be out of date.
	Lost func(prefix []byte)
	// Tap sees the content of every message, in (from the client) and out. It
	// may be called from several goroutines and must not keep or change the bytes.
	Tap func(in bool, content []byte)
}

// drainTime is how long Close lets queued messages go out.
const drainTime = 2 * time.Second

// Stream is a connection to a client. Read is for one goroutine; the rest may
// be called from any.
type Stream struct {
	conn   io.ReadWriteCloser
	lim    Limits
	ev     Events
	frames *frameReader
	out    *writer
	ids    *idTable

	pending []jsonrpc2.Message // of a batch, still to be handed on; reader only
	bodies  []json.RawMessage  // params of pending; reader only
	params  json.RawMessage    // of the message last handed on; reader only

	closeOnce sync.Once
	closed    chan struct{}
	mu        sync.Mutex
	err       error // why sending ended; guarded by mu
}

var _ jsonrpc2.Stream = (*Stream)(nil)

// NewStream starts to send on conn; reading happens in Read.
func NewStream(conn io.ReadWriteCloser, lim Limits, ev Events) *Stream {
	lim = lim.withDefaults()
	s := &Stream{conn: conn, lim: lim, ev: ev, frames: newFrameReader(conn, lim), ids: newIDTable(), closed: make(chan struct{})}
	s.out = newWriter(conn, lim, s.broken)
	return s
}

// broken is called when nothing more can be sent: reading on makes no sense.
func (s *Stream) broken(err error) {
	s.mu.Lock()
	s.err = err
	s.mu.Unlock()
	s.fault("sending failed: " + err.Error())
	_ = s.conn.Close()
}

// Err is why sending ended early, nil if it did not.
func (s *Stream) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *Stream) fault(msg string) {
	if s.ev.Fault != nil {
		s.ev.Fault(msg)
	}
}

// Read returns the next message that can be handed on; it answers all others.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if len(s.pending) > 0 {
			msg := s.pending[0]
			s.params = s.bodies[0]
			s.pending, s.bodies = s.pending[1:], s.bodies[1:]
			return msg, 0, nil
		}
		s.pending, s.bodies = nil, nil
		content, err := s.frames.next()
		var lost *frameError
		switch {
		case errors.As(err, &lost):
			s.fault(lost.msg)
			s.lost(lost.prefix)
			s.answer(nil, &fault{code: jsonrpc2.ParseError, msg: lost.msg})
		case err != nil:
			return nil, 0, err
		default:
			s.take(content)
		}
	}
}

// Params are the parameters of the message that Read returned last; they are
// given out once. They do not travel in the message, since the library would copy
// and escape them anew.
func (s *Stream) Params() json.RawMessage {
	p := s.params
	s.params = nil // it may be a whole document
	return p
}

func (s *Stream) lost(prefix []byte) {
	if s.ev.Lost != nil {
		s.ev.Lost(prefix)
	}
}

// take reads the content of one frame into pending.
func (s *Stream) take(content []byte) {
	if s.ev.Tap != nil {
		s.ev.Tap(true, content)
	}
	end, err := scanValue(content, 0, s.lim.Depth)
	if err == nil && skipSpace(content, end) != len(content) {
		err = errSyntax
	}
	if err != nil {
		s.fault(err.Error())
		s.lost(content[:min(len(content), prefixKept)])
		s.answer(nil, &fault{code: jsonrpc2.ParseError, msg: "parse error: " + err.Error()})
		return
	}
	if first := skipSpace(content, 0); content[first] == '[' {
		s.takeBatch(content[first:])
		return
	}
	s.takeMessage(content, nil)
}

func (s *Stream) takeBatch(content []byte) {
	var elements [][]byte
	eachElement(content, func(v []byte) { elements = append(elements, v) })
	switch {
	case len(elements) == 0:
		s.answer(nil, invalid(nil, "an empty batch"))
		return
	case len(elements) > s.lim.Batch:
		s.lost(content[:min(len(content), prefixKept)])
		s.answer(nil, invalid(nil, "too many messages in a batch"))
		return
	}
	g := &group{open: 1}
	for _, e := range elements {
		s.takeMessage(e, g)
	}
	s.sendPart(g, nil)
}

// takeMessage hands on one message, or answers it.
func (s *Stream) takeMessage(content []byte, g *group) {
	e, f := parseEnvelope(content)
	switch {
	case f != nil:
		s.fault(f.msg)
		if !f.mute {
			s.answer(g, f)
		}
	case e.method == "":
		s.takeResponse(e)
	case e.method == "$/cancelRequest" && e.id == nil:
		s.takeCancel(e)
	case e.id != nil:
		if g != nil {
			g.expect()
		}
		call, _ := jsonrpc2.NewCall(s.ids.open(e.id, g), e.method, nil)
		s.hand(call, e.params)
	default:
		note, _ := jsonrpc2.NewNotification(e.method, nil)
		s.hand(note, e.params)
	}
}

func (s *Stream) hand(msg jsonrpc2.Message, params json.RawMessage) {
	s.pending = append(s.pending, msg)
	s.bodies = append(s.bodies, params)
}

// takeResponse hands on the first answer to a request of ours, and no other.
func (s *Stream) takeResponse(e envelope) {
	id, ok := s.ids.answered(e.id)
	if !ok {
		s.fault("a response to no request")
		return
	}
	var err error
	if e.err != nil && e.err[0] == '{' {
		var wire jsonrpc2.Error
		if json.Unmarshal(e.err, &wire) != nil {
			wire = *jsonrpc2.NewError(jsonrpc2.InternalError, "the client answered with an unreadable error")
		}
		err = &wire
	}
	resp, _ := jsonrpc2.NewResponse(id, json.RawMessage(e.result), err)
	s.hand(resp, nil)
}

// takeCancel translates the id; a request that is answered already is left alone.
func (s *Stream) takeCancel(e envelope) {
	raw := Member(e.params, "id")
	if raw == nil || !validID(raw) {
		s.fault("$/cancelRequest without an id")
		return
	}
	if id, ok := s.ids.find(raw); ok {
		params, _ := json.Marshal(struct {
			ID *jsonrpc2.ID `json:"id"`
		}{&id})
		note, _ := jsonrpc2.NewNotification(e.method, nil)
		s.hand(note, params)
	}
}

// answer sends an error for a message that is not handed on.
func (s *Stream) answer(g *group, f *fault) {
	body := encodeError(f.id, jsonrpc2.NewError(f.code, f.msg))
	if g == nil {
		_ = s.send(body)
		return
	}
	g.expect()
	s.sendPart(g, body)
}

func (s *Stream) sendPart(g *group, part []byte) {
	if body := g.add(part); body != nil {
		_ = s.send(body)
	}
}

func (s *Stream) send(body []byte) error {
	if s.ev.Tap != nil {
		s.ev.Tap(false, body)
	}
	return s.out.enqueue(body)
}

// Reply answers a request that Read handed on; only the first answer counts. If
// err is not nil, result is ignored.
func (s *Stream) Reply(id jsonrpc2.ID, result json.RawMessage, err error) error {
	req, ok := s.ids.close(id)
	if !ok {
		return errors.New("answered before")
	}
	var body []byte
	if err != nil {
		body = encodeError(req.raw, err)
	} else {
		body = encodeResult(req.raw, result)
	}
	if req.group != nil {
		s.sendPart(req.group, body)
		return nil
	}
	return s.send(body)
}

// Notify sends a notification.
func (s *Stream) Notify(method string, params json.RawMessage) error {
	return s.send(encodeRequest(nil, method, params))
}

// Write sends a message of the library: our own requests.
func (s *Stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	switch m := msg.(type) {
	case *jsonrpc2.Call:
		body := encodeRequest(s.ids.called(m.ID()), m.Method(), bytes.TrimSpace(m.Params()))
		return int64(len(body)), s.send(body)
	case *jsonrpc2.Notification:
		return 0, s.Notify(m.Method(), m.Params())
	case *jsonrpc2.Response:
		return 0, s.Reply(m.ID(), m.Result(), m.Err())
	}
	return 0, errors.New("unknown kind of message")
}

// Forget gives up a request of ours: a late answer will be ignored.
func (s *Stream) Forget(id jsonrpc2.ID) { s.ids.forget(id) }

// Backlogged reports whether the client is so far behind that what can be left
// out should be left out.
func (s *Stream) Backlogged() bool { return s.out.backlog() > s.lim.Soft }

// Close lets queued messages go out, for at most two seconds, and closes the
// connection.
func (s *Stream) Close() error {
	s.closeOnce.Do(func() {
		s.out.close(drainTime)
		_ = s.conn.Close()
		close(s.closed)
	})
	<-s.closed
	return nil
}
