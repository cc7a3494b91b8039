package analysis

import (
	"encoding/json"
	"slices"
)

// Shares are the names of the tiles that have bytes in common with the allocation
// of one tile. They are found when they are asked for: kept for all tiles of a
// function of thousands that share a place they would take gigabytes.
type Shares struct {
	p *Planned
	i int
}

// Names are all of them, in definition order; never nil.
func (s Shares) Names() []string {
	names, _ := s.First(len(s.p.Tiles))
	return names
}

// First are the first n names, never nil, and how many more there are.
func (s Shares) First(n int) (names []string, more int) {
	names = []string{}
	s.p.eachSharer(s.i, func(j int) {
		if len(names) < n {
			names = append(names, s.p.Tiles[j].Name)
		} else {
			more++
		}
	})
	return names, more
}

// MarshalJSON makes them a list of strings.
func (s Shares) MarshalJSON() ([]byte, error) { return json.Marshal(s.Names()) }

// Equal reports whether the names are the same.
func (s Shares) Equal(o Shares) bool { return slices.Equal(s.Names(), o.Names()) }

// SharersOf are the indexes of the other tiles that have bytes in common with
// the allocation of tile i, in definition order.
func (p *Planned) SharersOf(i int) []int {
	var out []int
	p.eachSharer(i, func(j int) { out = append(out, j) })
	return out
}

func (p *Planned) eachSharer(i int, f func(j int)) {
	t := &p.Tiles[i]
	if t.Popped {
		return
	}
	for j := range p.Tiles {
		o := &p.Tiles[j]
		if j == i || o.Space != t.Space || o.Popped {
			continue
		}
		if p.Placed && o.RegionStart < t.RegionEnd && t.RegionStart < o.RegionEnd || o.Buffer == t.Buffer {
			f(j)
		}
	}
}
