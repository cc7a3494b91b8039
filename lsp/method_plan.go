package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/sched"
	"pypto-ls/lsp/report"
	"pypto-ls/memmap"
)

// planParams and what follows are defined in docs/protocol-extensions.md.
type planParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Function     string                          `json:"function"`
	Planner      string                          `json:"planner"`
	Platform     string                          `json:"platform"`
	Source       bool                            `json:"source"`
}

type planResult struct {
	URI       string            `json:"uri"`
	Version   int32             `json:"version"`
	Planner   string            `json:"planner"`
	Platform  string            `json:"platform"`
	Functions []memmap.Function `json:"functions"`
}

func planMethod(r *registry) {
	registerRequest(r, "pypto/plan", traits[planParams]{
		doc:      func(p *planParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.Normal,
	}, plan)
}

// errNotOpen is the answer to our own requests about documents that are not
// open; those of the standard have empty answers.
var errNotOpen = invalidParams(errors.New("the document is not open"))

func plan(ctx context.Context, snap *Snapshot, p *planParams) (*planResult, error) {
	doc := snap.Doc(p.TextDocument.URI)
	if snap.analysed(doc) == nil {
		return nil, errNotOpen
	}
	a, err := snap.targeted(doc, Choice{p.Platform, p.Planner})
	if err != nil {
		return nil, err
	}
	out := &planResult{URI: doc.uri.Raw, Version: doc.version, Planner: a.Settings.Planner.String(), Platform: a.Settings.Name}
	if p.Function == "" {
		if err := a.Compute(ctx, nil, 0); err != nil {
			return nil, err
		}
	}
	out.Functions = report.PlanModels(a.PlanModels(analysis.PlanOptions{Function: p.Function, Source: p.Source}))
	return out, nil
}

// targeted is a document under another target; empty names keep what applies.
func (s *Snapshot) targeted(doc *Document, want Choice) (*analysis.Document, error) {
	if err := checkTarget(doc.config.config(), want); err != nil {
		return nil, err
	}
	return s.queries.Targeted(doc.uri.Key, want), nil
}

// checkTarget refuses unknown names and lists the known ones.
func checkTarget(cfg *analysis.Config, want Choice) error {
	if want.Platform != "" && want.Platform != "none" {
		if _, ok := cfg.Lookup(want.Platform); !ok {
			return invalidParams(fmt.Errorf("unknown platform %.100q; known: %s", want.Platform, strings.Join(cfg.Names(), ", ")))
		}
	}
	if want.Planner != "" && !analysis.KnownPlanner(want.Planner) {
		return invalidParams(fmt.Errorf("unknown planner %.100q; known: %s", want.Planner, strings.Join(analysis.PlannerNames(), ", ")))
	}
	return nil
}
