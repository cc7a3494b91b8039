package memory

import "pypto-ls/ir"

// memRefAt is m at its physical address: addr is the first byte of its
// allocation (spec 07 §6 step 6). A constant offset is added. A dynamic one
// is dropped, since a view's dynamic part is derived again from its operands,
// except in a declared allocation, where it selects the slot at run time.
func memRefAt(m *ir.MemRef, addr int64, declared bool) *ir.MemRef {
	n := *m
	o, constant := ir.ConstValue(m.Offset)
	if declared && !constant && m.Offset != nil {
		n.Offset = &ir.Binary{Op: ir.Add, X: ir.Index(addr), Y: m.Offset, DType: ir.INDEX}
	} else {
		n.Offset = &ir.ConstInt{Value: addr + o, DType: ir.INT64}
	}
	return &n
}
