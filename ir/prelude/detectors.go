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

// inferSpaces is InferTileMemorySpace; what its last step may do with a dump is
// only noted: it takes the loads that ConvertTensorToTileOps made for Mat out of
// the loops that do not change them (spec 11 §6.4, 5). Before that pass there are
// only loads of the author's, which stay where they are.
func inferSpaces(c *Ctx, f *ir.Function) *ir.Function {
	f = inferTileMemorySpace(c, f)
	if f.Kind == ir.InCore && c.start >= passAt("ConvertTensorToTileOps") {
		ir.EachStmt(f.Body, func(st ir.Stmt) {
			if l, ok := loopOf(st); ok {
				noteInvariantLoads(c, f, st, l.body)
			}
		})
	}
	return f
}

// noteInvariantLoads marks the loads into Mat in a loop, not those in loops
// inside it, that read nothing that the loop changes.
func noteInvariantLoads(c *Ctx, f *ir.Function, loop ir.Stmt, body *ir.Block) {
	var vary varSet
	var look func(b *ir.Block)
	look = func(b *ir.Block) {
		if b == nil {
			return
		}
		for _, st := range b.Stmts {
			if compilersLoad(st) {
				if vary == nil {
					vary = changing(loop)
				}
				varies := false
				stmtUses(st, func(v *ir.Var) { varies = varies || vary.has(v) })
				if !varies {
					c.note(passSpaces, f, st.Meta().Span, "a load into Mat that is the same in every round may move out of the loop")
				}
			}
			if _, nested := loopOf(st); !nested {
				for _, inner := range ir.Bodies(st) {
					look(inner)
				}
			}
		}
	}
	look(body)
}

// changing is what a loop defines and may change from round to round: not what
// is computed from outside values alone.
func changing(loop ir.Stmt) varSet {
	out := newVarSet(0)
	ir.EachDef(loop, out.add)
	ir.EachNested(loop, func(st ir.Stmt) {
		a, ok := st.(*ir.Assign)
		varies := !ok
		if ok {
			exprVars(a.Value, func(v *ir.Var) { varies = varies || out.has(v) })
		}
		if varies {
			ir.EachDef(st, out.add)
		}
	})
	return out
}

// compilersLoad reports a load into Mat that a pass may have made: what an
// author assigns has a version, or is a temporary, from ConvertToSSA and
// FlattenCallExpr on (spec 01b §4.1).
func compilersLoad(st ir.Stmt) bool {
	a, ok := st.(*ir.Assign)
	call := callOf(st)
	if !ok || call == nil || call.Name != "tile.load" {
		return false
	}
	t := tileOf(a.Var)
	return t != nil && t.Space == platforms.Mat && !authorsName(a.Var.Name)
}

// authorsName reports a name that ends like `__ssa_v3` or `__tmp_v3`; numbers
// behind it tell equal names apart.
func authorsName(name string) bool {
	for {
		i := strings.LastIndexByte(name, '_')
		if i < 0 || !digits(name[i+1:]) {
			break
		}
		name = name[:i]
	}
	i := strings.LastIndex(name, "_v")
	if i < 0 || !digits(name[i+2:]) {
		return false
	}
	return strings.HasSuffix(name[:i], "__ssa") || strings.HasSuffix(name[:i], "__tmp")
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
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
