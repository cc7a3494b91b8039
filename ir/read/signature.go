package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// params reads the signature's parameters (spec 01 §5.2).
func (r *reader) params(ps irsyntax.Ref) {
	if !ps.Ok() {
		return
	}
	first := true
	for p := ps.First(); p.Ok(); p = p.Next() {
		if p.Kind() != irsyntax.Param {
			continue
		}
		name := p.First()
		ann := p.Child(1)
		isFirst := first
		first = false
		if p.Op() != irsyntax.OpNone {
			continue
		}
		text := name.Text()
		if text == "self" && (ann.IsEmpty() || isFirst && r.method) {
			continue
		}
		r.here = r.span(p)
		v := r.newVar(ir.ParamVar, text, ir.Unknown, r.span(name))
		prm := ir.Param{Var: v}
		if ann.IsEmpty() {
			if !r.out.Opaque {
				r.problem(TypeErr, r.span(p), "Parameter '"+text+"' missing type annotation", "Add a type annotation like: x: pl.Tensor[[64], pl.FP32]")
			}
		} else {
			if ann.Kind() == irsyntax.Subscript {
				switch lastComponent(ann.First()) {
				case "Out":
					prm.Dir, ann = ir.Out, ann.Child(1)
				case "InOut":
					prm.Dir, ann = ir.InOut, ann.Child(1)
				}
			}
			t, ok := r.typeOf(ann, true)
			if _, tuple := t.(*ir.TupleType); tuple {
				r.problem(TypeErr, r.span(ann), "Parameter type cannot be a tuple", "Tuple types are only supported as return types")
				ok = false
			}
			if ok {
				v.Type = t
			}
			r.dimParam(p, text, v)
			if _, ok := v.Type.(*ir.ScalarType); ok && prm.Dir == ir.InOut {
				r.problem(TypeErr, r.span(p), "Scalar parameters cannot have InOut direction", "Only Tensor and Tile parameters support InOut direction")
			}
		}
		r.bind(text, v)
		r.fn.Params = append(r.fn.Params, prm)
	}
}

// dimParam: an INDEX parameter named like a dynamic dimension is that
// dimension from here on (spec 01 §5.2).
func (r *reader) dimParam(p irsyntax.Ref, name string, v *ir.Var) {
	s, ok := v.Type.(*ir.ScalarType)
	if !ok || s.DType != ir.INDEX {
		return
	}
	g, _ := r.quietGlobal(name)
	if d, ok := g.(*ir.Var); !ok || d.Name != name {
		return
	}
	if r.usedDims[name] {
		r.problem(TypeErr, r.span(p), "Parameter '"+name+"' shadows the dynamic symbol '"+name+"', which an earlier parameter's type annotation already uses",
			"Declare '"+name+": pl.Scalar[pl.INDEX]' before the parameter whose pl.TensorView(valid_shape=...) names it, so the annotation resolves to the parameter")
	}
	if r.paramDims == nil {
		r.paramDims = map[string]*ir.Var{}
	}
	r.paramDims[name] = v
}

func (r *reader) returns(ret irsyntax.Ref) {
	if ret.IsEmpty() || !ret.Ok() {
		return
	}
	r.here = r.span(ret)
	if ret.Kind() == irsyntax.Subscript && lastComponent(ret.First()) == "tuple" {
		idx := ret.Child(1)
		if idx.Kind() == irsyntax.Tuple {
			for c := idx.First(); c.Ok(); c = c.Next() {
				r.addReturn(c)
			}
			return
		}
		r.addReturn(idx)
		return
	}
	r.addReturn(ret)
}

func (r *reader) addReturn(n irsyntax.Ref) {
	t, ok := r.typeOf(n, true)
	if !ok {
		t = ir.Unknown
	}
	r.fn.Returns = append(r.fn.Returns, t)
}
