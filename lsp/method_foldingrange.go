package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func foldingRangeMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentFoldingRange, traits[protocol.FoldingRangeParams]{
		doc:      func(p *protocol.FoldingRangeParams) protocol.DocumentURI { return p.TextDocument.URI },
		outdated: errOutdated,
		priority: sched.Normal,
	}, foldingRange)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) { caps.FoldingRangeProvider = true })
}

var foldKinds = map[analysis.FoldKind]protocol.FoldingRangeKind{
	analysis.FoldImports: protocol.ImportsFoldingRange, analysis.FoldComment: protocol.CommentFoldingRange, analysis.FoldAllocations: protocol.RegionFoldingRange,
}

// foldingRange: positions within the lines are left out, they are the lines'
// ends, which is their default.
func foldingRange(_ context.Context, snap *Snapshot, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil || !a.IsKernel() {
		return nil, nil
	}
	limit := 0
	if t := snap.client.caps.TextDocument; t != nil && t.FoldingRange != nil {
		limit = int(t.FoldingRange.RangeLimit)
	}
	out := []protocol.FoldingRange{}
	for _, f := range a.Folds() {
		if limit > 0 && len(out) == limit {
			break
		}
		start, end := doc.mapper.OffsetPosition(int(f.Span.Start)).Line, doc.mapper.OffsetPosition(int(f.Span.End)).Line
		if end > start {
			out = append(out, protocol.FoldingRange{StartLine: start, EndLine: end, Kind: foldKinds[f.Kind]})
		}
	}
	return out, nil
}
