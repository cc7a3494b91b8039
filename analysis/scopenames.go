package analysis

import (
	"strings"
	"sync"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// scopeNames says which functions of a unit name their scopes how; it is taken
// from the texts, and may take a function for a host that is none.
type scopeNames struct {
	once  sync.Once
	hosts int
	named map[string][]*irsyntax.Chunk
}

// scopeSide is what a function's header says about scopes in its body.
type scopeSide uint8

const (
	sideKernel scopeSide = iota
	sideInline
	sideHost
)

func scopeSideOf(c *irsyntax.Chunk) scopeSide {
	decorators, _, _ := strings.Cut(c.Text[:read.HeaderEnd(c.Text)], "def ")
	if strings.Contains(decorators, "Inline") || strings.Contains(decorators, "inline") {
		return sideInline
	}
	for _, kind := range []string{"InCore", "incore", "AIC", "AIV", "Group", "Spmd"} {
		if strings.Contains(decorators, kind) {
			return sideKernel
		}
	}
	return sideHost
}

// find indexes the chunks of a unit.
func (s *scopeNames) find(chunks []*irsyntax.Chunk) {
	s.named = map[string][]*irsyntax.Chunk{}
	for _, c := range chunks {
		if scopeSideOf(c) == sideHost {
			s.hosts++
		}
	}
	if s.hosts < 2 {
		return
	}
	for _, c := range chunks {
		eachHint(c.Text, func(name string) { s.named[name] = append(s.named[name], c) })
	}
}

// eachHint visits the names that scopes of a text ask for. A kernel from a
// `pl.spmd` scope goes without the ending of the scope's name.
func eachHint(text string, visit func(name string)) {
	for {
		_, rest, ok := strings.Cut(text, "name_hint")
		if !ok {
			return
		}
		text = rest
		rest = strings.TrimLeft(rest, " =")
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(rest[1:], rest[0]); end > 0 {
			name := rest[1 : 1+end]
			visit(name)
			if short, ok := strings.CutSuffix(name, "_spmd"); ok {
				visit(short)
			}
		}
	}
}

// sharesName reports whether a host function other than the one of that name
// may outline a scope under the name hint: one of its own, or of an inline
// function that it calls.
func (c *unitContext) sharesName(host, hint string) bool {
	s := &c.chunks.scopes
	s.once.Do(func() { s.find(c.chunks.list) })
	if s.hosts < 2 {
		return false
	}
	seen := map[*irsyntax.Chunk]bool{}
	var reached func(list []*irsyntax.Chunk) bool
	reached = func(list []*irsyntax.Chunk) bool {
		for _, f := range list {
			if seen[f] || f.Name == host {
				continue
			}
			seen[f] = true
			switch scopeSideOf(f) {
			case sideHost:
				return true
			case sideInline:
				if reached(c.chunks.mentioning(f.Name)) {
					return true
				}
			}
		}
		return false
	}
	return reached(s.named[hint])
}
