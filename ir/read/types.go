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
	r.problem(TypeErr, r.span(n), "Unsupported type annotation: "+unparse(n), typeHelp)
	return ir.Unknown, false
}

const typeHelp = "Use pl.Tensor[[shape], dtype], pl.Tile[[shape], dtype], or pl.Scalar[dtype]"

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
		r.problem(TypeErr, r.span(n), "Incomplete type annotation: "+dotted(n), typeHelp)
	}
	return ir.Unknown, false
}

// indexParts appends the parts between the outer brackets.
func indexParts(n irsyntax.Ref, out []irsyntax.Ref) []irsyntax.Ref {
	idx := n.Child(1)
	if idx.Kind() == irsyntax.Tuple && !idx.Has(irsyntax.FlagParen) {
		for c := idx.First(); c.Ok(); c = c.Next() {
			out = append(out, c)
		}
		return out
	}
	return append(out, idx)
}

func (r *reader) subscriptType(n irsyntax.Ref, signature bool) (ir.Type, bool) {
	kind := lastComponent(n.First())
	var room [5]irsyntax.Ref
	parts := indexParts(n, room[:0])
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
		return r.arrayType(n, parts)
	case "Tuple", "tuple":
		return r.tupleType(parts, signature)
	case "Out", "InOut":
		return r.typeOf(n.Child(1), signature)
	}
	if !r.out.Opaque {
		r.problem(TypeErr, r.span(n.First()), "Unknown type in subscript: "+unparse(n.First()), "Use pl.Tensor for tensor types, pl.Tile for tile types, or pl.Scalar for scalar types")
	}
	return ir.Unknown, false
}

func (r *reader) arrayType(n irsyntax.Ref, parts []irsyntax.Ref) (ir.Type, bool) {
	if len(parts) != 2 {
		r.problem(TypeErr, r.span(n.Child(1)), "Array subscript requires [extent, dtype], got: "+unparse(n), "Use pl.Array[N, pl.INT32]")
		return ir.Unknown, false
	}
	ext, ok := r.constInt(parts[0])
	if !ok || parts[0].Kind() == irsyntax.True || parts[0].Kind() == irsyntax.False {
		r.problem(TypeErr, r.span(parts[0]), "Array extent must be an int literal or compile-time constant, got: "+unparse(parts[0]), "Use a positive integer literal for the extent")
		return ir.Unknown, false
	}
	d, ok := r.dtype(parts[1])
	switch {
	case ok && !d.IsInt() && d != ir.BOOL && d != ir.TASKID:
		r.funcProblem(r.span(n), "ArrayType element dtype must be integer, BOOL, or TASK_ID, got "+d.Lower())
		ok = false
	case ext <= 0:
		r.funcProblem(r.span(n), "ArrayType extent must be positive, got "+itoa(ext))
		ok = false
	}
	return &ir.ArrayType{Extent: ext, DType: d}, ok
}

func (r *reader) tupleType(parts []irsyntax.Ref, signature bool) (ir.Type, bool) {
	t := &ir.TupleType{}
	if parts[0].Kind() == irsyntax.Tuple && parts[0].NumChildren() == 0 {
		return t, true
	}
	for _, p := range parts {
		if p.Kind() == irsyntax.Subscript {
			if k := lastComponent(p.First()); k == "Tuple" || k == "tuple" {
				r.problem(TypeErr, r.span(p), "Nested tuple types are not supported", "Use a flat tuple like tuple[pl.Tensor[...], pl.Tensor[...]]")
				t.Elems = append(t.Elems, ir.Unknown)
				continue
			}
		}
		e, _ := r.typeOf(p, signature)
		t.Elems = append(t.Elems, e)
	}
	return t, true
}

// legacyType reads the call forms `pl.Tensor(shape, dtype)`.
func (r *reader) legacyType(n irsyntax.Ref, signature bool) (ir.Type, bool) {
	a := n.First().Next()
	kind := lastComponent(n.First())
	count := itoa(int64(n.NumChildren() - 1))
	fail := func(text, help string) (ir.Type, bool) {
		if !r.out.Opaque {
			r.problem(TypeErr, r.span(n), text, help)
		}
		return ir.Unknown, false
	}
	switch kind {
	case "Tensor", "DistributedTensor", "Tile":
		if !a.Ok() || !a.Next().Ok() {
			return fail(kind+" type requires shape and dtype arguments, got "+count, "Use pl."+kind+"[[shape], dtype] format")
		}
		read := r.tensorShape
		if kind == "Tile" {
			read = r.shape
		}
		shape, ok := read(a)
		d, ok2 := r.dtype(a.Next())
		if kind == "Tile" {
			return ir.NewTileType(shape, d, nil, noSpace), ok && ok2
		}
		return ir.NewTensorType(shape, d, nil, kind == "DistributedTensor"), ok && ok2
	case "Scalar":
		if !a.Ok() {
			return fail("Scalar type requires dtype argument, got "+count, "Use pl.Scalar[dtype] format, e.g., pl.Scalar[pl.FP32]")
		}
		d, ok := r.dtype(a)
		return scalar(d), ok
	case "Tuple":
		if a.Kind() != irsyntax.List {
			return fail("Tuple type requires a list of types, got: "+unparse(a), "Use pl.Tuple[pl.Tensor[...], pl.Tile[...], ...] format")
		}
		t := &ir.TupleType{}
		for c := a.First(); c.Ok(); c = c.Next() {
			e, _ := r.typeOf(c, signature)
			t.Elems = append(t.Elems, e)
		}
		return t, true
	}
	return fail("Unknown type constructor: "+unparse(n.First()), typeHelp)
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
			r.problem(TypeErr, r.span(n), "Dtype variable '"+name+"' must be a DataType, got "+pyType(v), "Use a valid dtype like pl.FP32, pl.INT32, etc.")
			return ir.NoDType, false
		}
		r.problem(TypeErr, r.span(n), "Unknown dtype: "+name, dtypeHelp)
		return ir.NoDType, false
	case irsyntax.Ellipsis:
		return ir.NoDType, false
	}
	r.problem(TypeErr, r.span(n), "Cannot resolve dtype: "+unparse(n), "Use pl.FP32, pl.INT32, or other supported dtype constants")
	return ir.NoDType, false
}

// dtypeNames is the order in which help texts list the element types.
var dtypeNames = []string{"FP4", "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "FP16", "FP32", "BF16", "HF4", "HF8", "INT4", "INT8", "INT16", "INT32", "INT64", "UINT4", "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "INDEX", "TASK_ID"}

const dtypeHelp = "Use a valid dtype like pl.FP32, pl.INT32, etc. Available: FP4, FP8E4M3FN, FP8E5M2, FP8E8M0, FP16, FP32, BF16, HF4, HF8, INT4, INT8, INT16, INT32, INT64, UINT4, UINT8, UINT16, UINT32, UINT64, BOOL, INDEX, TASK_ID"

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
	case *PlainClass:
		return "type"
	case pyRange:
		return "range"
	case pyModule:
		return "module"
	case pyFunc:
		return "builtin_function_or_method"
	}
	return "object"
}

func itoa(v int64) string { return strconv.FormatInt(v, 10) }
