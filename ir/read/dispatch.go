package read

import (
	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
)

// operandClass is what dispatch asks of an operand; unknown is set when its
// type could not be determined, which fits everything.
func operandClass(v any) (c ops.Class, unknown bool) {
	switch v := v.(type) {
	case nil, none:
		return ops.ClassAny, false
	case int64, float64, bool:
		return ops.ClassScalar, false
	case ir.Expr:
		switch t := exprType(v).(type) {
		case *ir.TileType:
			return ops.ClassTile, false
		case *ir.TensorType:
			return ops.ClassTensor, false
		case *ir.ScalarType:
			return ops.ClassScalar, t.DType == ir.NoDType
		case *ir.UnknownType:
			return ops.ClassAny, true
		}
	}
	return ops.ClassAny, false
}

// operandKind is the class name of an operand as dispatch messages show it.
func operandKind(v any) string {
	switch v := v.(type) {
	case int64:
		return "int"
	case float64:
		return "float"
	case bool:
		return "bool"
	case string:
		return "str"
	case none, nil:
		return "NoneType"
	case ir.DType:
		return "DataType"
	case *ir.MakeTuple:
		return "list"
	case ir.Expr:
		switch t := exprType(v).(type) {
		case *ir.TensorType:
			if t.Distributed {
				return "DistributedTensor"
			}
			return "Tensor"
		case *ir.TileType:
			return "Tile"
		case *ir.ScalarType:
			return "Scalar"
		case *ir.ArrayType:
			return "Array"
		case *ir.TupleType:
			return "tuple"
		}
	}
	return "Expr"
}

// dispatch picks the operator that a spelling means for these operands (spec
// 02 §7). A nil operator without text means that an operand is unknown.
func (x *build) dispatch() (*ops.Op, string) {
	w, cands := x.w, x.cands
	if w.BuilderFallback || len(cands) == 0 {
		return ops.Lookup(w.Spelling[len("pl."):]), ""
	}
	if len(cands) == 1 {
		return cands[0].Op, ""
	}
	lhs, lu := operandClass(x.b.val[0])
	rhs, ru := operandClass(x.b.val[1])
	if x.module != "pl" {
		return x.dispatchNamed(lhs, rhs, ru)
	}
	binary := binaryName(w, cands)
	if lu || binary && ru {
		return unknownCandidate(cands, lhs, rhs, binary), ""
	}
	if binary && (lhs == ops.ClassTile && rhs == ops.ClassTensor || lhs == ops.ClassTensor && rhs == ops.ClassTile) {
		return nil, x.mixed(cands)
	}
	op := ops.Dispatch(x.cands, lhs, rhs, x.has)
	if op == nil {
		if binary {
			return nil, "pl." + x.fn + ": expected Tensor or Tile operands, got (" + operandKind(x.b.val[0]) + ", " + operandKind(x.b.val[1]) + ")"
		}
		return nil, "pl." + x.fn + ": expected Tensor or Tile, got " + operandKind(x.b.val[0])
	}
	return op, x.unifiedChecks(op, lhs, rhs)
}

// has reports whether a keyword was given a value other than None.
func (x *build) has(key string) bool { return x.b.arg(key) != nil }

// dispatchNamed picks inside an explicit namespace, where only the right
// operand and keywords decide.
func (x *build) dispatchNamed(lhs, rhs ops.Class, rhsUnknown bool) (*ops.Op, string) {
	if op := ops.Dispatch(x.cands, lhs, rhs, x.has); op != nil {
		return op, ""
	}
	if x.w.Function == "mrgsort" {
		return x.cands[0].Op, "" // the builder says what is missing
	}
	if rhsUnknown {
		return nil, ""
	}
	return nil, "float() argument must be a string or a real number, not '" + operandKind(x.b.val[1]) + "'"
}

// binaryName reports whether dispatch looks at two operands. gather_row and
// assemble follow their destination alone: it may be fed from the other level.
func binaryName(w *ops.Wrapper, cands []ops.Candidate) bool {
	if w.Function == "gather_row" || w.Function == "assemble" || len(w.Params) < 2 || w.Params[1].HasDefault {
		return false
	}
	for _, c := range cands {
		if len(c.Op.Args) > 1 {
			switch c.Op.Args[1].Kind {
			case "tile", "tensor", "tensor|scalar", "tile|tensor":
				return true
			}
		}
	}
	return false
}

