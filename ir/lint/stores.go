package lint

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// AccStores is the verifier AccToGmStoreValid (spec 02 §12): the fix-pipe
// stores an accumulator only as one of a few element types. It needs the
// memory spaces of tiles, so it looks at functions after InferTileMemorySpace.
// Findings point at the store.
func AccStores(b Body, p *platforms.Platform) []Finding {
	if p == nil {
		return nil
	}
	var out []Finding
	ir.EachStmt(b.Fn.Body, func(s ir.Stmt) {
		calls(s, func(c *ir.Call) {
			if c.Name != "tile.store" || len(c.Args) < 3 {
				return
			}
			v, ok := c.Args[0].(*ir.Var)
			if !ok {
				return
			}
			t, ok := b.typeOf(v).(*ir.TileType)
			d, known := tensorDType(&b, c.Args[2])
			if !ok || t.Space != platforms.Acc || !known || containsName(p.AccToGM, d.String()) {
				return
			}
			out = append(out, Finding{AccStore, b.Fn.Name, "cube accumulator cannot be stored directly into a '" + d.Lower() + "' global tensor on the '" + p.Arch + "' backend (function '" + b.Fn.Name +
				"'). The fix-pipe narrows an Acc tile only into INT32/FP32/FP16/BF16. Narrow through the vector unit first -- cast the matmul result to '" + d.Lower() +
				"' (e.g. pl.cast(result, ...)) and store that -- or accumulate into an INT32/FP32 tensor and convert afterwards.", c.Span, ""})
		})
	})
	return out
}

// AtomicAdds is the verifier AtomicAddDtypeValid (spec 02 §12): not every
// target adds BF16 atomically in global memory. Findings point at the write.
func AtomicAdds(b Body, p *platforms.Platform) []Finding {
	if p == nil || p.Flags.BF16AtomicAdd {
		return nil
	}
	var out []Finding
	ir.EachStmt(b.Fn.Body, func(s ir.Stmt) {
		calls(s, func(c *ir.Call) {
			target := -1
			switch c.Name {
			case "tile.store":
				target = 2
			case "tensor.assemble":
				target = 0
			}
			if mode, _ := c.Kwarg("atomic"); target < 0 || target >= len(c.Args) || mode != any(int64(1)) {
				return
			}
			if d, ok := tensorDType(&b, c.Args[target]); !ok || d != ir.BF16 {
				return
			}
			out = append(out, Finding{AtomicAdd, b.Fn.Name, "atomic-add into a bf16 global tensor is not supported on the '" + p.Arch + "' backend (function '" + b.Fn.Name +
				"'). bf16 atomic-add requires the Ascend910B (A2/A3) profile, whose store pipe honours set_atomic_bf16. Accumulate into an fp32 tensor and cast to bf16 after the reduction instead.", c.Span, ""})
		})
	})
	return out
}

func tensorDType(b *Body, e ir.Expr) (ir.DType, bool) {
	var t ir.Type
	switch e := e.(type) {
	case *ir.Var:
		t = b.typeOf(e)
	case *ir.Call:
		t = e.Type
	}
	x, ok := t.(*ir.TensorType)
	if !ok {
		return ir.NoDType, false
	}
	return x.DType, true
}

func containsName(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
