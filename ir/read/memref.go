package read

import (
	"math"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// memrefArgs are a MemRef call's arguments.
type memrefArgs struct {
	pos []irsyntax.Ref
	kw  map[string]irsyntax.Ref
}

func memrefCallArgs(n irsyntax.Ref) memrefArgs {
	a := memrefArgs{pos: make([]irsyntax.Ref, 0, 4)}
	for c := n.First().Next(); c.Ok(); c = c.Next() {
		if c.Kind() == irsyntax.Keyword && c.First().Kind() == irsyntax.Name {
			if a.kw == nil {
				a.kw = map[string]irsyntax.Ref{}
			}
			a.kw[c.First().Text()] = c.Child(1)
			continue
		}
		a.pos = append(a.pos, c)
	}
	return a
}

func (r *reader) memrefCall(n irsyntax.Ref, shape []ir.Expr, d ir.DType) *ir.MemRef {
	a := memrefCallArgs(n)
	slots := 1
	if s, ok := a.kw["slots"]; ok {
		v, ok := parseInt(s.Text())
		if !ok || v < 1 || s.Kind() != irsyntax.Int {
			r.problem(TypeErr, r.span(s), "slots must be a positive integer literal, got "+unparse(s), `Use pl.MemRef("scratch", slots=2)`)
			v = 1
		}
		slots = int(v)
	}
	switch len(a.pos) {
	case 0:
		return r.keywordRef(n, a, shape, d)
	case 1:
		return r.oneArgRef(a.pos[0], slots, shape, d)
	case 2:
		if a.pos[0].Kind() == irsyntax.Name || a.pos[0].Kind() == irsyntax.String {
			r.out.Shorthand = true
			m := &ir.MemRef{Base: r.baseArg(a.pos[0]), Offset: r.offset(a.pos[1]), Slots: slots}
			m.Size = tensorBytes(shape, d)
			return m
		}
	case 3:
		return r.resolvedRef(a.pos, slots)
	case 4:
		return r.legacyRef(a.pos)
	}
	r.problem(TypeErr, r.span(n), "pl.MemRef requires 3 arguments (base, byte_offset, size), got "+itoa(int64(len(a.pos))), "Use pl.MemRef(base_name, byte_offset, size)")
	return nil
}

// oneArgRef is a declaration `pl.MemRef("n")`, or the shorthand `MemRef(R)`.
func (r *reader) oneArgRef(n irsyntax.Ref, slots int, shape []ir.Expr, d ir.DType) *ir.MemRef {
	if n.Kind() == irsyntax.String {
		name, ok := stringValue(n.Text())
		if ok && name != "" {
			return r.pinnedRef(name, slots)
		}
	}
	if n.Kind() == irsyntax.Name {
		return r.shorthandRef(n.Text(), shape, d)
	}
	r.problem(TypeErr, r.span(n), "A declared allocation's name must be a non-empty string literal, got "+unparse(n), `Use pl.MemRef("scratch")`)
	return nil
}

func (r *reader) baseArg(n irsyntax.Ref) *ir.Var {
	name := n.Text()
	if n.Kind() == irsyntax.String {
		name, _ = stringValue(name)
	}
	return r.base(name)
}

func (r *reader) resolvedRef(pos []irsyntax.Ref, slots int) *ir.MemRef {
	first := pos[0]
	switch first.Kind() {
	case irsyntax.Name, irsyntax.String:
		return &ir.MemRef{Base: r.baseArg(first), Offset: r.offset(pos[1]), Size: r.size(pos[2]), Slots: slots}
	}
	// Legacy: pl.MemRef(address, size, id).
	addr, _ := r.constInt(first)
	id, _ := r.constInt(pos[2])
	return &ir.MemRef{Base: r.base("mem_" + itoa(id)), Offset: index(addr), Size: r.size(pos[1]), Slots: slots}
}

// legacyRef is `pl.MemRef(pl.Mem.X, addr, size, id)`.
func (r *reader) legacyRef(pos []irsyntax.Ref) *ir.MemRef {
	s, ok := r.memSpace(pos[0])
	if !ok {
		r.problem(TypeErr, r.span(pos[0]), "pl.MemRef requires 3 arguments (base, byte_offset, size), got 4", "Use pl.MemRef(base_name, byte_offset, size)")
		return nil
	}
	addr, _ := r.constInt(pos[1])
	id, _ := r.constInt(pos[3])
	return &ir.MemRef{Base: r.base("mem_" + s.Lower() + "_" + itoa(id)), Offset: &ir.ConstInt{Value: addr, DType: ir.INT64}, Size: r.size(pos[2]), Slots: 1}
}

// keywordRef is the shorthand `MemRef(space=DDR, addr=-1, id=0)`.
func (r *reader) keywordRef(n irsyntax.Ref, a memrefArgs, shape []ir.Expr, d ir.DType) *ir.MemRef {
	idn, ok := a.kw["id"]
	sp, ok2 := a.kw["space"]
	if !ok || !ok2 {
		r.problem(TypeErr, r.span(n), "pl.MemRef requires 3 arguments (base, byte_offset, size), got 0", "Use pl.MemRef(base_name, byte_offset, size)")
		return nil
	}
	r.out.Shorthand = true
	id, _ := r.constInt(idn)
	space, _ := platforms.ParseSpace(lastComponent(sp))
	name := "mem_" + space.Lower() + "_" + itoa(id)
	m := &ir.MemRef{Base: r.base(name), Offset: index(-1), Slots: 1, Size: tensorBytes(shape, d)}
	if ad, ok := a.kw["addr"]; ok {
		m.Offset = r.offset(ad)
	}
	if sz, ok := a.kw["size"]; ok {
		m.Size = r.size(sz)
	}
	return m
}

// shorthandRef is `memref=m` or `MemRef(R)`: what the allocation of m says.
func (r *reader) shorthandRef(name string, shape []ir.Expr, d ir.DType) *ir.MemRef {
	r.out.Shorthand = true
	b := r.base(name)
	m := &ir.MemRef{Base: b, Offset: index(0), Slots: 1, Size: tensorBytes(shape, d)}
	if a, ok := r.allocs[b]; ok {
		m.Size = a.size
		if a.addr > 0 {
			m.Offset = index(a.addr)
		}
	}
	return m
}

func tensorBytes(shape []ir.Expr, d ir.DType) uint64 {
	n := uint64(1)
	for _, e := range shape {
		v, ok := ir.ConstValue(e)
		if !ok || v <= 0 || uint64(v) > math.MaxUint32 || n > math.MaxUint32 {
			return 0
		}
		n *= uint64(v)
	}
	return (n*uint64(d.StorageBits()) + 7) / 8
}

func (r *reader) size(n irsyntax.Ref) uint64 {
	if n.Kind() == irsyntax.Int {
		if v, ok := parseInt(n.Text()); ok {
			return uint64(v)
		}
	}
	v, ok := r.constInt(n)
	switch {
	case !ok:
		r.problem(TypeErr, r.span(n), "MemRef size must be an integer, got: "+unparse(n), "Use an integer value for size")
		return 0
	case v < 0:
		r.problem(TypeErr, r.span(n), "MemRef size must be >= 0, got: "+itoa(v), "Use a non-negative integer value for size")
		return 0
	}
	return uint64(v)
}

// offset reads a byte offset. The reference folds `pl.const(0, pl.INT64)` to a
// plain INDEX 0; Dump keeps the dtype (spec 01b §11).
func (r *reader) offset(n irsyntax.Ref) ir.Expr {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v)
		}
	case irsyntax.Call:
		if c, ok := r.constCall(n); ok {
			if ci, ok := c.(*ir.ConstInt); ok {
				if r.opt.Policy == Reference {
					return index(ci.Value)
				}
				return ci
			}
		}
	}
	if v, ok := r.constInt(n); ok && !containsConst(n) {
		return index(v)
	}
	e := r.expr(n)
	if !isIntScalar(exprType(e)) {
		r.problem(TypeErr, r.span(n), "MemRef byte_offset must be an index expression, got: "+unparse(n), "Use an integer, a variable, or arithmetic over them, e.g. 1024 or i % 2 * 512")
		return index(0)
	}
	return e
}

