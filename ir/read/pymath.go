package read

import (
	"math"
	"math/big"
)

// pyModule is an imported module of Python's library of which something is
// known, pyFunc a function of it.
type (
	pyModule string
	pyFunc   string
)

// member is what a module has under a name, as far as it is known.
func (m pyModule) member(name string) (Value, bool) {
	if f, ok := mathConstant(name); ok {
		return f, true
	}
	if mathFuncs[name] {
		return pyFunc(name), true
	}
	return nil, false
}

// mathConstant is `math.inf` and its like.
func mathConstant(name string) (float64, bool) {
	switch name {
	case "inf":
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	case "pi":
		return math.Pi, true
	case "e":
		return math.E, true
	case "tau":
		return 2 * math.Pi, true
	}
	return 0, false
}

// mathFuncs are the functions of `math` that mathCall evaluates.
var mathFuncs = map[string]bool{"sqrt": true, "exp": true, "log": true, "log2": true, "log10": true, "pow": true, "ceil": true, "floor": true, "trunc": true, "fabs": true}

// mathCall evaluates a function of `math`; ok is false where the last bit of the
// result is not certain, or where Python raises an exception.
func mathCall(name string, args []Value) (v Value, ok bool) {
	var x [2]float64
	if len(args) == 0 || len(args) > 2 {
		return nil, false
	}
	for i, a := range args {
		if x[i], ok = number(a); !ok || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return nil, false
		}
	}
	if len(args) == 2 {
		switch name {
		case "pow":
			return certain(pyPow(x[0], x[1]))
		case "log":
			a, ok1 := pyLog(x[0])
			b, ok2 := pyLog(x[1])
			return a / b, ok1 && ok2 && b != 0
		}
		return nil, false
	}
	if n, whole := asInt(args[0]); whole && (name == "ceil" || name == "floor" || name == "trunc") {
		return n, true
	}
	switch name {
	case "sqrt":
		return math.Sqrt(x[0]), x[0] >= 0
	case "exp":
		return certain(pyExp(x[0]))
	case "log":
		return certain(pyLog(x[0]))
	case "log2":
		return certain(logTo(x[0], 2))
	case "log10":
		f, ok := logTo(x[0], 10) // C libraries are off by more than a unit here
		return f, ok && f == math.Trunc(f)
	case "fabs":
		return math.Abs(x[0]), true
	case "ceil":
		return wholeNumber(math.Ceil(x[0]))
	case "floor":
		return wholeNumber(math.Floor(x[0]))
	case "trunc":
		return wholeNumber(math.Trunc(x[0]))
	}
	return nil, false
}

func certain(f float64, ok bool) (Value, bool) { return f, ok }

// wholeNumber is a float as Python's int.
func wholeNumber(f float64) (Value, bool) {
	const limit = 1 << 62
	if !(f > -limit && f < limit) {
		return nil, false
	}
	return int64(f), true
}

// precision is that of intermediate results.
const precision = 192

func bigOf(f float64) *big.Float   { return new(big.Float).SetPrec(precision).SetFloat64(f) }
func bigNew() *big.Float           { return new(big.Float).SetPrec(precision) }
func bigInt(n int64) *big.Float    { return new(big.Float).SetPrec(precision).SetInt64(n) }
func negligible(t *big.Float) bool { return t.Sign() == 0 || t.MantExp(nil) < -precision }

// nearest is the float nearest to an exact result. C libraries round to one of
// two neighbours, the nearer one unless the result is close to their middle:
// there nothing is certain. Their errors are known to be below 0.52 of a unit.
func nearest(x *big.Float) (float64, bool) {
	f, _ := x.Float64()
	if f == 0 || math.IsInf(f, 0) || math.Abs(f) < 1e-300 {
		return 0, false
	}
	ulp := math.Nextafter(math.Abs(f), math.Inf(1)) - math.Abs(f)
	off, _ := bigNew().Quo(bigNew().Sub(x, bigOf(f)), bigOf(ulp)).Float64()
	return f, math.Abs(off) < 0.47
}

