package read

import (
	"strconv"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// typeOf reads an annotation (spec 01 §6.3). ok is false when it could not be
// resolved at all; parts that resolved are in the type then.
func (r *reader) typeOf(n irsyntax.Ref, signature bool) (ir.Type, bool) {
	switch n.Kind() {
	case irsyntax.Subscript:
		return r.subscriptType(n, signature)
	case irsyntax.Call:
		return r.legacyType(n, signature)
	case irsyntax.Name, irsyntax.Attribute:
		return r.plainType(n, signature)
	case irsyntax.String:
		return ir.Unknown, false
	}
	r.problem(TypeErr, r.span(n), "Unsupported type annotation: "+unparse(n), "")
	return ir.Unknown, false
}

var markers = map[string]string{
	"PrefetchAsyncContext": "pl.PrefetchAsyncContext", "PrefetchAsyncContextType": "pl.PrefetchAsyncContext",
	"AsyncEvent": "pl.AsyncEvent", "AsyncEventType": "pl.AsyncEvent",
	"AsyncSession": "pl.AsyncSession", "AsyncSessionType": "pl.AsyncSession",
	"CommCtx": "pld.CommCtxType", "CommCtxType": "pld.CommCtxType",
	"WindowBufferType": "pld.WindowBufferType",
}

func (r *reader) plainType(n irsyntax.Ref, signature bool) (ir.Type, bool) {
	last := lastComponent(n)
	switch last {
	case "Ptr":
		return &ir.PtrType{}, !signature
	case "MemRefType":
		return &ir.PtrType{Legacy: true}, !signature
	case "UnknownType":
		return ir.Unknown, true
	}
	if m, ok := markers[last]; ok {
		return &ir.MarkerType{Name: m}, true
	}
	if !r.out.Opaque {
		r.problem(TypeErr, r.span(n), "Incomplete type annotation: "+dotted(n), "Use pl.Tensor[[shape], dtype], pl.Tile[[shape], dtype] or pl.Scalar[dtype]")
	}
	return ir.Unknown, false
}

// indexParts lists the parts between the outer brackets.
func indexParts(n irsyntax.Ref) []irsyntax.Ref {
	idx := n.Child(1)
	if idx.Kind() == irsyntax.Tuple && !idx.Has(irsyntax.FlagParen) {
		out := make([]irsyntax.Ref, 0, 5)
		for c := idx.First(); c.Ok(); c = c.Next() {
			out = append(out, c)
		}
		return out
	}
	return []irsyntax.Ref{idx}
}

func (r *reader) subscriptType(n irsyntax.Ref, signature bool) (ir.Type, bool) {
	kind := lastComponent(n.First())
	parts := indexParts(n)
	switch kind {
	case "Tile":
		return r.tileType(n, parts)
	case "Tensor", "DistributedTensor":
		return r.tensorType(n, kind, parts)
	case "Scalar":
		if d, ok := r.dtype(parts[0]); ok {
			return scalar(d), true
		}
		return &ir.ScalarType{}, false
	case "Array":
		if len(parts) == 2 {
			ext, _ := r.constInt(parts[0])
			d, ok := r.dtype(parts[1])
			return &ir.ArrayType{Extent: ext, DType: d}, ok
		}
	case "Tuple", "tuple":
		t := &ir.TupleType{}
		if parts[0].Kind() == irsyntax.Tuple && parts[0].NumChildren() == 0 {
			return t, true
		}
		for _, p := range parts {
			e, _ := r.typeOf(p, signature)
			t.Elems = append(t.Elems, e)
		}
		return t, true
	case "Out", "InOut":
		return r.typeOf(n.Child(1), signature)
	}
	if !r.out.Opaque {
		r.problem(TypeErr, r.span(n), "Unknown type in subscript: "+unparse(n.First()), "")
	}
	return ir.Unknown, false
}

func (r *reader) legacyType(n irsyntax.Ref, signature bool) (ir.Type, bool) {
	a := n.First().Next()
	switch lastComponent(n.First()) {
	case "Tensor", "Tile":
		if a.Ok() && a.Next().Ok() {
			shape, ok := r.shape(a)
			d, ok2 := r.dtype(a.Next())
			if lastComponent(n.First()) == "Tile" {
				return ir.NewTileType(shape, d, nil, noSpace), ok && ok2
			}
			return ir.NewTensorType(shape, d, nil, false), ok && ok2
		}
	case "Scalar":
		if a.Ok() {
			d, ok := r.dtype(a)
			return scalar(d), ok
		}
	case "Tuple":
		if a.Kind() == irsyntax.List {
			t := &ir.TupleType{}
			for c := a.First(); c.Ok(); c = c.Next() {
				e, _ := r.typeOf(c, signature)
				t.Elems = append(t.Elems, e)
			}
			return t, true
		}
	}
	if !r.out.Opaque {
		r.problem(TypeErr, r.span(n), "Unsupported type annotation: "+unparse(n), "")
	}
	return ir.Unknown, false
}

const noSpace ir.Space = -1

var scalarTypes = func() (m [64]*ir.ScalarType) {
	for i := range m {
		m[i] = &ir.ScalarType{DType: ir.DType(i)}
	}
	return
}()

func scalar(d ir.DType) *ir.ScalarType { return scalarTypes[d&63] }

// dtype reads an element type (spec 01 §6.1).
func (r *reader) dtype(n irsyntax.Ref) (ir.DType, bool) {
	switch n.Kind() {
	case irsyntax.Attribute:
		last := lastComponent(n)
		if d, ok := ir.ParseDType(last); ok {
			return d, true
		}
		if dotted(n.First()) == "DataType" {
			r.problem(TypeErr, r.span(n), "Unknown DataType: "+last, dtypeHelp)
		} else {
			r.problem(TypeErr, r.span(n), "Unknown dtype: "+last, dtypeHelp)
		}
		return ir.NoDType, false
	case irsyntax.Name:
		name := n.Text()
		if d, ok := ir.ParseDType(name); ok {
			return d, true
		}
		v, ok := r.global(name)
		if ok {
			switch v := v.(type) {
			case ir.DType:
				return v, true
			case opaque:
				return ir.NoDType, false
			}
			r.problem(TypeErr, r.span(n), "Dtype variable '"+name+"' must be a DataType, got "+pyType(v), dtypeHelp)
			return ir.NoDType, false
		}
		r.problem(TypeErr, r.span(n), "Unknown dtype: "+name, dtypeHelp)
		return ir.NoDType, false
	case irsyntax.Ellipsis:
		return ir.NoDType, false
	}
	r.problem(TypeErr, r.span(n), "Cannot resolve dtype: "+unparse(n), dtypeHelp)
	return ir.NoDType, false
}

// dtypeNames is the order in which help texts list the element types.
var dtypeNames = []string{"FP4", "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "FP16", "FP32", "BF16", "HF4", "HF8", "INT4", "INT8", "INT16", "INT32", "INT64", "UINT4", "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "INDEX", "TASK_ID"}

const dtypeHelp = "Use one of: FP4, FP8E4M3FN, FP8E5M2, FP8E8M0, FP16, FP32, BF16, HF4, HF8, INT4, INT8, INT16, INT32, INT64, UINT4, UINT8, UINT16, UINT32, UINT64, BOOL, INDEX, TASK_ID"

func pyType(v Value) string {
	switch v.(type) {
	case int64:
		return "int"
	case float64:
		return "float"
	case bool:
		return "bool"
	case string:
		return "str"
	case []Value:
		return "list"
	case *ir.Var:
		return "DynVar"
	case *Decl:
		return "MemRef"
	}
	return "object"
}

// shape reads a shape (spec 01 §6.4).
func (r *reader) shape(n irsyntax.Ref) ([]ir.Expr, bool) {
	switch n.Kind() {
	case irsyntax.List, irsyntax.Tuple:
		out := make([]ir.Expr, 0, 2)
		ok := true
		for c := n.First(); c.Ok(); c = c.Next() {
			e, k := r.dimExpr(c)
			ok = ok && k
			out = append(out, e)
		}
		return out, ok
	case irsyntax.Ellipsis:
		return nil, false
	}
	c := &constEval{env: r.env}
	v, err := c.eval(n)
	r.noteAll(c.used)
	if list, ok := v.([]Value); ok && err == "" {
		var out []ir.Expr
		for _, e := range list {
			d, ok := dimOperand(e)
			if !ok {
				return out, false
			}
			out = append(out, d)
		}
		return out, true
	}
	if err != "opaque" && !r.out.Opaque {
		r.problem(TypeErr, r.span(n), evalMessage(n, err), "")
	}
	return nil, false
}

func (r *reader) noteAll(names []string) {
	for _, n := range names {
		r.note(n)
	}
}

func evalMessage(n irsyntax.Ref, err string) string {
	if len(err) > 5 && err[:5] == "name " {
		return "Cannot resolve expression '" + unparse(n) + "': " + err
	}
	return "Failed to evaluate expression '" + unparse(n) + "': " + err
}

var smallIndex = func() (m [1025]ir.ConstInt) {
	for i := range m {
		m[i] = ir.ConstInt{Value: int64(i), DType: ir.INDEX}
	}
	return
}()

// index makes an INDEX constant without allocating for the usual values.
func index(v int64) *ir.ConstInt {
	if v >= 0 && v < int64(len(smallIndex)) {
		return &smallIndex[v]
	}
	return ir.Index(v)
}

// dimExpr reads one element of a bracketed shape: closure before scope.
func (r *reader) dimExpr(n irsyntax.Ref) (ir.Expr, bool) {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v), true
		}
	case irsyntax.Name:
		name := n.Text()
		if v, ok := r.global(name); ok {
			if _, bad := v.(opaque); !bad {
				if d, ok := dimOperand(v); ok {
					return d, true
				}
			}
		}
		if v := r.lookup(name); v != nil {
			return r.denoted(v), true
		}
		return r.symbol(name), true
	}
	if !containsConst(n) {
		c := &constEval{env: r.env, shadow: func(s string) bool { return r.scope[s] != nil }}
		v, err := c.eval(n)
		r.noteAll(c.used)
		if err == "" {
			if d, ok := dimOperand(v); ok {
				return d, true
			}
		}
	}
	old := len(r.out.Problems)
	e, ok := r.dimTree(n)
	if !ok {
		r.out.Problems = r.out.Problems[:old]
		r.problem(TypeErr, r.span(n), "Shape dimension must be int literal, variable, or evaluable expression: "+unparse(n), "")
		return index(0), false
	}
	return e, true
}

