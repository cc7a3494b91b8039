package ir

// DType is an element type (spec 01 §6.1). The zero value is "no dtype".
type DType uint8

// The element types.
const (
	NoDType DType = iota
	BOOL
	INT4
	INT8
	INT16
	INT32
	INT64
	UINT4
	UINT8
	UINT16
	UINT32
	UINT64
	INDEX
	FP4
	HF4
	FP8E4M3FN
	FP8E5M2
	FP8E8M0
	HF8
	FP16
	BF16
	FP32
	TASKID
	numDTypes
)

type dtypeInfo struct {
	name, lower string
	bits        int
	class       dtypeClass
}

type dtypeClass uint8

const (
	classNone dtypeClass = iota
	classBool
	classInt
	classFloat
)

var dtypes = [numDTypes]dtypeInfo{
	NoDType:   {"?", "?", 0, classNone},
	BOOL:      {"BOOL", "bool", 1, classBool},
	INT4:      {"INT4", "int4", 4, classInt},
	INT8:      {"INT8", "int8", 8, classInt},
	INT16:     {"INT16", "int16", 16, classInt},
	INT32:     {"INT32", "int32", 32, classInt},
	INT64:     {"INT64", "int64", 64, classInt},
	UINT4:     {"UINT4", "uint4", 4, classInt},
	UINT8:     {"UINT8", "uint8", 8, classInt},
	UINT16:    {"UINT16", "uint16", 16, classInt},
	UINT32:    {"UINT32", "uint32", 32, classInt},
	UINT64:    {"UINT64", "uint64", 64, classInt},
	INDEX:     {"INDEX", "index", 64, classInt},
	FP4:       {"FP4", "fp4", 4, classFloat},
	HF4:       {"HF4", "hf4", 4, classFloat},
	FP8E4M3FN: {"FP8E4M3FN", "fp8e4m3fn", 8, classFloat},
	FP8E5M2:   {"FP8E5M2", "fp8e5m2", 8, classFloat},
	FP8E8M0:   {"FP8E8M0", "fp8e8m0", 8, classFloat},
	HF8:       {"HF8", "hf8", 8, classFloat},
	FP16:      {"FP16", "fp16", 16, classFloat},
	BF16:      {"BF16", "bfloat16", 16, classFloat},
	FP32:      {"FP32", "fp32", 32, classFloat},
	TASKID:    {"TASK_ID", "task_id", 64, classNone},
}

// String is the upper-case name used in text (`FP32`).
func (d DType) String() string {
	if d >= numDTypes {
		return "?"
	}
	return dtypes[d].name
}

// Lower is the name used in messages (`fp32`, `bfloat16`).
func (d DType) Lower() string {
	if d >= numDTypes {
		return "?"
	}
	return dtypes[d].lower
}

// Bits is the semantic width in bits (BOOL 1, 4-bit types 4, INDEX 64).
func (d DType) Bits() int {
	if d >= numDTypes {
		return 0
	}
	return dtypes[d].bits
}

// Bytes is ceil(Bits/8).
func (d DType) Bytes() int { return (d.Bits() + 7) / 8 }

// StorageBits is the width one element takes in a buffer: 4-bit types are
// packed two to a byte, BOOL takes a whole byte (spec 03 §5.1).
func (d DType) StorageBits() int {
	if d.Bits() == 4 {
		return 4
	}
	return 8 * d.Bytes()
}

// IsFloat reports whether d is a floating point type.
func (d DType) IsFloat() bool { return d < numDTypes && dtypes[d].class == classFloat }

// IsInt reports whether d is an integer type; INDEX is, BOOL and TASK_ID are not.
func (d DType) IsInt() bool { return d < numDTypes && dtypes[d].class == classInt }

// IsSigned reports whether d is a signed integer (INTn and INDEX, spec 02 §3.1).
func (d DType) IsSigned() bool {
	switch d {
	case INT4, INT8, INT16, INT32, INT64, INDEX:
		return true
	}
	return false
}

// IsIndexLike reports whether d may index or offset (INT64, UINT64, INDEX).
func (d DType) IsIndexLike() bool { return d == INT64 || d == UINT64 || d == INDEX }

var dtypeByName = func() map[string]DType {
	m := make(map[string]DType, numDTypes)
	for d := NoDType + 1; d < numDTypes; d++ {
		m[dtypes[d].name] = d
	}
	return m
}()

// ParseDType finds the element type with the given upper-case name.
func ParseDType(name string) (DType, bool) {
	d, ok := dtypeByName[name]
	return d, ok
}
