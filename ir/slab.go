package ir

// Slab hands out zero values of T that were allocated a number at a time: one
// function has thousands of small nodes, and allocating each of them alone is a
// good part of the time that reading and lowering it takes. A value keeps its
// neighbours alive, so a slab is for what lives and dies together, such as what
// one pass makes of one function. The zero value is ready; a slab belongs to one
// goroutine and must not be copied once used.
type Slab[T any] struct {
	rest []T
	next int // how many are allocated next
}

// Sizes of the first and of the largest allocation, in values.
const (
	slabFirst = 8
	slabMax   = 32
)

// New is a zero value of its own.
func (s *Slab[T]) New() *T {
	if len(s.rest) == 0 {
		s.next = min(max(slabFirst, 2*s.next), slabMax)
		s.rest = make([]T, s.next)
	}
	v := &s.rest[0]
	s.rest = s.rest[1:]
	return v
}

// Slices is Slab for short slices of T.
type Slices[T any] struct {
	rest []T
	next int
}

// Make is a slice of n zero values without room for more: appending to it moves
// it away from its neighbours. It is nil for none.
func (s *Slices[T]) Make(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(s.rest) {
		if n > slabMax/2 {
			return make([]T, n)
		}
		s.next = min(max(slabFirst, 2*s.next), slabMax)
		s.rest = make([]T, max(n, s.next))
	}
	v := s.rest[:n:n]
	s.rest = s.rest[n:]
	return v
}
