package analysis

import (
	"slices"
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// unitContext is what computing a function needs besides its chunk.
type unitContext struct {
	settings Settings
	env      *read.Env
	sigs     *read.Signatures
	chunks   *chunkIndex // of the unit
	solved   *solvedMemo
	method   bool
	start    Start
	// fixed is set when start holds for the whole document (file name or
	// command line).
	fixed bool
}

// chunkIndex finds the functions of a unit by name; it is built when it is
// first asked, which most edits never do.
type chunkIndex struct {
	list   []*irsyntax.Chunk
	once   sync.Once
	byName map[string]int

	mentionMu sync.Mutex
	mentions  map[string][]*irsyntax.Chunk

	scopes scopeNames
}

// first is the position of the first function of that name, -1 for none.
func (x *chunkIndex) first(name string) int {
	x.once.Do(func() {
		x.byName = make(map[string]int, len(x.list))
		for i, c := range x.list {
			if _, dup := x.byName[c.Name]; !dup {
				x.byName[c.Name] = i
			}
		}
	})
	if i, ok := x.byName[name]; ok {
		return i
	}
	return -1
}

// find is the first function of that name, nil when there is none.
func (x *chunkIndex) find(name string) *irsyntax.Chunk {
	if i := x.first(name); i >= 0 {
		return x.list[i]
	}
	return nil
}

// policyOf chooses how a chunk is read: text past InitMemRef is kept as
// written, everything before is read as the reference reads it.
func (c *unitContext) policyOf(text string) read.Policy {
	if c.fixed {
		if c.start.Lower || c.start.Stage == memory.StageInput {
			return read.Reference
		}
		return read.Dump
	}
	if strings.Contains(text, "MemRef(") && strings.Contains(text, ".alloc(") || strings.Contains(text, "memref=") {
		return read.Dump
	}
	return read.Reference
}

// detail reads, lowers and plans one function.
func (c *unitContext) detail(chunk *irsyntax.Chunk) (*Detail, Start, loweredFunc) {
	fn := read.Func(chunk, c.env, c.sigs, c.method, read.Options{Policy: c.policyOf(chunk.Text), Platform: c.settings.Platform})
	d := &Detail{Read: fn}
	start := c.start
	if fn.Opaque {
		return d, start, loweredFunc{}
	}
	if !c.fixed {
		start = startOf(fn.IR, c.settings.Planner)
	}
	low := loweredFunc{funcs: []*ir.Function{fn.IR}}
	switch {
	case fn.Shorthand && start.Stage != memory.StageInput:
		low.funcs[0] = modernised(fn.IR) // -1 is "no address yet" there
	case start.Lower:
		low = c.lower(fn, start, nil)
	}
	if low.failed {
		return d, start, low
	}
	cfg := c.settings.config()
	cfg.Solve = c.solved.solve
	if len(low.funcs) == 0 {
		return d, start, low
	}
	d.Plans = make([]*PlannedDetail, len(low.funcs))
	for i, g := range low.funcs {
		r := memory.Run(g, cfg, start.Stage)
		d.Plans[i] = &PlannedDetail{Fn: g, Result: r, Plan: memory.NewPlan(r, cfg)}
	}
	return d, start, low
}

// compute makes the compact result of one function.
func (c *unitContext) compute(chunk *irsyntax.Chunk) (*Func, *Detail) {
	d, start, low := c.detail(chunk)
	fn := d.Read
	f := &Func{
		Name: fn.IR.Name, Kind: fn.IR.Kind, NameSpan: fn.IR.NameSpan, Header: fn.IR.Span,
		Start: start, Opaque: fn.Opaque, Approximate: low.approx,
		Signature: detached(read.SignatureOf(fn.IR)), deps: deps{fn.Deps, union(fn.Deps.Bodies, low.bodies), low.callers, low.asked, low.hints},
	}
	if len(d.Plans) > 0 {
		f.Planned = make([]Planned, len(d.Plans))
	}
	var found []Finding
	for i, p := range d.Plans {
		f.Planned[i] = compact(p)
		found = append(found, planFindings(fn, p, c.settings)...)
	}
	found, unknown := doubted(fn, append(preludeFindings(fn, low.problems), found...))
	f.Approximate = append(f.Approximate, unknown...)
	f.Findings = slices.Concat(syntaxFindings(chunk.Tree().Errors, f.Name), readFindings(fn),
		found, c.lint(d, start), editFindings(d, start), approximateFindings(f, f.Approximate))
	sortFindings(f.Findings)
	f.shown, f.drawn = planHashes(f, chunk.Text)
	return f, d
}
