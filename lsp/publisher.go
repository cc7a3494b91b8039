package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"
	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

// retryDelay is when a publication is tried again that a client which does not
// read has put off.
const retryDelay = 250 * time.Millisecond

// publisher sends diagnostics: of current versions only, and only when they
// differ from what the client has. It belongs to the loop, apart from the passes,
// which run on workers. Clients that pull get nothing pushed; for them a pass
// tells only of changed plans.
type publisher struct {
	s      *Session
	passes map[string]*pass // by document key
	off    bool
}

// pass is what is known of the diagnostics of one document.
type pass struct {
	debounce sched.Debounce
	timer    *time.Timer        // running until the next pass begins, nil for none
	rest     *time.Timer        // running until the pass after an edit's begins, nil for none
	cancel   context.CancelFunc // of the pass begun last, nil for none
	run      int                // counts up when results of passes before are not wanted any more
	sent     string             // hash of what the client has, "" for nothing
	shown    bool               // what the client has is not empty
	quiet    bool               // edited since it was saved, and not to be told of that
	typed    bool               // the pass that is due follows an edit
	plan     planState          // what the client was told of
}

// found is what a pass finds.
type found struct {
	items json.RawMessage // the diagnostics
	part  bool            // some of what they say is still missing
	more  bool            // more can be found out, at rest
	some  bool            // there are any
	hash  string
	plan  planState
}

func newPublisher(s *Session) *publisher {
	return &publisher{s: s, passes: map[string]*pass{}}
}

// touch makes a pass over a document due. A pass that runs is given up: it is of
// an older state.
func (p *publisher) touch(key string) {
	if p.off {
		return
	}
	ps := p.pass(key)
	ps.run++
	if ps.cancel != nil {
		ps.cancel()
		ps.cancel = nil
	}
	ps.stopRest()
	if ps.timer != nil {
		return // due already: the delay is counted from the first edit, so that typing cannot put it off
	}
	if d := ps.debounce.Delay(); d > 0 {
		p.later(key, ps, d)
		return
	}
	p.start(key, ps)
}

// pass is what is known of a document, made when there is nothing.
func (p *publisher) pass(key string) *pass {
	ps := p.passes[key]
	if ps == nil {
		ps = &pass{}
		p.passes[key] = ps
	}
	return ps
}

func (p *publisher) touchAll() {
	for _, d := range p.s.docs.sorted() {
		p.touch(d.uri.Key)
	}
}

// later starts a pass after a delay.
func (p *publisher) later(key string, ps *pass, delay time.Duration) {
	ps.timer = time.AfterFunc(delay, func() {
		p.s.post(func() {
			if ps.timer != nil && p.passes[key] == ps {
				ps.timer = nil
				p.start(key, ps)
			}
		})
	})
}

// atRest makes a pass due that an edit takes back.
func (p *publisher) atRest(key string, ps *pass) {
	ps.stopRest()
	var t *time.Timer
	t = time.AfterFunc(p.s.opts.Rest, func() {
		p.s.post(func() {
			if ps.rest == t && p.passes[key] == ps {
				ps.rest = nil
				p.touch(key)
			}
		})
	})
	ps.rest = t
}

func (ps *pass) stopRest() {
	if ps.rest != nil {
		ps.rest.Stop()
		ps.rest = nil
	}
}

// start takes the snapshot and leaves the rest to a worker.
func (p *publisher) start(key string, ps *pass) {
	s := p.s
	snap := s.snapshot()
	doc := snap.docs[key]
	if doc == nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	ps.cancel = cancel
	run, typed := ps.run, ps.typed
	ps.typed = false
	s.pool.Submit(sched.Pass, func() {
		begin := time.Now()
		f, ok := p.compute(ctx, snap, doc, typed && !s.opts.NoSearch)
		if !ok || ctx.Err() != nil {
			cancel()
			return
		}
		took := time.Since(begin)
		f.more = f.part
		if _, refused := p.refused(snap, doc); typed && len(refused) > 0 {
			f.more = true
		}
		s.post(func() {
			if typed { // what opening costs says nothing about a keystroke
				ps.debounce.Took(took)
			}
			if ps.run == run && p.passes[key] == ps && p.current(key, doc) && !p.off {
				p.publish(key, ps, doc, f)
				p.tellPlan(ps, doc, f.plan)
				if s.opts.Told != nil {
					s.opts.Told()
				}
				if f.more && !ps.quiet {
					p.atRest(key, ps)
				}
			}
		})
		if f.more {
			cancel()
			return
		}
		p.lookFurther(ctx, cancel, snap, doc, func() {
			if ps.run == run && p.passes[key] == ps {
				p.again(key, ps)
			}
		})
	})
}

// again makes a pass over the same version, about which more is known now.
func (p *publisher) again(key string, ps *pass) {
	if p.s.client.flags.pullDiagnostics {
		p.s.refresh(protocol317.MethodDiagnosticRefresh)
		return
	}
	p.touch(key)
}

// compute asks for the diagnostics, without what takes long when they have to be
// prompt: another pass brings that. A panic costs this pass only.
func (p *publisher) compute(ctx context.Context, snap *Snapshot, doc *Document, prompt bool) (f found, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			_ = p.s.panicked("diagnostics", r)
			f, ok = found{}, false
		}
	}()
	if !snap.client.flags.pullDiagnostics {
		var items []protocol.Diagnostic
		if prompt && doc.oversize == 0 {
			some, whole := snap.queries.Prompt(ctx, doc.uri.Key)
			items, f.part = snap.convert(doc, some), !whole
		} else {
			items = snap.diagnostics(ctx, doc)
		}
		f.some = len(items) > 0
		f.items, f.hash = encoded(items)
	}
	if f.plan, ok = snap.planState(ctx, doc); !ok {
		return found{}, false
	}
	return f, true
}

