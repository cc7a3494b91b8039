package read

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// constEval evaluates constant expressions with Python's semantics over the
// names of env (spec 01 §4.3). shadow hides names of the function's scope.
type constEval struct {
	env    *Env
	shadow func(name string) bool
	locals map[string]Value // of the body of a class
	used   []string
}

func (c *constEval) print(r irsyntax.Ref, v Value) string {
	switch v := v.(type) {
	case int64:
		return "i" + strconv.FormatInt(v, 10)
	case float64:
		return "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return "b" + strconv.FormatBool(v)
	}
	out := r.Text()
	slices.Sort(c.used)
	for _, n := range slices.Compact(c.used) {
		out += "\x00" + n + "=" + c.env.Fingerprint(n)
	}
	if len(out) > maxPrint {
		// Values that name others twice would double at every assignment.
		sum := sha256.Sum256([]byte(out))
		return out[:maxPrint/2] + hex.EncodeToString(sum[:])
	}
	return out
}

// notKnown is the failure of an expression with an opaque name.
const notKnown = "opaque"

const (
	// maxPrint is the length in bytes beyond which a fingerprint is shortened.
	maxPrint = 1 << 10
	// maxElems is how many elements a list may have, nested ones included. No
	// shape is that long.
	maxElems = 1 << 13
)

// tooLong reports whether v has more than maxElems elements.
func tooLong(v Value) bool {
	left := maxElems
	var count func(v Value)
	count = func(v Value) {
		l, _ := v.([]Value)
		for i := 0; i < len(l) && left > 0; i++ {
			left--
			count(l[i])
		}
	}
	count(v)
	return left == 0
}

// eval reports a failure as a message ("" for success).
func (c *constEval) eval(r irsyntax.Ref) (Value, string) {
	switch r.Kind() {
	case irsyntax.Int:
		if n, ok := parseInt(r.Text()); ok {
			return n, ""
		}
		return nil, "integer too large"
	case irsyntax.Float:
		if f, err := strconv.ParseFloat(strings.ReplaceAll(r.Text(), "_", ""), 64); err == nil || math.IsInf(f, 0) {
			return f, ""
		}
	case irsyntax.True:
		return true, ""
	case irsyntax.False:
		return false, ""
	case irsyntax.String:
		if s, ok := stringValue(r.Text()); ok && !r.Has(irsyntax.FlagFString) {
			return s, ""
		}
	case irsyntax.Name:
		name := r.Text()
		if c.shadow != nil && c.shadow(name) {
			return nil, "name '" + name + "' is not defined"
		}
		c.used = append(c.used, name)
		if v, ok := c.lookup(name); ok {
			if _, bad := v.(opaque); bad {
				return nil, notKnown
			}
			return v, ""
		}
		if d, ok := ir.ParseDType(name); ok {
			return d, ""
		}
		return nil, "name '" + name + "' is not defined"
	case irsyntax.Attribute:
		return c.attribute(r)
	case irsyntax.Tuple, irsyntax.List:
		out, err := c.evalAll(r.First())
		if err != "" {
			return nil, err
		}
		if tooLong(out) {
			return nil, "too long"
		}
		return out, ""
	case irsyntax.UnaryOp:
		v, err := c.eval(r.First())
		if err != "" {
			return nil, err
		}
		return unaryValue(r.Op(), v)
	case irsyntax.BinOp:
		x, err := c.eval(r.First())
		if err != "" {
			return nil, err
		}
		y, err := c.eval(r.Child(1))
		if err != "" {
			return nil, err
		}
		return binaryValue(r.Op(), x, y)
	case irsyntax.Compare:
		return c.compare(r)
	case irsyntax.BoolOp:
		return c.boolOp(r)
	case irsyntax.Subscript:
		return c.subscript(r)
	case irsyntax.Call:
		return c.call(r)
	case irsyntax.IfExp:
		return c.conditional(r)
	}
	return nil, "unsupported"
}

// evalAll evaluates r and what follows it.
func (c *constEval) evalAll(r irsyntax.Ref) (out []Value, err string) {
	for ; r.Ok(); r = r.Next() {
		v, err := c.eval(r)
		if err != "" {
			return nil, err
		}
		out = append(out, v)
	}
	return out, ""
}

