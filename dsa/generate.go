package dsa

import "math/rand/v2"

// Shape describes problems for Generate: how many buffers there are and how
// they live together.
type Shape struct {
	Buffers int
	// MeanLive is the number of buffers that live together on average, MaxLive
	// the most that ever do.
	MeanLive, MaxLive int
	// PenaltyShare is the share of the lifetime-compatible pairs that carry a
	// penalty of weight 1.
	PenaltyShare float64
	// Unit is the size granularity and alignment in bytes, MaxUnits the largest
	// size in units.
	Unit, MaxUnits uint64
	// Capacity is the pool's capacity in bytes; 0 gives ample room.
	Capacity uint64
}

// KernelShape is the shape of the solver's benchmarks: buffers of whole KiB as
// tiles are, 20 live together on average and at most 60, penalties on 10 % of
// the compatible pairs.
func KernelShape(buffers int) Shape {
	return Shape{Buffers: buffers, MeanLive: 20, MaxLive: 60, PenaltyShare: 0.1, Unit: 1024, MaxUnits: 32}
}

// Generate makes a problem of one pool with the given shape. One seed gives
// one problem on every machine.
func Generate(s Shape, seed uint64) *Problem {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	p := &Problem{}
	var live []int64 // ends of the live buffers
	var room uint64
	for i := range s.Buffers {
		now := int64(max(0, i-s.MeanLive)) // the first ones begin together
		kept := live[:0]
		for _, end := range live {
			if end > now {
				kept = append(kept, end)
			}
		}
		live = kept
		// One buffer begins at each time, so lifetimes of mean MeanLive let that
		// many live together: nine in ten are short, one in ten lives long.
		mean := 0.6 * float64(s.MeanLive)
		if r.IntN(10) == 0 {
			mean = 5 * float64(s.MeanLive)
		}
		length := 1 + int64(r.ExpFloat64()*mean)
		if len(live) >= s.MaxLive-1 {
			length = 1
		}
		size := s.Unit * (1 + r.Uint64N(s.MaxUnits))
		room += size
		p.Buffers = append(p.Buffers, Buffer{ID: i, Size: size, Align: s.Unit, Begin: now, End: now + length})
		live = append(live, now+length)
	}
	p.Pools = []Pool{{Capacity: s.Capacity}}
	if s.Capacity == 0 {
		p.Pools[0].Capacity = room
	}
	for a := range p.Buffers {
		for b := a + 1; b < len(p.Buffers); b++ {
			if p.Buffers[a].End <= p.Buffers[b].Begin && r.Float64() < s.PenaltyShare {
				p.Penalties = append(p.Penalties, Penalty{a, b, 1})
			}
		}
	}
	return p
}
