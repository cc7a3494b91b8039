package ir

// Stmt is a statement: *Assign, *For, *While, *If, *Yield, *Return, *Eval,
// *Break, *Continue, *Scope or *Inline. Statements are immutable once built;
// a pass that changes one makes a new one and shares the rest.
type Stmt interface{ Meta() *StmtMeta }

// StmtMeta is what every statement carries.
type StmtMeta struct {
	// Span is the statement's own text; for compound statements its header.
	Span Span
	// Comments are the leading comments without `# `.
	Comments []string
}

// Meta returns m itself.
func (m *StmtMeta) Meta() *StmtMeta { return m }

// Block is a flat list of statements; it never contains another block
// directly. A one-element Block is the reference's "single statement".
type Block struct{ Stmts []Stmt }

// Assign defines Var as Value.
type Assign struct {
	StmtMeta
	Var   *Var
	Value Expr
}

// LoopKind is the kind of a for loop.
type LoopKind uint8

// The loop kinds (`pl.range`, `pl.parallel`, `pl.unroll`, `pl.pipeline`).
const (
	Sequential LoopKind = iota
	Parallel
	Unroll
	Pipeline
)

var loopKindNames = [...]string{"range", "parallel", "unroll", "pipeline"}

func (k LoopKind) String() string { return enumName(loopKindNames[:], int(k)) }

// For is a counted loop. IterArgs and Results correspond by position. The
// stage count of a pipeline loop is the attribute `pipeline_stages`.
type For struct {
	StmtMeta
	Var               *Var
	Start, Stop, Step Expr
	IterArgs          []*Var
	Body              *Block
	Results           []*Var
	Kind              LoopKind
	Attrs             []Attr
}

// While is a conditional loop; with carried values it is `pl.while_`.
type While struct {
	StmtMeta
	Cond     Expr
	IterArgs []*Var
	Body     *Block
	Results  []*Var
}

// If is a branch. Else is nil when absent.
type If struct {
	StmtMeta
	Cond    Expr
	Then    *Block
	Else    *Block
	Results []*Var
}

// Yield hands values to the enclosing loop or branch.
type Yield struct {
	StmtMeta
	Values []Expr
}

// Return ends the function.
type Return struct {
	StmtMeta
	Values []Expr
}

// Eval evaluates an expression for its effect.
type Eval struct {
	StmtMeta
	X Expr
}

// Break leaves the innermost loop.
type Break struct{ StmtMeta }

// Continue starts the innermost loop's next iteration.
type Continue struct{ StmtMeta }

// ScopeKind is the kind of a `with` scope.
type ScopeKind uint8

// The scope kinds (spec 01 §3, §7.7).
const (
	ScopeInCore ScopeKind = iota
	ScopeHierarchy
	ScopeCluster
	ScopeSpmd
	ScopeSplitAiv
	ScopeRuntime
	ScopeCommDomain
)

// Scope is a region of the program. Attrs keeps the header's arguments in
// stored order under the names of their keywords ("level", "role",
// "optimizations" expanded to "split" and "slot_num", "name_hint", "mode", …);
// Args the positional ones. TaskVar is the name after `as`, nil when none.
type Scope struct {
	StmtMeta
	Kind    ScopeKind
	Args    []Expr
	Attrs   []Attr
	TaskVar *Var
	// Var is the index variable of the for-forms (`pl.spmd`, `pl.split_aiv`).
	Var  *Var
	Body *Block
}

// Inline is verbatim Python text (host sub-workers only).
type Inline struct {
	StmtMeta
	Text string
}

// FuncKind is the kind of a function; the numbers are the reference's.
type FuncKind uint8

// The function kinds.
const (
	Opaque FuncKind = iota
	Orchestration
	InCore
	AIC
	AIV
	Group
	Spmd
	InlineFunc
	Graph
)

var funcKindNames = [...]string{"Opaque", "Orchestration", "InCore", "AIC", "AIV", "Group", "Spmd", "Inline", "Graph"}

func (k FuncKind) String() string { return enumName(funcKindNames[:], int(k)) }

// IsInCore reports whether the memory passes give addresses to k (InCore, AIC
// and AIV; spec 01 §5.1).
func (k FuncKind) IsInCore() bool { return k == InCore || k == AIC || k == AIV }

// ParseFuncKind finds the function kind with the given name.
func ParseFuncKind(name string) (FuncKind, bool) {
	for i, n := range funcKindNames {
		if n == name {
			return FuncKind(i), true
		}
	}
	return Opaque, false
}

// Direction is a parameter's direction.
type Direction uint8

// The parameter directions.
const (
	In Direction = iota
	Out
	InOut
)

// Param is a function parameter.
type Param struct {
	Var *Var
	Dir Direction
}

// Function is one typed function. Level and Role are canonical names ("" for
// none).
type Function struct {
	Name    string
	Kind    FuncKind
	Level   string
	Role    string
	Params  []Param
	Returns []Type
	Body    *Block
	// Attrs are the function attributes (`pl.func_attr`) in stored order,
	// `auto_scope` and `external_source` included.
	Attrs []Attr
	// Method is set for a function inside a `@pl.program` class.
	Method bool
	// RuntimeBound is set when the body is `...`.
	RuntimeBound bool
	// NumVars is the number of variable IDs in use.
	NumVars int32
	// Span is the `def` header, NameSpan the function's name; both relative to
	// the source function.
	Span, NameSpan Span
}

// Attr finds an attribute of f.
func (f *Function) Attr(key string) (any, bool) { return FindAttr(f.Attrs, key) }

// NewVar makes a variable with the next free ID of f.
func (f *Function) NewVar(kind VarKind, name string, t Type, span Span) *Var {
	return f.NewVarIn(new(Var), kind, name, t, span)
}

// NewVarIn is NewVar in memory that the caller has set aside.
func (f *Function) NewVarIn(v *Var, kind VarKind, name string, t Type, span Span) *Var {
	*v = Var{ID: f.NumVars, Kind: kind, Name: name, Type: t, Span: span}
	f.NumVars++
	return v
}

// Program is a class of functions. Funcs are in source order.
type Program struct {
	Name  string
	Funcs []*Function
	// Dims are the module-level dynamic dimensions in source order.
	Dims []*Var
}
