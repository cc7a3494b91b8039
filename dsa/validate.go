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
	v := newValidator(p)
	v.at = make([]uint64, len(p.Buffers))
	for _, s := range solution {
		i, known := v.find(s.Buffer)
		if !known {
			v.add("solution contains unknown buffer %d", s.Buffer)
			continue
		}
		v.at[i], v.has[i] = s.Offset, true
	}
	return v.run()
}

// validateOffsets is Validate for a problem without findings and a solution by
// position that leaves out no buffer.
func validateOffsets(p *Problem, at []uint64) []string {
	v := newValidator(p)
	v.at = at
	for i := range v.has {
		v.has[i] = true
	}
	return v.run()
}

func newValidator(p *Problem) *validator {
	return &validator{p: p, find: p.positions(), has: make([]bool, len(p.Buffers))}
}

func (v *validator) run() []string {
	for i := range v.p.Buffers {
		v.alone(i)
	}
	v.together()
	return v.findings
}

type validator struct {
	p    *Problem
	find func(id int) (int, bool) // the position of a buffer ID
	// at and has hold the offsets by position.
	at       []uint64
	has      []bool
	findings []string
}

func (v *validator) add(format string, args ...any) {
	v.findings = append(v.findings, fmt.Sprintf(format, args...))
}

// alone checks one buffer against its pool. Afterwards has is set only for
// buffers with a meaningful address range.
func (v *validator) alone(i int) {
	b, offset := &v.p.Buffers[i], v.at[i]
	if !v.has[i] {
		v.add("buffer %d has no offset", b.ID)
		return
	}
	if offset%b.Align != 0 {
		v.add("buffer %d violates alignment", b.ID)
	}
	if offset+b.Size < offset {
		v.add("buffer %d address range overflows uint64", b.ID)
		v.has[i] = false
		return
	}
	k := slices.IndexFunc(v.p.Pools, func(q Pool) bool { return q.ID == b.Pool })
	pool := &v.p.Pools[k]
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

// meet reports whether two buffers of one pool share a byte.
func (v *validator) meet(i, j int) bool {
	x, y := &v.p.Buffers[i], &v.p.Buffers[j]
	return v.has[i] && v.has[j] && x.Pool == y.Pool && v.at[i] < v.at[j]+y.Size && v.at[j] < v.at[i]+x.Size
}

// together checks all pairs that must not meet. Pairs that meet in time are
// found by a sweep over the begins: a buffer leaves the active list when it
// has ended.
func (v *validator) together() {
	var found [][2]int
	check := func(i, j int) {
		if v.meet(i, j) {
			found = append(found, [2]int{min(i, j), max(i, j)})
		}
	}
	byBegin := make([]int32, len(v.p.Buffers))
	for i := range byBegin {
		byBegin[i] = int32(i)
	}
	slices.SortFunc(byBegin, func(i, j int32) int {
		return cmp.Compare(v.p.Buffers[i].Begin, v.p.Buffers[j].Begin)
	})
	active := make([]int32, 0, 16)
	for _, i := range byBegin {
		now := v.p.Buffers[i].Begin
		kept := active[:0]
		for _, j := range active {
			if v.p.Buffers[j].End > now {
				kept = append(kept, j)
				check(int(i), int(j))
			}
		}
		active = append(kept, i)
	}
	for _, s := range v.p.Separations {
		a, _ := v.find(s.A)
		b, _ := v.find(s.B)
		check(a, b)
	}
	slices.SortFunc(found, func(x, y [2]int) int { return slices.Compare(x[:], y[:]) })
	for _, f := range slices.Compact(found) {
		v.add("hard-conflicting buffers %d,%d overlap in address", v.p.Buffers[f[0]].ID, v.p.Buffers[f[1]].ID)
	}
}
