package memory

import (
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// buffer is one allocation of a space with its members' largest extent.
type buffer struct {
	base *ir.Var
	size uint64
	// zero is set when a member has no bytes, which is an error.
	zero bool
}

// spaceBuffers are the allocations of one space, ordered by the policy.
type spaceBuffers struct {
	space   ir.Space
	buffers []buffer
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
func partition(members []member, cfg Config) []*spaceBuffers {
	policy := cfg.policy()
	var spaces []*spaceBuffers
	index := make(map[baseIn]int)
	for _, m := range members {
		if !policy.ShouldAllocate(m.space) {
			continue
		}
		i := slices.IndexFunc(spaces, func(s *spaceBuffers) bool { return s.space == m.space })
		if i < 0 {
			i = len(spaces)
			spaces = append(spaces, &spaceBuffers{space: m.space})
		}
		spaces[i].add(m, index)
	}
	for _, s := range spaces {
		// Stable: two allocations of one name stay in first-seen order (07 §14).
		slices.SortStableFunc(s.buffers, func(a, b buffer) int { return compareNames(policy, a.base.Name, b.base.Name) })
	}
	return spaces
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

func (s *spaceBuffers) add(m member, index map[baseIn]int) {
	key := baseIn{m.space, m.m.Base}
	i, ok := index[key]
	if !ok {
		i = len(s.buffers)
		index[key] = i
		s.buffers = append(s.buffers, buffer{base: m.m.Base})
	}
	b := &s.buffers[i]
	b.size = max(b.size, m.m.Size)
	b.zero = b.zero || m.m.Size == 0
}

// bump places the buffers of s one after the other above the reserved window
// and enters their addresses in addrs (spec 07 §6 step 5). A buffer without
// bytes is the reference's error, reported with the usage all the same.
func (s *spaceBuffers) bump(l *Layout, res *reservation, cfg Config, declared map[*ir.Var]uint64, addrs map[baseIn]uint64) (Usage, *Error) {
	policy := cfg.policy()
	floor := res.floorOf(s.space)
	var err *Error
	// The floor is a multiple of 32; only a policy of coarser alignment moves it.
	cur := policy.Align(floor, s.space)
	for _, b := range s.buffers {
		if b.zero && err == nil {
			err = l.errorf(InternalError, passAllocate, "AllocateMemoryAddr encountered zero-sized MemRef '%s'. InitMemRef should reject dynamic or invalid allocation shapes before address assignment.", b.base.Name)
		}
		addrs[baseIn{s.space, b.base}] = cur
		cur = policy.Align(cur+max(b.size, declared[b.base]), s.space)
	}
	return Usage{Space: s.space, Used: cur, Limit: cfg.capacity(s.space), Reserved: floor, note: res.note(s.space)}, err
}
