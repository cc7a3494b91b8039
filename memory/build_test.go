package memory

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/ir/printer"
	"pypto-ls/platforms"
)

// fb builds functions for tests. Blocks are built with in, so that statements
// land in the innermost open body.
type fb struct {
	f   *ir.Function
	cur *ir.Block
}

func newFn(name string, kind ir.FuncKind) *fb {
	b := &fb{f: &ir.Function{Name: name, Kind: kind, Body: &ir.Block{}}}
	b.cur = b.f.Body
	return b
}

func dims(ds ...any) []ir.Expr {
	out := make([]ir.Expr, len(ds))
	for i, d := range ds {
		switch d := d.(type) {
		case int:
			out[i] = ir.Index(int64(d))
		case ir.Expr:
			out[i] = d
		}
	}
	return out
}

func tup(ds ...any) ir.Expr { return &ir.MakeTuple{Elems: dims(ds...)} }

func tile(space ir.Space, dt ir.DType, ds ...any) *ir.TileType {
	return ir.NewTileType(dims(ds...), dt, nil, space)
}

func vec(ds ...any) *ir.TileType { return tile(platforms.Vec, ir.FP32, ds...) }

func tensor(ds ...any) *ir.TensorType {
	return ir.NewTensorType(dims(ds...), ir.FP32, nil, false)
}

func bound(t *ir.TileType, base *ir.Var, slots int, slot ir.Expr) *ir.TileType {
	c := *t
	c.MemRef = &ir.MemRef{Base: base, Offset: &ir.ConstInt{DType: ir.INT64}, Pinned: true, Slots: slots, Slot: slot}
	return &c
}

// at is t with a resolved MemRef.
func at(t *ir.TileType, base *ir.Var, offset ir.Expr, size uint64) *ir.TileType {
	c := *t
	c.MemRef = &ir.MemRef{Base: base, Offset: offset, Size: size, Slots: 1}
	return &c
}

func (b *fb) base(name string) *ir.Var {
	return b.f.NewVar(ir.BaseVar, name, &ir.PtrType{}, ir.Span{})
}

func (b *fb) param(name string, t ir.Type) *ir.Var {
	v := b.f.NewVar(ir.ParamVar, name, t, ir.Span{Start: 1, End: 2})
	b.f.Params = append(b.f.Params, ir.Param{Var: v})
	return v
}

func (b *fb) add(s ir.Stmt) { b.cur.Stmts = append(b.cur.Stmts, s) }

func (b *fb) let(name string, t ir.Type, value ir.Expr) *ir.Var {
	v := b.f.NewVar(ir.PlainVar, name, t, ir.Span{Start: 3, End: 4})
	b.add(&ir.Assign{Var: v, Value: value})
	return v
}

func call(op string, t ir.Type, args ...ir.Expr) *ir.Call {
	return &ir.Call{Name: op, Op: ops.Lookup(op), Args: args, Type: t, Span: ir.Span{Start: 5, End: 6}}
}

func (b *fb) op(name string, t ir.Type, op string, args ...ir.Expr) *ir.Var {
	return b.let(name, t, call(op, t, args...))
}

func (b *fb) load(name string, t *ir.TileType, x *ir.Var) *ir.Var {
	return b.op(name, t, "tile.load", x, tup(0, 0), tup(1, 1), tup(1, 1))
}

func (b *fb) in(body func()) *ir.Block {
	outer := b.cur
	b.cur = &ir.Block{}
	body()
	inner := b.cur
	b.cur = outer
	return inner
}

func (b *fb) yield(vs ...ir.Expr) { b.add(&ir.Yield{Values: vs}) }

// loop builds a for loop with one carried value and returns its result.
func (b *fb) loop(iter, result string, t ir.Type, init ir.Expr, body func(i, carried *ir.Var)) *ir.Var {
	s := &ir.For{
		Var:   b.f.NewVar(ir.LoopVar, "i", &ir.ScalarType{DType: ir.INDEX}, ir.Span{}),
		Start: ir.Index(0), Stop: ir.Index(4), Step: ir.Index(1),
	}
	a := b.f.NewVar(ir.IterArg, iter, t, ir.Span{})
	a.Init = init
	s.IterArgs = []*ir.Var{a}
	s.Body = b.in(func() { body(s.Var, a) })
	r := b.f.NewVar(ir.PlainVar, result, t, ir.Span{})
	s.Results = []*ir.Var{r}
	b.add(s)
	return r
}

func (b *fb) branch(result string, t ir.Type, cond ir.Expr, then, els func()) *ir.Var {
	s := &ir.If{Cond: cond, Then: b.in(then), Else: b.in(els)}
	r := b.f.NewVar(ir.PlainVar, result, t, ir.Span{})
	s.Results = []*ir.Var{r}
	b.add(s)
	return r
}

// allocs lists the allocation statements of l as "name size" lines.
func allocs(l *Layout) []string {
	var out []string
	ir.WalkStmts(l.Fn.Body, func(s ir.Stmt) bool {
		if a, c := allocCall(s); c != nil {
			n, _ := ir.ConstValue(c.Args[1])
			line := fmt.Sprintf("%s %s %d", a.Var.Name, c.Name, n)
			if p, _ := c.Kwarg("pinned"); p == true {
				line += " pinned"
			}
			out = append(out, line)
		}
		return true
	})
	return out
}

// ref is the MemRef of v as "base offset size[ slots[slot]]", "-" without.
func ref(l *Layout, v *ir.Var) string {
	m := l.MemRefOf(v)
	if m == nil {
		return "-"
	}
	s := fmt.Sprintf("%s %s %d", m.Base.Name, printer.Expr(m.Offset), m.Size)
	if m.Slots > 1 {
		s += fmt.Sprintf(" slots=%d", m.Slots)
	}
	if m.Slot != nil {
		s += "[" + printer.Expr(m.Slot) + "]"
	}
	return s
}

func wantRefs(t *testing.T, l *Layout, want map[*ir.Var]string) {
	t.Helper()
	for v, w := range want {
		if got := ref(l, v); got != w {
			t.Errorf("%s: MemRef %q, want %q", v.Name, got, w)
		}
	}
}

func wantLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s:\n%s\nwant:\n%s", what, g, w)
	}
}

func mustInit(t *testing.T, b *fb, cfg Config) *Layout {
	t.Helper()
	l, err := InitMemRef(b.f, cfg)
	if err != nil {
		t.Fatalf("InitMemRef: %s", err)
	}
	return l
}

func platform(t *testing.T, name string) *platforms.Platform {
	t.Helper()
	p, ok := platforms.Lookup(name)
	if !ok {
		t.Fatalf("no platform %s", name)
	}
	return p
}
