package prelude

import "pypto-ls/ir"

const passComposite = "LowerCompositeOps"

// lowerCompositeOps replaces `tile.sin` and `tile.cos` by the arithmetic they
// stand for (spec 11b §3).
func lowerCompositeOps(c *Ctx, f *ir.Function) *ir.Function {
	detectComposites(c, f)
	l := &compositor{c: c, f: copyFunc(f)}
	b := l.block(f.Body)
	if b == f.Body {
		return f
	}
	l.f.Body = b
	return l.f
}

type compositor struct {
	c *Ctx
	f *ir.Function
	n int
}

func (l *compositor) block(b *ir.Block) *ir.Block {
	return rewriteCalls(b, func(a *ir.Assign, call *ir.Call, out *ir.Block) bool {
		if (call.Name == "tile.sin" || call.Name == "tile.cos") && len(call.Args) == 1 {
			l.expand(a, call, out)
			return true
		}
		return false
	})
}

// expand emits the range reduction and polynomial of one sine or cosine.
func (l *compositor) expand(a *ir.Assign, call *ir.Call, out *ir.Block) {
	t := tileOf(call.Args[0])
	if t == nil || t.DType != ir.FP32 {
		d := "unknown"
		if t != nil {
			d = t.DType.Lower()
		}
		l.c.problem(passComposite, l.f, call.Span, call.Name+" is FP32-only, got dtype "+d)
		out.Stmts = append(out.Stmts, a)
		return
	}
	e := &expansion{l: l, a: a, out: out, base: baseName(a.Var.Name)}
	x := call.Args[0]
	cos := call.Name == "tile.cos"
	k := e.muls("pi_inv_x", x, 0.31830987334251404)
	mode := int64(2)
	if cos {
		k = e.adds("k_pre", k, 0.5)
		mode = 1
	}
	ki := e.cast("k_i", k, ir.INT32, mode)
	kf := e.cast("k_f", ki, ir.FP32, 0)
	r := e.sub("t0", x, e.muls("k_pi_v2", kf, 3.140625))
	r = e.sub("t1", r, e.muls("k_pi_c1", kf, 0.0009670257568359375))
	if cos {
		r = e.adds("t1h", r, 1.5707963705062866)
	}
	r = e.sub("t2", r, e.muls("k_pi_c2", kf, 6.2771141529083252e-07))
	r = e.sub("t3", r, e.muls("k_pi_c3", kf, 1.2164491636212915e-10))
	r = e.sub("t4", r, e.muls("k_pi_c4", kf, -1.0290622927356871e-13))
	if cos {
		r = e.adds("t4t", r, -4.3711388286737929e-08)
	}
	half := e.cast("floor_hk_i", e.muls("half_k", kf, 0.5), ir.INT32, 3)
	x4 := e.muls("floor_x4", e.cast("floor_hk_f", half, ir.FP32, 0), 4.0)
	n2 := e.muls("neg2_k", kf, -2.0)
	sign := e.adds("sign", e.op("sign_pre", "tile.add", x4, n2), 1.0)
	sq := e.op("t2sq", "tile.mul", r, r)
	p := e.adds("p_r1", e.muls("p_r0", sq, 2.6049265215988271e-06), -0.00019808944489341229)
	p = e.adds("p_r2", e.op("p_t2_r1", "tile.mul", p, sq), 0.0083330497145652771)
	p = e.adds("p_r3", e.op("p_t2_r2", "tile.mul", p, sq), -0.16666658222675323)
	p = e.adds("p_one", e.op("p_t2_r3", "tile.mul", p, sq), 1.0)
	tp := e.op("t_p", "tile.mul", r, p)
	value := newCall("tile.mul", call.Span, []ir.Expr{sign, tp})
	value.Attrs = call.Attrs
	out.Stmts = append(out.Stmts, &ir.Assign{StmtMeta: a.StmtMeta, Var: a.Var, Value: value})
}

// expansion emits the temporaries of one composite.
type expansion struct {
	l    *compositor
	a    *ir.Assign
	out  *ir.Block
	base string
}

func (e *expansion) op(part, name string, args ...ir.Expr) ir.Expr {
	return e.emit(part, newCall(name, e.a.Span, args))
}

func (e *expansion) emit(part string, c *ir.Call) ir.Expr {
	v := e.l.f.NewVar(ir.PlainVar, e.base+"__"+part+"_tmp_v"+itoa(e.l.n), exprType(c), e.a.Var.Span)
	e.l.n++
	e.out.Stmts = append(e.out.Stmts, &ir.Assign{StmtMeta: ir.StmtMeta{Span: e.a.Span}, Var: v, Value: c})
	return v
}

func fp32(v float64) ir.Expr { return &ir.ConstFloat{Value: v, DType: ir.FP32} }

func (e *expansion) muls(part string, x ir.Expr, v float64) ir.Expr {
	return e.op(part, "tile.muls", x, fp32(v))
}

func (e *expansion) adds(part string, x ir.Expr, v float64) ir.Expr {
	return e.op(part, "tile.adds", x, fp32(v))
}

func (e *expansion) sub(part string, x, y ir.Expr) ir.Expr { return e.op(part, "tile.sub", x, y) }

func (e *expansion) cast(part string, x ir.Expr, d ir.DType, mode int64) ir.Expr {
	return e.emit(part, newCall("tile.cast", e.a.Span, []ir.Expr{x}, ir.Kwarg{Key: "target_type", Value: d}, ir.Kwarg{Key: "mode", Value: mode}))
}
