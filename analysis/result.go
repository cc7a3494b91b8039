package analysis

import (
	"sync/atomic"

	"pypto-ls/ir"
	"pypto-ls/ir/read"
	"pypto-ls/memory"
)

// Func is what the memo keeps of one function of the text: small, immutable
// and free of positions (spans count from the start of the chunk). What it
// leaves out, Detail computes again.
type Func struct {
	Name string
	Kind ir.FuncKind
	// NameSpan is the function's name, Header the whole `def` header.
	NameSpan, Header ir.Span
	Start            Start
	// Opaque: the body is not kernel IR and was not looked at.
	Opaque   bool
	Findings []Finding
	Planned  []Planned
	// Approximate says why placements may differ from the compiler's; empty when
	// they are exact.
	Approximate []Approximation
	// Signature is what callers see.
	Signature    *read.Signature
	deps         deps
	shown, drawn uint64 // see planHashes
	// beyond is added when LookBeyond has found something out.
	beyond atomic.Pointer[beyondText]
	// failed: computing it ended in a panic, which Findings reports.
	failed bool
}

// Approximation names the pass that is not modelled and the statement that
// needs it; without a pass, Reason names a value that is not known.
type Approximation struct {
	Pass   string
	Reason string
	Span   ir.Span
}

// Planned is one function after lowering: a mixed kernel gives two with
// tiles, every other kernel one.
type Planned struct {
	Name string
	Kind ir.FuncKind
	// Placed tells that addresses are known; OK that no pass failed.
	Placed, OK bool
	Tiles      []Tile
	Spaces     []Space
}

// Tile is one tile of a planned function. Sizes and addresses are bytes.
type Tile struct {
	Name string
	// Span is the name where it is defined in the source text.
	Span  ir.Span
	Space ir.Space
	// Addr is -1 when unknown; Dynamic holds the address expression of a slot
	// chosen at run time.
	Addr    int64
	Dynamic string
	// Size is the tile's own bytes, BufferSize its MemRef's.
	Size, BufferSize uint64
	// Buffer is the name of its allocation, Region the allocation's own address
	// range (start, end), for finding what shares bytes with it.
	Buffer      string
	RegionStart uint64
	RegionEnd   uint64
	// Live is from the defining to the last using statement.
	Live [2]ir.Span
	// LiveNo are the statement numbers of Live.
	LiveNo [2]int32
	// Type is the printed shape and dtype, `[64, 64] FP32`.
	Type string
	// Popped: its bytes are a slot of a cross-core ring, it has no buffer.
	Popped bool
}

// Space is how full one memory space is. Bytes.
type Space struct {
	Space                        ir.Space
	Used, Limit, Reserved, Bound uint64
	Peak                         uint64
	PeakAt                       ir.Span
}

// Detail is everything known of one function: it is large and kept only for
// the functions asked about last.
type Detail struct {
	Read  *read.Function
	Plans []*PlannedDetail
}

// PlannedDetail is one function after lowering with its plan.
type PlannedDetail struct {
	Fn     *ir.Function
	Result *memory.Result
	// Plan is nil when no pass succeeded.
	Plan *memory.Plan
}
