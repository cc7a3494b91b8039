package memory

import (
	"strconv"

	"pypto-ls/ir"
)

// ownPlace is what a variable with a buffer of its own gets.
type ownPlace struct {
	base ir.Var
	ref  ir.MemRef
	tile ir.TileType
}

const ownPlacesAtOnce = 16

// ownPlaces makes them a number at a time, their names too: `mem_<space>_<id>`
// (spec 03 §7.3). A base has no name before name is called.
type ownPlaces struct {
	places []ownPlace
	used   int
	names  []byte
	ends   [ownPlacesAtOnce]int // of the places' names
}

func (o *ownPlaces) next(space ir.Space, id int) *ownPlace {
	if o.used == len(o.places) {
		o.name()
		o.places = make([]ownPlace, ownPlacesAtOnce)
	}
	o.names = append(append(append(o.names, "mem_"...), space.Lower()...), '_')
	o.names = strconv.AppendInt(o.names, int64(id), 10)
	o.ends[o.used] = len(o.names)
	o.used++
	return &o.places[o.used-1]
}

// name gives the bases made since the last call their names.
func (o *ownPlaces) name() {
	all, begin := string(o.names), 0
	for i := range o.used {
		o.places[i].base.Name = all[begin:o.ends[i]]
		begin = o.ends[i]
	}
	o.names, o.places, o.used = o.names[:0], nil, 0
}