// unknownCandidate is the likeliest operator when an operand's type is not
// known; nil when not even that can be said.
func unknownCandidate(cands []ops.Candidate, lhs, rhs ops.Class, binary bool) *ops.Op {
	known := lhs
	if known == ops.ClassAny && binary && rhs != ops.ClassScalar {
		known = rhs
	}
	for _, c := range cands {
		if known != ops.ClassAny && c.Lhs == known && (rhs == ops.ClassAny || c.Rhs == ops.ClassAny || c.Rhs == rhs) {
			return c.Op
		}
	}
	return nil
}

// mixed lists the kinds of all operands that must be of one level.
func (x *build) mixed(cands []ops.Candidate) string {
	n := 2
	for _, c := range cands {
		for i := 2; i < len(c.Op.Args); i++ {
			if k := c.Op.Args[i].Kind; (k == "tile" || k == "tensor") && i < len(x.b.w.Params) && !x.b.w.Params[i].HasDefault {
				n = max(n, i+1)
			}
		}
	}
	kinds := operandKind(x.b.val[0])
	for i := 1; i < n; i++ {
		kinds += ", " + operandKind(x.b.val[i])
	}
	return "pl." + x.fn + ": cannot mix Tensor and Tile arguments (" + kinds + "). All operands must be the same type level — either all Tensor or all Tile"
}

// unifiedChecks are the conditions a promoted name adds to the operator's own.
func (x *build) unifiedChecks(op *ops.Op, lhs, rhs ops.Class) string {
	head := "pl." + x.fn + ": "
	tile := lhs == ops.ClassTile
	scratch := "tmp_tile"
	if !hasParam(x.b.w, scratch) {
		scratch = "tmp"
	}
	switch x.fn {
	case "row_max", "row_sum", "row_min", "row_prod":
		if tile && !x.has("tmp_tile") {
			return head + "Tile inputs require tmp_tile with the same dtype and rank as the input, and every dimension at least as large as the corresponding input dimension"
		}
	case "row_argmax", "row_argmin":
		if tile && !x.has("tmp_tile") {
			return head + "Tile inputs require tmp_tile with exactly the same shape and dtype as the input"
		}
	case "col_argmax", "col_argmin":
		if tile && !x.has("tmp_tile") {
			return head + "Tile inputs require tmp_tile — the tile form takes caller-owned scratch, unlike pl.col_max / pl.col_min"
		}
	case "xor", "xors":
		if tile && !x.has("tmp") {
			return head + "Tile inputs require an explicit scratch tile — call pl." + x.fn + "(lhs, rhs, tmp) or pl.tile." + x.fn + "(lhs, rhs, tmp)"
		}
	case "div":
		if x.b.arg("high_precision") == true && rhs == ops.ClassScalar {
			return head + "high_precision requires a Tile rhs"
		}
	case "slice":
		if tile && x.b.arg("clamp") == true {
			return head + "clamp=True is not supported for a Tile. An on-chip window has no clamping mechanism, so offset + shape must stay inside the source tile. Clamp the read at the tensor boundary instead — pl.load(..., clamp=True) or pl.slice(tensor, ..., clamp=True) — and slice the resulting tile in bounds."
		}
	}
	if lhs == ops.ClassTensor && hasParam(x.b.w, scratch) && x.has(scratch) && x.fn != "mrgsort" {
		return head + "Tensor inputs must not pass " + scratch + " — the scratch tile is allocated during Tensor-to-Tile lowering"
	}
	if tile {
		return x.tileFlags(head)
	}
	return ""
}

func hasParam(w *ops.Wrapper, name string) bool { return paramIndex(w, name) >= 0 }

