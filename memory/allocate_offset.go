package memory

import "pypto-ls/ir"

// addressed is what an allocation's MemRef becomes with its address.
type addressed struct {
	ref    ir.MemRef
	offset ir.ConstInt
}

// moveTo makes ref m at its physical address: addr is the first byte of its
// allocation (spec 07 §6 step 6). A constant offset is added. A dynamic one
// is dropped, since a view's dynamic part is derived again from its operands,
// except in a declared allocation, where it selects the slot at run time.
func (a *addressed) moveTo(m *ir.MemRef, addr int64, declared bool) {
	a.ref = *m
	o, constant := ir.ConstValue(m.Offset)
	if declared && !constant && m.Offset != nil {
		a.ref.Offset = &ir.Binary{Op: ir.Add, X: ir.Index(addr), Y: m.Offset, DType: ir.INDEX}
		return
	}
	a.offset = ir.ConstInt{Value: addr + o, DType: ir.INT64}
	a.ref.Offset = &a.offset
}
