package lint

import "pypto-ls/ir"

// DroppedOutWrites is the check OutParamWriteDropped (spec 10 §6.1) of a
// function as its author wrote it: an output parameter's name is bound to
// another tensor, so that nothing written through it from there on reaches the
// caller. The specification names the check and where it points, not its text
// or condition: the text is ours, and only what is certain is reported, a
// tensor that the function makes itself from no other one, or another
// parameter.
func DroppedOutWrites(fn *ir.Function) []Finding {
	var outs map[*ir.Var]bool
	for _, p := range fn.Params {
		if _, tensor := p.Var.Type.(*ir.TensorType); tensor && p.Dir != ir.In {
			if outs == nil {
				outs = map[*ir.Var]bool{}
			}
			outs[p.Var] = true
		}
	}
	if outs == nil {
		return nil
	}
	var found []Finding
	ir.EachStmt(fn.Body, func(s ir.Stmt) {
		a, ok := s.(*ir.Assign)
		if !ok || !outs[a.Var] || !elsewhere(a) {
			return
		}
		found = append(found, Finding{OutParam, fn.Name, "Output parameter '" + a.Var.Name + "' of function '" + fn.Name +
			"' is bound to another tensor here; what is written through it from here on does not reach the caller", a.Meta().Span, ""})
	})
	return found
}

// elsewhere reports whether the value surely is not the parameter's storage.
func elsewhere(a *ir.Assign) bool {
	switch v := a.Value.(type) {
	case *ir.Var:
		return v.Kind == ir.ParamVar && v != a.Var
	case *ir.Call:
		if v.IsFunc || v.Op == nil || v.Op.LandsInSource() {
			return false
		}
		if _, tensor := v.Type.(*ir.TensorType); !tensor {
			return false
		}
		own := true
		var see func(ir.Expr)
		see = func(e ir.Expr) {
			if x, ok := e.(*ir.Var); ok {
				if _, scalar := x.Type.(*ir.ScalarType); !scalar {
					own = false
				}
			}
			parts(e, see)
		}
		parts(v, see)
		return own
	}
	return false
}
