package read

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"pypto-ls/irsyntax"
)

// pyRange is the value of `range(…)`, which is no list.
type pyRange []Value

// builtin calls a builtin of Python (spec 01 §4.3).
func builtin(name string, args []Value) (Value, string) {
	f, ok := builtins[name]
	if !ok {
		return nil, "name '" + name + "' is not defined"
	}
	for i, a := range args {
		if r, ok := a.(pyRange); ok {
			args[i] = []Value(r)
		}
	}
	if v, ok := f(args); ok {
		return v, ""
	}
	return nil, "unsupported"
}

var builtins = map[string]func(args []Value) (Value, bool){
	"len":   func(args []Value) (Value, bool) { l, ok := oneList(args); return int64(len(l)), ok },
	"list":  func(args []Value) (Value, bool) { return listOf(args) },
	"tuple": func(args []Value) (Value, bool) { return listOf(args) },
	"max":   func(args []Value) (Value, bool) { return extreme(args, func(x, best float64) bool { return x > best }) },
	"min":   func(args []Value) (Value, bool) { return extreme(args, func(x, best float64) bool { return x < best }) },
	"sum":   sum,
	"abs":   abs,
	"bool":  func(args []Value) (Value, bool) { return truthOf(args) },
	"int":   toInt,
	"float": toFloat,
	"round": round,
	"range": makeRange,
}

func oneList(args []Value) ([]Value, bool) {
	if len(args) != 1 {
		return nil, false
	}
	l, ok := args[0].([]Value)
	return l, ok
}

func listOf(args []Value) (Value, bool) {
	if len(args) == 0 {
		return []Value(nil), true
	}
	l, ok := oneList(args)
	return l, ok
}

func truthOf(args []Value) (Value, bool) {
	if len(args) != 1 {
		return nil, false
	}
	return pythonTruth(args[0])
}

func extreme(args []Value, better func(x, best float64) bool) (Value, bool) {
	if len(args) == 1 {
		l, ok := args[0].([]Value)
		if !ok {
			return nil, false
		}
		args = l
	}
	if len(args) == 0 {
		return nil, false
	}
	best := args[0]
	for _, a := range args {
		x, ok1 := number(a)
		y, ok2 := number(best)
		if !ok1 || !ok2 {
			return nil, false
		}
		if better(x, y) {
			best = a
		}
	}
	return best, true
}

func sum(args []Value) (Value, bool) {
	l, ok := oneList(args)
	if !ok {
		return nil, false
	}
	var acc Value = int64(0)
	floats := 0
	for _, a := range l {
		v, err := binaryValue(irsyntax.OpAdd, acc, a)
		if err != "" {
			return nil, false
		}
		if _, float := a.(float64); float {
			floats++
		}
		acc = v
	}
	return acc, floats <= 2 // Python adds more of them with a correction
}

func abs(args []Value) (Value, bool) {
	if len(args) != 1 {
		return nil, false
	}
	if f, ok := args[0].(float64); ok {
		return math.Abs(f), true
	}
	n, ok := asInt(args[0])
	if n < 0 {
		n = -n
	}
	return n, ok && n >= 0
}

func toInt(args []Value) (Value, bool) {
	if len(args) != 1 {
		return nil, false
	}
	switch v := args[0].(type) {
	case float64:
		return wholeNumber(math.Trunc(v))
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		return n, err == nil
	}
	return asInt(args[0])
}

var decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

func toFloat(args []Value) (Value, bool) {
	if len(args) != 1 {
		return nil, false
	}
	s, ok := args[0].(string)
	if !ok {
		return number(args[0])
	}
	s = strings.TrimSpace(s)
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "inf", "infinity", "nan":
		if len(s) > 1 && (s[1] == '+' || s[1] == '-') {
			return nil, false
		}
	default:
		if !decimal.MatchString(s) {
			return nil, false
		}
	}
	// A number that is too large is infinite to both.
	f, _ := strconv.ParseFloat(strings.TrimPrefix(s, "+"), 64)
	return f, true
}

// round is to the even neighbour; with digits, of the exact decimal value.
func round(args []Value) (Value, bool) {
	if len(args) == 0 || len(args) > 2 {
		return nil, false
	}
	digits, has := int64(0), len(args) == 2
	if has {
		var ok bool
		if digits, ok = args[1].(int64); !ok || digits < 0 || digits > 30 {
			return nil, false
		}
	}
	f, float := args[0].(float64)
	switch {
	case !float:
		return asInt(args[0])
	case !has:
		return wholeNumber(math.RoundToEven(f))
	case math.IsInf(f, 0) || math.IsNaN(f):
		return f, true
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(digits), 64), 64)
	return r, err == nil
}

func makeRange(args []Value) (Value, bool) {
	bounds := [3]int64{0, 0, 1}
	if len(args) == 0 || len(args) > 3 {
		return nil, false
	}
	for i, a := range args {
		n, ok := asInt(a)
		if !ok || n > 1<<40 || n < -1<<40 {
			return nil, false
		}
		if len(args) == 1 {
			i = 1
		}
		bounds[i] = n
	}
	if bounds[2] == 0 {
		return nil, false
	}
	r := pyRange{}
	for n := bounds[0]; bounds[2] > 0 && n < bounds[1] || bounds[2] < 0 && n > bounds[1]; n += bounds[2] {
		if len(r) == maxElems {
			return nil, false
		}
		r = append(r, n)
	}
	return r, true
}
