package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

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
	shape, ok := r.tensorShape(parts[0])
	d, ok2 := r.dtype(parts[1])
	var view *ir.TensorView
	var mem *ir.MemRef
	for i, p := range parts[2:] {
		switch {
		case r.isMemRef(p):
			mem = r.memref(p, shape, d, ir.Space(0))
		case i == 1:
			r.problem(TypeErr, r.span(p), kind+" 4th argument must be pl.MemRef(...)", "Use "+kind+"[[shape], dtype, layout, pl.MemRef(...)]")
		default:
			view = r.tensorSlot(p, kind)
		}
	}
	if text := ir.CheckShaped(shape, d); text != "" && ok && ok2 {
		r.funcProblem(r.span(n), text)
		return ir.Unknown, false
	}
	t := ir.NewTensorType(shape, d, view, kind == "DistributedTensor")
	if t.View == nil && view != nil && r.opt.Policy == Dump && emptyTensorView(parts[2]) {
		t.View = view
	}
	t.MemRef = mem
	return t, ok && ok2
}

// tensorShape reads the shape of a tensor.
func (r *reader) tensorShape(n irsyntax.Ref) ([]ir.Expr, bool) {
	if n.Kind() != irsyntax.List && n.Kind() != irsyntax.Tuple {
		return r.shape(n) // when it is not known, not even the rank is
	}
	outer := r.inTensor
	r.inTensor = true
	shape, ok := r.shape(n)
	r.inTensor = outer
	return shape, ok
}

// emptyTensorView reports a `pl.TensorView()` written with nothing in it; the
// printer's mark of an inconsistent tree (spec 01b §5), kept by Dump.
func emptyTensorView(n irsyntax.Ref) bool {
	return n.Kind() == irsyntax.Call && !n.First().Next().Ok()
}

// tensorSlot reads the third argument of a tensor: a layout or a view.
func (r *reader) tensorSlot(p irsyntax.Ref, kind string) *ir.TensorView {
	if p.Kind() == irsyntax.Name {
		if v, ok := r.global(p.Text()); ok {
			switch v := v.(type) {
			case *ViewDecl:
				return r.tensorView(v.Node)
			case opaque:
				return nil
			case ir.Enum:
				if l, ok := parseLayout(lastDot(string(v))); ok {
					return r.bareLayout(p, kind, l)
				}
			}
			r.problem(TypeErr, r.span(p), "Layout variable '"+p.Text()+"' must be a TensorLayout, got "+pyType(v), layoutHelp)
			return nil
		}
	}
	if p.Kind() == irsyntax.Call {
		if lastComponent(p.First()) == "TensorView" {
			return r.tensorView(p)
		}
		r.problem(TypeErr, r.span(p), "Expected pl.TensorView(...) call, got: "+unparse(p), "Use pl.TensorView(valid_shape=[...], stride=[...], layout=pl.TensorLayout.NZ, pad=pl.PadValue.zero)")
		return nil
	}
	l, ok := r.layout(p, layoutHelp)
	if !ok {
		return nil
	}
	return r.bareLayout(p, kind, l)
}

const (
	layoutHelp     = "Use a valid layout: pl.ND, pl.NZ, pl.MX_A_ZZ, pl.MX_B_NN"
	viewLayoutHelp = "Use a valid layout: pl.ND, pl.DN, pl.NZ, pl.MX_A_ZZ, pl.MX_B_NN"
)

// layout reads a tensor layout by its last component.
func (r *reader) layout(p irsyntax.Ref, help string) (ir.TensorLayout, bool) {
	if p.Kind() == irsyntax.Name && help == viewLayoutHelp {
		if v, ok := r.global(p.Text()); ok {
			if e, ok := v.(ir.Enum); ok {
				return parseLayout(lastDot(string(e)))
			}
		}
	}
	last := lastComponent(p)
	if last == "" {
		r.problem(TypeErr, r.span(p), "Cannot resolve layout: "+unparse(p), help)
		return 0, false
	}
	l, ok := parseLayout(last)
	if !ok {
		r.problem(TypeErr, r.span(p), "Unknown layout: "+last, help)
	}
	return l, ok
}

// bareLayout is a layout without stride; DN cannot be written so.
func (r *reader) bareLayout(p irsyntax.Ref, kind string, l ir.TensorLayout) *ir.TensorView {
	if l == ir.LayoutDN {
		r.problem(TypeErr, r.span(p), "pl."+kind+"[..., "+unparse(p)+"] is not supported: the DN layout-only shorthand forces two coordinate systems (IR-logical post-view vs. runtime row-major) onto one annotation", dnHelp)
	}
	return &ir.TensorView{Layout: l}
}

const dnHelp = "Three patterns cover every DN scenario without pl.DN:\n" +
	"  * source tensor shape, no layout marker: pl.Tensor[[N, K], pl.FP32]\n" +
	"  * derive DN at use site: xt = pl.transpose(x, -2, -1)  # ND -> DN\n" +
	"  * inherit DN through slice/reshape from a DN-producing op\n" +
	"For a strided-DN view (e.g. canonical pretty-print round-trip), write pl.TensorView(stride=[...], layout=pl.TensorLayout.DN) — it forces an explicit stride and avoids the implicit-coord-flip hazard."

func (r *reader) tensorView(n irsyntax.Ref) *ir.TensorView {
	v := &ir.TensorView{}
	for a := n.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.problem(TypeErr, r.span(n), "pl.TensorView() does not accept positional arguments, got: "+unparse(n), "Use keyword arguments: pl.TensorView(stride=[...], layout=pl.TensorLayout.NZ)")
			return v
		}
		val := a.Child(1)
		if r.unknownField(a) {
			continue
		}
		switch key := a.First().Text(); key {
		case "valid_shape":
			v.ValidShape = r.viewExprs(val)
		case "stride":
			v.Stride = r.viewExprs(val)
		case "layout":
			v.Layout, _ = r.layout(val, viewLayoutHelp)
		case "pad":
			v.Pad = r.padOf(val)
		default:
			r.problem(TypeErr, r.span(a), "Unknown TensorView keyword argument: '"+key+"'", "Supported: valid_shape, stride, layout, pad")
		}
	}
	return v
}

// padOf reads `pl.PadValue.X`, or a name bound to one.
func (r *reader) padOf(val irsyntax.Ref) ir.Pad {
	if p, ok := r.viewEnum(val, "PadValue"); ok {
		return ir.Pad(p)
	}
	r.problem(TypeErr, r.span(val), "Unknown PadValue value: "+unparse(val), "Use pl.PadValue.null, pl.PadValue.zero, pl.PadValue.max, or pl.PadValue.min")
	return ir.PadNull
}

// viewEnum is the number of an enumeration constant, written out or bound to
// a module-level name.
func (r *reader) viewEnum(val irsyntax.Ref, enum string) (int, bool) {
	last := lastComponent(val)
	if val.Kind() == irsyntax.Name {
		if v, ok := r.global(last); ok {
			if e, ok := v.(ir.Enum); ok {
				last = lastDot(string(e))
			}
		}
	}
	return ir.ParseEnum(enum, last)
}

func lastDot(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i+1:]
		}
	}
	return s
}
