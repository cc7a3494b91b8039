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
		if a.size != b.size {
			return cmp.Compare(b.size, a.size)
		}
		return compareBirth(a, b)
	})
}

func (m *model) birthOrder() []int32 {
	return m.sorted(func(x, y int32) int { return compareBirth(&m.bufs[x], &m.bufs[y]) })
}

func compareBirth(a, b *mbuf) int {
	if a.begin != b.begin {
		return cmp.Compare(a.begin, b.begin)
	}
	return cmp.Compare(a.id, b.id)
}

func (m *model) weightOrder() []int32 {
	return m.sorted(func(x, y int32) int {
		a, b := &m.bufs[x], &m.bufs[y]
		if v, w := m.incident[x], m.incident[y]; v != w {
			return cmp.Compare(w, v)
		}
		if a.size != b.size {
			return cmp.Compare(b.size, a.size)
		}
		return cmp.Compare(a.id, b.id)
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
	n := len(bySize)
	all := append(make([][]int32, 0, 3+Restarts), bySize)
	room := make([]int32, (1+Restarts)*n)
	add := func(order []int32) {
		for _, o := range all {
			if slices.Equal(o, order) {
				return
			}
		}
		all = append(all, order)
	}
	keep := func(order []int32) {
		copy(room, order)
		add(room[:n:n])
		room = room[n:]
	}
	add(m.birth)
	shuffled := m.weightOrder()
	keep(shuffled)
	g := seeded
	for range Restarts {
		shuffle(shuffled, &g)
		keep(shuffled)
	}
	return all
}
