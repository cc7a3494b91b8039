package arith

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/ir"
)

// vars are the variables of one test: INDEX, but names starting with `s` are
// INT64, `u` UINT64 and `w` INT32.
type vars map[string]*ir.Var

func (vs vars) get(name string) *ir.Var {
	v := vs[name]
	if v == nil {
		d := ir.INDEX
		switch name[0] {
		case 's':
			d = ir.INT64
		case 'u':
			d = ir.UINT64
		case 'w':
			d = ir.INT32
		}
		v = &ir.Var{Name: name, Type: &ir.ScalarType{DType: d}}
		vs[name] = v
	}
	return v
}

// parser reads the usual infix notation, min(a, b), max(a, b), 5u (UINT64).
type parser struct {
	t    *testing.T
	vs   vars
	toks []string
}

func (vs vars) parse(t *testing.T, s string) ir.Expr {
	t.Helper()
	for _, c := range []string{"(", ")", ",", "+", "*", "%", "<=", ">=", "==", "!="} {
		s = strings.ReplaceAll(s, c, " "+c+" ")
	}
	s = strings.ReplaceAll(s, "//", " // ")
	s = strings.ReplaceAll(s, "- ", " - ")
	p := &parser{t, vs, strings.Fields(s)}
	e := p.compare()
	if len(p.toks) > 0 {
		t.Fatalf("%q: left over %v", s, p.toks)
	}
	return e
}

func (p *parser) peek() string {
	if len(p.toks) == 0 {
		return ""
	}
	return p.toks[0]
}

func (p *parser) next() string {
	s := p.peek()
	if s == "" {
		p.t.Fatal("expression ends too early")
	}
	p.toks = p.toks[1:]
	return s
}

var binops = map[string]ir.BinOp{"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "//": ir.FloorDiv, "%": ir.FloorMod, "<": ir.Lt, "<=": ir.Le,
	">": ir.Gt, ">=": ir.Ge, "==": ir.Eq, "!=": ir.Ne, "min": ir.Min, "max": ir.Max}

func (p *parser) level(ops string, sub func() ir.Expr) ir.Expr {
	x := sub()
	for op := p.peek(); op != "" && strings.Contains(ops, " "+op+" "); op = p.peek() {
		p.next()
		x = makeBinary(binops[op], x, sub())
	}
	return x
}

func makeBinary(op ir.BinOp, x, y ir.Expr) ir.Expr {
	d := Promote(DTypeOf(x), DTypeOf(y))
	if op.IsCompare() {
		d = ir.BOOL
	}
	return &ir.Binary{Op: op, X: x, Y: y, DType: d}
}

func (p *parser) compare() ir.Expr { return p.level(" < <= > >= == != ", p.sum) }
func (p *parser) sum() ir.Expr     { return p.level(" + - ", p.product) }
func (p *parser) product() ir.Expr { return p.level(" * // % ", p.atom) }

func (p *parser) atom() ir.Expr {
	s := p.next()
	switch {
	case s == "(":
		e := p.compare()
		p.next()
		return e
	case s == "min" || s == "max":
		p.next()
		x := p.compare()
		p.next()
		y := p.compare()
		p.next()
		return makeBinary(binops[s], x, y)
	case strings.HasSuffix(s, "u") && s[0] <= '9':
		v, err := strconv.ParseInt(s[:len(s)-1], 10, 64)
		if err != nil {
			p.t.Fatal(err)
		}
		return &ir.ConstInt{Value: v, DType: ir.UINT64}
	}
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return ir.Index(v)
	}
	return p.vs.get(s)
}

func show(e ir.Expr) string { return showAt(e, 0) }

func showAt(e ir.Expr, level int) string {
	switch e := e.(type) {
	case *ir.ConstInt:
		return strconv.FormatInt(e.Value, 10)
	case *ir.ConstBool:
		return fmt.Sprint(e.Value)
	case *ir.Var:
		return e.Name
	case *ir.Binary:
		for s, op := range binops {
			if op != e.Op {
				continue
			}
			own := 1
			switch s {
			case "min", "max":
				return s + "(" + show(e.X) + ", " + show(e.Y) + ")"
			case "*", "//", "%":
				own = 3
			case "+", "-":
				own = 2
			}
			r := showAt(e.X, own) + " " + s + " " + showAt(e.Y, own+1)
			if own < level {
				r = "(" + r + ")"
			}
			return r
		}
	}
	return "?"
}
