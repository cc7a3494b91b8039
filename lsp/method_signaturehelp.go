package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func signatureHelpMethod(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentSignatureHelp, traits[protocol.SignatureHelpParams]{
		doc:      func(p *protocol.SignatureHelpParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, signatureHelp)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", ","}, RetriggerCharacters: []string{"="}}
	})
}

func signatureHelp(_ context.Context, snap *Snapshot, p *protocol.SignatureHelpParams) (*protocol317.SignatureHelp, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	s, ok := a.SignatureAt(doc.mapper.PositionOffset(p.Position))
	if !ok {
		return nil, nil
	}
	info := protocol317.SignatureInformation{Label: s.Label, Documentation: markdown(s.Doc), Parameters: []protocol317.ParameterInformation{}}
	offsets := snap.client.labelOffsets()
	for _, x := range s.Params {
		part := s.Label[x.Span.Start:x.Span.End]
		param := protocol317.ParameterInformation{Label: part, Documentation: markdown(x.Doc)}
		if offsets {
			from := utf16Len(s.Label[:x.Span.Start])
			param.Label = [2]int{from, from + utf16Len(part)}
		}
		info.Parameters = append(info.Parameters, param)
	}
	// A number past the end is how 3.16 says that no parameter is active.
	active := uint32(len(s.Params))
	if s.Active >= 0 {
		active = uint32(s.Active)
	}
	return &protocol317.SignatureHelp{Signatures: []protocol317.SignatureInformation{info}, ActiveParameter: &active}, nil
}

func markdown(text string) *protocol.MarkupContent {
	if text == "" {
		return nil
	}
	return &protocol.MarkupContent{Kind: protocol.Markdown, Value: text}
}

// utf16Len: labels count in UTF-16 whatever encoding positions have.
func utf16Len(s string) int { return int(position.UTF16.Units(s)) }

// labelOffsets reports whether the client takes parameter labels as offsets.
func (c *client) labelOffsets() bool {
	t := c.caps.TextDocument
	if t == nil || t.SignatureHelp == nil || t.SignatureHelp.SignatureInformation == nil || t.SignatureHelp.SignatureInformation.ParameterInformation == nil {
		return false
	}
	return t.SignatureHelp.SignatureInformation.ParameterInformation.LabelOffsetSupport
}
