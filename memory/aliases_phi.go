package memory

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// coalescePhis puts the first producer of a peeled accumulation onto the
// accumulator that the other branch updates in place, because the hardware
// cannot move an accumulator to an accumulator (spec 04 §6).
func (w *rewrite) coalescePhis() *Error {
	r := newRetargeter(w.Layout, w.cfg)
	if err := w.coalesceBlock(r, w.Fn.Body); err != nil {
		return err
	}
	if len(r.planned) == 0 {
		return nil
	}
	out := w.Clone(w.Fn)
	if err := r.applyTo(out); err != nil {
		err.Pass = w.pass
		return err
	}
	w.Layout, w.published = out, false
	return nil
}

func (w *rewrite) coalesceBlock(r *retargeter, b *ir.Block) *Error {
	if b == nil {
		return nil
	}
	for _, s := range b.Stmts {
		var err *Error
		switch s := s.(type) {
		case *ir.For:
			err = w.coalesceBlock(r, s.Body)
		case *ir.Scope:
			err = w.coalesceBlock(r, s.Body)
		case *ir.If:
			if err = w.coalesceIf(r, s); err == nil {
				err = w.coalesceBlock(r, s.Then)
			}
			if err == nil {
				err = w.coalesceBlock(r, s.Else)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *rewrite) coalesceIf(r *retargeter, s *ir.If) *Error {
	then, els := yieldOf(s.Then), yieldOf(s.Else)
	if then == nil || els == nil {
		return nil
	}
	for i := range min(len(s.Results), len(then.Values), len(els.Values)) {
		t, ok1 := then.Values[i].(*ir.Var)
		e, ok2 := els.Values[i].(*ir.Var)
		if !ok1 || !ok2 || t == nil || e == nil || !inAcc(r.l.Tile(t)) && !inAcc(r.l.Tile(e)) {
			continue
		}
		acc, seed := t, e
		switch a, b := r.accumulates(t), r.accumulates(e); {
		case a == b:
			continue
		case b:
			acc, seed = e, t
		}
		if !w.coalesce(r, s, acc, seed) {
			return w.errorf(InternalError, w.pass,
				"Internal error: cannot coalesce L0C accumulator across a peeled if-phi — seed producer '%s' refused retarget "+
					"onto the accumulator buffer, which would force an illegal Acc->Acc tile.move.", seed.Name).atVar(seed)
		}
	}
	return nil
}

func inAcc(t *ir.TileType) bool { return t != nil && t.Space == platforms.Acc }

// accumulates reports whether v is an in-place update of one of its operands.
func (r *retargeter) accumulates(v *ir.Var) bool {
	d := r.def(v)
	if d == nil {
		return false
	}
	a, ok := d.stmt.(*ir.Assign)
	if !ok {
		return false
	}
	c, ok := a.Value.(*ir.Call)
	if !ok || c.IsFunc || c.Op == nil {
		return false
	}
	k := c.Op.ReusesInput
	return k >= 0 && k < len(c.Args) && r.sameBuffer(v, c.Args[k])
}

// coalesce plans seed onto acc's buffer where spec 04 §6 asks for it; false
// when it asks and the producer refuses.
func (w *rewrite) coalesce(r *retargeter, s *ir.If, acc, seed *ir.Var) bool {
	a, b := r.l.Tile(acc), r.l.Tile(seed)
	if a == nil || b == nil || a.MemRef == nil || b.MemRef == nil || a.Space != platforms.Acc || a.MemRef.Base == b.MemRef.Base {
		return true
	}
	d := r.def(seed)
	if d == nil {
		return true
	}
	assign, ok := d.stmt.(*ir.Assign)
	if !ok {
		return true
	}
	if _, ok := assign.Value.(*ir.Call); !ok || !r.within(d, s) || !r.deadAfter(d, a.MemRef.Base, s) {
		return true
	}
	r.attempt++
	r.grow()
	return r.retargetAssign(d, target{a.MemRef, a.Space}, false)
}
