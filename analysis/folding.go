package analysis

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// FoldKind is what a folding range holds.
type FoldKind uint8

// The kinds of folding ranges. FoldAllocations is the run of allocation
// statements that begins a function.
const (
	FoldCode FoldKind = iota
	FoldImports
	FoldComment
	FoldAllocations
)

// Fold is a range that can be folded away: from the end of its first line, which
// stays, to the end of its last one. Bytes of the document.
type Fold struct {
	Span ir.Span
	Kind FoldKind
}

// Folds lists the folding ranges of the document by position: programs,
// functions, loops, branches, scopes, allocation prologues, imports, comments
// and brackets over several lines.
func (d *Document) Folds() []Fold {
	if !d.IsKernel() {
		return nil
	}
	var out []Fold
	class := -1
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if e.Kind == irsyntax.ClassChunk {
			out = append(out, Fold{Span: ir.Span{Start: e.Start + int32(classHeadEnd(e.Chunk)), End: e.Start + int32(codeEnd(e.Chunk))}})
			class = len(out) - 1
		} else if e.Class >= 0 && class >= 0 {
			out[class].Span.End = e.Start + int32(codeEnd(e.Chunk))
		}
		for _, f := range d.engine.foldsOf(e.Chunk) {
			f.Span = d.Abs(i, f.Span)
			out = append(out, f)
		}
	}
	return tidyFolds(out, d.File)
}

// tidyFolds sorts and keeps of ranges that begin on one line the longest, and
// none of a single line.
func tidyFolds(list []Fold, f *irsyntax.File) []Fold {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i].Span, list[j].Span
		return a.Start < b.Start || a.Start == b.Start && a.End > b.End
	})
	out := list[:0]
	for _, x := range list {
		if x.Span.End <= x.Span.Start || len(out) > 0 && out[len(out)-1].Span.Start == x.Span.Start {
			continue
		}
		out = append(out, x)
	}
	return out
}

func classHeadEnd(c *irsyntax.Chunk) int {
	t := c.Tree()
	at := codeStart(c.Text)
	for n := t.Root().First(); n.Ok() && n.Kind() != irsyntax.Block; n = n.Next() {
		at = max(at, int(n.End()))
	}
	return lineEndAt(c.Text, at)
}

// lineEndAt is the end of the line that holds an offset.
func lineEndAt(text string, at int) int {
	at = min(max(at, 0), len(text))
	if i := strings.IndexAny(text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(text)
}

// folder collects the folding ranges of one chunk.
type folder struct {
	text string
	out  []Fold
}

func foldsOfTree(t *irsyntax.Tree) []Fold {
	f := &folder{text: t.Text}
	f.node(t.Root())
	f.comments(t)
	return f.out
}

// add folds the lines from the one with start to the one with end.
func (f *folder) add(start, end int32, kind FoldKind) {
	from, to := lineEndAt(f.text, int(start)), lineEndAt(f.text, int(end))
	if to > from {
		f.out = append(f.out, Fold{ir.Span{Start: int32(from), End: int32(to)}, kind})
	}
}

func (f *folder) node(n irsyntax.Ref) {
	switch n.Kind() {
	case irsyntax.FuncDef, irsyntax.For, irsyntax.While, irsyntax.If, irsyntax.With, irsyntax.Opaque:
		at := n.Start()
		if n.Kind() == irsyntax.FuncDef {
			at = n.DefStart()
		}
		for c := n.First(); c.Ok(); c = c.Next() {
			if c.Kind() == irsyntax.Block && c.End() > c.Start() {
				f.add(f.colon(at, c.Start()), c.End(), FoldCode)
			}
			if c.End() > at {
				at = c.End()
			}
		}
	case irsyntax.Block:
		f.runs(n)
	case irsyntax.Call, irsyntax.List, irsyntax.Tuple, irsyntax.Set, irsyntax.Dict, irsyntax.Subscript, irsyntax.Params:
		f.brackets(n)
	case irsyntax.String:
		f.add(n.Start(), n.End(), FoldComment)
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		f.node(c)
	}
}

// colon is the place of the colon that ends a header between two offsets.
func (f *folder) colon(from, to int32) int32 {
	s := f.text[from:max(from, to)]
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '#':
			i = lineEndAt(s, i)
		case ':':
			return from + int32(i)
		}
	}
	return from
}

// brackets folds a bracket over several lines; its closing line stays when
// nothing stands before the bracket there.
func (f *folder) brackets(n irsyntax.Ref) {
	start, end := n.Start(), n.End()
	switch n.Kind() {
	case irsyntax.Call, irsyntax.Subscript:
		start = n.First().End()
	case irsyntax.Params: // without its parentheses
		start = int32(max(strings.LastIndexByte(f.text[:start], '('), 0))
		end = min(end+int32(len(f.text[end:])-len(strings.TrimLeft(f.text[end:], " \t\r\n,")))+1, int32(len(f.text)))
	}
	line := f.text[:max(end-1, start)]
	nl := strings.LastIndexAny(line, "\r\n")
	if nl > int(start) && strings.TrimSpace(line[nl+1:]) == "" {
		end = int32(len(strings.TrimRight(line[:nl], "\r\n")))
	}
	f.add(start, end, FoldCode)
}

// runs folds runs of imports and of allocation statements.
func (f *folder) runs(b irsyntax.Ref) {
	var first, last irsyntax.Ref
	kind := FoldCode
	flush := func() {
		if first.Ok() && first != last {
			f.add(first.Start(), last.End(), kind)
		}
		first = irsyntax.Ref{}
	}
	for s := b.First(); s.Ok(); s = s.Next() {
		k := FoldCode
		switch s.Kind() {
		case irsyntax.Import, irsyntax.ImportFrom:
			k = FoldImports
		case irsyntax.AnnAssign, irsyntax.Assign:
			if isCallTo(lastChild(s), "alloc") {
				k = FoldAllocations
			}
		}
		if k == FoldCode || k != kind {
			flush()
		}
		if kind = k; k != FoldCode {
			if !first.Ok() {
				first = s
			}
			last = s
		}
	}
	flush()
}

// comments folds comments on lines of their own that follow each other.
func (f *folder) comments(t *irsyntax.Tree) {
	cs := t.Comments
	for i := 0; i < len(cs); {
		j := i
		for cs[i].OwnLine && j+1 < len(cs) && cs[j+1].OwnLine && cs[j+1].Col == cs[i].Col && adjacent(f.text[cs[j].End:cs[j+1].Start]) {
			j++
		}
		if j > i {
			f.add(cs[i].Start, cs[j].End, FoldComment)
		}
		i = j + 1
	}
}

// adjacent: one line end and blanks.
func adjacent(gap string) bool {
	gap = strings.Trim(gap, " \t\f")
	return gap == "\n" || gap == "\r\n" || gap == "\r"
}

// foldMemo keeps folding ranges by chunk content.
type foldMemo map[uint64][]Fold

// maxFolds bounds the chunks whose folding ranges are kept.
const maxFolds = 1 << 13

// foldsOf are the folding ranges of a chunk; like all values of the memo they
// hold no text.
func (e *Engine) foldsOf(c *irsyntax.Chunk) []Fold {
	e.mu.Lock()
	f, ok := e.folds[c.Hash]
	e.mu.Unlock()
	if ok {
		return f
	}
	held := c.HasTree()
	f = foldsOfTree(c.Tree())
	if !held {
		c.Release()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.folds == nil || len(e.folds) >= maxFolds {
		e.folds = foldMemo{}
	}
	e.folds[c.Hash] = f
	return f
}