// constCall reads `pl.const(v, pl.DT)`.
func (r *reader) constCall(n irsyntax.Ref) (ir.Expr, bool) {
	fn := n.First()
	if lastComponent(fn) != "const" {
		return nil, false
	}
	v := fn.Next()
	if !v.Ok() || !v.Next().Ok() {
		return nil, false
	}
	d, ok := r.dtype(v.Next())
	if !ok {
		return nil, false
	}
	neg := false
	if v.Kind() == irsyntax.UnaryOp && v.Op() == irsyntax.OpSub {
		neg, v = true, v.First()
	}
	switch v.Kind() {
	case irsyntax.Int:
		i, ok := parseInt(v.Text())
		if !ok {
			return nil, false
		}
		if neg {
			i = -i
		}
		if i == 0 && d == ir.INT64 {
			return zeroInt64, true
		}
		return &ir.ConstInt{Value: i, DType: d}, true
	case irsyntax.Float, irsyntax.Name:
		text := strings.ReplaceAll(v.Text(), "_", "")
		f, ok := parseFloat(text)
		if !ok {
			return nil, false
		}
		if neg {
			f = -f
		}
		return &ir.ConstFloat{Value: f, DType: d}, true
	case irsyntax.True:
		return &ir.ConstInt{Value: 1, DType: d}, true
	case irsyntax.False:
		return &ir.ConstInt{Value: 0, DType: d}, true
	}
	return nil, false
}
