package prelude

// passOrder names the reference's passes in order (spec 01b §9), planner PYPTO.
// The second Simplify is left out: a name stands for the first pass of that
// name.
var passOrder = [...]string{
	"InlineFunctions", "UnrollLoops", "CtrlFlowTransform", "ConvertToSSA", "Simplify", "NormalizeStmtStructure",
	"FlattenCallExpr", "OutlineHierarchyScopes", "OutlineIncoreScopes", "OutlineClusterScopes", "ConvertTensorToTileOps",
	"OptimizeOrchTensors", "LowerCompositeOps", "FlattenTileNdTo2D", "LegalizeTileCast", "AutoTileMatmulL0",
	"CanonicalizeTileSlice", "InferTileMemorySpace", "InsertMxScaleAddr", "ResolveBackendOpLayouts", "LowerAutoVectorSplit",
	"ExpandMixedKernel", "InjectGMPipeBuffer", "SplitVectorKernel", "StampTfreeSplit", "NormalizeReturnOrder",
	"SkewCrossCorePipeline", "LowerPipelineToSlots", "LowerPipelineLoops", "CanonicalizeIOOrder", "MaterializeTensorStrides",
	"InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr", "FoldNoOpReshape",
	"FuseCreateAssembleToSlice", "DeriveCallDirections", "AutoDeriveTaskDependencies", "ExpandManualPhaseFence",
	"SynthesizeAllReduceSignals", "MaterializeCommDomainScopes", "LowerHostTensorCollectives", "MaterializeDistTensorCtx",
	"MaterializeRuntimeScopes", "ClassifyIterArgCarry", "InsertCommFence", "MaterializeValidShapeSymbols",
}

// passAt is the position of a pass: 0 for the frontend, counted from 1
// otherwise, past the end for a name that is no pass.
func passAt(name string) int {
	if name == "" || name == "frontend" {
		return 0
	}
	for i, p := range passOrder {
		if p == name {
			return i + 1
		}
	}
	return len(passOrder) + 1
}
