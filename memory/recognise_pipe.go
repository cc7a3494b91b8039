package memory

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

const (
	accessUnknown    = ops.AccessUnknown
	accessFunctional = ops.AccessFunctional
	accessNone       = ops.AccessNone
)

// evidenceOf is the access evidence of the called operator; calls of program
// functions and of unregistered names are Unknown (spec 08 §4.2).
func evidenceOf(c *ir.Call) ops.Access {
	if c.IsFunc || c.Op == nil {
		return accessUnknown
	}
	return c.Op.Access
}

// CallPipe is the hardware pipe that executes a call on the target, NoPipe
// when it cannot be inferred (spec 08 §4.1, 02 §10.1).
func CallPipe(l *Layout, c *ir.Call, p *platforms.Platform) platforms.Pipe {
	if evidenceOf(c) == accessNone {
		return platforms.NoPipe
	}
	return callPipe(l, c, p)
}

// spaceSet is a set of memory spaces.
type spaceSet uint16

func (s *spaceSet) add(x ir.Space) { *s |= 1 << x }

func (s spaceSet) has(x ir.Space) bool { return s&(1<<x) != 0 }

func (s spaceSet) without(x ir.Space) spaceSet {
	if x < 0 {
		return s
	}
	return s &^ (1 << x)
}

// single is the only member of s, NoSpace when there are none or several.
func (s spaceSet) single() ir.Space {
	if s == 0 || s&(s-1) != 0 {
		return platforms.NoSpace
	}
	x := ir.Space(0)
	for !s.has(x) {
		x++
	}
	return x
}

const l0Spaces = spaceSet(1<<platforms.Left | 1<<platforms.Right | 1<<platforms.Acc | 1<<platforms.Bias | 1<<platforms.LeftScale | 1<<platforms.RightScale)

// callPipe applies the rules of spec 08 §4.1 from the second on.
func callPipe(l *Layout, c *ir.Call, p *platforms.Platform) platforms.Pipe {
	var results, in spaceSet
	addSpaces(&results, resultType(l, c))
	entries := 0
	for _, a := range c.Args {
		if s := operandSpace(exprType(l, a)); s != platforms.NoSpace {
			in.add(s)
			entries++
		}
	}
	r := results.single()
	if !c.IsFunc && c.Name == "tile.move" {
		switch from := in.single(); {
		case r == platforms.NoSpace || entries != 1:
			return platforms.NoPipe
		case from == r && r != platforms.DDR && r != platforms.ScalarLocal:
			return platforms.PipeV
		default:
			return p.Transfer(from, r)
		}
	}
	locals := in.without(platforms.DDR).without(platforms.ScalarLocal)
	switch {
	case r == platforms.NoSpace:
		return platforms.NoPipe
	case r == platforms.ScalarLocal:
		return platforms.PipeS
	case r == platforms.DDR:
		return p.Transfer(locals.single(), platforms.DDR)
	case in.has(platforms.DDR):
		return p.Transfer(platforms.DDR, r)
	}
	if pipe := p.Transfer(locals.without(r).single(), r); pipe != platforms.NoPipe {
		return pipe
	}
	switch {
	case r == platforms.Vec && in&^(1<<platforms.Vec|1<<platforms.ScalarLocal) == 0:
		return platforms.PipeV
	case r.IsL0() && in&^l0Spaces == 0:
		return platforms.PipeM
	}
	return platforms.NoPipe
}

// resultType is the call's own result type. A call whose result nobody takes
// may have been read without one: then the operand the result lands in tells.
func resultType(l *Layout, c *ir.Call) ir.Type {
	if _, unknown := c.Type.(*ir.UnknownType); c.Type != nil && !unknown {
		return c.Type
	}
	if c.Op != nil && c.Op.ReusesInput >= 0 && c.Op.ReusesInput < len(c.Args) {
		return exprType(l, c.Args[c.Op.ReusesInput])
	}
	return c.Type
}

// addSpaces adds the spaces of t, tuples flattened, to the set.
func addSpaces(set *spaceSet, t ir.Type) {
	if tuple, ok := t.(*ir.TupleType); ok {
		for _, e := range tuple.Elems {
			addSpaces(set, e)
		}
		return
	}
	if s := operandSpace(t); s != platforms.NoSpace {
		set.add(s)
	}
}

// operandSpace is the memory space the pipe rules see: DDR for tensors,
// ScalarLocal for arrays, a tile's own.
func operandSpace(t ir.Type) ir.Space {
	if _, ok := t.(*ir.ArrayType); ok {
		return platforms.ScalarLocal
	}
	return spaceOfType(t)
}

// exprType is the type of an operand as far as the recogniser needs it: nil
// for expressions that are neither variables, nor calls, nor tuple elements.
func exprType(l *Layout, e ir.Expr) ir.Type {
	switch e := e.(type) {
	case *ir.Var:
		return l.TypeOf(e)
	case *ir.Call:
		return e.Type
	case *ir.TupleGet:
		if t, ok := exprType(l, e.Tuple).(*ir.TupleType); ok && e.Index >= 0 && e.Index < len(t.Elems) {
			return t.Elems[e.Index]
		}
	}
	return nil
}
