package dsa

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// newSearch prepares the search for the buffers of one pool in capacity bytes.
func newSearch(m *model, pool int32, capacity uint64) *search {
	s := &search{m: m, pool: pool, failed: make(map[stateKey]frontier)}
	local := make([]int32, len(m.bufs))
	for i := range m.bufs {
		local[i] = -1
		if m.bufs[i].pool == pool {
			local[i] = int32(len(s.at))
			s.at = append(s.at, int32(i))
		}
	}
	s.measure(capacity)
	n := len(s.at)
	s.words = (n + 63) / 64
	s.hard, s.row = make([][]int32, n), make([]bitset, n)
	rows := make(bitset, n*s.words)
	for i, at := range s.at {
		s.row[i] = rows[i*s.words : (i+1)*s.words]
		for _, q := range m.hard.row(at) {
			s.row[i].set(local[q])
		}
		s.row[i].each(func(q int32) bool { s.hard[i] = append(s.hard[i], q); return true })
	}
	s.findCliques()
	s.findTwins()
	s.low, s.placed, s.rank = make([]int64, n), make(bitset, s.words), make([]int32, n)
	return s
}

// measure chooses the unit and converts sizes to it. Rounding sizes up to the
// unit is exact when the capacity is a multiple of it; else bytes are used.
func (s *search) measure(capacity uint64) {
	pool := &s.m.pools[s.pool]
	unit := max(pool.unit, 1)
	exact := capacity%unit == 0
	for _, r := range pool.reserved {
		exact = exact && r.Begin%unit == 0
	}
	if !exact {
		unit = 1
	}
	// An offset and a number must fit into one word.
	s.tooLarge = capacity/unit >= 1<<(62-startBits) || len(s.at) >= 1<<startBits
	s.scale, s.capacity = int64(unit), int64(capacity/unit&(1<<62-1))
	for _, at := range s.at {
		b := &s.m.bufs[at]
		s.tooLarge = s.tooLarge || b.size > capacity || b.align/unit >= 1<<(62-startBits)
		s.size = append(s.size, int64((b.size-1)/unit+1))
		s.align = append(s.align, int64(max(b.align/unit, 1)))
	}
	for _, r := range pool.reserved {
		s.reserved = append(s.reserved, unitSpan{int64(r.Begin / unit), int64((r.End-1)/unit + 1)})
	}
}

// lowest is the lowest offset of buffer i from x on.
func (s *search) lowest(i int32, x int64) int64 {
	round := func(x int64) int64 {
		if a := s.align[i]; a > 1 {
			return (x + a - 1) / a * a
		}
		return x
	}
	x = round(x)
	for _, r := range s.reserved {
		if x < r.end && r.begin < x+s.size[i] {
			x = round(r.end)
		}
	}
	return x
}

// findCliques covers the hard pairs: one clique for each moment at which a
// maximal set of buffers lives, and one for each separation these leave out,
// extended greedily. Buffers separated from a whole set join it.
func (s *search) findCliques() {
	n := len(s.at)
	s.inCliques = make([][]int32, n)
	covered := make([]bitset, n)
	all := make(bitset, n*s.words)
	for i := range covered {
		covered[i] = all[i*s.words : (i+1)*s.words]
	}
	add := func(clique []int32) {
		for _, i := range clique {
			s.inCliques[i] = append(s.inCliques[i], int32(s.cliques))
			for _, k := range clique {
				covered[i].set(k)
			}
		}
		s.cliques++
	}
	for _, at := range s.m.moments(s.pool, 1) {
		var live []int32
		for i, q := range s.at {
			if b := &s.m.bufs[q]; b.begin <= at.time && at.time < b.end {
				live = append(live, int32(i))
			}
		}
		add(s.extend(live))
	}
	for i := range int32(n) {
		for _, k := range s.hard[i] {
			if !covered[i].has(k) {
				add(s.extend([]int32{i, k}))
			}
		}
	}
	s.load = make([]int64, s.cliques)
}

// extend adds to a clique, largest first, buffers that are partners of all.
func (s *search) extend(clique []int32) []int32 {
	common := slices.Clone(s.row[clique[0]])
	for _, i := range clique[1:] {
		common.intersect(s.row[i])
	}
	for {
		best := int32(-1)
		common.each(func(i int32) bool {
			if best < 0 || s.size[i] > s.size[best] {
				best = i
			}
			return true
		})
		if best < 0 {
			return clique
		}
		clique = append(clique, best)
		common.intersect(s.row[best])
	}
}

