package prelude

import (
	"fmt"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// modulus is the alignment of a Vec operand in bits: 32 bytes.
const modulus = 256

// aligned reports whether a window provably starts at a multiple of 32 bytes
// (spec 11b §1.4).
func (s *slicer) aligned(w *window) bool {
	t := tileOf(w.base)
	if t == nil || len(t.Shape) != 2 {
		return false
	}
	bits := int64(t.DType.StorageBits())
	total, ok := baseBits(t)
	if !ok {
		return false
	}
	if col, ok := ir.ConstValue(w.col); ok {
		total += mod(col) * bits % modulus
	} else if s.multiple(w.col, nil)*bits%modulus != 0 {
		return false
	}
	row, literal := ir.ConstValue(w.row)
	if literal && row == 0 {
		return total%modulus == 0
	}
	cols, ok := ir.ConstValue(t.Shape[1])
	if !ok {
		return false
	}
	stride := mod(cols) * bits % modulus
	if literal {
		total += mod(row) * stride
	} else if s.multiple(w.row, nil)*stride%modulus != 0 {
		return false
	}
	return total%modulus == 0
}

func mod(n int64) int64 { return ((n % modulus) + modulus) % modulus }

func baseBits(t *ir.TileType) (int64, bool) {
	if t.MemRef == nil || t.MemRef.Offset == nil {
		return 0, true
	}
	o, ok := ir.ConstValue(t.MemRef.Offset)
	switch {
	case !ok:
		return 0, false
	case o < 0:
		return 0, true
	}
	return o % 32 * 8, true
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// multiple is a number that provably divides e, modulo 256; open are the
// variables being expanded.
func (s *slicer) multiple(e ir.Expr, open []*ir.Var) int64 {
	switch e := e.(type) {
	case *ir.ConstInt:
		return gcd(mod(e.Value), modulus)
	case *ir.Var:
		for _, v := range open {
			if v == e {
				return 1
			}
		}
		if d := s.scalars.get(e); d != nil {
			return s.multiple(d, append(open, e))
		}
	case *ir.Binary:
		switch e.Op {
		case ir.Add, ir.Sub:
			return gcd(s.multiple(e.X, open), s.multiple(e.Y, open))
		case ir.Mul:
			return gcd(s.multiple(e.X, open)*s.multiple(e.Y, open), modulus)
		}
	}
	return 1
}

// checkAccumulator refuses accumulators that are row windows of a larger Acc
// tile (spec 11b §1.2).
func (s *slicer) checkAccumulator(c *ir.Call) {
	if c.Op == nil || c.Op.ReusesInput < 0 || c.Op.ReusesInput >= len(c.Args) || c.Op.Name == "tile.store" {
		return
	}
	v, ok := c.Args[c.Op.ReusesInput].(*ir.Var)
	if !ok {
		return
	}
	w := s.any.get(v)
	if w == nil {
		return
	}
	view, parent := tileOf(v), tileOf(w.base)
	if view == nil || parent == nil || len(view.Shape) != 2 || len(parent.Shape) != 2 {
		return
	}
	eff := ir.EffectiveView(parent)
	if parent.Space != platforms.Acc && eff.BLayout != ir.ColMajor || eff.Fractal != 1024 {
		return
	}
	vr, k1 := ir.ConstValue(view.Shape[0])
	vc, k2 := ir.ConstValue(view.Shape[1])
	pr, k3 := ir.ConstValue(parent.Shape[0])
	if !k1 || !k2 || !k3 || vr == pr {
		return
	}
	if col, ok := ir.ConstValue(w.col); ok && vc <= 16 && col >= 0 && col/16 == (col+vc-1)/16 {
		return
	}
	pc := "?"
	if n, ok := ir.ConstValue(parent.Shape[1]); ok {
		pc = fmt.Sprint(n)
	}
	s.c.problem(passSlice, s.f, c.Span, accumulatorText(c.Name, vr, vc, pr, pc, pr/max(vr, 1)*vc))
}

// dropDeadSlices removes unused canonical slices from sequences of two or
// more statements until nothing changes (spec 11b §1.5).
func (s *slicer) dropDeadSlices(b *ir.Block) *ir.Block {
	uses := newVarTable[int](0) // of slices
	ir.EachStmt(b, func(st ir.Stmt) {
		stmtUses(st, func(v *ir.Var) {
			if s.slices.has(v) {
				*uses.at(v)++
			}
		})
	})
	for {
		var dropped []*ir.Assign
		n := s.dropRound(b, uses, &dropped)
		if n == b {
			return b
		}
		b = n
		for _, a := range dropped {
			stmtUses(a, func(v *ir.Var) {
				if uses.has(v) {
					*uses.at(v)--
				}
			})
		}
	}
}

// dropRound removes what nobody used when the round began.
func (s *slicer) dropRound(b *ir.Block, uses *varTable[int], dropped *[]*ir.Assign) *ir.Block {
	if b == nil {
		return nil
	}
	out := rewrite(b)
	for _, st := range b.Stmts {
		if a, ok := st.(*ir.Assign); ok && len(b.Stmts) >= 2 && s.slices.has(a.Var) && uses.get(a.Var) == 0 {
			if c, ok := a.Value.(*ir.Call); ok && c.Name == "tile.slice" {
				*dropped = append(*dropped, a)
				continue
			}
		}
		out.add(withBlocks(st, func(c *ir.Block) *ir.Block { return s.dropRound(c, uses, dropped) }))
	}
	return out.block()
}

func accumulatorText(op string, vr, vc, pr int64, pc string, k int64) string {
	return fmt.Sprintf("%s: the accumulator is a %dx%d row window of a %dx%s Acc (L0C) tile, which is not contiguous in L0C's block layout and cannot be a matmul destination — the hardware MAD writes its result compactly and has no destination stride, so only the first 16 columns of each row tile would be correct.\n"+
		"Slice the accumulator along columns instead, so each window spans every row: allocate %dx%d and use tile.slice(acc, [%d, %d], [0, i * %d]). That is the same L0C memory, addressed in the order the hardware writes it.", op, vr, vc, pr, pc, vr, k, vr, vc, vc)
}
