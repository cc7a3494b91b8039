package prelude

import (
	"fmt"
	"math"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

// ring is the automatic set-up of a mixed kernel's FIFOs (spec 09 §4). The
// zero ring is none.
type ring struct {
	mask     int64 // 1 cube to vector, 2 vector to cube, 3 both
	slotSize int64 // bytes
	slotNum  int64
}

// The directions of a ring.
const (
	dirC2V = 1
	dirV2C = 2
)

// isSetUp reports a call that means that the author owns the set-up.
func isSetUp(c *ir.Call) bool {
	switch c.Name {
	case "system.reserve_buffer", "system.import_peer_buffer", "system.aic_initialize_pipe", "system.aiv_initialize_pipe":
		return true
	}
	return false
}

// pipeUse is what a function sends and receives.
type pipeUse struct {
	setUp bool
	// tiles are the observed tile types by direction (index 0 C2V, 1 V2C).
	tiles [2][]*ir.TileType
}

func (u *pipeUse) scan(b *ir.Block) {
	ir.EachStmt(b, func(st ir.Stmt) {
		if c := callOf(st); c != nil {
			u.see(st, c)
		}
	})
}

// see enters the call of a statement.
func (u *pipeUse) see(st ir.Stmt, c *ir.Call) {
	switch c.Name {
	case "tile.tpush_to_aiv", "tile.tpush_to_aic":
		if len(c.Args) == 1 {
			u.tile(pushDir(c.Name), tileOf(c.Args[0]))
		}
	case "tile.tpop_from_aic", "tile.tpop_from_aiv":
		if a, ok := st.(*ir.Assign); ok {
			u.tile(popDir(c.Name), tileOf(a.Var))
		}
	default:
		u.setUp = u.setUp || isSetUp(c)
	}
}

func (u *pipeUse) tile(dir int, t *ir.TileType) {
	u.tiles[dir-1] = append(u.tiles[dir-1], t)
}

func pushDir(name string) int {
	if name == "tile.tpush_to_aiv" {
		return dirC2V
	}
	return dirV2C
}

func popDir(name string) int {
	if name == "tile.tpop_from_aic" {
		return dirC2V
	}
	return dirV2C
}

func (u *pipeUse) mask() int64 {
	var m int64
	if len(u.tiles[0]) > 0 {
		m |= dirC2V
	}
	if len(u.tiles[1]) > 0 {
		m |= dirV2C
	}
	return m
}

// slotBytes is the size of one observed tile: physical shape, logical bytes.
func slotBytes(t *ir.TileType) (int64, bool) {
	if t == nil {
		return 0, false
	}
	n := uint64(1)
	for _, e := range t.Shape {
		d, ok := ir.ConstValue(e)
		if !ok || d < 0 || d > 0 && n > math.MaxInt64/uint64(d) {
			return 0, false
		}
		n *= uint64(d)
	}
	size, ok := ir.PackedBytes(n, t.DType)
	if !ok || size > math.MaxInt64 {
		return 0, false
	}
	return int64(size), true
}

// ring sizes the FIFOs of the two finished halves; the zero ring when nothing
// crosses, when the author owns the set-up, or when a size is not static.
func (m *mixedKernel) ring(aic, aiv *half) ring {
	var u pipeUse
	u.scan(aic.body)
	u.scan(aiv.body)
	r := ring{mask: u.mask(), slotNum: 2}
	if r.mask == 0 || u.setUp {
		return ring{}
	}
	for _, tiles := range u.tiles {
		for _, t := range tiles {
			n, ok := slotBytes(t)
			if !ok {
				// The verifier reports tiles whose size is not static.
				return ring{}
			}
			r.slotSize = max(r.slotSize, n)
		}
	}
	if v, ok := m.f.Attr("slot_num"); ok {
		if n, ok := v.(int64); ok {
			r.slotNum = n
		}
	}
	switch {
	case r.slotNum <= 0:
		m.internal("Cross-core slot_num override must be positive: %d", r.slotNum)
	case r.slotSize > math.MaxInt32:
		m.internal("Cross-core slot_size out of range: %d", r.slotSize)
	case r.slotSize > math.MaxInt32/r.slotNum:
		m.internal("Cross-core reserve_buffer size out of range: %d", r.slotSize*r.slotNum)
	}
	return r
}

func (m *mixedKernel) internal(format string, n int64) {
	m.c.Problems = append(m.c.Problems, Problem{Pass: passExpand, Func: m.f.Name, Span: m.f.NameSpan, Internal: true, Message: fmt.Sprintf(format, n)})
}

// prologue is the set-up of one half. Variables come from f.
func (r ring) prologue(f *ir.Function, side lane) []ir.Stmt {
	if r.mask == 0 {
		return nil
	}
	p := &ringBuilder{f: f, r: r, meta: ir.StmtMeta{Span: f.NameSpan}}
	v2c, c2v := zeroI32(), zeroI32()
	if r.mask&dirV2C != 0 {
		v2c = p.end(f.Name+"_v2c_slot_buffer", side == cube, side)
	}
	if r.mask&dirC2V != 0 {
		c2v = p.end(f.Name+"_c2v_slot_buffer", side == vector, side)
	}
	name := "system." + side.suffix() + "_initialize_pipe"
	init := &ir.Call{Name: name, Op: ops.Lookup(name), Args: []ir.Expr{c2v, v2c}, Type: ir.Unknown, Span: f.NameSpan,
		Kwargs: []ir.Kwarg{{Key: "dir_mask", Value: r.mask}, {Key: "slot_size", Value: r.slotSize}, {Key: "slot_num", Value: r.slotNum}}}
	return append(p.out, &ir.Eval{StmtMeta: p.meta, X: init})
}

func zeroI32() ir.Expr { return &ir.ConstInt{Value: 0, DType: ir.INT32} }

type ringBuilder struct {
	f    *ir.Function
	r    ring
	meta ir.StmtMeta
	out  []ir.Stmt
}

// end is the buffer of one direction: reserved by its consumer, imported by
// its producer.
func (p *ringBuilder) end(name string, reserve bool, side lane) ir.Expr {
	t := &ir.ScalarType{DType: ir.INT32}
	c := &ir.Call{Name: "system.reserve_buffer", Type: t, Span: p.f.NameSpan, Kwargs: []ir.Kwarg{
		{Key: "name", Value: name}, {Key: "size", Value: p.r.slotSize * p.r.slotNum}, {Key: "base", Value: int64(-1)}}}
	variable := name
	if !reserve {
		c.Name, variable = "system.import_peer_buffer", name+"_import"
		c.Kwargs = []ir.Kwarg{{Key: "name", Value: name}, {Key: "peer_func", Value: p.f.Name + "_" + side.other().suffix()}}
	}
	c.Op = ops.Lookup(c.Name)
	v := p.f.NewVar(ir.PlainVar, variable, t, p.f.NameSpan)
	p.out = append(p.out, &ir.Assign{StmtMeta: p.meta, Var: v, Value: c})
	return v
}
