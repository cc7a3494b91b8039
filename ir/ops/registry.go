package ops

import "sync"

//go:generate go run ./gen -out . ../../../shared/spec/ops.json

// The records live in the generated data_*.go as composite literals of
// constants, which the linker lays out: nothing is decoded at start-up. Only
// the indexes below are built, each on first use.

var byName = sync.OnceValue(func() map[string]*Op {
	m := make(map[string]*Op, len(table))
	for i := range table {
		m[table[i].Name] = &table[i]
	}
	return m
})

var list = sync.OnceValue(func() []*Op {
	l := make([]*Op, len(table))
	for i := range table {
		l[i] = &table[i]
	}
	return l
})

// Lookup finds the operator with the given full name ("tile.add"); nil when
// the registry has none.
func Lookup(name string) *Op { return byName()[name] }

// All lists every operator in registry order. The caller must not change the
// slice.
func All() []*Op { return list() }

// Shared returns the error texts of a section of spec 02 ("4.3") that several
// operators have in common, in check order.
func Shared(section string) []Message {
	for i := range shared {
		if shared[i].section == section {
			return shared[i].messages
		}
	}
	return nil
}

type sharedMessages struct {
	section  string
	messages []Message
}

// Kwarg finds the specification of a keyword attribute of op.
func (op *Op) Kwarg(name string) (*KwargSpec, bool) {
	for i := range op.Kwargs {
		if op.Kwargs[i].Name == name {
			return &op.Kwargs[i], true
		}
	}
	return nil, false
}

// HasCodegen reports whether the target with the given name can generate code
// for op; false for operators that earlier passes must have removed.
func (op *Op) HasCodegen(target string) bool {
	for _, t := range op.NoCodegen {
		if t == target {
			return false
		}
	}
	return true
}

// ForbidsAlias reports whether the output of op must not share bytes with
// operand i (spec 02 §2.1). Targets may relax it: platforms.Platform.OutputAlias.
func (op *Op) ForbidsAlias(i int) bool {
	if op.NotInplaceSafe {
		return true
	}
	for _, k := range op.ForbidAlias {
		if k == i {
			return true
		}
	}
	return false
}
