package analysis

import (
	"slices"
	"sync"

	"pypto-ls/dsa"
)

// solvedMemo remembers placements that were searched for: most keystrokes change
// no size and no lifetime, and leave the placement problem what it was. The zero
// value is empty. It is safe for concurrent use.
type solvedMemo struct {
	mu     sync.Mutex
	solved []solved // guarded by mu; the oldest first
	parts  int      // of all of them; guarded by mu
}

// solved is one problem with its result. Both are never changed.
type solved struct {
	hash   uint64
	p      *dsa.Problem
	pairs  []dsa.Pair
	early  bool
	result dsa.Result
	of     *dsa.Problem // that the result belongs to
}

// Bounds of what is remembered. A part is a buffer, separation or penalty, 24 to
// 48 bytes. A problem of fewer buffers is solved in less time than it is looked up.
const (
	maxSolved      = 16
	maxSolvedParts = 1 << 15
	minSolved      = 8
)

// solve is dsa.SolveRelaxing.
func (m *solvedMemo) solve(p *dsa.Problem, pairs []dsa.Pair, opt dsa.Options) (dsa.Result, *dsa.Problem) {
	if len(p.Buffers) < minSolved {
		return dsa.SolveRelaxing(p, pairs, opt)
	}
	s := solved{hash: hashProblem(p), p: p, pairs: pairs, early: opt.EndEarly}
	if was, ok := m.find(s); ok {
		if was.of == was.p {
			return was.result, p
		}
		return was.result, was.of
	}
	s.result, s.of = dsa.SolveRelaxing(p, pairs, opt)
	if s.result.Status != dsa.Stopped {
		m.add(s)
	}
	return s.result, s.of
}

func (m *solvedMemo) find(s solved) (solved, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := len(m.solved) - 1; i >= 0; i-- {
		if m.solved[i].same(s) {
			return m.solved[i], true
		}
	}
	return solved{}, false
}

func (m *solvedMemo) add(s solved) {
	n := s.parts()
	if n > maxSolvedParts {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.solved = append(m.solved, s)
	for m.parts += n; len(m.solved) > maxSolved || m.parts > maxSolvedParts; {
		m.parts -= m.solved[0].parts()
		m.solved = slices.Delete(m.solved, 0, 1)
	}
}

func (s *solved) parts() int {
	n := len(s.p.Buffers) + len(s.p.Separations) + len(s.p.Penalties) + len(s.pairs)
	if s.of != s.p {
		n += len(s.of.Separations) + len(s.of.Penalties)
	}
	return n
}

func (s *solved) same(t solved) bool {
	return s.hash == t.hash && s.early == t.early && slices.Equal(s.p.Buffers, t.p.Buffers) &&
		slices.Equal(s.p.Separations, t.p.Separations) && slices.Equal(s.p.Penalties, t.p.Penalties) && slices.Equal(s.pairs, t.pairs) &&
		slices.EqualFunc(s.p.Pools, t.p.Pools, func(a, b dsa.Pool) bool {
			return a.ID == b.ID && a.Capacity == b.Capacity && slices.Equal(a.Reserved, b.Reserved)
		})
}

// hashProblem is equal for equal problems.
func hashProblem(p *dsa.Problem) uint64 {
	h := uint64(len(p.Separations))<<32 + uint64(len(p.Penalties))
	for i := range p.Buffers {
		b := &p.Buffers[i]
		h = (h ^ b.Size ^ uint64(b.Begin)<<40 ^ uint64(b.End)<<20) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}
