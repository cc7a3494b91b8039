package memory

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// reserveCall is one resolved `system.reserve_buffer` of a function.
type reserveCall struct {
	call *ir.Call
	name string // the buffer's name, "" when not given
	base int64  // resolved base in bytes
	end  int64  // base + size rounded up to 32
}

// reservation is what the reserved windows of a function take (spec 07 §5):
// all lie in one space, below the tiles. calls is empty when nothing is
// reserved.
type reservation struct {
	space ir.Space
	floor int64 // first byte tiles may use in space
	calls []reserveCall
	// ring tells that one of the buffers is an automatic cross-core ring.
	ring bool
}

// floorOf is the first byte of space that tiles may use.
func (r *reservation) floorOf(space ir.Space) uint64 {
	if r != nil && len(r.calls) > 0 && r.space == space {
		return uint64(r.floor)
	}
	return 0
}

// baseOf is the resolved base of call.
func (r *reservation) baseOf(call *ir.Call) (int64, bool) {
	for i := range r.calls {
		if r.calls[i].call == call {
			return r.calls[i].base, true
		}
	}
	return 0, false
}

const (
	maxInt32 = 1<<31 - 1
	// maxEnd ends windows that are larger than any address.
	maxEnd = 1<<63 - 32
)

func isReserve(c *ir.Call) bool { return !c.IsFunc && c.Name == "system.reserve_buffer" }

// resolveReserves places the reserve buffers of l's function. pass is named
// in errors: MemoryReuse and AllocateMemoryAddr both resolve.
func resolveReserves(l *Layout, pass string) (*reservation, *Error) {
	calls := l.facts().reserves
	r := &reservation{space: platforms.NoSpace}
	for _, c := range calls {
		if size := intKwarg(c, "size", -1); size <= 0 {
			return nil, l.errorf(InternalError, pass, "reserve_buffer requires size > 0, got %d", size).at(c.Span)
		}
	}
	if len(calls) == 0 {
		return r, nil
	}
	switch l.Fn.Kind {
	case ir.AIC:
		r.space = platforms.Mat
	case ir.AIV, ir.InCore:
		r.space = platforms.Vec
	default:
		return nil, l.errorf(InternalError, pass, "cannot resolve reserve_buffer memory space for function '%s' with type %s", l.Fn.Name, l.Fn.Kind)
	}
	var next int64
	for _, c := range calls {
		w := reserveCall{call: c, base: intKwarg(c, "base", -1)}
		w.name, _ = kwargString(c, "name")
		if w.base < 0 {
			w.base = next
		}
		if size := intKwarg(c, "size", -1); size < maxEnd-w.base {
			w.end = align32(w.base + size)
		} else {
			w.end = maxEnd
		}
		if o := r.overlap(w); o != nil {
			return nil, l.errorf(InternalError, pass, "overlapping reserve_buffer ranges in function '%s': [%d, %d) overlaps with [%d, %d)",
				l.Fn.Name, w.base, w.end, o.base, o.end).at(l.Fn.Span)
		}
		next = max(next, w.end)
		r.floor = max(r.floor, w.end)
		if w.base > maxInt32 {
			return nil, l.errorf(InternalError, pass, "resolved reserve_buffer base out of int range in function '%s': %d", l.Fn.Name, w.base).at(l.Fn.Span)
		}
		r.calls = append(r.calls, w)
	}
	r.ring = r.holdsRing(l.Fn.Name)
	return r, nil
}

// overlap finds the placed window that w overlaps: of the one with the
// smallest start >= w.base and the one with the largest start below it, in
// this order, the first that does.
func (r *reservation) overlap(w reserveCall) *reserveCall {
	var above, below *reserveCall
	for i := range r.calls {
		o := &r.calls[i]
		switch {
		case o.base >= w.base:
			if above == nil || o.base < above.base {
				above = o
			}
		case below == nil || o.base > below.base:
			below = o
		}
	}
	for _, o := range []*reserveCall{above, below} {
		if o != nil && w.base < o.end && o.base < w.end {
			return o
		}
	}
	return nil
}

// holdsRing applies the exact-name rule of spec 09 §7: function `<k>_aic` or
// `<k>_aiv` with a buffer named `<k>_c2v_slot_buffer` or `<k>_v2c_slot_buffer`.
func (r *reservation) holdsRing(fn string) bool {
	kernel, ok := strings.CutSuffix(fn, "_aic")
	if !ok {
		kernel, ok = strings.CutSuffix(fn, "_aiv")
	}
	if !ok || kernel == "" {
		return false
	}
	for i := range r.calls {
		if n := r.calls[i].name; n == kernel+"_c2v_slot_buffer" || n == kernel+"_v2c_slot_buffer" {
			return true
		}
	}
	return false
}

// note is the addition to a capacity message for a space with a reserved
// window (spec 07 §9.4).
func (r *reservation) note(space ir.Space) string {
	floor := r.floorOf(space)
	if floor == 0 {
		return ""
	}
	s := ". The first " + utoa(floor) + " bytes of that space are reserved by system.reserve_buffer, so tiles are allocated above them"
	if r.ring {
		s += " — this is the cross-core pipe ring. Lower its depth with optimizations=[pl.cross_core_slot(slot_num=N)] on the enclosing pl.at(...), or shrink the tile that crosses the cube/vector boundary"
	}
	return s
}

// intKwarg is an integer keyword of c, absent when c has none.
func intKwarg(c *ir.Call, key string, absent int64) int64 {
	v, _ := c.Kwarg(key)
	switch v := v.(type) {
	case int64:
		return v
	case ir.Expr:
		if n, ok := ir.ConstValue(v); ok {
			return n
		}
	}
	return absent
}

func kwargString(c *ir.Call, key string) (string, bool) {
	v, _ := c.Kwarg(key)
	s, ok := v.(string)
	return s, ok
}

// align32 rounds up to a multiple of 32 bytes.
func align32(n int64) int64 { return (n + 31) &^ 31 }
