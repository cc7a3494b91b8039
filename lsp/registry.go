package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

// method is how one message of the client is handled. decode runs on the
// reader, the handlers on the loop.
type method struct {
	decode  func(raw json.RawMessage) (any, error)
	request func(s *Session, c *call, params any)
	notify  func(s *Session, params any)
}

// registry holds the methods and what they add to the server's capabilities.
type registry struct {
	methods      map[string]*method
	capabilities []func(c *client, caps *protocol317.ServerCapabilities)
}

func newRegistry() *registry { return &registry{methods: map[string]*method{}} }

func (r *registry) add(name string, m *method) {
	if r.methods[name] != nil {
		panic("method registered twice: " + name)
	}
	r.methods[name] = m
}

// advertise adds to the capabilities that initialize answers with.
func (r *registry) advertise(f func(c *client, caps *protocol317.ServerCapabilities)) {
	r.capabilities = append(r.capabilities, f)
}

// traits are what distinguishes requests.
type traits[Req any] struct {
	// doc is the document that a request is about.
	doc func(*Req) protocol.DocumentURI
	// outdated, if set, is the answer when the document changes meanwhile: for
	// requests that editors make by themselves and make again after an edit.
	outdated *jsonrpc2.Error
	priority sched.Priority
	// progress sends work-done progress when the request has a token for it.
	progress string
}

// registerRequest registers a request that is answered from a snapshot. The
// handler is a plain function: it runs on a worker and sees nothing else.
func registerRequest[Req, Resp any](r *registry, name string, tr traits[Req], handler func(context.Context, *Snapshot, *Req) (Resp, error)) {
	r.add(name, &method{decode: decode[Req], request: func(s *Session, c *call, params any) {
		req := params.(*Req)
		if tr.doc != nil {
			uri, err := convert.ParseURI(string(tr.doc(req)))
			if err != nil {
				c.reply(nil, invalidParams(err))
				return
			}
			if tr.outdated != nil {
				s.calls.attach(c, uri.Key)
			}
		}
		snap := s.snapshot()
		s.work(c, tr.priority, func(ctx context.Context) (any, error) {
			if tr.progress != "" {
				ctx = s.withProgress(ctx, c, c.params, tr.progress)
				defer endProgress(ctx)
			}
			return handler(ctx, snap, req)
		})
	}})
}

// registerLoop registers a request that is answered on the loop, since it
// changes the session. It must be quick.
func registerLoop[Req, Resp any](r *registry, name string, handler func(*Session, *Req) (Resp, error)) {
	r.add(name, &method{decode: decode[Req], request: func(s *Session, c *call, params any) {
		resp, err := handler(s, params.(*Req))
		c.reply(resp, err)
	}})
}

// registerNotification registers a notification; it is handled on the loop.
func registerNotification[Req any](r *registry, name string, handler func(*Session, *Req)) {
	r.add(name, &method{decode: decode[Req], notify: func(s *Session, params any) { handler(s, params.(*Req)) }})
}

// fastDecoder is for parameters that hold whole documents.
type fastDecoder interface {
	decodeParams(raw json.RawMessage) error
}

// decode reads parameters. Parameters may be missing only where there are none.
func decode[Req any](raw json.RawMessage) (any, error) {
	req := new(Req)
	if raw == nil {
		if t := reflect.TypeFor[Req](); t.Kind() == reflect.Struct && t.NumField() > 0 {
			return req, invalidParams(fmt.Errorf("parameters are missing"))
		}
		return req, nil
	}
	var err error
	if fast, ok := any(req).(fastDecoder); ok {
		err = fast.decodeParams(raw)
	} else {
		err = json.Unmarshal(raw, req)
	}
	if err != nil {
		return req, invalidParams(err)
	}
	return req, nil
}

func invalidParams(err error) error {
	return jsonrpc2.NewError(jsonrpc2.InvalidParams, "invalid params: "+err.Error())
}
