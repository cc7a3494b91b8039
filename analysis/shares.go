package analysis

import (
	"encoding/json"
	"slices"

	"pypto-ls/ir"
)

// Shares are the names of the tiles that have bytes in common with the allocation
// of one tile. They are found when they are asked for: kept for all tiles of a
// function of thousands that share a place they would take gigabytes.
type Shares struct {
	of *sharing
	i  int
}

// Names are all of them, in definition order; never nil.
func (s Shares) Names() []string {
	names := []string{}
	for _, j := range s.of.around(s.i) {
		if int(j) != s.i {
			names = append(names, s.of.tiles[j].Name)
		}
	}
	return names
}

// First are the first names, at most n and fewShares, never nil, and how many
// more there are.
func (s Shares) First(n int) (names []string, more int) {
	names = []string{}
	at := s.of.at[s.i]
	if at < 0 {
		return names, 0
	}
	few := s.of.glance(at)
	for _, j := range few.first {
		if int(j) != s.i && len(names) < min(n, fewShares) {
			names = append(names, s.of.tiles[j].Name)
		}
	}
	return names, few.total - 1 - len(names)
}

// fewShares is how many names Shares.First gives at most.
const fewShares = 8

// MarshalJSON makes them a list of strings.
func (s Shares) MarshalJSON() ([]byte, error) { return json.Marshal(s.Names()) }

// Equal reports whether the names are the same.
func (s Shares) Equal(o Shares) bool { return slices.Equal(s.Names(), o.Names()) }

// SharersOf are the indexes of the other tiles that have bytes in common with
// the allocation of tile i, in definition order.
func (p *Planned) SharersOf(i int) []int {
	var out []int
	t := &p.Tiles[i]
	if t.Popped {
		return nil
	}
	for j := range p.Tiles {
		o := &p.Tiles[j]
		if j == i || o.Space != t.Space || o.Popped {
			continue
		}
		if p.Placed && o.RegionStart < t.RegionEnd && t.RegionStart < o.RegionEnd || o.Buffer == t.Buffer {
			out = append(out, j)
		}
	}
	return out
}

// sharing answers SharersOf for all tiles of a function: tiles in one space,
// region and buffer are one place, and there are fewer places than tiles. It is
// not safe for concurrent use.
type sharing struct {
	tiles  []Tile
	placed bool
	places []sharePlace
	at     []int32 // by tile: its place, -1 for a slot of a ring
}

// sharePlace is where tiles lie.
type sharePlace struct {
	space      ir.Space
	start, end uint64
	buffer     int32
	tiles      []int32 // ascending
	few        *fewTiles
}

// fewTiles are the first tiles that lie in a place or overlap it, and how many
// there are.
type fewTiles struct {
	first []int32
	total int
}

func (p *Planned) sharing() *sharing {
	type key struct {
		space      ir.Space
		start, end uint64
		buffer     int32
	}
	s := &sharing{tiles: p.Tiles, placed: p.Placed, at: make([]int32, len(p.Tiles))}
	at, buffers := map[key]int32{}, map[string]int32{}
	for i := range p.Tiles {
		t := &p.Tiles[i]
		if t.Popped {
			s.at[i] = -1
			continue
		}
		b, ok := buffers[t.Buffer]
		if !ok {
			b = int32(len(buffers))
			buffers[t.Buffer] = b
		}
		k := key{t.Space, t.RegionStart, t.RegionEnd, b}
		n, ok := at[k]
		if !ok {
			n = int32(len(s.places))
			at[k] = n
			s.places = append(s.places, sharePlace{space: k.space, start: k.start, end: k.end, buffer: b})
		}
		s.at[i] = n
		s.places[n].tiles = append(s.places[n].tiles, int32(i))
	}
	return s
}

// each visits the places that have bytes in common with one, itself among them.
func (s *sharing) each(n int32, visit func(p *sharePlace)) {
	p := s.places[n]
	for k := range s.places {
		o := &s.places[k]
		if o.space == p.space && (s.placed && o.start < p.end && p.start < o.end || o.buffer == p.buffer) {
			visit(o)
		}
	}
}

// around lists tile i and its sharers, in definition order; nothing for a slot
// of a ring.
func (s *sharing) around(i int) []int32 {
	var out []int32
	if s.at[i] >= 0 {
		s.each(s.at[i], func(p *sharePlace) { out = append(out, p.tiles...) })
	}
	slices.Sort(out)
	return out
}

func (s *sharing) glance(n int32) *fewTiles {
	if few := s.places[n].few; few != nil {
		return few
	}
	few := &fewTiles{}
	s.each(n, func(p *sharePlace) {
		few.total += len(p.tiles)
		few.first = append(few.first, p.tiles[:min(len(p.tiles), fewShares+1)]...)
		if len(few.first) > 8*fewShares {
			slices.Sort(few.first)
			few.first = few.first[:fewShares+1]
		}
	})
	slices.Sort(few.first)
	few.first = few.first[:min(len(few.first), fewShares+1)]
	s.places[n].few = few
	return few
}
