package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
)

// TestShares: the names of a table are those of SharersOf, tile by tile.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		p := &Planned{Placed: r.IntN(3) > 0}
		for i := range 1 + r.IntN(40) {
			start := uint64(r.IntN(6)) * 64
			p.Tiles = append(p.Tiles, Tile{Name: fmt.Sprint("t", i), Space: ir.Space(1 + r.IntN(2)), Popped: r.IntN(10) == 0,
				RegionStart: start, RegionEnd: start + uint64(r.IntN(4))*64, Buffer: fmt.Sprint("b", r.IntN(8))})
		}
		all := p.sharing()
		for i := range p.Tiles {
			want := []string{}
			for _, j := range p.SharersOf(i) {
				want = append(want, p.Tiles[j].Name)
			}
			s := Shares{all, i}
			if d := cmp.Diff(want, s.Names()); d != "" {
				t.Fatalf("tile %d of %+v:\n%s", i, p.Tiles, d)
			}
			first, more := s.First(4)
			if d := cmp.Diff(want[:min(4, len(want))], first); d != "" || more != len(want)-len(first) {
				t.Fatalf("first of tile %d, %d more of %d:\n%s", i, more, len(want), d)
			}
		}
	}
}

// TestLargeChunkLines: the lines of a large chunk are kept, and are those of a
// small one.
func TestLargeChunkLines(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := hostileModel + "@pl.function\ndef f(x):\n"
		for i := range 2000 {
			text += fmt.Sprintf("    v%d = x%s", i, end)
		}
		d := hostileDocument(text, "")
		chunk := len(d.File.Chunks) - 1
		if n := len(d.File.Chunks[chunk].Text); n < largeChunk {
			t.Fatalf("%d bytes", n)
		}
		for off := int32(0); off < int32(len(d.File.Chunks[chunk].Text)); off += 3 {
			l := d.liner(chunk)
			l.starts = lineStarts(l.text)
			if got, want := d.Line(chunk, off), l.line(off); got != want {
				t.Fatalf("offset %d: line %d, want %d", off, got, want)
			}
		}
	}
}
