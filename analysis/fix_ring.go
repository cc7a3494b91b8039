package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// ring is an automatic cross-core ring as one of its halves sees it (spec 09
// §4, §7): the pipe that serves the automatically named buffer of that half.
type ring struct {
	kernel string // the mixed kernel's name
	id     int64  // of the pipe
	// slotSize in bytes; depth is the effective number of slots.
	slotSize, depth int64
	// halves: the one asked about first, then its peer if the text holds it.
	halves []*ringHalf
	// inflight is how many rounds a core runs ahead (D of spec 09 §8.0), 0 for
	// none.
	inflight int64
	// lowered: the halves are made from one function of the text.
	lowered bool
}

// ringHalf is one of the two functions of a ring.
type ringHalf struct {
	chunk    int
	plan     *PlannedDetail
	stage    memory.Stage // its text stands after this pass
	space    ir.Space     // where its reserve buffers are
	init     *ir.Call     // initialize_pipe
	local    int64        // local_slot_num, 0 when absent
	reserves []*ir.Call   // those that serve the pipe
	others   int          // reserve buffers that do not
}

// pipeCalls are the set-up calls of a function.
type pipeCalls struct {
	inits    []*ir.Call
	reserves []*ir.Call
	imports  []*ir.Call
	buffer   map[*ir.Var]*ir.Call // reserve or import by its variable
}

func pipeCallsOf(fn *ir.Function) *pipeCalls {
	p := &pipeCalls{buffer: map[*ir.Var]*ir.Call{}}
	ir.EachStmt(fn.Body, func(s ir.Stmt) {
		c, v := callOfStmt(s)
		if c == nil || c.IsFunc {
			return
		}
		switch c.Name {
		case "system.reserve_buffer":
			p.reserves = append(p.reserves, c)
		case "system.import_peer_buffer":
			p.imports = append(p.imports, c)
		case "system.aic_initialize_pipe", "system.aiv_initialize_pipe":
			p.inits = append(p.inits, c)
			return
		default:
			return
		}
		if v != nil {
			p.buffer[v] = c
		}
	})
	return p
}

// serves reports whether the pipe that init sets up uses the buffer.
func (p *pipeCalls) serves(init, buffer *ir.Call) bool {
	for _, a := range init.Args {
		if v, ok := a.(*ir.Var); ok && p.buffer[v] == buffer {
			return true
		}
	}
	return false
}

// kernelOf is the mixed kernel that a half belongs to, and its peer's name; ok
// is false for other names.
func kernelOf(half string) (kernel, peer string, ok bool) {
	for _, s := range [2][2]string{{"_aic", "_aiv"}, {"_aiv", "_aic"}} {
		if k, found := strings.CutSuffix(half, s[0]); found && k != "" {
			return k, k + s[1], true
		}
	}
	return "", "", false
}

// automatic reports whether a buffer bears the name of an automatic ring of
// the kernel (spec 09 §7).
func automatic(buffer *ir.Call, kernel string) bool {
	n, _ := stringKwarg(buffer, "name")
	return n == kernel+"_c2v_slot_buffer" || n == kernel+"_v2c_slot_buffer"
}

func stringKwarg(c *ir.Call, key string) (string, bool) {
	v, _ := c.Kwarg(key)
	s, ok := v.(string)
	return s, ok
}

func intKwarg(c *ir.Call, key string) (int64, bool) {
	v, _ := c.Kwarg(key)
	switch v := v.(type) {
	case int64:
		return v, true
	case ir.Expr:
		return ir.ConstValue(v)
	}
	return 0, false
}

