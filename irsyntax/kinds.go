package irsyntax

// Kind is the kind of a node.
type Kind uint8

// Node kinds. The comment gives the children in order; "?" may be an Empty
// node, "*" repeats. Every child is a node, so that a position always exists.
//
// Ranges are those of Python's own tree: an expression does not include the
// parentheses around it (FlagParen), a tuple does. Children lie in order within
// their parent. An expression that could not be parsed is an ErrorNode in its
// place; text left over after a broken statement is an ErrorNode statement
// after it.
const (
	// Invalid is the kind of the zero Node.
	Invalid Kind = iota
	// Empty stands for an absent optional child; Start == End.
	Empty
	// ErrorNode covers text that could not be parsed; children are what could.
	ErrorNode

	// Statements.

	Block      // stmt*
	FuncDef    // Decorator* Name Params Type? Block        (Type = annotation expr or Empty)
	Params     // Param*
	Param      // Name annotation? default?                 Op: 0 plain, OpStar, OpDoubleStar, OpSlash (bare "/")
	ClassDef   // Decorator* Name Args? Block?              (Args: Tuple of expr | Keyword | Star; Block Empty when the body is in other chunks)
	Decorator  // expr
	Assign     // target+ value                             (a = b = e has two targets)
	AnnAssign  // target annotation value?
	AugAssign  // target value                              Op: the operator
	ExprStmt   // expr
	For        // target iter Block Block?                  (else)
	While      // cond Block Block?
	If         // cond Block else?                          (else: Block, or If for elif with FlagElif)
	With       // WithItem* Block
	WithItem   // expr target?
	Return     // expr?
	Pass       //
	Break      //
	Continue   //
	Import     // (Name alias?)*                             each dotted path is one Name; alias a Name or Empty
	ImportFrom // Name (Name alias?)*                        the module with its leading dots, then the names; `*` is a Name
	Opaque     // any other statement or block kept as text (try, match, raise, del, …); children: blocks and expressions found. Op tells which, see OpTry…
	Marker     // documentation structure marker "# SeqStmts [", "# ]", "#   ReturnStmt [x]"; children: expr* of a ReturnStmt

	// Expressions.

	Name      // text is the identifier
	Int       // text is the literal
	Float     //
	Imag      //
	String    // text is the literal as written, implicit concatenation included; FlagFString for f-strings
	True      //
	False     //
	None      //
	Ellipsis  //
	Tuple     // expr*         FlagParen when parenthesised
	List      // expr*
	Set       // expr*
	Dict      // DictItem*
	DictItem  // key? value    (key Empty for **value)
	Attribute // value Name
	Subscript // value index   (index: expr, Slice or Tuple of these)
	Slice     // lower? upper? step?
	Call      // callee (expr | Keyword | Star)*
	Keyword   // Name value    (Name Empty for **value)
	Star      // expr
	BinOp     // x y           Op: OpAdd …
	UnaryOp   // x             Op: OpSub, OpAdd, OpInvert, OpNot
	BoolOp    // x y           Op: OpAnd, OpOr; left-associated pairs
	Compare   // x y z…        Op: first operator; FlagChained when more than two operands
	IfExp     // then cond else
	Lambda    // Params expr
	Comp      // expr…         comprehension of any kind, generator included
	Await     // expr
	YieldExpr // expr?
	Walrus    // Name expr
)

// Op is an operator or statement sub-kind, depending on the node's kind.
type Op uint8

// Operators and sub-kinds.
const (
	OpNone Op = iota
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpFloorDiv
	OpMod
	OpPow
	OpMatMul
	OpShl
	OpShr
	OpBitAnd
	OpBitOr
	OpBitXor
	OpInvert
	OpNot
	OpAnd
	OpOr
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpIn
	OpNotIn
	OpIs
	OpIsNot
	OpStar
	OpDoubleStar
	OpSlash
	OpTry
	OpRaise
	OpDel
	OpAssert
	OpGlobal
	OpNonlocal
	OpMatch
	OpAsync
	OpType
	OpOther
	// Kinds of Marker: `# SeqStmts [`, `# ]`, `# ReturnStmt [x]`.
	OpSeqOpen
	OpSeqClose
	OpReturnStmt
)

// Flags refine a node.
type Flags uint8

// The node flags.
const (
	FlagParen   Flags = 1 << iota // the expression was written in parentheses
	FlagElif                      // If written as elif
	FlagChained                   // Compare with more than two operands
	FlagFString
	FlagBytes
	FlagAsync // async def / for / with
	// FlagBroken: the statement has an error, or the expression comes after one in
	// its statement. Statements within a block do not count.
	FlagBroken
)
