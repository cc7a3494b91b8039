package analysis

import (
	"path"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
)

// Start is the pass after which a text stands. Stage is the memory pass it
// continues from; Pass the name of an earlier pass when the text has to go
// through the lowering prelude first ("" for a hand-written kernel).
type Start struct {
	Lower bool
	Pass  string
	Stage memory.Stage
	// FromName is set when the file name told it.
	FromName bool
}

// PassNames are the passes of the default pipeline in order (spec 01b §9).
var PassNames = []string{
	"InlineFunctions", "UnrollLoops", "CtrlFlowTransform", "ConvertToSSA", "Simplify", "NormalizeStmtStructure", "FlattenCallExpr",
	"OutlineHierarchyScopes", "OutlineIncoreScopes", "OutlineClusterScopes", "ConvertTensorToTileOps", "OptimizeOrchTensors",
	"LowerCompositeOps", "FlattenTileNdTo2D", "LegalizeTileCast", "AutoTileMatmulL0", "CanonicalizeTileSlice", "InferTileMemorySpace",
	"InsertMxScaleAddr", "ResolveBackendOpLayouts", "LowerAutoVectorSplit", "ExpandMixedKernel", "InjectGMPipeBuffer", "SplitVectorKernel",
	"StampTfreeSplit", "NormalizeReturnOrder", "SkewCrossCorePipeline", "LowerPipelineToSlots", "LowerPipelineLoops", "CanonicalizeIOOrder",
	"MaterializeTensorStrides", "InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr", "FoldNoOpReshape",
	"FuseCreateAssembleToSlice", "DeriveCallDirections", "AutoDeriveTaskDependencies", "ExpandManualPhaseFence", "SynthesizeAllReduceSignals",
	"MaterializeCommDomainScopes", "LowerHostTensorCollectives", "MaterializeDistTensorCtx", "MaterializeRuntimeScopes",
	"ClassifyIterArgCarry", "InsertCommFence", "MaterializeValidShapeSymbols",
}

var passIndex = func() map[string]int {
	m := make(map[string]int, len(PassNames))
	for i, n := range PassNames {
		m[n] = i
	}
	return m
}()

// StartAfter is the start of a text that stands after the named pass.
func StartAfter(pass string) (Start, bool) {
	if pass == "frontend" {
		return Start{Lower: true}, true
	}
	i, ok := passIndex[pass]
	if !ok {
		return Start{}, false
	}
	if s, isMemory := memory.ParseStage(pass); isMemory {
		return Start{Pass: pass, Stage: s}, true
	}
	switch {
	case i > passIndex["AllocateMemoryAddr"]:
		return Start{Pass: pass, Stage: memory.StageAllocate}, true
	case i >= passIndex["CanonicalizeIOOrder"]:
		return Start{Pass: pass, Stage: memory.StageInput}, true
	}
	return Start{Lower: true, Pass: pass}, true
}

// StartOfName reads `NN_after_<Pass>.py` or `00_frontend.py`.
func StartOfName(name string) (Start, bool) {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".py"), ".pypto")
	if i := strings.LastIndex(base, "after_"); i >= 0 {
		if s, ok := StartAfter(base[i+len("after_"):]); ok {
			s.FromName = true
			return s, true
		}
	}
	if base == "00_frontend" || base == "frontend" {
		return Start{Lower: true, FromName: true}, true
	}
	return Start{}, false
}