// conditional is `x if cond else y`.
func (c *constEval) conditional(r irsyntax.Ref) (Value, string) {
	cond, err := c.eval(r.Child(1))
	if err != "" {
		return nil, err
	}
	truth, known := pythonTruth(cond)
	switch {
	case !known:
		return nil, "unsupported"
	case truth:
		return c.eval(r.First())
	}
	return c.eval(r.Child(2))
}

func (c *constEval) lookup(name string) (Value, bool) {
	if v, ok := c.locals[name]; ok {
		return v, true
	}
	return c.env.Lookup(name)
}

func (c *constEval) attribute(r irsyntax.Ref) (Value, string) {
	last := r.Child(1).Text()
	if d, ok := ir.ParseDType(last); ok {
		return d, ""
	}
	if v, err, ok := c.member(r); ok {
		return v, err
	}
	if base := dotted(r.First()); base != "" {
		if i := strings.LastIndexByte(base, '.'); i >= 0 || base == "Mem" || base == "MemorySpace" || enumKinds[base] {
			return ir.Enum(dotted(r)), ""
		}
	}
	if dotted(r) == "math.inf" {
		return math.Inf(1), ""
	}
	if _, ok := parseLayout(last); ok {
		return ir.Enum(dotted(r)), ""
	}
	return nil, "unsupported"
}

// member is an attribute of a name of the module; ok is false when its root is
// none or the qualifier is that of an enumeration, whoever provides it.
func (c *constEval) member(r irsyntax.Ref) (v Value, err string, ok bool) {
	if q := lastComponent(r.First()); enumKinds[q] || q == "Mem" || q == "MemorySpace" {
		return nil, "", false
	}
	if _, layout := parseLayout(r.Child(1).Text()); layout {
		return nil, "", false
	}
	root := rootOf(r)
	if root.Kind() != irsyntax.Name || root.Text() == "pl" || root.Text() == "pld" {
		return nil, "", false
	}
	v, known := c.lookup(root.Text())
	if !known {
		return nil, "", false
	}
	c.used = append(c.used, root.Text())
	if r.First() != root {
		return nil, notKnown, true
	}
	name := r.Child(1).Text()
	switch k := v.(type) {
	case *PlainClass:
		v = k.member(name)
		if _, bad := v.(opaque); !bad {
			return v, "", true
		}
	case pyModule:
		if v, ok := k.member(name); ok {
			return v, "", true
		}
	}
	return nil, notKnown, true
}

// compare evaluates a comparison of numbers, chained ones included.
func (c *constEval) compare(r irsyntax.Ref) (Value, string) {
	if r.Has(irsyntax.FlagChained) {
		return nil, "unsupported"
	}
	x, err := c.eval(r.First())
	if err != "" {
		return nil, err
	}
	y, err := c.eval(r.Child(1))
	if err != "" {
		return nil, err
	}
	a, ok1 := number(x)
	b, ok2 := number(y)
	if !ok1 || !ok2 {
		switch r.Op() {
		case irsyntax.OpEq, irsyntax.OpNe:
			if same, known := sameValue(x, y); known {
				return same == (r.Op() == irsyntax.OpEq), ""
			}
		}
		return nil, "unsupported"
	}
	switch r.Op() {
	case irsyntax.OpEq:
		return a == b, ""
	case irsyntax.OpNe:
		return a != b, ""
	case irsyntax.OpLt:
		return a < b, ""
	case irsyntax.OpLe:
		return a <= b, ""
	case irsyntax.OpGt:
		return a > b, ""
	case irsyntax.OpGe:
		return a >= b, ""
	}
	return nil, "unsupported"
}

// sameValue compares dtypes, strings and enumeration constants.
func sameValue(x, y Value) (same, known bool) {
	switch x := x.(type) {
	case ir.DType:
		y, ok := y.(ir.DType)
		return ok && x == y, true
	case string:
		y, ok := y.(string)
		return ok && x == y, true
	case ir.Enum:
		y, ok := y.(ir.Enum)
		return ok && lastDot(string(x)) == lastDot(string(y)), true
	}
	return false, false
}

func (c *constEval) boolOp(r irsyntax.Ref) (Value, string) {
	x, err := c.eval(r.First())
	if err != "" {
		return nil, err
	}
	t, known := pythonTruth(x)
	if !known {
		return nil, "unsupported"
	}
	if t == (r.Op() == irsyntax.OpOr) {
		return x, ""
	}
	return c.eval(r.Child(1))
}

