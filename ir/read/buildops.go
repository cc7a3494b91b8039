package read

import (
	"math"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

const vecSpace = platforms.Vec

func tupleLen(e ir.Expr) (int, bool) {
	t, ok := e.(*ir.MakeTuple)
	if !ok {
		return 0, false
	}
	return len(t.Elems), true
}

// load is tile.load: an omitted valid_shape is the shapes tuple, so the IR
// always has four operands (spec 02 §5.9).
func (x *build) load() string {
	if msg := x.operands(); msg != "" {
		return msg
	}
	if len(x.c.Args) == 3 {
		x.c.Args = append(x.c.Args, x.c.Args[2])
	}
	if len(x.c.Args) == 4 {
		o, ok1 := tupleLen(x.c.Args[1])
		s, ok2 := tupleLen(x.c.Args[2])
		v, ok3 := tupleLen(x.c.Args[3])
		switch {
		case ok1 && ok2 && o != s:
			return "offsets and shapes must have same number of dimensions, got " + itoa(int64(o)) + " offsets and " + itoa(int64(s)) + " shapes"
		case ok2 && ok3 && v != s:
			return "valid_shape and shapes must have same number of dimensions, got " + itoa(int64(v)) + " valid_shape and " + itoa(int64(s)) + " shapes"
		case ok2 && s == 0:
			return "offsets and shapes must have at least one dimension"
		}
	}
	if s, ok := x.b.arg("target_memory").(ir.Space); ok && s != platforms.Vec && s != platforms.Mat {
		return "target_memory for tile.load must be MemorySpace.Vec or MemorySpace.Mat, got MemorySpace." + s.String()
	}
	return x.keywords()
}

// slice inserts an empty request when only drop_dims is given (spec 02 §6).
func (x *build) slice() string {
	names := [...]string{"", "shape", "offset", "valid_shape", "drop_dims"}
	for i, name := range names {
		v := x.b.val[0]
		if i > 0 {
			v = x.b.arg(name)
		}
		if v == nil {
			if name == "valid_shape" && x.has("drop_dims") {
				x.c.Args = append(x.c.Args, &ir.MakeTuple{})
			}
			continue
		}
		if msg := x.operand(i, v); msg != "" {
			return msg
		}
	}
	x.paddedWarning()
	return x.keywords()
}

// paddedWarning: padding a window that holds no padding has no effect.
func (x *build) paddedWarning() {
	if x.c.Name != "tile.slice" || !x.has("pad_value") || x.has("valid_shape") || len(x.c.Args) == 0 {
		return
	}
	if t := exprType(x.c.Args[0]); isUnknown(t) || !ir.IsFullyValid(t) {
		return
	}
	x.r.warn(x.r.span(x.b.call), "tile.slice: pad_value has no effect on a fully valid window", "Give valid_shape, or drop pad_value")
}

// full takes a Python number, which must come by keyword: a positional
// literal arrives as an expression and is rejected (spec 02 §2.3).
func (x *build) full() string {
	d, ok := x.b.arg("dtype").(ir.DType)
	shape, _ := argExpr(x.b.arg("shape"))
	x.c.Args = append(x.c.Args, shape)
	v := x.b.arg("value")
	e, isNumber := constArg(v, d)
	if !isNumber {
		if raw, isExpr := v.(ir.Expr); isExpr {
			if isUnknown(exprType(raw)) {
				e = raw
			} else {
				return x.fn + "() requires value to be a Python number: give it by keyword, e.g. value=0.0"
			}
		} else {
			return "must be real number, not " + operandKind(v)
		}
	}
	x.c.Args = append(x.c.Args, e)
	if ok {
		x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "dtype", Value: d})
	}
	return ""
}

// appendArgs appends the named arguments that were given.
func (x *build) appendArgs(names ...string) string {
	for _, n := range names {
		v := x.b.arg(n)
		if v == nil {
			continue
		}
		e, ok := argExpr(v)
		if !ok {
			return "cannot use " + pyText(v) + " as an operand"
		}
		x.c.Args = append(x.c.Args, e)
	}
	return ""
}

// tensorGather reads the three forms of tensor.gather.
func (x *build) tensorGather() string {
	var msg string
	switch x.c.Name {
	case "tensor.gather":
		msg = x.appendArgs("input", "index")
	case "tensor.gather_mask":
		msg = x.appendArgs("input")
	default:
		msg = x.appendArgs("input", "kvalue")
	}
	if msg != "" {
		return msg
	}
	return x.keywords()
}

// tensorScatter reads the two forms of tensor.scatter.
func (x *build) tensorScatter() string {
	var msg string
	if x.c.Name == "tensor.scatter_mask" {
		msg = x.appendArgs("input", "dst")
	} else {
		msg = x.appendArgs("input", "index", "src")
	}
	if msg != "" {
		return msg
	}
	return x.keywords()
}

