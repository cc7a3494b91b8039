package infer

import (
	"sync"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

// Env is what inference needs to know besides the call. The zero Env uses the
// types that variables carry themselves.
type Env struct {
	// VarType is the current type of a variable; nil means v.Type.
	VarType func(v *ir.Var) ir.Type
}

// Kind is the class of a Problem.
type Kind uint8

// The kinds of problems.
const (
	// ValueError and TypeError are the reference's exceptions.
	ValueError Kind = iota
	TypeError
	// Internal is an internal check of the reference ("bug" in spec 02).
	Internal
	// Degraded is not an error: the type cannot be inferred here, and the
	// annotation, if there is one, has to be trusted. Text says why, in our words.
	Degraded
)

// Problem is why a call has no type.
type Problem struct {
	Kind Kind
	// Text is the reference's text alone, without prefix and location (spec 02
	// §2.3).
	Text string
	// Operand is the operand the check points at, -1 for the call itself.
	Operand int
	// Located is set for errors that keep the suffix ` at FILE:LINE:COL` of the
	// call's span.
	Located bool
}

// Infer gives the result type of a call (spec 02 §2.2, steps 2–5): keyword
// check, result rule, memory space. A nil problem comes with the type, which
// is ir.Unknown for operators whose result has none, such as a cross-core pop:
// there the annotation decides. With a problem the type is ir.Unknown.
func Infer(op *ops.Op, args []ir.Expr, kwargs []ir.Kwarg, env Env) (ir.Type, *Problem) {
	return (*Scratch)(nil).Infer(op, args, kwargs, env)
}

// Scratch is memory for one inference after the other. The types that it finds
// live together. The zero value is ready; nil stands for memory of one inference
// alone.
type Scratch struct {
	c     call
	tiles ir.TileSlab
}

// Infer is the function of that name.
func (s *Scratch) Infer(op *ops.Op, args []ir.Expr, kwargs []ir.Kwarg, env Env) (ir.Type, *Problem) {
	if s == nil {
		c := &call{op: op, args: args, kwargs: kwargs, env: env}
		return c.infer()
	}
	c := &s.c
	c.op, c.args, c.kwargs, c.env = op, args, kwargs, env
	c.types, c.problem, c.made, c.tiles = nil, nil, nil, &s.tiles
	return c.infer()
}

func (c *call) infer() (ir.Type, *Problem) {
	op := c.op
	if op.InternalOnly {
		c.fail(-1, "Operator '{value}' is internal-only and cannot be created from user-facing op creation paths", op.Name)
		return ir.Unknown, c.problem
	}
	if !c.checkKwargs() {
		return ir.Unknown, c.problem
	}
	r := rules()[op]
	if r == nil {
		c.degrade("the result type of " + op.Name + " is not modelled")
		return ir.Unknown, c.problem
	}
	if !c.loadTypes() {
		return ir.Unknown, c.problem
	}
	t := r(c)
	if c.problem != nil {
		return ir.Unknown, c.problem
	}
	return c.fillSpaces(t), nil
}

// NotFound is the text for an operator name that the registry does not have
// (spec 02 §2.2, step 1).
func NotFound(name string) string {
	for i := range len(name) {
		if name[i] == '.' {
			return "Operator '" + name + "' not found in registry"
		}
	}
	return "Operator '" + name + "' not found in registry. This looks like a function name (GlobalVar), not a registered operator. Callers should check for GlobalVar before using OpRegistry::Create."
}

// Modelled reports whether the result type of op is inferred at all.
func Modelled(op *ops.Op) bool { return rules()[op] != nil }

// rule is the result rule of an operator: it returns the result type, or
// records a problem in c and returns nil. It need not set memory spaces that
// the operator's resolver fills in.
type rule func(c *call) ir.Type

var rules = sync.OnceValue(func() map[*ops.Op]rule {
	m := map[*ops.Op]rule{}
	for _, family := range [...]map[string]rule{elementwise, comparison, unary, expansion, reductions, matmuls, mxMatmuls, creation,
		transfers, views, windows, gathers, scatters, sorts, access, crossCore, pads, system, arrays, tensorMath, tensorReductions,
		tensorMatmuls, tensorViews, tensorIndexed} {
		for name, r := range family {
			if op := ops.Lookup(name); op != nil {
				m[op] = r
			}
		}
	}
	return m
})