// current reports whether doc is still what the editor shows.
func (p *publisher) current(key string, doc *Document) bool {
	now := p.s.docs.docs[key]
	return now != nil && now.seq == doc.seq
}

// publish sends, unless it is old news.
func (p *publisher) publish(key string, ps *pass, doc *Document, f found) {
	if p.s.client.flags.pullDiagnostics || ps.quiet || f.hash == ps.sent {
		return
	}
	if p.s.stream.Backlogged() {
		p.s.log.Debug("diagnostics put off: the client does not read")
		if ps.timer == nil {
			p.later(key, ps, retryDelay)
		}
		return
	}
	ps.sent, ps.shown = f.hash, f.some
	uri, err := json.Marshal(doc.uri.Raw)
	if err != nil {
		return
	}
	params := fmt.Appendf(nil, `{"uri":%s,"version":%d,"diagnostics":%s}`, uri, doc.version, f.items)
	p.s.notifyRaw(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// edited makes a pass due after an edit; its diagnostics wait for the next save
// where the user wants that.
func (p *publisher) edited(key string) {
	ps := p.pass(key)
	ps.typed = true
	if !p.s.settings.OnType {
		ps.quiet = true
	}
	p.touch(key)
}

// saved ends the wait.
func (p *publisher) saved(key string) {
	if ps := p.passes[key]; ps != nil && ps.quiet {
		ps.quiet = false
		p.touch(key)
	}
}

// close takes the diagnostics of a document away.
func (p *publisher) close(doc *Document) {
	key := doc.uri.Key
	ps := p.passes[key]
	if ps == nil {
		return
	}
	p.halt(ps)
	delete(p.passes, key)
	if ps.shown {
		p.s.notify(protocol.MethodTextDocumentPublishDiagnostics, protocol317.PublishDiagnosticsParams{URI: protocol.DocumentURI(doc.uri.Raw), Diagnostics: []protocol.Diagnostic{}})
	}
}

func (p *publisher) halt(ps *pass) {
	if ps.timer != nil {
		ps.timer.Stop()
		ps.timer = nil
	}
	ps.stopRest()
	if ps.cancel != nil {
		ps.cancel()
		ps.cancel = nil
	}
}

// stop ends all passes for good.
func (p *publisher) stop() {
	p.off = true
	for _, ps := range p.passes {
		p.halt(ps)
	}
}

// encoded writes diagnostics as JSON and identifies them; the hash is the result
// id of pulled ones.
func encoded(items []protocol.Diagnostic) (raw json.RawMessage, hash string) {
	raw, err := json.Marshal(items)
	if err != nil {
		return json.RawMessage("[]"), ""
	}
	return raw, fmt.Sprintf("%x-%x", len(raw), xxhash.Sum64(raw))
}

func hashOf(items []protocol.Diagnostic) string {
	_, hash := encoded(items)
	return hash
}

// diagnostics converts the engine's findings; never nil.
func (s *Snapshot) diagnostics(ctx context.Context, doc *Document) []protocol.Diagnostic {
	if doc.oversize > 0 {
		return []protocol.Diagnostic{{
			Severity: protocol.DiagnosticSeverityWarning, Source: source, Code: "document-too-long",
			Message: fmt.Sprintf("the document has %d bytes; pypto-ls reads documents of up to %d bytes and leaves this one alone", doc.oversize, s.limit),
		}}
	}
	return s.convert(doc, s.queries.Diagnostics(ctx, doc.uri.Key))
}

func (s *Snapshot) convert(doc *Document, found []Diagnostic) []protocol.Diagnostic {
	items := make([]protocol.Diagnostic, 0, len(found))
	for _, f := range found {
		items = append(items, s.diagnostic(doc, f))
	}
	return items
}

// source is what the editor shows beside a finding.
const source = "pypto-ls"

func (s *Snapshot) diagnostic(doc *Document, f Diagnostic) protocol.Diagnostic {
	d := protocol.Diagnostic{Range: doc.mapper.SpanRange(f.Start, f.End), Severity: protocol.DiagnosticSeverity(f.Severity), Source: source, Message: f.Message}
	if f.Code != "" {
		d.Code = f.Code
		if s.manual != "" && s.client.flags.codeDescription {
			d.CodeDescription = &protocol.CodeDescription{Href: protocol.URI(s.manual + "/diagnostics/" + f.Code + ".md")}
		}
	}
	if f.Unnecessary && s.client.flags.unnecessary {
		d.Tags = append(d.Tags, protocol.DiagnosticTagUnnecessary)
	}
	if f.Deprecated && s.client.flags.deprecated {
		d.Tags = append(d.Tags, protocol.DiagnosticTagDeprecated)
	}
	if !s.client.flags.relatedInformation {
		return d
	}
	for _, r := range f.Related {
		if r.Key == doc.uri.Key { // doc itself need not be open
			loc := protocol.Location{URI: protocol.DocumentURI(doc.uri.Raw), Range: doc.mapper.SpanRange(r.Start, r.End)}
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: loc, Message: r.Message})
		} else if loc, ok := s.location(r.Key, r.Start, r.End); ok {
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: loc, Message: r.Message})
		}
	}
	return d
}
