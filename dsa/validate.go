package dsa

import (
	"cmp"
	"fmt"
	"slices"
)

// Validate lists what is wrong with a solution of a problem (spec 08 §10):
// the problem's own findings when it has any, else those of the solution. It
// shares no code with the searches, so that a mistake there cannot hide here.
func Validate(p *Problem, solution []Placed) []string {
	if f := Check(p); len(f) > 0 {
		return f
	}
	v := validator{p: p, at: make(map[int]uint64, len(solution))}
	v.known(solution)
	for i := range p.Buffers {
		v.alone(&p.Buffers[i])
	}
	v.together()
	return v.findings
}

type validator struct {
	p        *Problem
	at       map[int]uint64
	findings []string
	// ok lists the positions of the buffers whose address range is meaningful.
	ok []int
}

func (v *validator) add(format string, args ...any) {
	v.findings = append(v.findings, fmt.Sprintf(format, args...))
}

func (v *validator) known(solution []Placed) {
	ids := make(map[int]bool, len(v.p.Buffers))
	for _, b := range v.p.Buffers {
		ids[b.ID] = true
	}
	for _, s := range solution {
		if !ids[s.Buffer] {
			v.add("solution contains unknown buffer %d", s.Buffer)
			continue
		}
		v.at[s.Buffer] = s.Offset
	}
}

// alone checks one buffer against its pool.
func (v *validator) alone(b *Buffer) {
	offset, placed := v.at[b.ID]
	if !placed {
		v.add("buffer %d has no offset", b.ID)
		return
	}
	if offset%b.Align != 0 {
		v.add("buffer %d violates alignment", b.ID)
	}
	if offset+b.Size < offset {
		v.add("buffer %d address range overflows uint64", b.ID)
		return
	}
	i := slices.IndexFunc(v.p.Pools, func(q Pool) bool { return q.ID == b.Pool })
	pool := &v.p.Pools[i]
	if offset+b.Size > pool.Capacity {
		v.add("buffer %d exceeds pool capacity", b.ID)
	}
	for _, r := range pool.Reserved {
		if offset < r.End && r.Begin < offset+b.Size {
			v.add("buffer %d overlaps a reserved range", b.ID)
			break
		}
	}
}

// together checks all pairs that must not meet. Pairs that meet in time are
// found by a sweep over the begins: a buffer leaves the active list when it
// has ended.
func (v *validator) together() {
	type bad struct{ i, j int }
	var found []bad
	meet := func(i, j int) {
		x, y := &v.p.Buffers[i], &v.p.Buffers[j]
		ox, okx := v.at[x.ID]
		oy, oky := v.at[y.ID]
		if okx && oky && x.Pool == y.Pool && ox+x.Size >= ox && oy+y.Size >= oy && ox < oy+y.Size && oy < ox+x.Size {
			found = append(found, bad{min(i, j), max(i, j)})
		}
	}
	byBegin := make([]int, len(v.p.Buffers))
	position := make(map[int]int, len(byBegin))
	for i := range byBegin {
		byBegin[i] = i
		position[v.p.Buffers[i].ID] = i
	}
	slices.SortFunc(byBegin, func(i, j int) int {
		return cmp.Compare(v.p.Buffers[i].Begin, v.p.Buffers[j].Begin)
	})
	var active []int
	for _, i := range byBegin {
		now := v.p.Buffers[i].Begin
		active = slices.DeleteFunc(active, func(j int) bool { return v.p.Buffers[j].End <= now })
		for _, j := range active {
			meet(i, j)
		}
		active = append(active, i)
	}
	for _, s := range v.p.Separations {
		meet(position[s.A], position[s.B])
	}
	slices.SortFunc(found, func(x, y bad) int {
		if x.i != y.i {
			return x.i - y.i
		}
		return x.j - y.j
	})
	for _, f := range slices.Compact(found) {
		v.add("hard-conflicting buffers %d,%d overlap in address", v.p.Buffers[f.i].ID, v.p.Buffers[f.j].ID)
	}
}