func containsConst(n irsyntax.Ref) bool {
	if n.Kind() == irsyntax.Call && lastComponent(n.First()) == "const" {
		return true
	}
	for c := n.First(); c.Ok(); c = c.Next() {
		if containsConst(c) {
			return true
		}
	}
	return false
}

// dimTree rebuilds a composite dimension without folding.
func (r *reader) dimTree(n irsyntax.Ref) (ir.Expr, bool) {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v), true
		}
		return nil, false
	case irsyntax.Name:
		return r.dimExpr(n)
	case irsyntax.BinOp:
		op, ok := binOps[n.Op()]
		if !ok {
			return nil, false
		}
		x, ok1 := r.dimTree(n.First())
		y, ok2 := r.dimTree(n.Child(1))
		if !ok1 || !ok2 {
			return nil, false
		}
		return r.binary(op, x, y, r.span(n)), true
	}
	e := r.expr(n)
	return e, isIntScalar(exprType(e))
}

func isIntScalar(t ir.Type) bool {
	s, ok := t.(*ir.ScalarType)
	return ok && (s.DType.IsInt() || s.DType == ir.NoDType) || isUnknown(t)
}

// viewExprs reads valid_shape or stride: scope before closure, unknown names
// are fresh symbols.
func (r *reader) viewExprs(n irsyntax.Ref) []ir.Expr {
	if n.Kind() != irsyntax.List && n.Kind() != irsyntax.Tuple {
		es, _ := r.shape(n)
		return es
	}
	out := make([]ir.Expr, 0, 2)
	for c := n.First(); c.Ok(); c = c.Next() {
		out = append(out, r.viewExpr(c))
	}
	return out
}

