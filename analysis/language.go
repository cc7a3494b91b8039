package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// LanguageWords are the identifiers that the kernel language itself is written
// with: operators, their keywords, element types, memory spaces.
func LanguageWords() []string {
	var out []string
	for _, op := range ops.All() {
		out = append(out, strings.Split(op.Name, ".")...)
		for i := range op.Kwargs {
			out = append(out, op.Kwargs[i].Name)
		}
		for i := range op.DSL {
			out = append(out, strings.Split(op.DSL[i].Spelling, ".")...)
		}
	}
	for s := range ir.Space(platforms.NumSpaces) {
		out = append(out, s.String())
	}
	for _, t := range []string{"FP4", "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "FP16", "FP32", "BF16", "HF4", "HF8", "INT4", "INT8", "INT16", "INT32", "INT64",
		"UINT4", "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "INDEX", "TASK_ID"} {
		if _, ok := ir.ParseDType(t); ok {
			out = append(out, t)
		}
	}
	return append(out, "Tile", "Tensor", "Scalar", "MemRef", "Out", "InOut")
}
