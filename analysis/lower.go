package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/ir/read"
)

// lower takes a function through the lowering prelude. It returns the
// functions that planning starts from and why they may differ from the
// compiler's.
func (c *unitContext) lower(fn *read.Function, start Start) ([]*ir.Function, []Approximation) {
	return []*ir.Function{fn.IR}, []Approximation{{Pass: "lowering", Reason: "the passes before InitMemRef were not applied", Span: fn.IR.NameSpan}}
}
