package platforms

import "strings"

// Platform is one target. A nil *Platform means that no backend is configured:
// nothing is known about capacities and routes, and the defaults hold for the
// rest. Platforms are immutable.
type Platform struct {
	// Name is the backend's name ("Ascend910B"), Arch the code generator's name
	// of the architecture ("a2a3").
	Name, Arch string
	// CubeCores and VectorCores are the numbers of AIC and AIV cores of a chip.
	CubeCores, VectorCores int

	memory   [NumSpaces]Memory
	routes   [NumSpaces]uint16 // bit t of routes[s]: s → t is a direct route
	accRows  accRows
	policy   Policy
	aliasing []outputAlias

	// InnermostBytes is the recommended size of a transfer's innermost row in
	// bytes (PH001, spec 10 §7.3), GMAccessBytes the access granularity of
	// global memory, L2LineBytes a line of its cache.
	InnermostBytes, GMAccessBytes, L2LineBytes int
	// FractalAlignment and MinTileDim are the cube unit's granularity in elements.
	FractalAlignment, MinTileDim int
	// Incore4Bit tells which 4-bit element types in-core code may use.
	Incore4Bit []string
	// AccToGM are the element types that an accumulator can be stored as, MatToBias
	// and NativeCasts the pairs of element types that a transfer to Bias and a
	// cast instruction can convert, in table order. Names are upper-case ("FP32").
	AccToGM                []string
	MatToBias, NativeCasts []CastPair
	// NoCodegen are the operators without a code generator on this target.
	NoCodegen []string
	Flags     Flags
}

// Memory is what is known about one memory space of a target, in bytes.
type Memory struct {
	// Capacity is the usable size; 0 means no limit is known.
	Capacity uint64
	// Physical is the size of the memory itself.
	Physical uint64
	// SoCAlignment is a field of the SoC description. Address assignment does not
	// use it.
	SoCAlignment uint64
	// Core is the core that owns the memory ("AIV", "AIC", "both", "off chip").
	Core string
	// Note explains what is surprising, "" when nothing is.
	Note string
}

// CastPair is a pair of element types by their upper-case names.
type CastPair struct{ From, To string }

// Flags are the switches of a target that change planning or lowering
// (platforms.json planning_effects).
type Flags struct {
	// SplitLoadTpopWorkaround: in a vector-core function under a split, the reuse
	// packer refuses to let the result of an operator that reads a value popped
	// from the cube core take over the buffer of a value derived from a load.
	SplitLoadTpopWorkaround bool
	// GMPipeBuffer: functions with cross-core pipes get a staging parameter in
	// global memory.
	GMPipeBuffer bool
	// VtoCFractalAdapt: the cube/vector splitter moves a tile to NZ layout before
	// it is pushed to the cube core (a new Vec buffer).
	VtoCFractalAdapt bool
	// RuntimeSubblockBridge and NoSplitDualAivDispatch: second vector lane replay
	// and runtime lane index.
	RuntimeSubblockBridge, NoSplitDualAivDispatch bool
	// LowPrecisionMatScratch: automatic matmul tiling keeps its Mat scratch in
	// BF16 or FP16.
	LowPrecisionMatScratch bool
	// BF16AtomicAdd: a store can add BF16 atomically.
	BF16AtomicAdd bool
}

// accRows are the row multiples of accumulator tiles by element type.
type accRows struct{ int32, other int64 }

// outputAlias replaces the registry's alias ban of one operator.
type outputAlias struct {
	op     string
	forbid []int
}

// NameOf is the platform's name; "no backend" for nil.
func (p *Platform) NameOf() string {
	if p == nil {
		return "no backend"
	}
	return p.Name
}

// Memory describes a space; the zero Memory for a nil platform or NoSpace.
func (p *Platform) Memory(s Space) Memory {
	if p == nil || s < 0 || s >= NumSpaces {
		return Memory{}
	}
	return p.memory[s]
}

// Capacity is the usable size of a space in bytes, 0 when no limit is known.
func (p *Platform) Capacity(s Space) uint64 {
	if p == nil || s < 0 || s >= NumSpaces {
		return 0
	}
	return p.memory[s].Capacity
}

// HasRoute reports whether the target moves data directly from one space to
// another.
func (p *Platform) HasRoute(from, to Space) bool {
	return p != nil && from >= 0 && from < NumSpaces && to >= 0 && to < NumSpaces && p.routes[from]&(1<<to) != 0
}

// Transfer is the pipe that moves data from one space to another (spec 02
// §10.1); NoPipe without a direct route or when none is known for it.
func (p *Platform) Transfer(from, to Space) Pipe {
	if !p.HasRoute(from, to) {
		return NoPipe
	}
	switch {
	case from == DDR && (to == Vec || to == Mat):
		return MTE2
	case to == DDR && (from == Vec || from == Mat):
		return MTE3
	case from == Acc && (to == DDR || to == Mat || to == Vec):
		return PipeFI
	case from == Mat && to.IsL0():
		return MTE1
	case from == Vec && to == Mat:
		return MTE3
	}
	return NoPipe
}

// AccRowMultiple is the number that the second-to-last dimension of an
// accumulator tile of the given element type ("INT32") is rounded up to before
// its size is taken (spec 03 §5.2).
func (p *Platform) AccRowMultiple(dtype string) int64 {
	rows := accRows{int32: 32, other: 16}
	if p != nil {
		rows = p.accRows
	}
	if dtype == "INT32" {
		return rows.int32
	}
	return rows.other
}

// Policy is the target's allocator policy, DefaultPolicy for nil.
func (p *Platform) Policy() Policy {
	if p == nil || p.policy == nil {
		return DefaultPolicy
	}
	return p.policy
}

// OutputAlias returns the operands that the output of the operator must not
// share bytes with, where this target replaces the registry's rule (the
// in-place ban included); ok is false where it does not.
func (p *Platform) OutputAlias(op string) (forbid []int, ok bool) {
	if p == nil {
		return nil, false
	}
	for i := range p.aliasing {
		if p.aliasing[i].op == op {
			return p.aliasing[i].forbid, true
		}
	}
	return nil, false
}

// NativeCast reports whether one instruction converts between two element
// types.
func (p *Platform) NativeCast(from, to string) bool {
	if p == nil {
		return false
	}
	for _, c := range p.NativeCasts {
		if c.From == from && c.To == to {
			return true
		}
	}
	return false
}

// Set is an ordered list of platforms with distinct names.
type Set struct{ list []*Platform }

// Builtin is the set of the two shipped targets.
func Builtin() Set { return Set{[]*Platform{ascend910B, ascend950}} }

// Default is the platform that is used when nothing names another.
const Default = "Ascend910B"

// Lookup finds a shipped target by its exact name.
func Lookup(name string) (*Platform, bool) { return Builtin().Lookup(name) }

// Names lists the shipped targets.
func Names() []string { return Builtin().Names() }

// Lookup finds a platform of the set by its exact name.
func (s Set) Lookup(name string) (*Platform, bool) {
	for _, p := range s.list {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Names lists the names of the set in order: shipped targets first, then
// those of the workspace as they were written.
func (s Set) Names() []string {
	names := make([]string, len(s.list))
	for i, p := range s.list {
		names[i] = p.Name
	}
	return names
}

// Unknown is the message for a name that the set does not have.
func (s Set) Unknown(name string) string {
	return "unknown platform '" + name + "'; known are " + strings.Join(s.Names(), ", ")
}
