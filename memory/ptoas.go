package memory

// Places reports whether planner p gives tiles addresses. PTOAS does not: the
// external assembler owns memory planning, MemRefs keep relative offsets and
// reserve buffers stay unresolved. There must be no address, high-water mark
// or capacity error shown for it, only sizes (spec 07 §11).
func (p Planner) Places() bool { return p != PTOAS }

// checkPTOAS refuses declared allocations of one slot, which the assembler
// would be free to merge with others (spec 03 §6.4). The reference names one
// in pointer order; ours is the one mentioned first.
func (d *declTable) checkPTOAS(l *Layout) *Error {
	for _, x := range d.order {
		if x.slots <= 1 {
			return l.errorf(UserError, passInitMemRef,
				"A single-slot declared allocation (pl.MemRef(\"%s\")) is not supported under memory_planner=PTOAS: ptoas owns memory planning and would be free to coalesce the allocations you separated. Declare it with pl.MemRef(slots=N) — N slots become one ptoas multi-buffer region whose slots ptoas keeps disjoint — or compile with the default PyPTO memory planner.", x.name)
		}
	}
	return nil
}