// ringOf finds the automatic ring that the planned function fn of a chunk
// pays for; nil when it has none.
func (d *Document) ringOf(chunk int, fn string) *ring {
	kernel, peer, ok := kernelOf(fn)
	if !ok {
		return nil
	}
	h := d.half(chunk, fn)
	if h == nil {
		return nil
	}
	calls := pipeCallsOf(h.plan.Fn)
	r := &ring{kernel: kernel, lowered: d.File.Chunks[chunk].Name != fn}
	for _, b := range calls.reserves {
		if !automatic(b, kernel) {
			continue
		}
		for _, in := range calls.inits {
			if h.init == nil && calls.serves(in, b) {
				h.init = in
			}
		}
	}
	if h.init == nil || !r.measure(h.init) {
		return nil
	}
	h.take(calls)
	r.halves = append(r.halves, h)
	if p := d.peerOf(r, h, calls, peer); p != nil {
		r.halves = append(r.halves, p)
	}
	for _, h := range r.halves {
		r.inflight = max(r.inflight, inflight(h.plan.Fn))
	}
	return r
}

// measure reads slot size and depth of the pipe.
func (r *ring) measure(init *ir.Call) bool {
	r.id, _ = intKwarg(init, "id")
	r.slotSize, _ = intKwarg(init, "slot_size")
	r.depth = effectiveDepth(init)
	return r.slotSize > 0 && r.depth > 0
}

// effectiveDepth is the number of slots that the external assembler assumes
// (spec 09 §6).
func effectiveDepth(init *ir.Call) int64 {
	if n, ok := intKwarg(init, "slot_num"); ok {
		return n
	}
	if m, _ := intKwarg(init, "dir_mask"); m == 3 {
		return 4
	}
	return 8
}

// half is a planned function of a chunk, ready to be planned again: where the
// text has addresses already they are taken back.
func (d *Document) half(chunk int, fn string) *ringHalf {
	f, det := d.Func(chunk), d.Detail(chunk)
	if f == nil || det == nil {
		return nil
	}
	for _, p := range det.Plans {
		if p.Fn.Name != fn || !p.Fn.Kind.IsInCore() || p.Plan == nil {
			continue
		}
		h := &ringHalf{chunk: chunk, plan: p, stage: f.Start.Stage, space: platforms.Vec}
		if f.Start.Lower {
			h.stage = memory.StageInput
		}
		if p.Fn.Kind == ir.AIC {
			h.space = platforms.Mat
		}
		return h
	}
	return nil
}

// take sorts the half's buffers.
func (h *ringHalf) take(calls *pipeCalls) {
	h.local, _ = intKwarg(h.init, "local_slot_num")
	for _, b := range calls.reserves {
		if calls.serves(h.init, b) {
			h.reserves = append(h.reserves, b)
		} else {
			h.others++
		}
	}
}

// peerOf finds the other half: the function that the imports name, or the one
// that imports from this half, or the one of the peer's name.
func (d *Document) peerOf(r *ring, h *ringHalf, calls *pipeCalls, name string) *ringHalf {
	for _, im := range calls.imports {
		if p, ok := stringKwarg(im, "peer_func"); ok && calls.serves(h.init, im) {
			name = p
		}
	}
	var p *ringHalf
	if r.lowered {
		p = d.half(h.chunk, name)
	} else if i := d.chunkNamed(h.chunk, name); i >= 0 {
		p = d.half(i, name)
	}
	if p == nil {
		return nil
	}
	theirs := pipeCallsOf(p.plan.Fn)
	for _, in := range theirs.inits {
		if id, _ := intKwarg(in, "id"); id == r.id && p.init == nil {
			p.init = in
		}
	}
	if p.init == nil {
		return nil
	}
	p.take(theirs)
	return p
}

// localSlots: only Ascend910B-class targets know local_slot_num (spec 09 §6).
func localSlots(p *platforms.Platform) bool { return p == nil || p.Arch == "a2a3" }

// slots is how many slots the half's own memory holds at a depth.
func (h *ringHalf) slots(depth int64, p *platforms.Platform) int64 {
	if h.local > 0 && localSlots(p) {
		return min(h.local, depth)
	}
	return depth
}