// tileFlags rejects flags that only the tensor form has.
func (x *build) tileFlags(head string) string {
	refuse := func(flag, remedy string) string {
		return head + "'" + flag + "' is not supported for Tile operands. " + remedy
	}
	switch x.fn {
	case "matmul", "matmul_acc":
		for _, flag := range [...]string{"a_trans", "b_trans"} {
			if isSet(x.b.arg(flag)) {
				return refuse(flag, "At tile level a transposed operand is an explicit zero-copy view, not an op flag: wrap the operand with pl.tile.transpose_view(...) and pass it directly.")
			}
		}
		if msg := x.productType(head); msg != "" {
			return msg
		}
		if x.fn == "matmul" && isSet(x.b.arg("c_matrix_nz")) {
			return refuse("c_matrix_nz", "The tile matmul result layout is fixed by its Acc tile type; there is no tile-level equivalent of this tensor-level flag.")
		}
	case "rsqrt":
		if isSet(x.b.arg("high_precision")) {
			return refuse("high_precision", "The tile form selects precision by taking a scratch tile: pl.tile.rsqrt(tile, tmp).")
		}
	case "assemble":
		if n, ok := argInt(x.b.arg("atomic")); ok && n != 0 {
			return refuse("atomic", "An atomic combine needs a global-memory destination, and a tile-to-tile assemble has none. Write the accumulation into a Tensor target instead — inside an InCore function that is pl.assemble(out_tensor, tile, offset, atomic=...).")
		}
	}
	return ""
}

// productType rejects another element type for a product of tiles than the one
// it has.
func (x *build) productType(head string) string {
	want, given := x.b.arg("out_dtype").(ir.DType)
	a, _ := argExpr(x.b.val[0])
	lhs := elementType(exprType(a))
	if !given || lhs == ir.NoDType {
		return ""
	}
	is := infer.Accumulator(lhs)
	if want == is {
		return ""
	}
	return head + "out_dtype=" + want.Lower() + " is not supported for Tile operands — the Cube accumulator fixes the result dtype, deduced as " + is.Lower() +
		" here. Convert the result explicitly with pl.cast(result, <dtype>), or let pl.tile.store narrow it on the way to GM."
}

// isSet is truthy for a flag: an expression given for one, such as the predicate
// of matmul_acc by position, is not False.
func isSet(v any) bool {
	switch v.(type) {
	case *ir.ConstBool, *ir.ConstInt:
	case ir.Expr:
		return true
	}
	return truthy(v)
}

func truthy(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case int64:
		return v != 0
	case *ir.ConstBool:
		return v.Value
	}
	return false
}

// scalarForm builds the scalar expressions that some promoted names mean on
// scalar operands (spec 02 §7).
func (x *build) scalarForm(n irsyntax.Ref, args []given) (ir.Expr, bool) {
	if x.w.Spelling == "pl.cast" {
		return x.scalarCast(n, args)
	}
	if !x.hasScalar {
		return nil, false
	}
	only := x.fn == "min" || x.fn == "max"
	lhs, lu := operandClass(x.b.val[0])
	rhs, ru := operandClass(x.b.val[1])
	if !only && (lhs != ops.ClassScalar || rhs != ops.ClassScalar) {
		return nil, false
	}
	if x.fn == "div" && truthy(x.b.arg("high_precision")) {
		x.fail(n, args, "pl.div: high_precision is only supported for Tensor or Tile division")
	}
	a, _ := argExpr(x.b.val[0])
	b, _ := argExpr(x.b.val[1])
	if len(x.r.doubts) > 0 && closedValue(a) && closedValue(b) && (lu || ru) {
		return unknownExpr(n), true // a number of the compiler's, not one of run time
	}
	if lu || ru {
		return &ir.Binary{Op: x.scalar, X: a, Y: b}, true
	}
	e, msg := binaryExpr(x.scalar, a, b)
	if msg != "" {
		x.fail(n, args, msg)
		return unknownExpr(n), true
	}
	return e, true
}

// closedValue reports an operand that is a constant, or stands for one that is
// not known.
func closedValue(e ir.Expr) bool {
	raw, unknown := e.(*ir.Raw)
	return isConst(e) || unknown && raw.Text != ""
}

// scalarCast is `pl.cast(x, pl.DT)` of a scalar.
func (x *build) scalarCast(n irsyntax.Ref, args []given) (ir.Expr, bool) {
	if c, _ := operandClass(x.b.val[0]); c != ops.ClassScalar {
		return nil, false
	}
	e, _ := argExpr(x.b.val[0])
	d, ok := x.b.arg("target_type").(ir.DType)
	if !ok {
		return unknownExpr(n), true
	}
	if m := x.b.arg("mode"); m != nil && m != "round" && m != int64(2) {
		x.fail(n, args, "pl.cast: Scalar inputs do not support non-default mode, got mode="+pyText(m))
	}
	return &ir.Unary{Op: ir.Cast, X: e, DType: d}, true
}
