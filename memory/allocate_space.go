package memory

import (
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// buffer is one allocation of a space with its members' largest extent.
type buffer struct {
	base  *ir.Var
	space ir.Space
	// addr is its first byte, once its space is bumped through.
	addr, size uint64
	// zero is set when a member has no bytes, which is an error.
	zero bool
}

// spaceBuffers are the allocations of one space, by index, ordered by the
// policy.
type spaceBuffers struct {
	space ir.Space
	order []int32
}

// baseIn identifies an allocation within its space. Nothing stops a text from
// naming one base in two spaces; it then is an allocation in each.
type baseIn struct {
	space ir.Space
	base  *ir.Var
}

// partition groups members by space and base, drops the spaces the policy
// does not allocate and orders each space's allocations by name (spec 07 §6
// step 3). Spaces are in the order they were first met.
func (a *sequential) partition(cfg Config) []spaceBuffers {
	policy := cfg.policy()
	var spaces []spaceBuffers
	known := bufferTable{first: make([]int32, max(int(a.l.Fn.NumVars), len(a.l.Types)))}
	for i := range a.members {
		m := &a.members[i]
		if !policy.ShouldAllocate(m.space) {
			continue
		}
		k := known.find(a.buffers, m)
		if k == len(a.buffers) {
			a.buffers = append(a.buffers, buffer{base: m.m.Base, space: m.space})
			s := slices.IndexFunc(spaces, func(s spaceBuffers) bool { return s.space == m.space })
			if s < 0 {
				s = len(spaces)
				spaces = append(spaces, spaceBuffers{space: m.space})
			}
			spaces[s].order = append(spaces[s].order, int32(k))
		}
		b := &a.buffers[k]
		b.size = max(b.size, m.m.Size)
		b.zero = b.zero || m.m.Size == 0
		m.buffer = int32(k)
	}
	for i := range spaces {
		// Stable: two allocations of one name stay in first-seen order (07 §14).
		slices.SortStableFunc(spaces[i].order, func(x, y int32) int {
			return compareNames(policy, a.buffers[x].base.Name, a.buffers[y].base.Name)
		})
	}
	return spaces
}

// bufferTable finds buffers by space and base. Nearly every base is in one
// space, so that a map is seldom needed.
type bufferTable struct {
	first []int32 // by ID of the base: the index of a buffer, plus one
	more  map[baseIn]int
}

// find is the index of m's buffer; when there is none yet it is the next one's,
// the number of buffers.
func (t *bufferTable) find(buffers []buffer, m *member) int {
	base := m.m.Base
	if base != nil && base.ID >= 0 && int(base.ID) < len(t.first) {
		at := &t.first[base.ID]
		if *at == 0 {
			*at = int32(len(buffers)) + 1
		}
		k := int(*at) - 1
		if k == len(buffers) || buffers[k].base == base && buffers[k].space == m.space {
			return k
		}
	}
	key := baseIn{m.space, base}
	k, ok := t.more[key]
	if !ok {
		k = len(buffers)
		if t.more == nil {
			t.more = make(map[baseIn]int)
		}
		t.more[key] = k
	}
	return k
}

func compareNames(p platforms.Policy, a, b string) int {
	switch {
	case p.Less(a, b):
		return -1
	case p.Less(b, a):
		return 1
	}
	return 0
}

// bump places the buffers of s one after the other above the reserved window
// (spec 07 §6 step 5). A buffer without bytes is the reference's error, reported
// with the usage all the same.
func (a *sequential) bump(s *spaceBuffers, cfg Config) (Usage, *Error) {
	policy := cfg.policy()
	floor := a.res.floorOf(s.space)
	declared := a.l.facts().declared
	var err *Error
	// The floor is a multiple of 32; only a policy of coarser alignment moves it.
	cur := policy.Align(floor, s.space)
	for _, k := range s.order {
		b := &a.buffers[k]
		if b.zero && err == nil {
			err = a.l.errorf(InternalError, passAllocate, "AllocateMemoryAddr encountered zero-sized MemRef '%s'. InitMemRef should reject dynamic or invalid allocation shapes before address assignment.", b.base.Name)
		}
		b.addr = cur
		cur = policy.Align(cur+max(b.size, declared[b.base]), s.space)
	}
	return Usage{Space: s.space, Used: cur, Limit: cfg.capacity(s.space), Reserved: floor, note: a.res.note(s.space)}, err
}