func (r *reader) viewExpr(n irsyntax.Ref) ir.Expr {
	switch n.Kind() {
	case irsyntax.Int:
		if v, ok := parseInt(n.Text()); ok {
			return index(v)
		}
	case irsyntax.Name:
		name := n.Text()
		if v := r.lookup(name); v != nil {
			return r.denoted(v)
		}
		if v, ok := r.global(name); ok {
			if d, ok := dimOperand(v); ok {
				return d
			}
		}
		return r.symbol(name)
	}
	e, ok := r.dimTree(n)
	if !ok {
		e = r.expr(n)
	}
	return e
}

func (r *reader) constInt(n irsyntax.Ref) (int64, bool) {
	if n.Kind() == irsyntax.Int {
		return parseInt(n.Text())
	}
	c := &constEval{env: r.env, shadow: func(s string) bool { return r.scope[s] != nil }}
	v, err := c.eval(n)
	r.noteAll(c.used)
	i, ok := v.(int64)
	return i, ok && err == ""
}

func (r *reader) tensorType(n irsyntax.Ref, kind string, parts []irsyntax.Ref) (ir.Type, bool) {
	if len(parts) > 2 && parts[len(parts)-1].Kind() == irsyntax.String {
		parts = parts[:len(parts)-1] // window name: a comment of the explicit dump level
	}
	if len(parts) < 2 || len(parts) > 4 {
		if len(parts) == 1 && parts[0].Kind() == irsyntax.Ellipsis {
			return ir.Unknown, true
		}
		r.problem(TypeErr, r.span(n.Child(1)), kind+" subscript requires [shape, dtype], [shape, dtype, layout_or_memref], or [shape, dtype, layout, memref], got: "+unparse(n),
			"Use "+kind+"[[shape], dtype], "+kind+"[[shape], dtype, layout], or "+kind+"[[shape], dtype, pl.MemRef(...)] format")
		return ir.Unknown, false
	}
	shape, ok := r.shape(parts[0])
	d, ok2 := r.dtype(parts[1])
	var view *ir.TensorView
	var mem *ir.MemRef
	for i, p := range parts[2:] {
		switch {
		case r.isMemRef(p):
			mem = r.memref(p, shape, d, ir.Space(0))
		case i == 1:
			r.problem(TypeErr, r.span(p), kind+" 4th argument must be pl.MemRef(...)", "")
		default:
			view = r.tensorSlot(p)
		}
	}
	t := ir.NewTensorType(shape, d, view, kind == "DistributedTensor")
	if t.View == nil && view != nil && r.opt.Policy == Dump && emptyTensorView(parts[2]) {
		t.View = view
	}
	t.MemRef = mem
	return t, ok && ok2
}

