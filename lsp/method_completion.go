package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pypto-ls/analysis"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
)

func completionMethods(r *registry) {
	registerRequest(r, protocol.MethodTextDocumentCompletion, traits[protocol.CompletionParams]{
		doc:      func(p *protocol.CompletionParams) protocol.DocumentURI { return p.TextDocument.URI },
		priority: sched.High,
	}, completion)
	registerRequest(r, "completionItem/resolve", traits[completionItem]{priority: sched.High}, resolveCompletion)
	r.advertise(func(_ *client, caps *protocol317.ServerCapabilities) {
		caps.CompletionProvider = &protocol.CompletionOptions{ResolveProvider: true, TriggerCharacters: []string{".", "@", "=", "\"", "'"}}
	})
}

// completionItem is an item; data is the topic of its documentation and comes
// back as we wrote it.
type completionItem struct {
	Label            string                       `json:"label"`
	Kind             protocol.CompletionItemKind  `json:"kind,omitempty"`
	Tags             []protocol.CompletionItemTag `json:"tags,omitempty"`
	Detail           string                       `json:"detail,omitempty"`
	Documentation    any                          `json:"documentation,omitempty"`
	Deprecated       bool                         `json:"deprecated,omitempty"`
	SortText         string                       `json:"sortText,omitempty"`
	FilterText       string                       `json:"filterText,omitempty"`
	InsertText       string                       `json:"insertText,omitempty"`
	InsertTextFormat protocol.InsertTextFormat    `json:"insertTextFormat,omitempty"`
	TextEdit         *protocol.TextEdit           `json:"textEdit,omitempty"`
	Data             any                          `json:"data,omitempty"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

var completionKinds = [...]protocol.CompletionItemKind{
	analysis.CompleteOperator: protocol.CompletionItemKindMethod, analysis.CompleteFunction: protocol.CompletionItemKindFunction,
	analysis.CompleteVariable: protocol.CompletionItemKindVariable, analysis.CompleteConstant: protocol.CompletionItemKindConstant,
	analysis.CompleteType: protocol.CompletionItemKindClass, analysis.CompleteEnum: protocol.CompletionItemKindEnum,
	analysis.CompleteEnumMember: protocol.CompletionItemKindEnumMember, analysis.CompleteModule: protocol.CompletionItemKindModule,
	analysis.CompleteArgument: protocol.CompletionItemKindProperty, analysis.CompleteKeyword: protocol.CompletionItemKindKeyword,
	analysis.CompleteSnippet: protocol.CompletionItemKindSnippet,
}

func completion(_ context.Context, snap *Snapshot, p *protocol.CompletionParams) (*completionList, error) {
	doc := snap.Doc(p.TextDocument.URI)
	a := snap.analysed(doc)
	if a == nil {
		return nil, nil
	}
	snippets := snap.client.snippets()
	out := &completionList{Items: []completionItem{}}
	for _, c := range a.Complete(doc.mapper.PositionOffset(p.Position)) {
		item := completionItem{Label: c.Label, Kind: completionKinds[c.Kind], Detail: c.Detail, SortText: c.Sort}
		text := c.Label
		if c.Insert != "" {
			text = c.Insert
		}
		if c.Snippet != "" {
			if !snippets && c.Kind == analysis.CompleteSnippet {
				continue
			}
			if snippets {
				text, item.InsertTextFormat = c.Snippet, protocol.InsertTextFormatSnippet
			}
		}
		item.TextEdit = &protocol.TextEdit{Range: doc.mapper.SpanRange(int(c.Span.Start), int(c.Span.End)), NewText: text}
		if c.Deprecated {
			item.Tags = []protocol.CompletionItemTag{protocol.CompletionItemTagDeprecated}
		}
		if c.Topic != "" {
			item.Data = c.Topic
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// resolveCompletion adds the documentation.
func resolveCompletion(_ context.Context, snap *Snapshot, item *completionItem) (*completionItem, error) {
	if topic, ok := item.Data.(string); ok {
		if doc := analysis.CompletionDoc(topic); doc != "" {
			item.Documentation = protocol.MarkupContent{Kind: protocol.Markdown, Value: doc}
		}
	}
	return item, nil
}

// snippets reports whether the client takes places to fill in.
func (c *client) snippets() bool {
	t := c.caps.TextDocument
	return t != nil && t.Completion != nil && t.Completion.CompletionItem != nil && t.Completion.CompletionItem.SnippetSupport
}