func (c *constEval) subscript(r irsyntax.Ref) (Value, string) {
	x, err := c.eval(r.First())
	if err != "" {
		return nil, err
	}
	if r.Child(1).Kind() == irsyntax.Slice {
		return c.slice(x, r.Child(1))
	}
	i, err := c.eval(r.Child(1))
	if err != "" {
		return nil, err
	}
	list, ok := x.([]Value)
	n, ok2 := i.(int64)
	if !ok || !ok2 {
		return nil, "unsupported"
	}
	if n < 0 {
		n += int64(len(list))
	}
	if n < 0 || n >= int64(len(list)) {
		return nil, "list index out of range"
	}
	return list[n], ""
}

// slice is `list[lower:upper]`.
func (c *constEval) slice(x Value, s irsyntax.Ref) (Value, string) {
	list, ok := x.([]Value)
	if !ok || s.NumChildren() < 2 || s.Child(2).Ok() && !s.Child(2).IsEmpty() {
		return nil, "unsupported"
	}
	bounds := [2]int64{0, int64(len(list))}
	for k := range bounds {
		b := s.Child(k)
		if b.IsEmpty() {
			continue
		}
		v, err := c.eval(b)
		if err != "" {
			return nil, err
		}
		n, ok := asInt(v)
		if !ok {
			return nil, "unsupported"
		}
		if n < 0 {
			n += int64(len(list))
		}
		bounds[k] = max(0, min(n, int64(len(list))))
	}
	return append([]Value(nil), list[bounds[0]:max(bounds[0], bounds[1])]...), ""
}

func (c *constEval) call(r irsyntax.Ref) (Value, string) {
	fn := r.First()
	switch lastComponent(fn) {
	case "dynamic":
		if a := fn.Next(); a.Kind() == irsyntax.String {
			if s, ok := stringValue(a.Text()); ok {
				return c.env.dim(s), ""
			}
		}
	case "MemRef":
		return c.memrefDecl(r)
	case "TensorView":
		return &ViewDecl{r}, ""
	case "const":
		if a := fn.Next(); a.Ok() {
			return c.eval(a)
		}
	case "get_byte":
		if fn.Kind() == irsyntax.Attribute {
			if d, ok := ir.ParseDType(lastComponent(fn.First())); ok {
				return int64(d.Bytes()), ""
			}
		}
	}
	return c.pythonCall(fn)
}

// pythonCall is a call of a builtin or of a function of `math`.
func (c *constEval) pythonCall(fn irsyntax.Ref) (Value, string) {
	var function pyFunc
	switch fn.Kind() {
	case irsyntax.Name:
		c.used = append(c.used, fn.Text())
		if v, ok := c.lookup(fn.Text()); ok {
			if function, ok = v.(pyFunc); !ok {
				return nil, notKnown
			}
		}
	case irsyntax.Attribute:
		v, err := c.eval(fn)
		if err != "" {
			return nil, err
		}
		var ok bool
		if function, ok = v.(pyFunc); !ok {
			return nil, "unsupported"
		}
	default:
		return nil, "unsupported"
	}
	args, err := c.evalAll(fn.Next())
	if err != "" {
		return nil, err
	}
	if function == "" {
		return builtin(fn.Text(), args)
	}
	if v, ok := mathCall(string(function), args); ok {
		return v, ""
	}
	return nil, notKnown
}

// memrefDecl evaluates `pl.MemRef("name", slots=N)` of the module, whose
// arguments are any Python values: also names of constants.
func (c *constEval) memrefDecl(r irsyntax.Ref) (Value, string) {
	d := &Decl{Slots: 1}
	n := 0
	for a := r.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			v, err := c.eval(a.Child(1))
			if a.First().Text() == "slots" {
				if err != "" {
					return nil, notKnown
				}
				if k, ok := v.(int64); ok {
					d.Slots = int(k)
				}
			}
			continue
		}
		n++
		if v, _ := c.eval(a); v != nil {
			d.Name, _ = v.(string)
		}
	}
	if n > 1 {
		return nil, "unsupported"
	}
	return d, ""
}

func number(v Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}