// mrgsort reads both forms, told apart by block_len (spec 02 §7).
func (x *build) mrgsort() string {
	if x.fn == "mrgsort_format1" || x.fn == "mrgsort_format2" {
		return x.mrgsortPrinted()
	}
	tensor := x.module == "pl.tensor" || x.c.Name == "tensor.mrgsort_format1" || x.c.Name == "tensor.mrgsort_format2"
	cat := "tile"
	if tensor {
		cat = "tensor"
	}
	if x.has("block_len") {
		if x.has("src1") || x.has("src2") || x.has("src3") || x.has("tmp") {
			return "mrgsort() format1 (block_len=...) and format2 (src1, ..., tmp) are mutually exclusive; do not pass format2 arguments with block_len"
		}
		x.setOp(cat + ".mrgsort_format1")
		if msg := x.appendArgs("src0"); msg != "" {
			return msg
		}
		e, msg := constTo(x.b.arg("block_len"), ir.INT32)
		x.c.Args = append(x.c.Args, e)
		return msg
	}
	x.setOp(cat + ".mrgsort_format2")
	switch {
	case !x.has("src1"):
		return "mrgsort() requires either block_len=<int> for format1, or at least (src0, src1, tmp=<tile>) for format2"
	case !tensor && !x.has("tmp"):
		return "mrgsort() format2 requires tmp; use mrgsort(src0, src1[, src2[, src3]], tmp=<tile>)"
	case x.has("src3") && !x.has("src2"):
		return "mrgsort() format2 requires src2 when src3 is provided"
	}
	names := []string{"src0", "src1", "src2", "src3", "tmp"}
	if tensor {
		names = names[:4]
	}
	if msg := x.appendArgs(names...); msg != "" {
		return msg
	}
	x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "exhausted", Value: truthy(x.b.arg("exhausted"))})
	return ""
}

func (x *build) mrgsortPrinted() string {
	if len(x.b.rest) > 0 {
		for _, v := range x.b.rest {
			e, ok := argExpr(v)
			if !ok {
				return "cannot use " + pyText(v) + " as an operand"
			}
			x.c.Args = append(x.c.Args, e)
		}
	} else if msg := x.operands(); msg != "" {
		return msg
	}
	if x.c.Name == "tile.mrgsort_format2" || x.c.Name == "tensor.mrgsort_format2" {
		x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "exhausted", Value: truthy(x.b.arg("exhausted"))})
	}
	return ""
}

func (x *build) setOp(name string) { x.c.Name, x.c.Op = name, ops.Lookup(name) }

// scatterUpdate reads `scatter_update(input, dim, index, src)`, by position or
// by keyword; the canonical `(input, index, src, dim=…)` too.
func (x *build) scatterUpdate() string {
	var dim any
	rest := x.b.rest
	if len(rest) == 3 {
		dim, rest = rest[0], rest[1:]
	}
	byName := func(key string) any {
		for _, k := range x.b.named {
			if k.Key == key {
				return k.Value
			}
		}
		return nil
	}
	for _, k := range x.b.named {
		switch k.Key {
		case "dim", "index", "src":
		default:
			return "scatter_update() got an unexpected keyword argument '" + k.Key + "'"
		}
	}
	if v := byName("dim"); v != nil {
		dim = v
	}
	operands := []any{x.b.val[0]}
	operands = append(operands, rest...)
	for _, key := range [...]string{"index", "src"} {
		if v := byName(key); v != nil {
			operands = append(operands, v)
		}
	}
	if len(operands) != 3 {
		return x.c.Name + " requires exactly 3 arguments (input, index, src), got " + itoa(int64(len(operands)))
	}
	for _, v := range operands {
		e, ok := argExpr(v)
		if !ok {
			return "cannot use " + pyText(v) + " as an operand"
		}
		x.c.Args = append(x.c.Args, e)
	}
	if n, ok := argInt(dim); ok {
		x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "dim", Value: n})
	}
	return ""
}

// syncEvent puts a constant event id into the keyword, another into the
// operand (spec 02 §5.15).
func (x *build) syncEvent() string {
	ev := x.b.arg("event_id")
	n, static := argInt(ev)
	if !static {
		if e, ok := argExpr(ev); ok && ev != nil {
			x.c.Args = append(x.c.Args, e)
		}
	}
	for i := range x.p.kwargs {
		k := &x.p.kwargs[i]
		if k.spec.Name == "event_id" {
			if static {
				x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "event_id", Value: n})
			}
			continue
		}
		v, msg := x.keyword(k.spec.Name, x.b.arg(k.spec.Name))
		if msg != "" {
			return msg
		}
		if v != nil {
			x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: k.spec.Name, Value: v})
		}
	}
	return ""
}

// syncall: the soft form has the workspace as operand.
func (x *build) syncall() string {
	core, _ := x.b.arg("core_type").(string)
	if core == "" {
		core = "mix"
	}
	x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "core_type", Value: core})
	if x.b.arg("mode") == "soft" {
		x.c.Kwargs = append(x.c.Kwargs, ir.Kwarg{Key: "mode", Value: "soft"})
		if msg := x.appendArgs("gm_workspace", "used_cores"); msg != "" {
			return msg
		}
	}
	return ""
}

