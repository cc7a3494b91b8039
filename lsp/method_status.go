package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/sched"
)

type statusParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
}

type statusResult struct {
	Platform    string        `json:"platform"`
	Planner     string        `json:"planner"`
	Source      string        `json:"source"`
	Approximate bool          `json:"approximate"`
	Function    string        `json:"function,omitempty"`
	Spaces      []statusSpace `json:"spaces"`
}

type statusSpace struct {
	Space    string `json:"space"`
	Used     uint64 `json:"used"`
	Limit    uint64 `json:"limit"`
	Function string `json:"function,omitempty"`
}

func statusMethod(r *registry) {
	registerRequest(r, "pypto/status", traits[statusParams]{
		doc:      func(p *statusParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.Normal,
	}, status)
}

func status(ctx context.Context, snap *Snapshot, p *statusParams) (*statusResult, error) {
	a := snap.analysed(snap.Doc(p.TextDocument.URI))
	if a == nil {
		return nil, errNotOpen
	}
	if err := a.Compute(ctx, nil, 0); err != nil {
		return nil, err
	}
	st := a.Status()
	out := &statusResult{Platform: st.Platform, Planner: st.Planner, Source: st.Source, Approximate: st.Approximate, Function: st.Function, Spaces: []statusSpace{}}
	for _, s := range st.Spaces {
		out.Spaces = append(out.Spaces, statusSpace{s.Space, s.Used, s.Limit, s.Function})
	}
	return out, nil
}
