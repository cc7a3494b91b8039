package dsa

import (
	"cmp"
	"slices"
)

// Restarts is the number of shuffled orders, seed the generator's seed
// (spec 08 §6.1).
const (
	Restarts = 4
	seed     = 0
)

// sizeOrder is the order by size descending, then begin, then ID ascending.
func (m *model) sizeOrder() []int32 {
	return m.sorted(func(x, y int32) int {
		a, b := &m.bufs[x], &m.bufs[y]
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.begin, b.begin), cmp.Compare(a.id, b.id))
	})
}

func (m *model) birthOrder() []int32 {
	return m.sorted(func(x, y int32) int {
		a, b := &m.bufs[x], &m.bufs[y]
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.id, b.id))
	})
}

func (m *model) weightOrder() []int32 {
	return m.sorted(func(x, y int32) int {
		a, b := &m.bufs[x], &m.bufs[y]
		return cmp.Or(cmp.Compare(m.incident[y], m.incident[x]), cmp.Compare(b.size, a.size), cmp.Compare(a.id, b.id))
	})
}

func (m *model) sorted(compare func(x, y int32) int) []int32 {
	order := make([]int32, len(m.bufs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, compare)
	return order
}

// orders lists the orders the canonical greedy tries, without repetitions
// (spec 08 §6).
func (m *model) orders(bySize []int32) [][]int32 {
	all := [][]int32{bySize}
	add := func(order []int32) {
		for _, o := range all {
			if slices.Equal(o, order) {
				return
			}
		}
		all = append(all, order)
	}
	add(m.birthOrder())
	shuffled := m.weightOrder()
	add(slices.Clone(shuffled))
	g := newMT(seed)
	for range Restarts {
		shuffle(shuffled, g)
		add(slices.Clone(shuffled))
	}
	return all
}