// bytes is the size of the half's reserve buffers at a depth.
func (r *ring) bytes(h *ringHalf, depth int64, p *platforms.Platform) int64 {
	return r.slotSize * h.slots(depth, p)
}

// consistent reports whether the buffers have the size that the depth asks for.
func (r *ring) consistent(p *platforms.Platform) bool {
	for _, h := range r.halves {
		for _, b := range h.reserves {
			if n, _ := intKwarg(b, "size"); n != r.bytes(h, r.depth, p) {
				return false
			}
		}
	}
	return true
}

// at is the half at another depth, before addresses are assigned.
func (r *ring) at(h *ringHalf, depth int64, p *platforms.Platform) *ir.Function {
	w := &whatIf{call: r.calls(h, depth, p, nil)}
	if h.stage == memory.StageAllocate {
		w = unplaced(h.plan.Plan, w)
	}
	return w.function(h.plan.Fn)
}

func withKwarg(c *ir.Call, key string, value int64) *ir.Call {
	n := *c
	n.Kwargs = append([]ir.Kwarg(nil), c.Kwargs...)
	for i := range n.Kwargs {
		if n.Kwargs[i].Key == key {
			n.Kwargs[i].Value = value
			return &n
		}
	}
	n.Kwargs = append(n.Kwargs, ir.Kwarg{Key: key, Value: value})
	return &n
}

// inflight is how far a half runs ahead in a loop that SkewCrossCorePipeline
// took apart (D of spec 09 §9): as many leading exchanges stand before the
// loop as at the start of its body. 0 without such a loop.
func inflight(fn *ir.Function) int64 {
	var most int64
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		if b == nil {
			return
		}
		role, n := "", int64(0)
		for _, s := range b.Stmts {
			if l, ok := s.(*ir.For); ok {
				if r, k, mixed := leading(l.Body); mixed && r == role && k == n {
					most = max(most, n)
				}
				role, n = "", 0
				continue
			}
			if r := exchange(s); r != "" {
				if r != role {
					role, n = r, 0
				}
				n++
			}
		}
		eachBody(b, visit)
	}
	visit(fn.Body)
	return most
}

// leading counts the exchanges of one role that a body begins with; mixed
// tells that some of the other role follow.
func leading(b *ir.Block) (role string, n int64, mixed bool) {
	if b == nil {
		return "", 0, false
	}
	for _, s := range b.Stmts {
		switch r := exchange(s); {
		case r == "":
		case role == "" || r == role:
			role = r
			n++
		default:
			return role, n, true
		}
	}
	return role, n, false
}

// exchange is "TPush" or "TPop" for a statement that is one, else "".
func exchange(s ir.Stmt) string {
	if c, _ := callOfStmt(s); c != nil && c.Op != nil && (c.Op.CrossCore == "TPush" || c.Op.CrossCore == "TPop") {
		return c.Op.CrossCore
	}
	return ""
}

// eachBody visits the bodies of the statements of b.
func eachBody(b *ir.Block, visit func(*ir.Block)) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.For:
			visit(s.Body)
		case *ir.While:
			visit(s.Body)
		case *ir.Scope:
			visit(s.Body)
		case *ir.If:
			visit(s.Then)
			visit(s.Else)
		}
	}
}

// caution is what to mind about a depth (spec 09 §8.0), "" for nothing.
func (r *ring) caution(depth int64) string {
	switch {
	case depth < r.inflight:
		return fmt.Sprintf("The kernel's pipelined loop runs %d rounds ahead, more than the ring then has slots: the cores may wait for each other and stall.", r.inflight)
	case depth == 1:
		return "With one slot the cores take turns: the producer waits until each tile is taken over."
	}
	return ""
}

// brief is the caution in a title.
func (r *ring) brief(depth int64) string {
	switch {
	case depth < r.inflight:
		return fmt.Sprintf(" (the loop runs %d rounds ahead: may stall)", r.inflight)
	case depth == 1:
		return " (one slot: the cores take turns)"
	}
	return ""
}
