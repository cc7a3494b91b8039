package prelude

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const passAutoTile = "AutoTileMatmulL0"

// detectAutoTile leaves a note where AutoTileMatmulL0 would, or might, rewrite
// a matrix product: one that takes a tile straight from Mat (spec 11 §4.3).
// Its cost model is not specified.
func detectAutoTile(c *Ctx, f *ir.Function) *ir.Function {
	if !f.Kind.IsInCore() {
		return f
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		call := callOf(st)
		if call == nil {
			return
		}
		switch call.Name {
		case "tile.matmul", "tile.matmul_acc", "tile.matmul_bias":
		default:
			return
		}
		for _, a := range call.Args {
			if t := tileOf(a); t != nil && t.Space == platforms.Mat {
				c.note(passAutoTile, f, call.Span, "the product takes an operand straight from Mat, which may be tiled for the L0 buffers")
				return
			}
		}
	})
	return f
}

// eachOperator visits the operators of a kernel.
func eachOperator(f *ir.Function, visit func(call *ir.Call)) {
	if !f.Kind.IsInCore() {
		return
	}
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if call := callOf(st); call != nil && !call.IsFunc {
			visit(call)
		}
	})
}

// detectTensorOps leaves notes for operators on tensors, whose conversion is
// not specified.
func detectTensorOps(c *Ctx, f *ir.Function) *ir.Function {
	eachOperator(f, func(call *ir.Call) {
		if call.Op != nil && strings.HasPrefix(call.Name, "tensor.") && tensorCompute(call) {
			c.note("ConvertTensorToTileOps", f, call.Span, call.Name+" works on tensors and becomes tile operators")
		}
	})
	return f
}

// detectComposites leaves notes for operators that LowerCompositeOps lowers by
// rules that are not specified.
func detectComposites(c *Ctx, f *ir.Function) *ir.Function {
	eachOperator(f, func(call *ir.Call) {
		switch {
		case strings.HasPrefix(call.Name, "pld.tensor."):
			c.note(passComposite, f, call.Span, call.Name+" is a distributed operation on tensors, which may become tile operators")
		case call.Op != nil && call.Name == "tile.scatter_update":
			c.note(passComposite, f, call.Span, "tile.scatter_update is lowered to other operators")
		}
	})
	return f
}

// detectMxScales leaves notes for MX products.
func detectMxScales(c *Ctx, f *ir.Function) *ir.Function {
	eachOperator(f, func(call *ir.Call) {
		switch call.Name {
		case "tile.matmul_mx", "tile.matmul_mx_acc", "tile.matmul_mx_bias":
			c.note("InsertMxScaleAddr", f, call.Span, "scale addresses are bound before MX products")
		}
	})
	return f
}

// tensorCompute reports a tensor operator that conversion would turn into
// tiles: everything but views, queries and element access.
func tensorCompute(c *ir.Call) bool {
	switch c.Name {
	case "tensor.slice", "tensor.view", "tensor.reshape", "tensor.reinterpret_view", "tensor.set_validshape", "tensor.dim",
		"tensor.read", "tensor.write", "tensor.create", "tensor.alloc", "tensor.get_block_idx", "tensor.get_block_num", "tensor.get_subblock_idx":
		return c.Name == "tensor.slice" || c.Name == "tensor.create" || c.Name == "tensor.reshape"
	}
	return true
}
