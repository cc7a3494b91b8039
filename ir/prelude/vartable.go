package prelude

import (
	"iter"

	"pypto-ls/ir"
)

// varTable maps variables to values. It hashes what is fixed when a variable
// is made, its number and its place, and compares pointers: variables of one
// number are told apart. nil is an empty table for reading.
type varTable[T any] struct {
	slots []varSlot[T] // a power of two of them, at most three quarters taken
	n     int
	shift uint8
	// logged tables can be taken back; log is what they held before.
	logged bool
	log    []varChange[T]
}

// The value comes first: one of no size takes no room there.
type varSlot[T any] struct {
	val T
	key *ir.Var
}

type varChange[T any] struct {
	val T
	key *ir.Var
	had bool
}

// tableBits is the size of the smallest table, as a power of two.
const tableBits = 4

// newVarTable makes a table with room for n variables.
func newVarTable[T any](n int) *varTable[T] {
	t := &varTable[T]{}
	if n > 0 {
		t.resize(n)
	}
	return t
}

// resize makes room for n variables.
func (t *varTable[T]) resize(n int) {
	bits := uint8(tableBits)
	for n > 3<<bits/4 {
		bits++
	}
	old := t.slots
	t.slots, t.shift = make([]varSlot[T], 1<<bits), 32-bits
	for i := range old {
		if v := old[i].key; v != nil {
			t.slots[t.find(v)] = old[i]
		}
	}
}

func (t *varTable[T]) home(v *ir.Var) int {
	return int((uint32(v.ID)*0x9e3779b9 + uint32(v.Span.Start)*0x85ebca6b) >> t.shift)
}

// find is the slot of v, or the free one where it belongs.
func (t *varTable[T]) find(v *ir.Var) int {
	for i := t.home(v); ; i = (i + 1) & (len(t.slots) - 1) {
		if k := t.slots[i].key; k == v || k == nil {
			return i
		}
	}
}

func (t *varTable[T]) has(v *ir.Var) bool {
	return t != nil && t.n > 0 && v != nil && t.slots[t.find(v)].key != nil
}

// get is the value of v, the zero value when there is none.
func (t *varTable[T]) get(v *ir.Var) T {
	x, _ := t.lookup(v)
	return x
}

func (t *varTable[T]) lookup(v *ir.Var) (x T, ok bool) {
	if t == nil || t.n == 0 || v == nil {
		return x, false
	}
	s := &t.slots[t.find(v)]
	return s.val, s.key != nil
}

// set makes x the value of v; nothing has a value for nil.
func (t *varTable[T]) set(v *ir.Var, x T) { *t.at(v) = x }

// at is the place of the value of v, made when there is none; it holds until
// the next one is made.
func (t *varTable[T]) at(v *ir.Var) *T {
	if v == nil {
		return new(T)
	}
	if 4*t.n >= 3*len(t.slots) {
		t.resize(2*t.n + 1)
	}
	s := &t.slots[t.find(v)]
	if t.logged {
		t.log = append(t.log, varChange[T]{s.val, v, s.key != nil})
	}
	if s.key == nil {
		s.key = v
		t.n++
	}
	return &s.val
}

// reset empties the table and keeps its room.
func (t *varTable[T]) reset() {
	clear(t.slots)
	t.n, t.log = 0, t.log[:0]
}

// remove takes v out; the table must not be logged.
func (t *varTable[T]) remove(v *ir.Var) {
	if t.has(v) {
		t.free(t.find(v))
	}
}

// free empties a slot and closes the gap in the run of slots behind it.
func (t *varTable[T]) free(gap int) {
	mask := len(t.slots) - 1
	for i := (gap + 1) & mask; t.slots[i].key != nil; i = (i + 1) & mask {
		if home := t.home(t.slots[i].key); (i-home)&mask >= (i-gap)&mask {
			t.slots[gap] = t.slots[i]
			gap = i
		}
	}
	t.slots[gap] = varSlot[T]{}
	t.n--
}

// mark is a state of a logged table for takeBack.
func (t *varTable[T]) mark() int { return len(t.log) }

// takeBack makes the table what it was at mark.
func (t *varTable[T]) takeBack(mark int) {
	for i := len(t.log) - 1; i >= mark; i-- {
		c := &t.log[i]
		if at := t.find(c.key); c.had {
			t.slots[at].val = c.val
		} else {
			t.free(at)
		}
	}
	t.log = t.log[:mark]
}

// all visits the entries, in an order without a meaning.
func (t *varTable[T]) all() iter.Seq2[*ir.Var, T] {
	return func(yield func(*ir.Var, T) bool) {
		if t == nil {
			return
		}
		for i := range t.slots {
			if s := &t.slots[i]; s.key != nil && !yield(s.key, s.val) {
				return
			}
		}
	}
}

// copy is a table with the same content, not logged.
func (t *varTable[T]) copy() *varTable[T] {
	if t == nil || t.n == 0 {
		return &varTable[T]{}
	}
	return &varTable[T]{slots: append([]varSlot[T](nil), t.slots...), n: t.n, shift: t.shift}
}
