package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// Unformatted is a function that formatting left alone, with the reason in
// words for the user. Span is its name, in bytes of the document.
type Unformatted struct {
	Func   string
	Span   ir.Span
	Reason string
}

// Format brings the functions between two offsets into the canonical form
// (spec 01b): what the reference compiler prints for them. A function is left
// alone when it has errors or when the canonical form would lose something
// that is written there; the reasons are returned. The edits are whole
// functions' even when the range is smaller, but only lines that differ.
func (d *Document) Format(from, to int) ([]TextEdit, []Unformatted) {
	var edits []TextEdit
	var left []Unformatted
	for _, i := range d.FuncChunks() {
		e := &d.File.Chunks[i]
		start, end := codeStart(e.Text), regionEnd(e.Chunk)
		if int(e.Start)+start > to || int(e.Start)+end < from {
			continue
		}
		text, reason := d.canonical(i)
		if reason != "" {
			left = append(left, Unformatted{e.Name, d.Abs(i, nameSpan(e.Chunk)), reason})
			continue
		}
		edits = append(edits, lineEdits(int(e.Start)+start, e.Text[start:end], text)...)
	}
	return edits, left
}

// regionEnd is the end of the line on which a function's last statement ends.
func regionEnd(c *irsyntax.Chunk) int {
	return lineEndAt(c.Text, int(c.Tree().Root().End()))
}

// canonical is the canonical text of a function, from its first decorator's
// `@` on, or the reason why there is none.
func (d *Document) canonical(chunk int) (text, reason string) {
	u := d.units[d.unitOf[chunk]]
	c := d.File.Chunks[chunk].Chunk
	level := 0
	if u.ctx.method {
		level = 1
	}
	if c.Kind != irsyntax.FuncChunk {
		return "", "it is a snippet without a function"
	}
	if int(c.Indent) != 4*level {
		return "", "it is not indented by four blanks"
	}
	fn, reason := u.ctx.readable(c)
	if reason != "" {
		return "", reason
	}
	if reason := unprintable(c.Tree(), fn); reason != "" {
		return "", reason
	}
	text = strings.TrimLeft(printer.Function(fn.IR, level, printer.Options{}), " ")
	after := chunkWith(c, c.Text[:codeStart(c.Text)]+text+"\n")
	again, reason := u.ctx.readable(after)
	if reason != "" {
		return "", "its canonical form cannot be read back (" + reason + ")"
	}
	if strings.TrimLeft(printer.Function(again.IR, level, printer.Options{}), " ") != text {
		return "", "its canonical form is not stable"
	}
	if reason := d.lost(chunk, c, after); reason != "" {
		return "", reason
	}
	if strings.Contains(c.Text, "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text, ""
}

// chunkWith is a chunk like another one with another text.
func chunkWith(c *irsyntax.Chunk, text string) *irsyntax.Chunk {
	return &irsyntax.Chunk{Kind: c.Kind, Text: text, Name: c.Name, Indent: c.Indent}
}

// readable reads a function, or says why it cannot be formatted.
func (c *unitContext) readable(chunk *irsyntax.Chunk) (*read.Function, string) {
	if errs := chunk.Tree().Errors; len(errs) > 0 {
		return nil, "it has a syntax error: " + errs[0].Msg
	}
	policy := c.policyOf(chunk.Text)
	if c.fixed && c.start.Pass != "" || strings.Contains(chunk.Text, "__ssa_v") {
		policy = read.Dump // a pass has printed it: every part of it is meant
	}
	fn := read.Func(chunk, c.env, c.sigs, c.method, read.Options{Policy: policy, Platform: c.settings.Platform})
	switch {
	case fn.Opaque:
		return nil, "its body is not kernel IR"
	case fn.Shorthand:
		return nil, "it is written in the shorthand of the documentation"
	}
	for _, p := range fn.Problems {
		if !p.Warning {
			return nil, "it has an error: " + p.Message
		}
	}
	return fn, ""
}

// unprintable finds what the canonical form has no place for.
func unprintable(t *irsyntax.Tree, fn *read.Function) string {
	for i := range t.Nodes {
		r := irsyntax.Ref{T: t, I: int32(i)}
		switch r.Kind() {
		case irsyntax.Param:
			if r.Op() != irsyntax.OpNone || !r.Child(2).IsEmpty() {
				return "parameters with defaults, * or ** would be lost"
			}
		case irsyntax.For, irsyntax.While:
			if els := lastChild(r); els.Kind() == irsyntax.Block && els != r.Child(bodyIndex(r)) {
				return "the else of a loop would be lost"
			}
		case irsyntax.Decorator:
			if s := unprintableDecorator(r.First()); s != "" {
				return s
			}
		case irsyntax.Call:
			switch name := r.First().Text(); name {
			case "pl.static_print", "pl.static_assert", "pl.dump_tag":
				return "its " + name + " would be lost"
			}
		}
	}
	if len(fn.Deps.Bodies) > 0 {
		for _, b := range fn.Deps.Bodies {
			if mentionsCall(t, b) {
				return "the call of the inline function '" + b + "' would be expanded"
			}
		}
	}
	return ""
}

func bodyIndex(loop irsyntax.Ref) int {
	if loop.Kind() == irsyntax.For {
		return 2
	}
	return 1
}

// mentionsCall reports whether the tree calls a function by its bare name.
func mentionsCall(t *irsyntax.Tree, name string) bool {
	for i := range t.Nodes {
		r := irsyntax.Ref{T: t, I: int32(i)}
		if r.Kind() == irsyntax.Call && r.First().Kind() == irsyntax.Name && r.First().Text() == name {
			return true
		}
	}
	return false
}

var printedDecoratorArgs = wordSet("type", "level", "role", "auto_scope", "external_source", "attrs")

func unprintableDecorator(e irsyntax.Ref) string {
	fn := e
	if e.Kind() == irsyntax.Call {
		fn = e.First()
	}
	if lastComponent(fn) != "function" {
		return "its decorator @" + fn.Text() + " would be lost"
	}
	if e.Kind() != irsyntax.Call {
		return ""
	}
	for a := fn.Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword || !printedDecoratorArgs[a.First().Text()] {
			return "the decorator's '" + a.Text() + "' would be lost"
		}
	}
	return ""
}

// lost compares what is written before and after: every comment, and every
// name that the function mentions, must still be there.
func (d *Document) lost(chunk int, before, after *irsyntax.Chunk) string {
	old, now := before.Tree(), after.Tree()
	kept := map[string]int{}
	for _, c := range now.Comments {
		kept[strings.TrimSpace(now.CommentText(c))]++
	}
	end := int32(regionEnd(before))
	for _, c := range old.Comments {
		text := strings.TrimSpace(old.CommentText(c))
		if c.Start >= end || c.Start < int32(codeStart(before.Text)) {
			continue
		}
		if kept[text]--; kept[text] < 0 {
			return fmt.Sprintf("the comment on line %d would be lost", d.Line(chunk, c.Start))
		}
	}
	ctx := d.nameContext(chunk)
	names := map[string]bool{}
	for _, s := range resolveNames(after, d.module(), ctx).syms {
		names[s.name] = true
	}
	n := d.namesOf(chunk)
	for _, u := range n.uses {
		if s := &n.syms[u.sym]; !names[s.name] {
			return fmt.Sprintf("the name '%s' (line %d) would be replaced by its value", s.name, d.Line(chunk, u.span.Start))
		}
	}
	return ""
}