// popType is what `shape=` and `dtype=` of a pop say about its tile (spec 02
// §5.15); nil when neither is given.
func (x *build) popType() (ir.Type, string) {
	var space ir.Space
	switch x.c.Name {
	case "tile.tpop_from_aic":
		space = platforms.Vec
	case "tile.tpop_from_aiv":
		space = platforms.Mat
	default:
		return nil, ""
	}
	shape, dtype := x.b.arg("shape"), x.b.arg("dtype")
	if shape == nil && dtype == nil {
		return nil, ""
	}
	d, ok := dtype.(ir.DType)
	if shape == nil || dtype == nil || !ok {
		return nil, "shape and dtype must both be provided or both omitted"
	}
	t, ok := shape.(*ir.MakeTuple)
	if !ok {
		return nil, ""
	}
	return ir.NewTileType(t.Elems, d, nil, space), ""
}

var (
	compareModes = map[string]int64{"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
	coalesceMode = map[string]int64{"row": 0, "elem": 1}
	oobModes     = map[string]int64{"undefined": 0, "clamp": 1, "wrap": 2, "zero": 3}
)

// keyword turns a keyword's Python value into what the IR stores.
func (x *build) keyword(name string, v any) (any, string) {
	switch name {
	case "mode":
		if x.c.Name == "tile.cast" || x.c.Name == "tensor.cast" {
			return castMode(v)
		}
	case "pad_value":
		return x.padValue(v)
	case "cmp_mode":
		return named(compareModes, v), ""
	case "coalesce":
		return named(coalesceMode, v), ""
	case "gather_oob":
		return named(oobModes, v), ""
	case "init_value":
		if n, ok := argInt(v); ok {
			return float64(n), ""
		}
		if c, ok := v.(*ir.ConstFloat); ok {
			return c.Value, ""
		}
		return v, ""
	}
	switch v := v.(type) {
	case *ir.ConstInt:
		return v.Value, ""
	case *ir.ConstBool:
		return v.Value, ""
	case ir.Enum:
		if lastDot(string(v)) == "AUTO" {
			return int64(-1), ""
		}
	}
	return v, ""
}

func named(m map[string]int64, v any) any {
	if s, ok := v.(string); ok {
		if n, ok := m[s]; ok {
			return n
		}
	}
	if n, ok := argInt(v); ok {
		return n
	}
	return v
}

const modeNames = "['none', 'rint', 'round', 'floor', 'ceil', 'trunc', 'odd']"

// castMode is the rounding mode by name or number (spec 02 §6).
func castMode(v any) (any, string) {
	switch v := v.(type) {
	case string:
		if m, ok := roundModes[v]; ok {
			return m, ""
		}
		return nil, "Invalid rounding mode '" + v + "'. Expected one of " + modeNames + "."
	case bool, *ir.ConstBool:
		return nil, "Invalid rounding mode " + pyText(truthy(v)) + ". Expected str name or int in range [0, 6]."
	}
	n, ok := argInt(v)
	if !ok {
		return nil, "Invalid rounding mode " + pyText(v) + ". Expected str name or int in range [0, 6]."
	}
	if n < 0 || n > 6 {
		return nil, "Invalid rounding mode " + itoa(n) + ". Expected int in range [0, 6]."
	}
	return n, ""
}

const padHelp = " Use pl.PadValue.zero / pl.PadValue.max / pl.PadValue.min, or one of the literals 0, 0.0, math.inf, -math.inf."

// padValue reads a pad value (spec 02 §6). Only the fillpad family accepts
// literals.
func (x *build) padValue(v any) (any, string) {
	if x.c.Name == "tile.slice" || x.c.Name == "tensor.slice" {
		if p, ok := v.(ir.Pad); ok || v == nil {
			if !ok {
				return nil, ""
			}
			return p, ""
		}
		return nil, x.c.Name + " pad_value must be a PadValue enum, got " + pyText(v)
	}
	switch c := v.(type) {
	case *ir.ConstInt:
		v = c.Value
	case *ir.ConstFloat:
		v = c.Value
	case *ir.ConstBool:
		v = c.Value
	}
	switch v := v.(type) {
	case ir.Pad:
		if v == ir.PadNull {
			return nil, "fillpad pad_value cannot be PadValue.null — that means no padding mode." + padHelp
		}
		return v, ""
	case bool:
		return nil, "fillpad pad_value cannot be bool (" + pyText(v) + ")." + padHelp
	case int64:
		if v != 0 {
			return nil, "fillpad pad_value only accepts the integer literal 0 (mapped to PadValue.zero); got " + itoa(v) + "." + padHelp
		}
		return ir.PadZero, ""
	case float64:
		switch {
		case math.IsNaN(v):
			return nil, "fillpad pad_value cannot be NaN." + padHelp
		case v == 0:
			return ir.PadZero, ""
		case math.IsInf(v, 1):
			return ir.PadMax, ""
		case math.IsInf(v, -1):
			return ir.PadMin, ""
		}
		return nil, "fillpad pad_value only accepts the float literals 0.0, math.inf, or -math.inf; got " + pyFloat(v) + "." + padHelp
	}
	return v, ""
}