func (b bitset) intersect(c bitset) {
	for w := range b {
		b[w] &= c[w]
	}
}

// findTwins pairs buffers of equal size that have the same partners besides
// each other. Such buffers are partners of each other, hence never level.
func (s *search) findTwins() {
	s.twin = make([]int32, len(s.at))
	for i := range s.twin {
		s.twin[i] = -1
		for _, k := range s.hard[i] {
			if int(k) < i && s.size[k] == s.size[i] && s.align[k] == s.align[i] && s.alike(int32(i), k) {
				s.twin[i] = k // the nearest one below in number
			}
		}
	}
}

func (s *search) alike(i, k int32) bool {
	for w := range s.row[i] {
		differ := s.row[i][w] ^ s.row[k][w]
		if int(i>>6) == w {
			differ &^= 1 << (i & 63)
		}
		if int(k>>6) == w {
			differ &^= 1 << (k & 63)
		}
		if differ != 0 {
			return false
		}
	}
	return true
}

// preference is an order of features by which branches are tried, largest
// first.
type preference [3]uint8

const (
	byLoad  = iota // the fullest clique a buffer is in
	byWidth        // how long it lives
	byArea         // size times lifetime
	bySize
)

// The first three are those of MiniMalloc.
var preferences = []preference{
	{byWidth, byArea, byLoad}, {byLoad, byArea, byWidth}, {byLoad, byWidth, byArea}, {byArea, byLoad, byWidth},
}

// prefer ranks the buffers for branching.
func (s *search) prefer(p preference) {
	clear(s.load)
	for i, list := range s.inCliques {
		for _, c := range list {
			s.load[c] += s.size[i]
		}
	}
	n := len(s.at)
	order := make([]int32, n)
	features := make([][4]float64, n)
	for i := range order {
		order[i] = int32(i)
		b := &s.m.bufs[s.at[i]]
		f := &features[i]
		for _, c := range s.inCliques[i] {
			f[byLoad] = max(f[byLoad], float64(s.load[c]))
		}
		f[byWidth], f[bySize] = float64(b.end-b.begin), float64(s.size[i])
		f[byArea] = f[byWidth] * f[bySize]
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		for _, k := range p {
			if c := cmp.Compare(features[y][k], features[x][k]); c != 0 {
				return c
			}
		}
		return 0
	})
	for r, i := range order {
		s.rank[i] = int32(r)
	}
}

// rankFor ranks the buffers for one attempt: by each of the preferences, then
// by the first three with random noise that grows and shrinks.
func (s *search) rankFor(round int32) {
	if int(round) < len(preferences) {
		s.prefer(preferences[round])
		return
	}
	s.prefer(preferences[round%3])
	r := rand.New(rand.NewPCG(uint64(round), uint64(len(s.at))))
	noise := [4]float64{0.05, 0.1, 0.2, 0.05}[round/3%4] * float64(len(s.at)) / 2
	key := make([]float64, len(s.at))
	order := make([]int32, len(s.at))
	for i := range key {
		key[i], order[i] = float64(s.rank[i])+noise*r.NormFloat64(), int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(key[x], key[y]) })
	for k, i := range order {
		s.rank[i] = int32(k)
	}
	// A twin comes before the one it is the twin of.
	for i := range s.twin {
		for k := int32(i); s.twin[k] >= 0 && s.rank[s.twin[k]] > s.rank[k]; k = s.twin[k] {
			s.rank[k], s.rank[s.twin[k]] = s.rank[s.twin[k]], s.rank[k]
		}
	}
}

// reset unplaces everything.
func (s *search) reset() {
	clear(s.placed)
	for i := range s.low {
		s.low[i] = s.lowest(int32(i), 0)
	}
}

func (s *search) all() bitset {
	b := make(bitset, s.words)
	for i := range s.at {
		b.set(int32(i))
	}
	return b
}

// offsets writes the placement found, in bytes, into a list by position.
func (s *search) offsets(at []uint64) {
	for i, q := range s.at {
		at[q] = uint64(s.low[i] * s.scale)
	}
}

// peak is the highest end of the placement found, or of a reserved range, in
// bytes.
func (s *search) peak() uint64 {
	var peak uint64
	for i, q := range s.at {
		peak = max(peak, uint64(s.low[i]*s.scale)+s.m.bufs[q].size)
	}
	for _, r := range s.m.pools[s.pool].reserved {
		peak = max(peak, r.End)
	}
	return peak
}
