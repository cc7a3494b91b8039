// Package platforms holds the immutable facts of the targets that PyPTO
// kernels are compiled for: memory spaces with their capacities, the memory
// graph, hardware pipes and the allocator policy (spec 02 §10, 07 §3–4,
// platforms.json).
package platforms

// Space is a memory space. The numbers are those of the reference compiler
// (spec 03 §3): wherever something is ordered by memory space, this order is
// meant. NoSpace is "not known (yet)".
type Space int8

// The memory spaces.
const (
	NoSpace     Space = -1
	DDR         Space = 0
	Vec         Space = 1
	Mat         Space = 2
	Left        Space = 3
	Right       Space = 4
	Acc         Space = 5
	Bias        Space = 6
	ScalarLocal Space = 7
	LeftScale   Space = 8
	RightScale  Space = 9
)

// NumSpaces is one more than the largest Space.
const NumSpaces = 10

var spaceNames = [NumSpaces]string{"DDR", "Vec", "Mat", "Left", "Right", "Acc", "Bias", "ScalarLocal", "LeftScale", "RightScale"}

var spaceLower = [NumSpaces]string{"ddr", "vec", "mat", "left", "right", "acc", "bias", "scalarlocal", "leftscale", "rightscale"}

// String is the display name ("Vec"); "unknown" for NoSpace.
func (s Space) String() string {
	if s < 0 || s >= NumSpaces {
		return "unknown"
	}
	return spaceNames[s]
}

// Lower is the form used in allocation names ("vec" in "mem_vec_3").
func (s Space) Lower() string {
	if s < 0 || s >= NumSpaces {
		return "unknown"
	}
	return spaceLower[s]
}

// ParseSpace finds the space with the given display name.
func ParseSpace(name string) (Space, bool) {
	for i, n := range spaceNames {
		if n == name {
			return Space(i), true
		}
	}
	return NoSpace, false
}

// ParseLowerSpace finds the space with the given lower-case name.
func ParseLowerSpace(name string) (Space, bool) {
	for i, n := range spaceLower {
		if n == name {
			return Space(i), true
		}
	}
	return NoSpace, false
}

// IsL0 reports whether s is one of the cube unit's own buffers (spec 08 §4.1).
func (s Space) IsL0() bool {
	switch s {
	case Left, Right, Acc, Bias, LeftScale, RightScale:
		return true
	}
	return false
}

// Pipe is a hardware pipe (spec 08 §4.1). NoPipe is "none or not inferable".
type Pipe int8

// The hardware pipes, in the order the planner needs.
const (
	NoPipe Pipe = -1
	MTE1   Pipe = 0
	MTE2   Pipe = 1
	MTE3   Pipe = 2
	PipeM  Pipe = 3
	PipeV  Pipe = 4
	PipeS  Pipe = 5
	PipeFI Pipe = 6
	PipeAL Pipe = 7
)

// NumPipes is one more than the largest Pipe.
const NumPipes = 8

var pipeNames = [NumPipes]string{"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"}

// String is the pipe's name; "none" for NoPipe.
func (p Pipe) String() string {
	if p < 0 || p >= NumPipes {
		return "none"
	}
	return pipeNames[p]
}
