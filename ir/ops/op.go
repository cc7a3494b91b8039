// Package ops is the operator registry: one record per operator of the
// reference compiler, generated from the specification's ops.json (spec 02
// §2.1). Records are immutable.
package ops

import "pypto-ls/platforms"

// SpaceMode says how the memory space of a result is found (spec 02 §2.1).
type SpaceMode uint8

// The modes of the output space resolver.
const (
	// SpaceNone: no resolver.
	SpaceNone SpaceMode = iota
	// SpaceFixed: always Op.Space.
	SpaceFixed
	// SpaceKwarg: the value of kwarg Op.SpaceKwarg, else Op.Space when that is
	// not NoSpace, else unset.
	SpaceKwarg
	// SpaceInherit: the first tile operand decides.
	SpaceInherit
)

// Access is the execution access evidence of an operator (spec 08 §4.2).
type Access uint8

// The access classes.
const (
	AccessUnknown Access = iota
	AccessFunctional
	AccessNone
)

// Effect is what an operator does to an operand.
type Effect uint8

// The operand effects.
const (
	Read Effect = iota
	Write
	ReadWrite
)

// Arg documents one positional operand.
type Arg struct {
	Name     string
	Kind     string // "tile", "tensor", "scalar", "int-tuple", …
	Optional bool
}

// KwargSpec documents one keyword attribute. Type is the value class (bool,
// int, str, float, DataType, MemorySpace, TileLayout, PadValue, TensorLayout),
// Default the default of the author-level wrapper, Emitted tells when the
// wrapper writes the keyword into the IR, Absent what its absence means there.
type KwargSpec struct {
	Name, Type, Default, Emitted, Absent string
}

// Class is what a spelling's condition asks of an operand.
type Class uint8

// The operand classes. ClassScalar is a scalar expression or a number,
// ClassTensorOrScalar either of the two.
const (
	ClassAny Class = iota
	ClassTile
	ClassTensor
	ClassScalar
	ClassTensorOrScalar
)

// Spelling is one way to write the operator, with its condition (spec 02 §7).
// When is the condition in words; the other fields are the same for a
// machine: the class of the first and of the second operand, a keyword that
// must and one that must not be given ("" for none).
type Spelling struct {
	Spelling, When   string
	Lhs, Rhs         Class
	Keyword, Without string
}

// Message is one error text of the operator in check order, with the
// placeholders of ops.json ({op}, {shape}, …). See names a section of spec 02
// instead, whose texts Shared returns. Operand is the operand the check points
// at, -1 for none. Bug marks internal checks, Composed a text that joins
// several violations.
type Message struct {
	Text, See     string
	Operand       int
	Bug, Composed bool
}

// Op is one registered operator.
type Op struct {
	Name     string // full name, "tile.add"
	Category string
	Doc      string
	Args     []Arg
	Kwargs   []KwargSpec
	DSL      []Spelling

	// Result rule, in the vocabulary of ops.json; "" when not given.
	ResultKind, ShapeRule, DTypeRule, ValidRule, ViewRule, Constraints, ResultNote string

	// Output space resolver.
	SpaceMode    SpaceMode
	Space        platforms.Space
	SpaceKwarg   string
	Retargetable bool

	// HasMemSpec is false when the memory spec is absent or empty.
	HasMemSpec bool
	// InputSpaces lists the allowed spaces per operand; nil entry: unconstrained.
	InputSpaces [][]platforms.Space
	// InheritsInput, NotInplaceSafe: spec 02 §2.1.
	InheritsInput  bool
	NotInplaceSafe bool
	// ReusesInput is the operand whose buffer the output reuses, -1 for none.
	ReusesInput int
	// ForbidAlias are the operands the output must not share bytes with, ascending.
	ForbidAlias []int
	Access      Access
	// Effects per operand; operands beyond the slice are Read. Where the effect
	// depends on keywords the strongest one is listed and EffectNote explains.
	Effects      []Effect
	EffectNote   string
	WriteChannel string
	// AccessNote tells when Unknown access evidence counts as Functional (spec 02
	// §10.2); MemNote is any other remark on the operator's memory behaviour.
	AccessNote, MemNote string

	// CoreAffinity is "CUBE", "VECTOR", "SHARED" or "" (classified by rule).
	CoreAffinity string
	// CrossCore is "TPush", "TPop", "TFree", "InitializePipe" or "".
	CrossCore    string
	InternalOnly bool

	// RowMajorIn are the operands the backend wants row-major, RowMajorOut the
	// result (spec 11 §6.7).
	RowMajorIn  []int
	RowMajorOut bool
	// NoCodegen lists the targets that have no code generator for the operator.
	NoCodegen []string

	Messages []Message
}

// IsView reports whether op is a buffer-aliasing view: its result is operand
// 0's storage (class V of spec 03 Table A).
func (op *Op) IsView() bool { return op.InheritsInput && !op.NotInplaceSafe }

// LandsInSource reports whether the result lands in an operand's buffer
// (classes V and R of spec 03 Table A).
func (op *Op) LandsInSource() bool { return op.IsView() || op.ReusesInput >= 0 }
