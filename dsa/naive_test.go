package dsa

import (
	"math"
	"slices"
	"sort"
)

// naive is the search of spec 08 §5–§7 written down word for word, without
// regard to speed, sharing only the generator with the real one.
type naive struct {
	p          *Problem
	candidates uint64
}

func (n *naive) overlap(i, j int) bool {
	a, b := n.p.Buffers[i], n.p.Buffers[j]
	return a.Begin < b.End && b.Begin < a.End
}

func (n *naive) at(id int) int {
	return slices.IndexFunc(n.p.Buffers, func(b Buffer) bool { return b.ID == id })
}

func (n *naive) hard(i, j int) bool {
	if i == j || n.p.Buffers[i].Pool != n.p.Buffers[j].Pool {
		return false
	}
	for _, s := range n.p.Separations {
		if a, b := n.at(s.A), n.at(s.B); a == i && b == j || a == j && b == i {
			return true
		}
	}
	return n.overlap(i, j)
}

func (n *naive) soft(i, j int) (weight uint64) {
	if n.hard(i, j) {
		return 0
	}
	for _, q := range n.p.Penalties {
		if a, b := n.at(q.A), n.at(q.B); a == i && b == j || a == j && b == i {
			weight += q.Weight
		}
	}
	return weight
}

func (n *naive) pool(i int) Pool {
	k := slices.IndexFunc(n.p.Pools, func(q Pool) bool { return q.ID == n.p.Buffers[i].Pool })
	return n.p.Pools[k]
}

func roundUp(x, a uint64) uint64 { return (x + a - 1) / a * a }

func (n *naive) blocked(a int, at map[int]uint64) []Range {
	list := slices.Clone(n.pool(a).Reserved)
	for q, x := range at {
		if n.hard(a, q) {
			list = append(list, Range{x, x + n.p.Buffers[q].Size})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		return list[i].Begin < list[j].Begin || list[i].Begin == list[j].Begin && list[i].End < list[j].End
	})
	return list
}

func (n *naive) firstFit(order []int) map[int]uint64 {
	at := map[int]uint64{}
	for _, a := range order {
		b := n.p.Buffers[a]
		x := uint64(0)
		for _, r := range n.blocked(a, at) {
			if r.End <= x {
				continue
			}
			if r.Begin >= x+b.Size {
				break
			}
			x = roundUp(r.End, b.Align)
		}
		if x+b.Size > n.pool(a).Capacity {
			return nil
		}
		at[a] = x
	}
	return at
}

func (n *naive) greedy(order []int) map[int]uint64 {
	at := map[int]uint64{}
	for _, a := range order {
		b := n.p.Buffers[a]
		set := map[uint64]bool{0: true}
		for _, r := range n.pool(a).Reserved {
			set[roundUp(r.End, b.Align)] = true
		}
		for q, x := range at {
			if n.hard(a, q) || n.soft(a, q) > 0 {
				set[roundUp(x+n.p.Buffers[q].Size, b.Align)] = true
			}
		}
		n.candidates += uint64(len(set))
		blocked := n.blocked(a, at)
		bestCost, best, found := uint64(0), uint64(0), false
		for x := range set {
			meets := func(r Range) bool { return r.Begin < x+b.Size && x < r.End }
			if x+b.Size > n.pool(a).Capacity || slices.ContainsFunc(blocked, meets) {
				continue
			}
			cost := uint64(0)
			for q, y := range at {
				if meets(Range{y, y + n.p.Buffers[q].Size}) {
					cost += n.soft(a, q)
				}
			}
			if !found || cost < bestCost || cost == bestCost && x < best {
				bestCost, best, found = cost, x, true
			}
		}
		if !found {
			return nil
		}
		at[a] = best
	}
	return at
}

func (n *naive) objective(at map[int]uint64) [3]uint64 {
	var o [3]uint64
	for _, q := range n.p.Penalties {
		i, j := n.at(q.A), n.at(q.B)
		if at[i] < at[j]+n.p.Buffers[j].Size && at[j] < at[i]+n.p.Buffers[i].Size {
			o[0] += q.Weight
		}
	}
	for _, pool := range n.p.Pools {
		peak := uint64(0)
		for _, r := range pool.Reserved {
			peak = max(peak, r.End)
		}
		for i, x := range at {
			if n.p.Buffers[i].Pool == pool.ID {
				peak = max(peak, x+n.p.Buffers[i].Size)
			}
		}
		o[1] += peak
		o[2] = max(o[2], peak)
	}
	return o
}

func (n *naive) orders() [][]int {
	base := make([]int, len(n.p.Buffers))
	for i := range base {
		base[i] = i
	}
	by := func(key func(i int) [3]int64) []int {
		o := slices.Clone(base)
		sort.Slice(o, func(x, y int) bool {
			a, b := key(o[x]), key(o[y])
			return slices.Compare(a[:], b[:]) < 0
		})
		return o
	}
	b := n.p.Buffers
	size := by(func(i int) [3]int64 { return [3]int64{-int64(b[i].Size), b[i].Begin, int64(b[i].ID)} })
	birth := by(func(i int) [3]int64 { return [3]int64{b[i].Begin, int64(b[i].ID)} })
	weight := by(func(i int) [3]int64 {
		var w uint64
		for j := range b {
			w += n.soft(i, j)
		}
		return [3]int64{-int64(w), -int64(b[i].Size), int64(b[i].ID)}
	})
	all := [][]int{size, birth, weight}
	v, g := make([]int32, len(weight)), newMT(0)
	for i, x := range weight {
		v[i] = int32(x)
	}
	for range 4 {
		shuffle(v, g)
		o := make([]int, len(v))
		for i, x := range v {
			o[i] = int(x)
		}
		all = append(all, o)
	}
	var unique [][]int
	for _, o := range all {
		if !slices.ContainsFunc(unique, func(u []int) bool { return slices.Equal(u, o) }) {
			unique = append(unique, o)
		}
	}
	return unique
}

// naiveSolve returns what Solve must return, except findings and failures.
func naiveSolve(p *Problem) Result {
	n := &naive{p: p}
	r := Result{Status: NoFit, Selected: Incumbent}
	best := [3]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}
	take := func(index int, at map[int]uint64) {
		if o := n.objective(at); slices.Compare(o[:], best[:]) < 0 {
			best = o
			r.Status, r.Selected, r.Objective = Feasible, index, Objective{o[0], o[1], o[2]}
			r.Offsets = make([]uint64, len(p.Buffers))
			for i, x := range at {
				r.Offsets[i] = x
			}
		}
	}
	orders := n.orders()
	if at := n.firstFit(orders[0]); at != nil {
		r.Stats.FirstFit = true
		take(Incumbent, at)
	}
	for i, o := range orders {
		if at := n.greedy(o); at != nil {
			take(i, at)
		}
	}
	r.Stats.Orders, r.Stats.Candidates = len(orders), n.candidates
	return r
}
