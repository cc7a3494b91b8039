package ops

import "sync"

// Candidate is an operator that a spelling may mean, with its condition.
type Candidate struct {
	Op *Op
	*Spelling
}

var bySpelling = sync.OnceValue(func() map[string][]Candidate {
	m := make(map[string][]Candidate, 2*len(table))
	for i := range table {
		op := &table[i]
		for k := range op.DSL {
			s := &op.DSL[k]
			m[s.Spelling] = append(m[s.Spelling], Candidate{op, s})
		}
	}
	return m
})

// Spelled lists the operators that can be meant by a spelling such as
// "pl.add" or "pl.tile.load", in registry order; nil when there is none.
func Spelled(spelling string) []Candidate { return bySpelling()[spelling] }

// Dispatch picks the one of several operators of a spelling that a call means
// (spec 02 §7): lhs and rhs are the
// classes of its first two operands (ClassAny when absent or of another
// class), has tells whether a keyword is given. Candidates that ask for a
// keyword win over those that do not. It returns nil when no condition holds.
func Dispatch(cands []Candidate, lhs, rhs Class, has func(keyword string) bool) *Op {
	var found *Op
	for _, c := range cands {
		if !c.Lhs.accepts(lhs) || !c.Rhs.accepts(rhs) {
			continue
		}
		if c.Without != "" && has(c.Without) {
			continue
		}
		if c.Keyword != "" {
			if has(c.Keyword) {
				return c.Op
			}
			continue
		}
		if found == nil {
			found = c.Op
		}
	}
	return found
}

func (want Class) accepts(got Class) bool {
	switch want {
	case ClassAny:
		return true
	case ClassTensorOrScalar:
		return got == ClassTensor || got == ClassScalar
	}
	return want == got
}
