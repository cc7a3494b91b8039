package analysis

import (
	"sort"
	"strings"

	"pypto-ls/ir"
)

// FoundSymbol is an answer to a workspace-wide search.
type FoundSymbol struct {
	Doc       *Document
	Name      string
	Container string // program, "" for none
	Kind      SymbolKind
	Span      ir.Span // of the name
}

// FindSymbols searches programs, functions and module-level names of documents
// by letters of their names in order. The best matches come first, at most
// limit of them. Nothing is planned for it.
func FindSymbols(docs []*Document, query string, limit int) []FoundSymbol {
	type scored struct {
		FoundSymbol
		score int
	}
	var found []scored
	for _, d := range docs {
		if !d.IsKernel() {
			continue
		}
		var add func(list []Symbol, container string)
		add = func(list []Symbol, container string) {
			for i := range list {
				s := &list[i]
				if n, ok := fuzzyScore(s.Name, query); ok {
					found = append(found, scored{FoundSymbol{d, s.Name, container, s.Kind, s.NameSpan}, n})
				}
				add(s.Children, s.Name)
			}
		}
		add(d.outline(func(int, *Symbol) {}), "")
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		switch {
		case a.score != b.score:
			return a.score > b.score
		case a.Name != b.Name:
			return a.Name < b.Name
		case a.Doc != b.Doc:
			return a.Doc.Name < b.Doc.Name
		}
		return a.Span.Start < b.Span.Start
	})
	out := make([]FoundSymbol, 0, min(len(found), limit))
	for _, f := range found[:min(len(found), limit)] {
		out = append(out, f.FoundSymbol)
	}
	return out
}

// fuzzyScore matches the letters of query in order, whatever their case.
// Letters at the start of a word, in a row, and exact matches count more.
func fuzzyScore(name, query string) (score int, ok bool) {
	n, q := strings.ToLower(name), strings.ToLower(query)
	if q == "" {
		return 0, true
	}
	if i := strings.Index(n, q); i >= 0 {
		score = 100 - min(len(n), 60)
		if i == 0 || n[i-1] == '_' {
			score += 50
		}
		if n == q {
			score += 100
		}
		return score, true
	}
	k, last := 0, -2
	for i := 0; i < len(n) && k < len(q); i++ {
		if n[i] != q[k] {
			continue
		}
		if i == last+1 {
			score += 3
		}
		if i == 0 || n[i-1] == '_' || name[i] >= 'A' && name[i] <= 'Z' && i < len(name) {
			score += 5
		}
		last = i
		k++
	}
	return score - min(len(n), 60), k == len(q)
}
