package memory

import (
	"slices"

	"pypto-ls/ir"
)

// assignAddresses is l with the address of its allocation added to the offset
// of every member that place knows, and with resolved reserve buffers (spec 07
// §6 step 6 and §8 steps 1 to 3). place tells the first byte of a member's
// allocation; strip drops pipeline stages on the way, as far as no call in a call
// has any. When nothing else changes the result is l itself.
func assignAddresses(l *Layout, res *reservation, members []member, strip bool, place func(member) (uint64, bool)) *Layout {
	out := l.Clone(l.Fn)
	moved := make([]bool, l.Fn.NumVars)
	any := false
	declared := l.facts().declared
	// One new MemRef for each old one: what was one object stays one object.
	var room ir.Slab[addressed]
	refs, tiles := make([]*addressed, len(members)), make([]ir.TileType, len(members))
	for i, m := range members {
		addr, ok := place(m)
		if !ok || m.v.ID < 0 || int(m.v.ID) >= len(moved) {
			continue
		}
		if refs[m.first] == nil {
			_, pinned := declared[m.m.Base]
			refs[m.first] = room.New()
			refs[m.first].moveTo(m.m, int64(addr), pinned)
		}
		out.setType(m.v, tileWithMemRef(&tiles[i], l.Tile(m.v), &refs[m.first].ref, m.space))
		moved[m.v.ID] = true
		any = true
	}
	if !any && len(res.calls) == 0 {
		return l
	}
	// Other calls stay as they are, so that the usual function is not copied.
	if facts := l.facts(); len(res.calls) > 0 || facts.attrs > 0 {
		rw := callRewriter{moved: moved, res: res, strip: strip}
		body := rw.reservesOnly(l.Fn.Body, facts)
		if body == nil {
			rw.newCalls = newCalls{}
			body = mapBlock(l.Fn.Body, rw.stmt)
		}
		out.Fn = cloneFn(l.Fn, body)
		out.remember(facts.with(&rw.newCalls, out.Fn))
	}
	return out
}

// callRewriter rebuilds the calls that address assignment changes: reserve
// buffers get their base, and a call whose operands got new types loses its
// attributes.
type callRewriter struct {
	newCalls
	moved []bool // by Var.ID
	res   *reservation
	strip bool
}

// reservesOnly is the rewritten body where nothing but the values of statements
// of the body itself changes, the usual reserve buffers; nil elsewhere.
func (w *callRewriter) reservesOnly(b *ir.Block, facts *bodyFacts) *ir.Block {
	if facts.attrs > 0 {
		return nil
	}
	out := slices.Clone(b.Stmts)
	for i, s := range b.Stmts {
		if a, ok := s.(*ir.Assign); ok {
			if c, ok := a.Value.(*ir.Call); ok && isReserve(c) {
				out[i] = w.stmt(s)
			}
		}
	}
	if len(w.reserves) < len(facts.reserves) {
		return nil
	}
	return &ir.Block{Stmts: out}
}

func (w *callRewriter) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		if e := w.value(s.Value); e != s.Value {
			return w.assign(s, e)
		}
	case *ir.Eval:
		if e := w.value(s.X); e != s.X {
			c := *s
			c.X = e
			return &c
		}
	}
	return s
}

// value is the rewritten value of a statement.
func (w *callRewriter) value(e ir.Expr) ir.Expr {
	n := w.expr(e)
	if c, ok := n.(*ir.Call); ok && w.strip && n == e {
		if attrs := withoutAttr(c.Attrs, membershipAttr); len(attrs) < len(c.Attrs) {
			stripped := w.call(c)
			stripped.Attrs = attrs
			w.add(c, stripped)
			return stripped
		}
	}
	return n
}

func (w *callRewriter) expr(e ir.Expr) ir.Expr {
	c, ok := e.(*ir.Call)
	if !ok {
		return e
	}
	args := w.args(c.Args)
	base, resolved := w.res.baseOf(c)
	lost := len(c.Attrs) > 0 && w.movedIn(c.Args)
	if args == nil && !resolved && !lost {
		return e
	}
	n := w.call(c)
	n.Attrs = nil
	if args != nil {
		n.Args = args
	}
	if resolved {
		n.Kwargs = withKwarg(c.Kwargs, "base", base)
	}
	w.add(c, n)
	return n
}

// args are the rewritten operands, nil when no nested call changed.
func (w *callRewriter) args(args []ir.Expr) []ir.Expr {
	var out []ir.Expr
	for i, a := range args {
		if n := w.expr(a); n != a {
			if out == nil {
				out = append(out, args...)
			}
			out[i] = n
		}
	}
	return out
}

func (w *callRewriter) movedIn(args []ir.Expr) bool {
	found := false
	for _, a := range args {
		exprVars(a, func(v *ir.Var) {
			for v != nil && !found {
				found = v.ID >= 0 && int(v.ID) < len(w.moved) && w.moved[v.ID]
				// An iter_arg is a new node when its initial value is.
				v, _ = v.Init.(*ir.Var)
			}
		})
	}
	return found
}

// withKwarg is kwargs with key set, in place when it is there and appended
// otherwise.
func withKwarg(kwargs []ir.Kwarg, key string, value any) []ir.Kwarg {
	out := append(make([]ir.Kwarg, 0, len(kwargs)+1), kwargs...)
	for i := range out {
		if out[i].Key == key {
			out[i].Value = value
			return out
		}
	}
	return append(out, ir.Kwarg{Key: key, Value: value})
}
