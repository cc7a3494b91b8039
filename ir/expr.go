package ir

import "pypto-ls/ir/ops"

// Span is a range of byte offsets relative to the start of the source
// function's text (irsyntax.Chunk). The zero Span is "no position".
type Span struct{ Start, End int32 }

// Valid reports whether the span points anywhere.
func (s Span) Valid() bool { return s.End > s.Start }

// Expr is an expression: *Var, *ConstInt, *ConstFloat, *ConstBool, *Call,
// *MakeTuple, *TupleGet, *Binary or *Unary. Expressions are immutable once
// built and may be shared.
type Expr interface{ isExpr() }

// VarKind tells how a variable comes to be.
type VarKind uint8

// The kinds of variables.
const (
	// PlainVar is defined by an assignment, or is a result of a loop or branch.
	PlainVar VarKind = iota
	// ParamVar is a function parameter.
	ParamVar
	// LoopVar is the index of a for loop.
	LoopVar
	// IterArg is the loop-carried formal of a loop; Init holds its initial value.
	IterArg
	// DimVar is a dynamic dimension (`pl.dynamic`) or a free symbol.
	DimVar
	// BaseVar is the base of an allocation that the body does not allocate.
	BaseVar
)

// Var is a variable. Variables have identity: two may bear the same Name.
//
// ID is dense within one function (0 … NumVars-1) and stays the same through
// all memory passes, so that tables by ID can carry what a pass knows. A
// dynamic dimension shared by the whole program has ID -1.
//
// Type is the type the variable was read or inferred with. The memory passes
// do not change it: they keep their own table of types (memory.Layout).
type Var struct {
	ID   int32
	Kind VarKind
	Name string
	Type Type
	// Init is the initial value of an IterArg, nil for all others.
	Init Expr
	// Span is the name where the variable is defined.
	Span Span
}

// IsPlain reports whether v is a "plain variable" in the sense of spec 03 §3,
// i.e. anything but an iter_arg.
func (v *Var) IsPlain() bool { return v.Kind != IterArg }

// ConstInt is an integer constant of the given dtype.
type ConstInt struct {
	Value int64
	DType DType
}

// ConstFloat is a floating point constant of the given dtype.
type ConstFloat struct {
	Value float64
	DType DType
}

// ConstBool is `True` or `False`.
type ConstBool struct{ Value bool }

// Call is a call of an operator or of a program function.
type Call struct {
	// Name is the operator's full name ("tile.add"); for a call of a program
	// function it is the function's name and IsFunc is set.
	Name   string
	IsFunc bool
	// Op is the registry entry, nil for functions and unregistered names.
	Op     *ops.Op
	Args   []Expr
	Kwargs []Kwarg
	Attrs  []Attr
	// Type is the call's own result type, without MemRef.
	Type Type
	Span Span
}

// Kwarg is a keyword argument in stored order. Value is one of int64,
// float64, bool, string, DType, Space, TensorLayout, TileLayout, Pad, Expr,
// []Expr or Verbatim.
type Kwarg struct {
	Key   string
	Value any
}

// Attr is an attribute of a function, loop or call. Value is one of int64,
// float64, bool, string, DType, Space, Enum, Expr, []int64, []Enum, []Expr.
type Attr struct {
	Key   string
	Value any
}

// Enum is an enumeration constant that needs no meaning here, such as
// `pl.adir.input` or `pl.SplitMode.UP_DOWN`; the string is its spelling.
type Enum string

// Verbatim is source text kept as it was written, for values this package
// gives no meaning to.
type Verbatim string

// MakeTuple is a list literal, `[a, b]`.
type MakeTuple struct {
	Elems []Expr
	Span  Span
}

// TupleGet extracts one element of a tuple.
type TupleGet struct {
	Tuple Expr
	Index int
}

// BinOp is a scalar binary operator.
type BinOp uint8

// The scalar binary operators.
const (
	Add BinOp = iota
	Sub
	Mul
	FloatDiv
	FloorDiv
	FloorMod
	Pow
	Min
	Max
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	And
	Or
	Xor
	BitAnd
	BitOr
	BitXor
	Shl
	Shr
)

// IsCompare reports whether op yields a BOOL from two operands of one type.
func (op BinOp) IsCompare() bool { return op >= Eq && op <= Ge }

// Binary is a scalar binary expression with result dtype DType.
type Binary struct {
	Op    BinOp
	X, Y  Expr
	DType DType
}

// UnOp is a scalar unary operator.
type UnOp uint8

// The scalar unary operators. Cast converts to the expression's DType.
const (
	Neg UnOp = iota
	Not
	BitNot
	Abs
	Cast
)

// Unary is a scalar unary expression with result dtype DType.
type Unary struct {
	Op    UnOp
	X     Expr
	DType DType
}

func (*Var) isExpr()        {}
func (*ConstInt) isExpr()   {}
func (*ConstFloat) isExpr() {}
func (*ConstBool) isExpr()  {}
func (*Call) isExpr()       {}
func (*MakeTuple) isExpr()  {}
func (*TupleGet) isExpr()   {}
func (*Binary) isExpr()     {}
func (*Unary) isExpr()      {}

// Kwarg finds a keyword argument of c.
func (c *Call) Kwarg(key string) (any, bool) {
	for i := range c.Kwargs {
		if c.Kwargs[i].Key == key {
			return c.Kwargs[i].Value, true
		}
	}
	return nil, false
}

// Attr finds an attribute of c.
func (c *Call) Attr(key string) (any, bool) { return FindAttr(c.Attrs, key) }

// FindAttr finds the attribute with the given key.
func FindAttr(attrs []Attr, key string) (any, bool) {
	for i := range attrs {
		if attrs[i].Key == key {
			return attrs[i].Value, true
		}
	}
	return nil, false
}

// Index makes an INDEX constant.
func Index(v int64) *ConstInt { return &ConstInt{Value: v, DType: INDEX} }

// ConstValue reports the value of an integer constant of any dtype.
func ConstValue(e Expr) (int64, bool) {
	if c, ok := e.(*ConstInt); ok {
		return c.Value, true
	}
	return 0, false
}

// FuncRef names a program function as a value (`pl.submit(self.f, …)`).
type FuncRef struct{ Name string }

// Raw is an expression this package gives no meaning to, kept as written
// (spec 01 §16). Uses are the variables its text mentions.
type Raw struct {
	Text string
	Uses []*Var
}

func (*FuncRef) isExpr() {}
func (*Raw) isExpr()     {}
