package ir

import "pypto-ls/platforms"

// Space is a memory space; see platforms.Space.
type Space = platforms.Space

// Type is the type of a variable or expression: one of *ScalarType,
// *TensorType, *TileType, *ArrayType, *TupleType, *PtrType, *MarkerType and
// *UnknownType. Types are immutable once built.
type Type interface{ isType() }

// ScalarType is a single element, `pl.Scalar[pl.INDEX]`.
type ScalarType struct{ DType DType }

// TensorType is a region of global memory. Shape holds one expression a
// dimension. View and MemRef may be nil.
type TensorType struct {
	Shape       []Expr
	DType       DType
	View        *TensorView
	MemRef      *MemRef
	Distributed bool
}

// TileType is an on-chip tile. Space is platforms.NoSpace while unknown. View
// is nil when the tile has the implicit view of (Shape, Space); build values
// with NewTileType to keep that canonical form (spec 01 §6.5, 02 §3.4).
type TileType struct {
	Shape  []Expr
	DType  DType
	View   *TileView
	MemRef *MemRef
	Space  Space
}

// ArrayType is a small scalar array in registers, never planned.
type ArrayType struct {
	Extent int64
	DType  DType
}

// TupleType is a non-nested tuple of types.
type TupleType struct{ Elems []Type }

// PtrType is the type of an allocation's base; Legacy selects the old
// spelling `pl.MemRefType`.
type PtrType struct{ Legacy bool }

// MarkerType is one of the opaque types (`pl.PrefetchAsyncContext`,
// `pld.CommCtxType`, …); Name is the printed spelling with its prefix.
type MarkerType struct{ Name string }

// UnknownType is "not known": it suppresses follow-up checks.
type UnknownType struct{}

func (*ScalarType) isType()  {}
func (*TensorType) isType()  {}
func (*TileType) isType()    {}
func (*ArrayType) isType()   {}
func (*TupleType) isType()   {}
func (*PtrType) isType()     {}
func (*MarkerType) isType()  {}
func (*UnknownType) isType() {}

// Unknown is the one UnknownType value.
var Unknown = &UnknownType{}

// TensorLayout is the layout of a tensor view.
type TensorLayout uint8

// The tensor layouts.
const (
	LayoutND TensorLayout = iota
	LayoutDN
	LayoutNZ
	LayoutMXAZZ
	LayoutMXBNN
)

var tensorLayoutNames = [...]string{"ND", "DN", "NZ", "MX_A_ZZ", "MX_B_NN"}

func (l TensorLayout) String() string { return enumName(tensorLayoutNames[:], int(l)) }

// TileLayout is a block or storage layout of a tile view.
type TileLayout uint8

// The tile layouts.
const (
	NoneBox TileLayout = iota
	RowMajor
	ColMajor
)

var tileLayoutNames = [...]string{"none_box", "row_major", "col_major"}

func (l TileLayout) String() string { return enumName(tileLayoutNames[:], int(l)) }

// Pad is the padding value of a view.
type Pad uint8

// The padding values.
const (
	PadNull Pad = iota
	PadZero
	PadMax
	PadMin
)

var padNames = [...]string{"null", "zero", "max", "min"}

func (p Pad) String() string { return enumName(padNames[:], int(p)) }

// Compact is the compact mode of a tile view.
type Compact uint8

// The compact modes.
const (
	CompactNull Compact = iota
	CompactNormal
)

var compactNames = [...]string{"null", "normal"}

func (c Compact) String() string { return enumName(compactNames[:], int(c)) }

func enumName(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return "?"
	}
	return names[i]
}

// ParseEnum looks name up in one of the enumerations of this package and
// reports its number: enum is "TensorLayout", "TileLayout", "PadValue" or
// "CompactMode".
func ParseEnum(enum, name string) (int, bool) {
	var names []string
	switch enum {
	case "TensorLayout":
		names = tensorLayoutNames[:]
	case "TileLayout":
		names = tileLayoutNames[:]
	case "PadValue":
		names = padNames[:]
	case "CompactMode":
		names = compactNames[:]
	}
	for i, n := range names {
		if n == name {
			return i, true
		}
	}
	return 0, false
}

// TensorView refines a tensor type; see spec 01 §6.5. Empty ValidShape means
// the whole shape.
type TensorView struct {
	ValidShape []Expr
	Stride     []Expr
	Layout     TensorLayout
	Pad        Pad
}

// TileView refines a tile type; see spec 01 §6.5. Empty ValidShape means the
// whole shape, nil StartOffset means none.
type TileView struct {
	ValidShape  []Expr
	Stride      []Expr
	StartOffset Expr
	BLayout     TileLayout
	SLayout     TileLayout
	Fractal     int
	Pad         Pad
	Compact     Compact
}

// MemRef says where a tile or tensor lives (spec 01 §6.6, 03 §3). Identity of
// Base is the only identity of an allocation. Offset and Size are in bytes;
// Offset is relative to the base until addresses are assigned, absolute in
// its memory space afterwards.
type MemRef struct {
	Base   *Var
	Offset Expr
	Size   uint64
	// Pinned marks an unresolved author declaration (`pl.MemRef("x")`).
	Pinned bool
	// Slots is the number of equal slots of the allocation, at least 1.
	Slots int
	// Slot is the slot index, nil when none.
	Slot Expr
}