func pyExp(x float64) (float64, bool) {
	if x == 0 {
		return 1, true
	}
	if math.Abs(x) > 600 {
		return 0, false
	}
	return nearest(bigExp(bigOf(x)))
}

// bigExp is e^x of a moderate x: e^(x/2^k) by its series, squared k times.
func bigExp(x *big.Float) *big.Float {
	const k = 16
	t := bigNew().SetMantExp(x, -k)
	sum, term := bigInt(1), bigInt(1)
	for n := int64(1); n < 100; n++ {
		term = bigNew().Quo(bigNew().Mul(term, t), bigInt(n))
		if negligible(term) {
			break
		}
		sum = bigNew().Add(sum, term)
	}
	for range k {
		sum = bigNew().Mul(sum, sum)
	}
	return sum
}

func pyLog(x float64) (float64, bool) {
	if x == 1 {
		return 0, true
	}
	if x <= 0 {
		return 0, false
	}
	return nearest(bigLog(bigOf(x)))
}

// bigLog is the logarithm of a positive x = m·2^e: that of m by the series of
// the area tangent, and e times that of two.
func bigLog(x *big.Float) *big.Float {
	m := bigNew()
	e := x.MantExp(m) // 0.5 <= m < 1
	return bigNew().Add(area(m), bigNew().Mul(bigInt(int64(e)), bigNew().Neg(area(bigOf(0.5)))))
}

// area is log m = 2·artanh((m-1)/(m+1)) of an m near one.
func area(m *big.Float) *big.Float {
	z := bigNew().Quo(bigNew().Sub(m, bigInt(1)), bigNew().Add(m, bigInt(1)))
	square := bigNew().Mul(z, z)
	sum, power := bigNew().Set(z), bigNew().Set(z)
	for n := int64(3); n < 400; n += 2 {
		power = bigNew().Mul(power, square)
		if negligible(power) {
			break
		}
		sum = bigNew().Add(sum, bigNew().Quo(power, bigInt(n)))
	}
	return bigNew().Mul(sum, bigInt(2))
}

// logTo is the logarithm to a base of 2 or 10.
func logTo(x, base float64) (float64, bool) {
	if x <= 0 {
		return 0, false
	}
	if x == 1 {
		return 0, true
	}
	return nearest(bigNew().Quo(bigLog(bigOf(x)), bigLog(bigOf(base))))
}

// pyPow is x ** y of floats.
func pyPow(x, y float64) (float64, bool) {
	switch {
	case y == 0 || x == 1:
		return 1, true
	case y == 1:
		return x, true
	case x <= 0 || math.Abs(y*math.Log(x)) > 600:
		return powWhole(x, y)
	}
	return nearest(bigExp(bigNew().Mul(bigOf(y), bigLog(bigOf(x)))))
}

// powWhole is x ** y of a negative x and a small whole y.
func powWhole(x, y float64) (float64, bool) {
	if y != math.Trunc(y) || math.Abs(y) > 64 || x == 0 && y < 0 {
		return 0, false
	}
	if x == 0 {
		return 0, y > 0
	}
	r := bigInt(1)
	for range int(math.Abs(y)) {
		r = bigNew().Mul(r, bigOf(x))
	}
	if y < 0 {
		r = bigNew().Quo(bigInt(1), r)
	}
	return nearest(r)
}

// floatMod is a % b of floats: exact, with the sign of b.
func floatMod(a, b float64) float64 {
	m := math.Mod(a, b)
	if m == 0 {
		return math.Copysign(0, b)
	}
	if (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// floatFloorDiv is a // b of floats as Python computes it.
func floatFloorDiv(a, b float64) float64 {
	d := (a - floatMod(a, b)) / b
	if d == 0 {
		return math.Copysign(0, a/b)
	}
	f := math.Floor(d)
	if d-f > 0.5 {
		f++
	}
	return f
}
