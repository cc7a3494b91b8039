package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pypto-ls/ir"
)

// HintKinds switches the kinds of inlay hints one by one.
type HintKinds struct {
	Addresses, Sizes, Sharing, Usage bool
}

// InlayHint is text shown after a position of the document. Never more than
// one stands behind one name.
type InlayHint struct {
	Offset int32
	Parts  []HintPart
	// Chunk and Tile identify the hint for its tooltip; Tile is -1 for usage.
	Chunk, Planned, Tile int
}

// HintPart is a piece of a hint's label; Target, when valid, is where a click
// on it leads (document offsets).
type HintPart struct {
	Text   string
	Target ir.Span
}

// InlayHints are the hints of the document between two offsets, in text order.
func (d *Document) InlayHints(from, to int, kinds HintKinds) []InlayHint {
	if !d.IsKernel() {
		return nil
	}
	var out []InlayHint
	for i := range d.File.Chunks {
		e := &d.File.Chunks[i]
		if d.unitOf[i] < 0 || int(e.Start) > to || e.End() < from {
			continue
		}
		out = append(out, d.funcHints(i, from, to, kinds)...)
	}
	return out
}

// hintSite gathers what is said at one name: copies made by replication or
// the halves of a mixed kernel may define several tiles there.
type hintSite struct {
	span  ir.Span
	tiles [][2]int // planned, tile
}

// allSites are the names of all the function's tiles.
func (f *Func) allSites() []hintSite { return f.hintSites(0, math.MaxInt32) }

// hintSites are those that end between two offsets of the function's text, in
// its order.
func (f *Func) hintSites(from, to int) []hintSite {
	var sites []hintSite
	at := map[int32]int{} // by start of the name: index in sites, -1 for one elsewhere
	for n := range f.Planned {
		for k := range f.Planned[n].Tiles {
			t := &f.Planned[n].Tiles[k]
			if !t.Span.Valid() {
				continue
			}
			i, ok := at[t.Span.Start]
			if !ok {
				i = -1
				if end := int(t.Span.End); end >= from && end <= to {
					i = len(sites)
					sites = append(sites, hintSite{span: t.Span})
				}
				at[t.Span.Start] = i
			}
			if i >= 0 {
				sites[i].tiles = append(sites[i].tiles, [2]int{n, k})
			}
		}
	}
	slices.SortStableFunc(sites, func(a, b hintSite) int { return cmp.Compare(a.span.Start, b.span.Start) })
	return sites
}

func (d *Document) funcHints(chunk, from, to int, kinds HintKinds) []InlayHint {
	f := d.Func(chunk)
	base := int(d.File.Chunks[chunk].Start)
	var out []InlayHint
	approx := ""
	if len(f.Approximate) > 0 {
		approx = "≈ "
	}
	if kinds.Usage {
		if u := f.UsageText(); u != "" && f.Header.Valid() {
			text := d.File.Chunks[chunk].Text
			at := base + headerLineEnd(text, int(f.NameSpan.End), int(f.Header.End))
			if at >= from && at <= to {
				out = append(out, InlayHint{Offset: int32(at), Parts: []HintPart{{Text: approx + u}}, Chunk: chunk, Tile: -1})
			}
		}
	}
	for _, s := range f.hintSites(from-base, to-base) {
		at := base + int(s.span.End)
		parts := d.hintLabel(chunk, f, s, kinds, approx)
		if len(parts) > 0 {
			out = append(out, InlayHint{Offset: int32(at), Parts: parts, Chunk: chunk, Planned: s.tiles[0][0], Tile: s.tiles[0][1]})
		}
	}
	return out
}

// headerLineEnd is the end of the line on which the `def` header ends.
func headerLineEnd(text string, from, to int) int {
	end := min(max(to, from), len(text))
	end = len(strings.TrimRight(text[:end], " \t\r\n"))
	return end
}

// AddressText is an address in fixed width, so that nothing jumps while
// typing.
func AddressText(a int64) string { return fmt.Sprintf("0x%05x", a) }

// SizeText is a size as people say it: `16 KiB`, `640 B`.
func SizeText(n uint64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	case n >= 10<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/1024)
	}
	return Thousands(n) + " B"
}