// emptyTensorView reports a `pl.TensorView()` written with nothing in it; the
// printer's mark of an inconsistent tree (spec 01b §5), kept by Dump.
func emptyTensorView(n irsyntax.Ref) bool {
	return n.Kind() == irsyntax.Call && !n.First().Next().Ok()
}

func (r *reader) tensorSlot(p irsyntax.Ref) *ir.TensorView {
	if p.Kind() == irsyntax.Name {
		if v, ok := r.global(p.Text()); ok {
			switch v := v.(type) {
			case *ViewDecl:
				return r.tensorView(v.Node)
			case ir.Enum:
				if l, ok := parseLayout(lastDot(string(v))); ok {
					return &ir.TensorView{Layout: l}
				}
			}
			return nil
		}
	}
	if p.Kind() == irsyntax.Call && lastComponent(p.First()) == "TensorView" {
		return r.tensorView(p)
	}
	last := lastComponent(p)
	l, ok := parseLayout(last)
	if !ok {
		r.problem(TypeErr, r.span(p), "Unknown layout: "+unparse(p), "Use pl.ND, pl.NZ or pl.TensorView(...)")
		return nil
	}
	return &ir.TensorView{Layout: l}
}

func (r *reader) tensorView(n irsyntax.Ref) *ir.TensorView {
	v := &ir.TensorView{}
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			continue
		}
		val := a.Child(1)
		switch a.First().Text() {
		case "valid_shape":
			v.ValidShape = r.viewExprs(val)
		case "stride":
			v.Stride = r.viewExprs(val)
		case "layout":
			v.Layout, _ = parseLayout(lastComponent(val))
		case "pad":
			p, _ := ir.ParseEnum("PadValue", lastComponent(val))
			v.Pad = ir.Pad(p)
		}
	}
	return v
}

func lastDot(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i+1:]
		}
	}
	return s
}

func itoa(v int64) string { return strconv.FormatInt(v, 10) }
