package read

import (
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

// spelled is what a spelling such as "pl.tile.add" means, as far as it is the
// same for all calls.
type spelled struct {
	w      *ops.Wrapper
	module string // "pl", "pl.tile", …
	fn     string // the operator's name as spelled
	cands  []ops.Candidate
	plans  []*plan
	// scalar is the expression that the spelling means on scalar operands.
	scalar    ir.BinOp
	hasScalar bool
}

// spellings are the signatures that calls can have: those of user-level
// wrappers, and of operators that only the internal builder set knows (spec 01
// §9.1).
var spellings = sync.OnceValue(func() map[string]*spelled {
	m := map[string]*spelled{}
	for i := range ops.Wrappers() {
		w := &ops.Wrappers()[i]
		m[w.Spelling] = newSpelled(w)
	}
	for _, op := range ops.All() {
		if w := fallbackWrapper(op); w != nil {
			s := newSpelled(w)
			s.plans = append(s.plans, newPlan(w, op))
			m[w.Spelling] = s
		}
	}
	return m
})

func newSpelled(w *ops.Wrapper) *spelled {
	s := &spelled{w: w, cands: ops.Spelled(w.Spelling)}
	s.module, s.fn = splitSpelling(w.Spelling)
	for _, c := range s.cands {
		s.plans = append(s.plans, newPlan(w, c.Op))
	}
	op, ok := scalarOps[s.fn]
	anyTile := s.module == "pl.tile" && (s.fn == "min" || s.fn == "max")
	s.scalar, s.hasScalar = op, ok && (s.module == "pl" || anyTile)
	return s
}

var scalarOps = map[string]ir.BinOp{"add": ir.Add, "sub": ir.Sub, "mul": ir.Mul, "div": ir.FloatDiv, "min": ir.Min, "max": ir.Max}

// splitSpelling divides "pl.tile.add" into module and operator name.
func splitSpelling(sp string) (module, fn string) {
	i := strings.LastIndexByte(sp, '.')
	return sp[:i], sp[i+1:]
}

// plan is how a call becomes one of op.
func (s *spelled) plan(op *ops.Op) *plan {
	for _, p := range s.plans {
		if p.op == op {
			return p
		}
	}
	return newPlan(s.w, op)
}