func (d *Document) hintLabel(chunk int, f *Func, s hintSite, kinds HintKinds, approx string) []HintPart {
	first := &f.Planned[s.tiles[0][0]].Tiles[s.tiles[0][1]]
	if first.Popped {
		if !kinds.Addresses && !kinds.Sizes {
			return nil
		}
		return []HintPart{{Text: approx + "▸" + first.Space.String() + " ring slot"}}
	}
	var parts []HintPart
	if kinds.Addresses {
		parts = append(parts, HintPart{Text: approx + "▸" + first.Space.String() + " " + addressList(f, s)})
	}
	if kinds.Sizes && first.Size > 0 {
		sep := " "
		if len(parts) == 0 {
			sep = approx + "▸"
		}
		parts = append(parts, HintPart{Text: sep + "+" + SizeText(first.Size)})
	}
	if kinds.Sharing {
		parts = append(parts, d.sharingParts(chunk, f, s)...)
	}
	return parts
}

// addressList is the address of a tile, or those of all its copies.
func addressList(f *Func, s hintSite) string {
	var out []string
	for _, t := range s.tiles {
		p := &f.Planned[t[0]]
		tile := &p.Tiles[t[1]]
		text := ""
		switch {
		case !p.Placed:
			text = "(no address)"
		case tile.Dynamic != "":
			text = AddressText(tile.Addr) + "+" + "slot"
		case tile.Addr >= 0:
			text = AddressText(tile.Addr)
		default:
			text = "(no address)"
		}
		if len(out) > 0 && out[len(out)-1] == text {
			continue
		}
		if len(out) == 4 {
			out = append(out, "…")
			break
		}
		out = append(out, text)
	}
	return strings.Join(out, " / ")
}

// sharingParts links to the other tiles in the same bytes.
func (d *Document) sharingParts(chunk int, f *Func, s hintSite) []HintPart {
	p := &f.Planned[s.tiles[0][0]]
	others := p.SharersOf(s.tiles[0][1])
	if len(others) == 0 {
		return nil
	}
	parts := []HintPart{{Text: " ="}}
	seen := map[string]bool{p.Tiles[s.tiles[0][1]].Name: true}
	for _, j := range others {
		t := &p.Tiles[j]
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		if len(parts) == 4 {
			parts = append(parts, HintPart{Text: " …"})
			break
		}
		hp := HintPart{Text: " " + t.Name}
		if t.Span.Valid() {
			hp.Target = d.Abs(chunk, t.Span)
		}
		parts = append(parts, hp)
	}
	return parts
}

// UsageText is the usage of a function's spaces, fullest first:
// `Vec 143,872 / 188,416 B (76 %) · Acc …`.
func (f *Func) UsageText() string {
	var spaces []Space
	for n := range f.Planned {
		spaces = append(spaces, f.Planned[n].Spaces...)
	}
	if len(spaces) == 0 {
		return ""
	}
	for i := 1; i < len(spaces); i++ {
		for j := i; j > 0 && fuller(spaces[j], spaces[j-1]); j-- {
			spaces[j], spaces[j-1] = spaces[j-1], spaces[j]
		}
	}
	var parts []string
	for _, s := range spaces {
		parts = append(parts, s.Text())
	}
	return strings.Join(parts, " · ")
}

func fuller(a, b Space) bool {
	fa, fb := a.fill(), b.fill()
	if fa != fb {
		return fa > fb
	}
	return a.Space < b.Space
}

func (s Space) fill() float64 {
	if s.Limit == 0 {
		return 0
	}
	return float64(s.Used) / float64(s.Limit)
}

// Text is `Vec 143,872 / 188,416 B (76 %)`.
func (s Space) Text() string {
	if s.Used == 0 {
		return fmt.Sprintf("%s %s B live", s.Space, Thousands(s.Peak))
	}
	if s.Limit == 0 {
		return fmt.Sprintf("%s %s B", s.Space, Thousands(s.Used))
	}
	text := fmt.Sprintf("%s %s / %s B (%d %%)", s.Space, Thousands(s.Used), Thousands(s.Limit), (s.Used*100+s.Limit/2)/s.Limit)
	if s.Used > s.Limit {
		text = "⚠ " + text
	}
	return text
}
