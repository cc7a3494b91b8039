package prelude

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Ctx is what lowering one function depends on besides the function.
type Ctx struct {
	// Platform is the target, nil when no backend is configured.
	Platform *platforms.Platform
	// Planner is "PYPTO", "DSA_RP" or "PTOAS"; few passes ask.
	Planner string
	// Function finds another function of the program, as read, by name; nil when
	// there is none. Callees that are spliced in and ring peers are looked up.
	Function func(name string) *ir.Function
	// Used are the names of functions of the program that exist already.
	Used func(name string) bool
	// Callers lists the functions of the program, as read, whose bodies call the
	// function of that name; nil when the program is not known. Groups and the
	// way a vector core is dispatched depend on them.
	Callers func(name string) []*ir.Function
	// Outlined tells whether another function of the program may outline a scope
	// under that name; nil when the program is not known.
	Outlined func(name string) bool

	// Notes and Problems gather what the passes have to say.
	Notes    []Note
	Problems []Problem

	// funcs are the functions that the pass at hand runs on.
	funcs []*ir.Function
	// others are what other functions of the program become, by name.
	others map[string][]*ir.Function
	// start is the place of the text in the order of passes; see passAt.
	start int
	// grown counts the statements made by copying; see grow.
	grown int64
}

// Note says that a pass that is not modelled would, or might, change the
// function: its placement is approximate.
type Note struct {
	Pass   string
	Func   string
	Reason string
	Span   ir.Span
}

// Problem is an error of the reference found while lowering. Message is its
// text alone; the passes after it do not run on this function.
type Problem struct {
	Pass    string
	Func    string
	Message string
	Span    ir.Span
	// Internal marks broken invariants of the reference.
	Internal bool
	// Warning marks findings that do not stop the reference.
	Warning bool
	Code    string
}

func (c *Ctx) note(pass string, f *ir.Function, sp ir.Span, reason string) {
	for _, n := range c.Notes {
		if n.Pass == pass && n.Func == f.Name && n.Span == sp {
			return
		}
	}
	c.Notes = append(c.Notes, Note{Pass: pass, Func: f.Name, Reason: reason, Span: sp})
}

func (c *Ctx) problem(pass string, f *ir.Function, sp ir.Span, msg string) {
	c.Problems = append(c.Problems, Problem{Pass: pass, Func: f.Name, Message: msg, Span: sp})
}

// pass is one step of the pipeline: it takes one function and gives what it
// becomes, usually one function. Functions are not changed in place.
type pass struct {
	name string
	run  func(c *Ctx, f *ir.Function) []*ir.Function
}

// one adapts a pass that maps one function to one.
func one(run func(c *Ctx, f *ir.Function) *ir.Function) func(*Ctx, *ir.Function) []*ir.Function {
	return func(c *Ctx, f *ir.Function) []*ir.Function { return []*ir.Function{run(c, f)} }
}

// pipeline lists the passes in the reference's order (spec 11 §3). Passes that
// cannot change what memory planning sees are left out; passes that are not
// modelled are detectors, which only leave notes.
func pipeline() []pass {
	return []pass{
		{"InlineFunctions", inlineFunctions},
		{"UnrollLoops", one(unrollLoops)},
		{"CtrlFlowTransform", one(ctrlFlowTransform)},
		{"ConvertToSSA", one(convertToSSA)},
		{"Simplify", one(simplify)},
		{"FlattenCallExpr", one(flattenCallExpr)},
		{"OutlineIncoreScopes", outlineIncoreScopes},
		{"ConvertTensorToTileOps", one(convertTensorToTileOps)},
		{"LowerCompositeOps", one(lowerCompositeOps)},
		{"FlattenTileNdTo2D", one(flattenTileNdTo2D)},
		{"LegalizeTileCast", one(legalizeTileCast)},
		{"AutoTileMatmulL0", one(detectAutoTile)},
		{"CanonicalizeTileSlice", one(canonicalizeTileSlice)},
		{"InferTileMemorySpace", one(inferSpaces)},
		{"InsertMxScaleAddr", one(detectMxScales)},
		{passLayouts, one(resolveBackendOpLayouts)},
		{"LowerAutoVectorSplit", one(lowerAutoVectorSplit)},
		{"ExpandMixedKernel", expandMixedKernel},
		{"InjectGMPipeBuffer", one(injectGMPipeBuffer)},
		{"SplitVectorKernel", one(splitVectorKernel)},
		{"StampTfreeSplit", one(stampTfreeSplit)},
		{"NormalizeReturnOrder", one(normalizeReturnOrder)},
		{"SkewCrossCorePipeline", one(skewCrossCorePipeline)},
		{"LowerPipelineToSlots", one(lowerPipelineToSlots)},
		{"LowerPipelineLoops", one(lowerPipelineLoops)},
		{"CanonicalizeIOOrder", one(canonicalizeIOOrder)},
	}
}

// Result is one lowered source function.
type Result struct {
	// Funcs are the functions it became, in the order they were made: a mixed
	// kernel gives its AIC and AIV halves and the Group.
	Funcs []*ir.Function
	// Failed is set when a Problem that is an error ended lowering.
	Failed bool
}

// Lower takes f, whose text stands after pass from ("" or "frontend": hand
// written; any pass of the reference by name), through the rest of the prelude. observe, when not nil, is shown
// the functions after every pass.
func Lower(c *Ctx, f *ir.Function, from string, observe func(pass string, funcs []*ir.Function)) Result {
	funcs := []*ir.Function{f}
	c.start = passAt(from)
	for _, p := range pipeline() {
		if passAt(p.name) <= c.start {
			continue
		}
		funcs = c.run(p, funcs)
		if observe != nil {
			observe(p.name, funcs)
		}
		if c.failed() {
			return Result{Funcs: funcs, Failed: true}
		}
	}
	return Result{Funcs: funcs}
}

// run takes all functions through one pass.
func (c *Ctx) run(p pass, funcs []*ir.Function) []*ir.Function {
	c.funcs = funcs
	var next []*ir.Function
	for _, g := range funcs {
		next = append(next, p.run(c, g)...)
	}
	return next
}

func (c *Ctx) failed() bool {
	for _, p := range c.Problems {
		if !p.Warning {
			return true
		}
	}
	return false
}
