package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/ir"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func callHierarchyMethods(r *registry) {
	registerRequest(r, "textDocument/prepareCallHierarchy", traits[protocol.CallHierarchyPrepareParams]{
		doc:      func(p *protocol.CallHierarchyPrepareParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, prepareCallHierarchy)
	registerRequest(r, "callHierarchy/incomingCalls", traits[protocol.CallHierarchyIncomingCallsParams]{priority: sched.Normal}, incomingCalls)
	registerRequest(r, "callHierarchy/outgoingCalls", traits[protocol.CallHierarchyOutgoingCallsParams]{priority: sched.Normal}, outgoingCalls)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.CallHierarchyProvider = true })
}

func prepareCallHierarchy(ctx context.Context, snap *Snapshot, p *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	off := doc.mapper.PositionOffset(p.Position)
	imported, _ := a.Reach(off)
	r, err := snap.reach(ctx, imported, isPython)
	if err != nil {
		return nil, err
	}
	var out []protocol.CallHierarchyItem
	for _, c := range a.CallItems(off, r.docs) {
		if item, ok := r.callItem(c); ok {
			out = append(out, item)
		}
	}
	return out, nil
}

func (r *reach) callItem(c analysis.CallItem) (protocol.CallHierarchyItem, bool) {
	d := r.of[c.Doc]
	if d == nil {
		return protocol.CallHierarchyItem{}, false
	}
	return protocol.CallHierarchyItem{
		Name: c.Name, Kind: protocol.SymbolKindFunction, Detail: c.Detail, URI: protocol.DocumentURI(d.uri.Raw),
		Range: d.mapper.SpanRange(int(c.Span.Start), int(c.Span.End)), SelectionRange: d.mapper.SpanRange(int(c.NameSpan.Start), int(c.NameSpan.End)),
	}, true
}

// itemAt finds the function of an item again: the document with it and the
// offset of its name. The document may not be open.
func (s *Snapshot) itemAt(r *reach, item *protocol.CallHierarchyItem) (*Document, *analysis.Document, int) {
	for _, a := range r.docs {
		if d := r.of[a]; protocol.DocumentURI(d.uri.Raw) == item.URI {
			return d, a, d.mapper.PositionOffset(item.SelectionRange.Start)
		}
	}
	return nil, nil, 0
}

func incomingCalls(ctx context.Context, snap *Snapshot, p *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	r, err := snap.reach(ctx, true, isPython)
	if err != nil {
		return nil, err
	}
	_, a, off := snap.itemAt(r, &p.Item)
	if a == nil {
		return nil, nil
	}
	out := []protocol.CallHierarchyIncomingCall{}
	for _, e := range a.CallsTo(off, r.docs) {
		if item, ok := r.callItem(e.Item); ok {
			out = append(out, protocol.CallHierarchyIncomingCall{From: item, FromRanges: r.of[e.Item.Doc].ranges(e.From)})
		}
	}
	return out, nil
}

func outgoingCalls(ctx context.Context, snap *Snapshot, p *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	r, err := snap.reach(ctx, true, isPython)
	if err != nil {
		return nil, err
	}
	d, a, off := snap.itemAt(r, &p.Item)
	if a == nil {
		return nil, nil
	}
	out := []protocol.CallHierarchyOutgoingCall{}
	for _, e := range a.CallsFrom(off, r.docs) {
		if item, ok := r.callItem(e.Item); ok {
			out = append(out, protocol.CallHierarchyOutgoingCall{To: item, FromRanges: d.ranges(e.From)})
		}
	}
	return out, nil
}

func (d *Document) ranges(spans []ir.Span) []protocol.Range {
	out := make([]protocol.Range, len(spans))
	for i, s := range spans {
		out[i] = d.mapper.SpanRange(int(s.Start), int(s.End))
	}
	return out
}
