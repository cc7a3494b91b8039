package lint

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/ir/printer"
)

// ValidShapes is the verifier of valid-shape bounds (spec 02 §12): the valid
// shape of every tile and tensor variable has the rank of its physical shape
// and lies within it as far as anything can be proved. Each variable is looked
// at once, parameters first, then in text order; findings point at it.
func ValidShapes(fn *ir.Function) []Finding {
	var out []Finding
	seen := newVarSet(fn)
	see := func(v *ir.Var) {
		if !seen.add(v) {
			return
		}
		for _, text := range validShapeFaults(v.Type) {
			out = append(out, Finding{ValidShape, fn.Name, text, v.Span, ""})
		}
	}
	for _, p := range fn.Params {
		see(p.Var)
	}
	ir.EachStmt(fn.Body, func(s ir.Stmt) { ir.EachDef(s, see) })
	return out
}

// validShapeFaults lists what is wrong with a type's valid shape.
func validShapeFaults(t ir.Type) []string {
	var kind string
	var shape, valid []ir.Expr
	switch t := t.(type) {
	case *ir.TileType:
		if t.View == nil {
			return nil
		}
		kind, shape, valid = "TileType", t.Shape, t.View.ValidShape
	case *ir.TensorType:
		if t.View == nil {
			return nil
		}
		kind, shape, valid = "TensorType", t.Shape, t.View.ValidShape
		if t.Distributed {
			kind = "DistributedTensorType"
		}
	}
	if len(valid) == 0 {
		return nil
	}
	if len(valid) != len(shape) {
		return []string{fmt.Sprintf("%s valid_shape rank mismatch: got rank %d %s, but physical shape has rank %d %s", kind, len(valid), list(valid), len(shape), list(shape))}
	}
	var out []string
	for i := range valid {
		switch {
		case arith.ProveLessEqual(&ir.ConstInt{DType: arith.DTypeOf(valid[i])}, valid[i]) == arith.False:
			out = append(out, fmt.Sprintf("%s valid_shape dimension %d has provably negative extent %s; expected 0 <= valid_shape[%d] <= shape[%d] (%s)",
				kind, i, printer.Expr(valid[i]), i, i, printer.Expr(shape[i])))
		case arith.ProveLessEqual(valid[i], shape[i]) == arith.False:
			out = append(out, fmt.Sprintf("%s valid_shape dimension %d extent %s provably exceeds physical shape extent %s", kind, i, printer.Expr(valid[i]), printer.Expr(shape[i])))
		}
	}
	return out
}

func list(es []ir.Expr) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = printer.Expr(e)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
