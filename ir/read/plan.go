package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
)

// A plan says how a call bound to a wrapper's parameters becomes a call of an
// operator: which parameter is which operand, and which keywords are written
// into the IR in which order (ops.json kwargs.emitted_by_builder).
type plan struct {
	w        *ops.Wrapper
	op       *ops.Op
	operands []int // parameter indexes in operand order
	kwargs   []planKwarg
	retype   literalRule
}

type planKwarg struct {
	spec  *ops.KwargSpec
	param int
	emit  emitRule
	deflt any // Python value of the wrapper's default, nil for None
}

type emitRule uint8

const (
	emitAlways emitRule = iota
	emitGiven
	emitTrue    // only when True
	emitNonZero // only when not 0
	emitNotVec  // only when not Mem.Vec
)

// fallbackWrapper makes the signature of an operator without user-level
// wrapper from its record; nil for operators that have one or that no text
// may call.
func fallbackWrapper(op *ops.Op) *ops.Wrapper {
	cat, last, _ := strings.Cut(op.Name, ".")
	switch cat {
	case "tile", "tensor", "system", "array":
	default:
		return nil
	}
	sp := "pl." + op.Name
	if op.InternalOnly || ops.WrapperOf(sp) != nil || ops.WrapperOf(sp+"_") != nil {
		return nil
	}
	w := &ops.Wrapper{Spelling: sp, Function: last, BuilderFallback: true}
	for _, a := range op.Args {
		w.Params = append(w.Params, ops.WrapperParam{Name: a.Name, HasDefault: a.Optional, Default: "None"})
	}
	for i := range op.Kwargs {
		k := &op.Kwargs[i]
		w.Params = append(w.Params, ops.WrapperParam{Name: k.Name, HasDefault: true, KeywordOnly: true, Default: "None"})
	}
	return w
}

func newPlan(w *ops.Wrapper, op *ops.Op) *plan {
	p := &plan{w: w, op: op, retype: literalRules[op.Name]}
	for i := range w.Params {
		q := &w.Params[i]
		if q.Hidden || strings.HasPrefix(q.Name, "*") || isFlag(q) {
			continue
		}
		if _, ok := op.Kwarg(q.Name); !ok && len(p.operands) < len(op.Args) {
			p.operands = append(p.operands, i)
		}
	}
	for _, name := range kwargOrder(op) {
		spec, _ := op.Kwarg(name)
		if i := paramIndex(w, name); i >= 0 {
			q := &w.Params[i]
			d := pythonDefault(q)
			p.kwargs = append(p.kwargs, planKwarg{spec: spec, param: i, emit: emitOf(spec, d, q.HasDefault), deflt: d})
		}
	}
	return p
}

// isFlag tells a parameter that no operator has as an operand: where one of a
// wrapper's operators has no such keyword, tileFlags sees to it.
func isFlag(q *ops.WrapperParam) bool { return q.Default == "True" || q.Default == "False" }

// kwargOrder is the order of an operator's constructor. The registry lists
// that of tensor.matmul differently from what the reference prints.
func kwargOrder(op *ops.Op) []string {
	if op.Name == "tensor.matmul" {
		return []string{"a_trans", "b_trans", "c_matrix_nz", "out_dtype"}
	}
	names := make([]string, len(op.Kwargs))
	for i := range op.Kwargs {
		names[i] = op.Kwargs[i].Name
	}
	return names
}

func emitOf(spec *ops.KwargSpec, deflt any, hasDefault bool) emitRule {
	switch {
	case strings.HasPrefix(spec.Emitted, "always"):
		return emitAlways
	case spec.Emitted == "only when given":
		return emitGiven
	case spec.Emitted == "only when True":
		return emitTrue
	case spec.Emitted == "only when non-zero":
		return emitNonZero
	case spec.Emitted == "only when not Vec":
		return emitNotVec
	}
	// Tensor and system operators: the registry does not say; what the
	// reference prints does.
	switch spec.Name {
	case "atomic":
		return emitNonZero
	case "high_precision", "manual_dep", "clamp":
		return emitTrue
	}
	if hasDefault && deflt == nil {
		return emitGiven
	}
	return emitAlways
}

// pythonDefault is the value of a parameter's default.
func pythonDefault(p *ops.WrapperParam) any {
	if !p.HasDefault {
		return nil
	}
	switch d := p.Default; d {
	case "None":
		return nil
	case "False":
		return false
	case "True":
		return true
	case "AUTO":
		return int64(-1)
	case "AtomicType.None_":
		return int64(0)
	default:
		if n, ok := parseInt(d); ok {
			return n
		}
		if strings.HasPrefix(d, "'") {
			return strings.Trim(d, "'")
		}
		return enumDefault(d)
	}
}

// enumDefault reads a default such as `MemorySpace.Vec` or `DataType.INT32`.
func enumDefault(d string) any {
	q, last, _ := strings.Cut(d, ".")
	if q == "DataType" {
		t, _ := ir.ParseDType(last)
		return t
	}
	return enumOf(ir.Enum("pl." + d))
}
