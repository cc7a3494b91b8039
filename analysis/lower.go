package analysis

import (
	"sort"

	"pypto-ls/ir"
	"pypto-ls/ir/prelude"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// lowered is what the prelude made of one function.
type loweredFunc struct {
	funcs    []*ir.Function
	approx   []Approximation
	problems []prelude.Problem
	// bodies names the functions whose bodies were looked at, sorted.
	bodies []string
	// callers names the functions whose callers were looked at, sorted.
	callers []string
	// asked are names that the program was asked for, sorted.
	asked []string
	// hints are the scope names that were looked for in other functions, sorted.
	hints  []string
	failed bool
}

// lower takes a function through the lowering prelude (spec 11).
func (c *unitContext) lower(fn *read.Function, start Start, observe func(pass string, funcs []*ir.Function)) loweredFunc {
	seen, called, asked, hints := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	ctx := &prelude.Ctx{
		Platform: c.settings.Platform,
		Planner:  c.settings.Planner.String(),
		Used: func(name string) bool {
			asked[name] = true
			return c.sigs.Has(name)
		},
		Function: func(name string) *ir.Function {
			seen[name] = true
			return c.readBody(name)
		},
		Callers: func(name string) []*ir.Function {
			called[name] = true
			return c.callersOf(name)
		},
		Outlined: func(hint string) bool {
			hints[hint] = true
			return c.sharesName(fn.IR.Name, hint)
		},
	}
	r := prelude.Lower(ctx, fn.IR, start.Pass, observe)
	out := loweredFunc{funcs: r.Funcs, problems: ctx.Problems, failed: r.Failed}
	for _, n := range ctx.Notes {
		out.approx = append(out.approx, Approximation{Pass: n.Pass, Reason: n.Reason, Span: n.Span})
	}
	out.bodies, out.callers, out.asked, out.hints = namesOf(seen), namesOf(called), namesOf(asked), namesOf(hints)
	return out
}

func namesOf(set map[string]bool) []string {
	var out []string
	for n := range set {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// union is what is in either of two lists, sorted; nil when both are empty.
func union(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	set := map[string]bool{}
	for _, n := range append(append([]string(nil), a...), b...) {
		set[n] = true
	}
	return namesOf(set)
}

// readBody reads another function of the program; nil when there is none.
func (c *unitContext) readBody(name string) *ir.Function {
	chunk := c.chunkOf(name)
	if chunk == nil {
		return nil
	}
	f := read.Func(chunk, c.env, c.sigs, c.method, read.Options{Policy: read.Reference, Platform: c.settings.Platform})
	if f.Opaque && f.IR.Kind != ir.InlineFunc {
		return nil
	}
	return f.IR
}

// chunkOf finds a function of the unit, or of the module, by name.
func (c *unitContext) chunkOf(name string) *irsyntax.Chunk {
	if ch := c.chunks.find(name); ch != nil {
		return ch
	}
	return c.env.Function(name)
}

// preludeFindings turns the prelude's problems into findings.
func preludeFindings(fn *read.Function, ps []prelude.Problem) []Finding {
	var out []Finding
	for _, p := range ps {
		f := Finding{Code: preludeCode(p), Severity: Error, Span: p.Span, Message: p.Message, Func: fn.IR.Name}
		if p.Warning {
			f.Severity = Warning
		}
		if !f.Span.Valid() {
			f.Span = fn.IR.NameSpan
		}
		out = append(out, f)
	}
	return out
}

func preludeCode(p prelude.Problem) string {
	if p.Code != "" {
		return p.Code
	}
	switch p.Pass {
	case "InferTileMemorySpace":
		return "memory-space"
	case "LegalizeTileCast":
		return "cast"
	case "CanonicalizeTileSlice":
		return "slice"
	case "FlattenTileNdTo2D":
		return "rank"
	case "UnrollLoops":
		return "unroll"
	case "ExpandMixedKernel", "MixedKernelExpanded":
		return "mixed-kernel"
	}
	return "lowering"
}
