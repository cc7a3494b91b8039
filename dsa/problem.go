package dsa

import "strings"

// Range is the half-open byte range [Begin, End).
type Range struct{ Begin, End uint64 }

// Pool is one memory with a fixed capacity in bytes, part of which may be
// reserved.
type Pool struct {
	ID       int
	Capacity uint64
	Reserved []Range
}

// Buffer wants Size bytes at a multiple of Align bytes in one pool during the
// half-open lifetime [Begin, End).
type Buffer struct {
	ID, Pool    int
	Size, Align uint64
	Begin, End  int64
}

// Reasons is a set of reasons why two buffers are kept apart (spec 08 §3.2).
type Reasons uint8

// The reasons of separations.
const (
	// DeclaredAllocation: one of the two is an allocation the author declared.
	DeclaredAllocation Reasons = 1 << iota
	// PipelineStage: different stages of one software pipeline.
	PipelineStage
	// TargetHazard: a load must not land where a cross-core pop result is read.
	TargetHazard
	// SemanticNoAlias: an operator's result must not share bytes with an operand.
	SemanticNoAlias
)

var reasonNames = [...]string{"DeclaredAllocation", "PipelineStage", "TargetHazard", "SemanticNoAlias"}

// String lists the reasons' names, separated by "+".
func (r Reasons) String() string {
	var names []string
	for i, n := range reasonNames {
		if r&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, "+")
}

// Separation keeps the buffers with the IDs A and B apart although their
// lifetimes may allow sharing.
type Separation struct {
	A, B    int
	Reasons Reasons
}

// Penalty is the cost of letting the two buffers with the IDs A and B, whose
// lifetimes do not overlap, share bytes.
type Penalty struct {
	A, B   int
	Weight uint64
}

// Problem is one allocation problem. Positions in Buffers break ties wherever
// the rules speak of a buffer's index.
type Problem struct {
	Pools       []Pool
	Buffers     []Buffer
	Separations []Separation
	Penalties   []Penalty
}

// Pair is an unordered pair of buffer IDs.
type Pair struct{ A, B int }

// Placed says where a solution puts a buffer: its ID and byte offset.
type Placed struct {
	Buffer int
	Offset uint64
}

// positions finds the position of a buffer by its ID, the last one of
// duplicates.
func (p *Problem) positions() func(id int) (int, bool) {
	dense := true
	for i := range p.Buffers {
		dense = dense && p.Buffers[i].ID == i
	}
	if dense { // no map is needed
		return func(id int) (int, bool) { return id, id >= 0 && id < len(p.Buffers) }
	}
	where := make(map[int]int, len(p.Buffers))
	for i := range p.Buffers {
		where[p.Buffers[i].ID] = i
	}
	return func(id int) (int, bool) {
		i, known := where[id]
		return i, known
	}
}
