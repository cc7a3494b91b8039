package analysis

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// SymbolKind is the kind of an outline entry.
type SymbolKind uint8

// The kinds of outline entries.
const (
	ProgramSymbol SymbolKind = iota
	FunctionSymbol
	TileSymbol
	ConstantSymbol
	DimensionSymbol
	AllocationSymbol // declared at module level
)

// Symbol is an entry of a document's outline. Spans are bytes of the document;
// NameSpan lies within Span.
type Symbol struct {
	Name, Detail   string
	Kind           SymbolKind
	Span, NameSpan ir.Span
	Children       []Symbol
}

// Symbols is the outline of the document in text order: programs, their
// functions, and in each function its tiles with memory space and size; tiles
// of loops and branches are not nested further. Module-level dimensions,
// constants and declared allocations stand beside the programs.
func (d *Document) Symbols() []Symbol {
	if !d.IsKernel() {
		return nil
	}
	return d.outline(func(i int, s *Symbol) {
		f := d.Func(i)
		s.Detail = f.Kind.String()
		if u := f.UsageText(); u != "" {
			s.Detail += " · " + u
		}
		s.Children = d.tileSymbols(i, f)
	})
}

// outline lists programs and functions; each completes a function's entry.
func (d *Document) outline(each func(chunk int, s *Symbol)) []Symbol {
	out := d.moduleSymbols()
	programs := map[int32]int{}
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if e.Kind == irsyntax.ClassChunk && d.facts[i].kernel {
			programs[int32(i)] = len(out)
			sp := ir.Span{Start: e.Start + int32(codeStart(e.Text)), End: e.Start + int32(codeEnd(e.Chunk))}
			out = append(out, Symbol{Name: e.Name, Kind: ProgramSymbol, Span: sp, NameSpan: within(d.Abs(i, classNameSpan(e.Chunk)), sp)})
		}
		if d.unitOf[i] < 0 {
			continue
		}
		s := Symbol{Name: e.Name, Kind: FunctionSymbol, Span: ir.Span{Start: e.Start + int32(codeStart(e.Text)), End: e.Start + int32(codeEnd(e.Chunk))}}
		s.NameSpan = ir.Span{Start: s.Span.Start, End: s.Span.Start}
		if e.Kind == irsyntax.FuncChunk {
			s.NameSpan = within(d.Abs(i, nameSpan(e.Chunk)), s.Span)
		}
		if s.Name == "" {
			s.Name = "(snippet)"
		}
		each(i, &s)
		if p, ok := programs[e.Class]; ok && e.Class >= 0 {
			out[p].Children = append(out[p].Children, s)
			out[p].Span.End = max(out[p].Span.End, s.Span.End)
		} else {
			out = append(out, s)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Start < out[j].Span.Start })
	return out
}

// within keeps a span inside another one, whatever a broken text says.
func within(s, in ir.Span) ir.Span {
	s.Start = min(max(s.Start, in.Start), in.End)
	s.End = min(max(s.End, s.Start), in.End)
	return s
}

// moduleSymbols are the module-level values that kernels use.
func (d *Document) moduleSymbols() []Symbol {
	var out []Symbol
	for _, m := range d.module().list {
		s := Symbol{Name: m.name}
		switch m.kind {
		case DimensionName:
			s.Kind, s.Detail = DimensionSymbol, "dynamic dimension"
		case DeclaredName:
			s.Kind, s.Detail = AllocationSymbol, "declared allocation"
		case ConstantName:
			s.Kind = ConstantSymbol
		default:
			continue
		}
		s.NameSpan = d.Abs(int(m.chunk), m.span)
		s.Span = d.lineSpan(s.NameSpan)
		out = append(out, s)
	}
	return out
}

// lineSpan extends a span to the end of its line.
func (d *Document) lineSpan(s ir.Span) ir.Span {
	c := d.File.ChunkAt(int(s.Start))
	if c < 0 {
		return s
	}
	e := &d.File.Chunks[c]
	rest := e.Text[min(max(int(s.End-e.Start), 0), len(e.Text)):]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	s.End += int32(len(strings.TrimRight(rest, " \t")))
	return s
}

// tileSymbols lists the tiles of a function, those of one name once.
func (d *Document) tileSymbols(chunk int, f *Func) []Symbol {
	var out []Symbol
	for _, site := range f.allSites() {
		p := &f.Planned[site.tiles[0][0]]
		t := &p.Tiles[site.tiles[0][1]]
		s := Symbol{Name: t.Name, Kind: TileSymbol, NameSpan: d.Abs(chunk, t.Span), Detail: t.summary(p.Placed)}
		s.Span = d.lineSpan(s.NameSpan)
		if text := d.File.Chunks[chunk].Text; int(t.Span.End) <= len(text) {
			s.Name = text[t.Span.Start:t.Span.End] // as written, not a copy's
		}
		out = append(out, s)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Start < out[j].Span.Start })
	return out
}

// summary is `Vec 16 KiB @ 0x04000`.
func (t *Tile) summary(placed bool) string {
	s := t.Space.String()
	if t.Popped {
		return s + " ring slot"
	}
	if t.Size > 0 {
		s += " " + SizeText(t.Size)
	}
	if placed && t.Addr >= 0 {
		s += " @ " + AddressText(t.Addr)
		if t.Dynamic != "" {
			s += "+slot"
		}
	}
	return s
}

// codeStart is the offset of a chunk's first line that is neither blank nor a
// comment, without its indentation.
func codeStart(text string) int {
	for i := 0; i < len(text); {
		rest := strings.TrimLeft(text[i:], " \t\f\r\n")
		i = len(text) - len(rest)
		if !strings.HasPrefix(rest, "#") {
			return i
		}
		n := strings.IndexAny(rest, "\r\n")
		if n < 0 {
			break
		}
		i += n
	}
	return 0
}

// codeEnd is the end of a chunk's last line that belongs to it: blank lines,
// and comments that stand no deeper than the chunk, are left out.
func codeEnd(c *irsyntax.Chunk) int {
	text := c.Text
	for {
		text = strings.TrimRight(text, " \t\f\r\n")
		start := strings.LastIndexAny(text, "\r\n") + 1
		line := strings.TrimLeft(text[start:], " \t\f")
		if !strings.HasPrefix(line, "#") || len(text)-start-len(line) > int(c.Indent) {
			return len(text)
		}
		text = text[:start]
	}
}
