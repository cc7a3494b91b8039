package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/protocol317"
)

// planState identifies the plans of a document.
type planState struct {
	// shown changes with what hints and lenses show, drawn with anything that
	// the memory map does, line numbers included.
	shown, drawn uint64
}

// methodPlanChanged tells the client that a document's plan is another one
// (docs/protocol-extensions.md).
const methodPlanChanged = "pypto/planChanged"

type planChangedParams struct {
	URI     protocol.DocumentURI `json:"uri"`
	Version int32                `json:"version"`
}

// planState computes what is missing of a document's plans; false when ctx
// ended meanwhile.
func (s *Snapshot) planState(ctx context.Context, doc *Document) (planState, bool) {
	a := s.analysed(doc)
	if a == nil || !a.IsKernel() {
		return planState{}, true
	}
	if a.Compute(ctx, nil, 0) != nil {
		return planState{}, false
	}
	shown, drawn := a.PlanHashes()
	return planState{shown, drawn}, true
}

// tellPlan tells the client what follows from a changed plan.
func (p *publisher) tellPlan(ps *pass, doc *Document, now planState) {
	was := ps.plan
	ps.plan = now
	if was.shown != now.shown {
		p.s.refresh(protocol317.MethodInlayHintRefresh, protocol.MethodCodeLensRefresh)
	}
	if was.drawn != now.drawn && p.s.client.flags.planChanged {
		p.s.notify(methodPlanChanged, planChangedParams{URI: protocol.DocumentURI(doc.uri.Raw), Version: doc.version})
	}
	p.s.refreshViews(doc)
}
