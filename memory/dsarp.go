package memory

import (
	"fmt"
	"math"

	"pypto-ls/dsa"
	"pypto-ls/ir"
)

// PlaceDSARP is AllocateMemoryAddr under planner DSA_RP: it places the
// allocations of an in-core function so that conflicting ones never overlap
// and as few as possible of the recognised costly reuses remain, resolves
// reserve buffers and writes the addresses back (spec part 08). Functions of
// other kinds are returned unchanged.
func PlaceDSARP(l *Layout, cfg Config) (*Layout, []Diagnostic, *Error) {
	out, diags, _, err := placeDSARP(l, cfg)
	return out, diags, err
}

// placeDSARP is PlaceDSARP that tells the lifetimes of l too, as far as they
// were found.
func placeDSARP(l *Layout, cfg Config) (*Layout, []Diagnostic, *Lifetimes, *Error) {
	if !l.Fn.Kind.IsInCore() {
		return l, nil, nil, nil
	}
	p, err := stateDSA(l, cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	if p.overfull() {
		return nil, nil, p.Lifetimes, p.noFit(dsa.NoFitText)
	}
	s, err := p.solve(nil)
	if err != nil {
		return nil, nil, p.Lifetimes, err
	}
	out, err := s.writeBack()
	if err != nil {
		return nil, nil, s.Lifetimes, err
	}
	return out, s.diagnostics(), s.Lifetimes, nil
}

// DSASolution is what the driver found for one function.
type DSASolution struct {
	*DSAProblem
	// Solved is the problem that Result belongs to: Strict, or the one without
	// the separations of Pipeline when Relaxed is set; nil when there was
	// nothing to place.
	Solved  *dsa.Problem
	Relaxed bool
	Result  dsa.Result
	// Reused counts the pairs of Pipeline that share bytes.
	Reused int
}

// SolveDSA builds and solves the placement problem of an in-core function,
// strictly first and then without the software-pipeline separations (spec 08
// §8). On failure the error is the reference's; the solution tells how far it
// came and is nil only when the problem could not be built. stop may be nil.
func SolveDSA(l *Layout, cfg Config, stop func() bool) (*DSASolution, *Error) {
	p, err := stateDSA(l, cfg)
	if err != nil {
		return nil, err
	}
	return p.solve(stop)
}

// solve completes the problem with its pairs and solves it.
func (p *DSAProblem) solve(stop func() bool) (*DSASolution, *Error) {
	if err := p.addPairs(); err != nil {
		return nil, err
	}
	s := &DSASolution{DSAProblem: p}
	if len(p.Strict.Buffers) == 0 {
		return s, nil
	}
	solve := p.Config.Solve
	if solve == nil {
		solve = dsa.SolveRelaxing
	}
	s.Result, s.Solved = solve(p.Strict, p.Pipeline, dsa.Options{Stop: stop, EndEarly: true})
	s.Relaxed = s.Solved != p.Strict
	if err := s.outcome(); err != nil {
		return s, err
	}
	s.countReused()
	return s, nil
}

// outcome turns a failed search into the reference's error.
func (s *DSASolution) outcome() *Error {
	l := s.Layout
	switch s.Result.Status {
	case dsa.Feasible:
		// What the reference validates once more here (spec 08 §8 step 6), Solve
		// has just validated against this very problem.
		return nil
	case dsa.NoFit:
		return s.noFit(s.Result.Findings[0])
	case dsa.Stopped:
		return l.errorf(InternalError, passAllocate, "DSA-RP was stopped for '%s'", l.Fn.Name).at(l.Fn.Span)
	}
	return l.errorf(InternalError, passAllocate, "DSA-RP constructed or produced invalid state for '%s': %s", l.Fn.Name, s.Result.Findings[0]).at(l.Fn.Span)
}

// noFit is the reference's error when its search finds no placement.
func (p *DSAProblem) noFit(finding string) *Error {
	l := p.Layout
	return l.errorf(UserError, passAllocate, "DSA-RP could not find a placement for '%s' within the on-chip memory capacities: %s", l.Fn.Name, finding).at(l.Fn.Span)
}

// countReused counts the pipeline pairs whose bytes intersect. Pairs are by
// buffer ID, which is the position.
func (s *DSASolution) countReused() {
	for _, q := range s.Pipeline {
		a, b := s.Result.Offsets[q.A], s.Result.Offsets[q.B]
		if a < b+s.Solved.Buffers[q.B].Size && b < a+s.Solved.Buffers[q.A].Size {
			s.Reused++
		}
	}
}

func (s *DSASolution) diagnostics() []Diagnostic {
	if s.Reused == 0 {
		return nil
	}
	fn := s.Layout.Fn
	return []Diagnostic{{
		Severity: PerfHint, Pass: passAllocate, Rule: passAllocate, Code: "PH-DSA-001", Func: fn.Name, Span: fn.Span,
		Text: fmt.Sprintf("DSA-RP's bounded strict search did not retain all software-pipeline buffer separations for '%s'; %d of %d relaxed pair(s) reuse physical storage. Pipeline overlap may be reduced.",
			fn.Name, s.Reused, len(s.Pipeline)),
	}}
}

// AddressOf is the placed first byte of the allocation base; false when it has
// no place.
func (s *DSASolution) AddressOf(base *ir.Var) (uint64, bool) {
	i := s.Lifetimes.IntervalOfBase(base)
	if i < 0 || s.BufferOf[i] < 0 || s.Result.Offsets == nil {
		return 0, false
	}
	return s.Result.Offsets[s.BufferOf[i]], true
}

// writeBack gives every collected MemRef its address (spec 08 §9, 07 §8).
func (s *DSASolution) writeBack() (*Layout, *Error) {
	l := s.Layout
	members, err := collectMembers(l, passAllocate)
	if err != nil {
		return nil, err
	}
	if len(s.Strict.Buffers) == 0 {
		members = nil
	}
	policy := s.Config.policy()
	for _, m := range members {
		if !policy.ShouldAllocate(m.space) {
			continue
		}
		addr, ok := s.AddressOf(m.m.Base)
		if !ok {
			return nil, l.errorf(InternalError, passAllocate, "DSA-RP writeback could not find allocation base '%s'", m.m.Base.Name)
		}
		offset, _ := ir.ConstValue(m.m.Offset)
		if offset < 0 {
			return nil, l.errorf(InternalError, passAllocate, "DSA-RP writeback encountered a negative relative MemRef offset")
		}
		if addr > math.MaxInt64-uint64(offset) {
			return nil, l.errorf(InternalError, passAllocate, "DSA-RP address exceeds PyPTO's signed INT64 representation")
		}
	}
	place := func(m member) (uint64, bool) {
		if !policy.ShouldAllocate(m.space) {
			return 0, false
		}
		return s.AddressOf(m.m.Base)
	}
	// A body of a single statement is not cleaned up (07 §8 step 4).
	clean := l.Fn.Body != nil && len(l.Fn.Body.Stmts) != 1
	out := assignAddresses(l, s.reserved, members, clean, place)
	if out == l || !clean {
		return out, nil
	}
	w := goOn(out, l, s.Config, passAllocate)
	w.stripMembership()
	w.dropUnusedAllocs()
	return w.result(), nil
}
