package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const (
	passAutoSplit  = "LowerAutoVectorSplit"
	splitValidated = "split_aiv_region_validated"
)

// splitMode is the split mode of a function: 0 none, 1 rows, 2 columns. An
// attribute that is no number counts as rows.
func splitMode(f *ir.Function) int64 {
	v, ok := f.Attr("split")
	if !ok {
		return 0
	}
	if n, ok := v.(int64); ok {
		return n
	}
	return 1
}

// regionAttrs are the attributes that `pl.split_aiv` regions give the function
// they are outlined into (spec 11b §5.1, step 5).
func regionAttrs(b *ir.Block) []ir.Attr {
	var out []ir.Attr
	ir.EachStmt(b, func(st ir.Stmt) {
		s, ok := st.(*ir.Scope)
		if !ok || s.Kind != ir.ScopeSplitAiv || out != nil {
			return
		}
		out = []ir.Attr{{Key: "split_aiv", Value: true}}
		if m := regionMode(s); m != 0 {
			out = append([]ir.Attr{{Key: "split", Value: m}}, out...)
		}
	})
	return out
}

// regionMode is the split mode of a region.
func regionMode(s *ir.Scope) int64 {
	v, _ := ir.FindAttr(s.Attrs, "mode")
	switch v := v.(type) {
	case ir.Enum:
		switch v {
		case "pl.SplitMode.UP_DOWN":
			return 1
		case "pl.SplitMode.LEFT_RIGHT":
			return 2
		}
	case int64:
		return v
	}
	return 0
}

// lowerAutoVectorSplit opens the one form of `pl.split_aiv` that is known from
// recorded runs: a single region over rows whose vector statements all work on
// whole shards of cube tiles. Everything else that splits vector work is noted.
func lowerAutoVectorSplit(c *Ctx, f *ir.Function) *ir.Function {
	if f.Kind != ir.InCore || attrTrue(f.Attrs, splitValidated) {
		return f
	}
	var regions []*ir.Scope
	var transfers []*ir.Call
	ir.EachStmt(f.Body, func(st ir.Stmt) {
		if s, ok := st.(*ir.Scope); ok && s.Kind == ir.ScopeSplitAiv {
			regions = append(regions, s)
		}
		if call := callOf(st); call != nil && (call.Name == "tile.aiv_shard" || call.Name == "tile.aic_gather") {
			transfers = append(transfers, call)
		}
	})
	if len(regions) == 0 {
		if len(transfers) > 0 {
			c.note(passAutoSplit, f, transfers[0].Span, "a split transfer outside a pl.split_aiv region")
		}
		if splitMode(f) != 0 && newLanes(f).block(f.Body) == mixed {
			c.note(passAutoSplit, f, f.NameSpan, "the kernel is split over the vector cores")
		}
		return f
	}
	if reason := plainRegion(f, regions); reason != "" {
		c.note(passAutoSplit, f, regions[0].Span, reason)
		return f
	}
	g := copyFunc(f)
	g.Body = openRegions(f.Body)
	if attrTrue(f.Attrs, "split_aiv") {
		g.Attrs = append(append([]ir.Attr(nil), f.Attrs...), ir.Attr{Key: splitValidated, Value: true})
	} else {
		g.Attrs = append(withoutAttrs(f.Attrs, "split"), ir.Attr{Key: "split", Value: int64(1)}, ir.Attr{Key: "split_aiv", Value: true},
			ir.Attr{Key: splitValidated, Value: true})
	}
	return g
}

// plainRegion is why a function's regions are not of the known form, "" when
// they are.
func plainRegion(f *ir.Function, regions []*ir.Scope) string {
	if len(regions) > 1 {
		return "several pl.split_aiv regions"
	}
	r := regions[0]
	if regionMode(r) != 1 {
		return "a pl.split_aiv region that does not split rows"
	}
	reason := ""
	lanes := newLanes(f)
	var walk func(b *ir.Block, inside bool)
	walk = func(b *ir.Block, inside bool) {
		if b == nil {
			return
		}
		for _, st := range b.Stmts {
			if call := callOf(st); call != nil {
				if s := regionStmt(st, call, lanes.stmt(st), inside); s != "" {
					reason = s
				}
			}
			for _, c := range ir.Bodies(st) {
				walk(c, inside || st == ir.Stmt(r))
			}
		}
	}
	walk(f.Body, false)
	return reason
}

// regionStmt is why a leaf statement does not fit the known form.
func regionStmt(st ir.Stmt, call *ir.Call, l lane, inside bool) string {
	switch {
	case call.Name == "tile.aiv_shard":
		if _, assigned := st.(*ir.Assign); assigned && inside && wholeRows(call) {
			return ""
		}
		return "a shard of a tile that is not whole, or not of the cube core"
	case l == mixed:
		return "a transfer other than a shard in a kernel with a pl.split_aiv region"
	case l == vector && !inside:
		return "vector statements outside the pl.split_aiv region"
	case l == cube && inside:
		return "cube statements inside the pl.split_aiv region"
	}
	return ""
}

// wholeRows reports a shard by rows of a whole accumulator with an even number
// of rows.
func wholeRows(c *ir.Call) bool {
	if len(c.Args) != 1 {
		return false
	}
	t := tileOf(c.Args[0])
	if t == nil || len(t.Shape) != 2 || t.Space != platforms.Acc || !ir.IsFullyValid(t) {
		return false
	}
	rows, ok := ir.ConstValue(t.Shape[0])
	_, ok2 := ir.ConstValue(t.Shape[1])
	split, _ := intAttr(c, "split")
	return ok && ok2 && rows > 0 && rows%2 == 0 && split == 1
}

// openRegions puts a region's statements in its place; its variable is the
// index of the vector core.
func openRegions(b *ir.Block) *ir.Block {
	if b == nil {
		return nil
	}
	out := roomFor(b)
	for _, st := range b.Stmts {
		s, ok := st.(*ir.Scope)
		if !ok || s.Kind != ir.ScopeSplitAiv {
			add(out, withBlocks(st, openRegions))
			continue
		}
		if s.Var != nil {
			add(out, &ir.Assign{StmtMeta: ir.StmtMeta{Span: s.Span}, Var: s.Var, Value: newCall("tile.get_subblock_idx", s.Span, nil)})
		}
		out.Stmts = append(out.Stmts, openRegions(s.Body).Stmts...)
	}
	return out
}