// startOf reads from the function itself how far it has come: addresses
// present, MemRefs present, memory spaces and function kinds present, else
// hand-written (design: `--from`).
func startOf(fn *ir.Function, planner memory.Planner) Start {
	l := memory.NewLayout(fn)
	lowest := map[*ir.Var]int64{}
	refs, spaceless, tiles := false, false, 0
	var visit func(b *ir.Block)
	note := func(v *ir.Var) {
		t := l.Tile(v)
		if t == nil {
			return
		}
		tiles++
		if t.Space < 0 {
			spaceless = true
		}
		if m := t.MemRef; m != nil && !m.Pinned {
			refs = true
			if o, ok := ir.ConstValue(m.Offset); ok && t.Space > 0 {
				if old, seen := lowest[m.Base]; !seen || o < old {
					lowest[m.Base] = o
				}
			}
		}
	}
	visit = func(b *ir.Block) {
		if b == nil {
			return
		}
		for _, s := range b.Stmts {
			switch s := s.(type) {
			case *ir.Assign:
				note(s.Var)
			case *ir.For:
				visit(s.Body)
			case *ir.While:
				visit(s.Body)
			case *ir.If:
				visit(s.Then)
				visit(s.Else)
			case *ir.Scope:
				visit(s.Body)
			}
		}
	}
	visit(fn.Body)
	if refs {
		for _, o := range lowest {
			if o > 0 {
				return Start{Stage: memory.StageAllocate}
			}
		}
		return Start{Stage: memory.StageInitMemRef}
	}
	if hand := handWritten(fn); fn.Kind == ir.InCore || spaceless || hand || looksUnlowered(fn) {
		if !hand && replayed(fn) {
			return Start{Lower: true, Pass: "SplitVectorKernel"}
		}
		return Start{Lower: true}
	}
	return Start{Stage: memory.StageInput}
}

// replayed reports a vector function that SplitVectorKernel has made branch on
// the sub-block already (spec 11b §4.7): it must not do so twice.
func replayed(fn *ir.Function) bool {
	if dual, _ := fn.Attr("dual_aiv_dispatch"); dual != true || fn.Kind != ir.AIV || fn.Body == nil {
		return false
	}
	for _, s := range fn.Body.Stmts {
		if a, ok := s.(*ir.Assign); ok && a.Var.Name == "subblock_idx" {
			c, ok := a.Value.(*ir.Call)
			return ok && c.Name == "tile.get_subblock_idx"
		}
	}
	return false
}

// handWritten tells a text from before ConvertToSSA by its names: that pass
// gives every parameter and every assigned variable a version, whatever the
// kind of the function (spec 11 §6.1). Loop carries and results that an author
// named keep their names, so that one version anywhere tells a dump.
func handWritten(fn *ir.Function) bool {
	plain, versioned := false, false
	see := func(v *ir.Var) {
		if v.Name == "__gm_pipe_buffer" || hasVersion(v.Name) {
			versioned = true
		} else {
			plain = true
		}
	}
	for _, p := range fn.Params {
		see(p.Var)
	}
	ir.EachStmt(fn.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			see(s.Var)
		case *ir.For:
			see(s.Var)
		}
	})
	return plain && !versioned
}

// hasVersion reports a name that a pass made: `<base>__<role>_v<n>`, with the
// number that the printer may put behind it, or a suffix of a later pass.
func hasVersion(name string) bool {
	_, rest, ok := strings.Cut(name, "__")
	if !ok {
		return false
	}
	_, n, ok := strings.Cut(rest, "_v")
	return ok && n != "" && n[0] >= '0' && n[0] <= '9'
}

// looksUnlowered finds what no dump after the prelude holds: pipeline loops,
// nested calls, names without versions assigned more than once.
func looksUnlowered(fn *ir.Function) bool {
	seen := make([]bool, fn.NumVars)
	found := false
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		if b == nil || found {
			return
		}
		for _, s := range b.Stmts {
			switch s := s.(type) {
			case *ir.Assign:
				if s.Var.ID >= 0 && seen[s.Var.ID] {
					found = true
				}
				if s.Var.ID >= 0 {
					seen[s.Var.ID] = true
				}
				if c, ok := s.Value.(*ir.Call); ok {
					for _, a := range c.Args {
						if _, nested := a.(*ir.Call); nested {
							found = true
						}
					}
				}
			case *ir.For:
				if s.Kind == ir.Pipeline || s.Kind == ir.Unroll {
					found = true
				}
				visit(s.Body)
			case *ir.While:
				visit(s.Body)
			case *ir.If:
				visit(s.Then)
				visit(s.Else)
			case *ir.Scope:
				found = found || s.Kind != ir.ScopeRuntime
				visit(s.Body)
			}
		}
	}
	visit(fn.Body)
	return found && fn.Kind.IsInCore()
}
