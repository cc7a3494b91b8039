package analysis

import (
	"fmt"
	"slices"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/lint"
	"pypto-ls/ir/read"
	"pypto-ls/memory"
)

// lint runs the reference's checks beside its passes, each on the texts for
// which the reference comes to it: the warnings on what its author wrote, the
// verifiers where their passes are still to come, and the performance hint on
// the final program, that is on kernels that go through the whole pipeline and
// on texts that stand behind the last memory pass.
func (c *unitContext) lint(d *Detail, start Start) []Finding {
	fn := d.Read
	if fn.Opaque {
		return nil
	}
	var out []Finding
	add := func(found ...lint.Finding) {
		out = slices.Grow(out, len(found))
		for _, f := range found {
			out = append(out, lintFinding(fn, f))
		}
	}
	written, sound := c.handWritten(fn.IR, start), reads(d)
	add(lint.ValidShapes(fn.IR)...)
	add(lint.MisplacedYields(fn.IR)...)
	if written && sound {
		add(namesInText(fn, lint.UnusedVariables(fn.IR))...)
		add(namesInText(fn, lint.DroppedOutWrites(fn.IR))...)
	}
	if written || start.Lower && passIndex[start.Pass] < passIndex["InferTileMemorySpace"] {
		add(c.storeFindings(d)...)
	}
	if (written || start.Pass == lastPass) && sound && fn.IR.Kind != ir.InlineFunc {
		add(c.rowFindings(d)...)
	}
	if !start.Lower && start.Stage > memory.StageInput {
		out = append(out, memRefFindings(d, start.Stage)...)
	}
	return out
}

// lastPass is the pass after which a program is final.
var lastPass = PassNames[len(PassNames)-1]

// handWritten tells a kernel as its author wrote it from a dump. A function of
// the cube or vector core may need no lowering, as a dump just before
// InitMemRef does; there the names tell: every pass that makes variables puts
// `__` into theirs.
func (c *unitContext) handWritten(fn *ir.Function, start Start) bool {
	if start.Lower {
		return start.Pass == ""
	}
	if c.fixed || start.Stage != memory.StageInput || !fn.Kind.IsInCore() {
		return false
	}
	return !hasMadeNames(fn.Body)
}

func hasMadeNames(b *ir.Block) bool {
	if b == nil {
		return false
	}
	for _, s := range b.Stmts {
		found := false
		switch s := s.(type) {
		case *ir.Assign:
			found = strings.Contains(s.Var.Name, "__")
		case *ir.For:
			found = s.Var != nil && strings.Contains(s.Var.Name, "__") || hasMadeNames(s.Body)
		case *ir.While:
			found = hasMadeNames(s.Body)
		case *ir.If:
			found = hasMadeNames(s.Then) || hasMadeNames(s.Else)
		case *ir.Scope:
			found = hasMadeNames(s.Body)
		}
		if found {
			return true
		}
	}
	return false
}

// reads reports whether the function was read without an error: with one the
// reference gets no further, and what was left out may be what uses a name.
func reads(d *Detail) bool {
	for _, p := range d.Read.Problems {
		if !p.Warning {
			return false
		}
	}
	return d.Read.Chunk == nil || len(d.Read.Chunk.Tree().Errors) == 0
}

// namesInText leaves out findings about variables of other texts: the body of
// an inline function is spliced in where it is called.
func namesInText(fn *read.Function, fs []lint.Finding) []lint.Finding {
	out := fs[:0]
	for _, f := range fs {
		text := ""
		if fn.Chunk != nil && f.Span.Valid() && int(f.Span.End) <= len(fn.Chunk.Text) {
			text = fn.Chunk.Text[f.Span.Start:f.Span.End]
		}
		if name, _, ok := strings.Cut(strings.TrimPrefix(f.Message, "Unused variable '"), "'"); f.Rule != lint.UnusedVariable || ok && name == text {
			out = append(out, f)
		}
	}
	return out
}

// storeFindings are the verifiers of stores, of the function under the name it
// has before a mixed kernel is split; what both halves do counts once.
func (c *unitContext) storeFindings(d *Detail) []lint.Finding {
	var out []lint.Finding
	seen := map[string]bool{}
	for _, p := range d.Plans {
		f := *p.Fn
		if half := strings.TrimPrefix(f.Name, d.Read.IR.Name); half == "_aic" || half == "_aiv" {
			f.Name = d.Read.IR.Name
		}
		b := lint.Body{Fn: &f}
		for _, found := range append(lint.AccStores(b, c.settings.Platform), lint.AtomicAdds(b, c.settings.Platform)...) {
			if k := fmt.Sprint(found.Span, found.Message); !seen[k] {
				seen[k] = true
				out = append(out, found)
			}
		}
	}
	return out
}

// rowFindings is the performance hint about short rows, of the functions that
// the passes leave behind; after a failure there is no final program.
func (c *unitContext) rowFindings(d *Detail) []lint.Finding {
	var bodies []lint.Body
	for _, p := range d.Plans {
		if p.Result.Err != nil || len(p.Result.Verify) > 0 {
			return nil
		}
		b := lint.Body{Fn: p.Fn}
		if l := p.Result.Last(); l != nil {
			b = lint.Body{Fn: l.Fn, TypeOf: l.TypeOf}
		}
		bodies = append(bodies, b)
	}
	return lint.InnermostRows(bodies, c.settings.Platform)
}

// memRefFindings is the verifier of MemRefs, of the text as it stands.
func memRefFindings(d *Detail, stage memory.Stage) []Finding {
	var out []Finding
	for _, p := range d.Plans {
		l := p.Result.Layouts[stage]
		if l == nil {
			continue
		}
		for _, e := range memory.VerifyMemRefs(l) {
			f := Finding{Code: "memref-missing", Severity: Error, Span: e.Span, Message: e.Message, Func: e.Func,
				Explain: "No address can be given to a tile without a MemRef: the planner leaves it out."}
			if !f.Span.Valid() {
				f.Span = d.Read.IR.NameSpan
			}
			out = append(out, f)
		}
	}
	return out
}

var lintSeverities = [...]Severity{lint.Error: Error, lint.Warning: Warning, lint.PerfHint: Information}

func lintFinding(fn *read.Function, f lint.Finding) Finding {
	out := Finding{Code: f.Rule.Code, Severity: lintSeverities[f.Rule.Severity], Span: f.Span, Message: f.Message, Func: f.Func,
		Explain: lintExplain[f.Rule], Unnecessary: f.Rule == lint.UnusedVariable}
	if f.Note != "" {
		out.Explain = f.Note
	}
	if !out.Span.Valid() {
		out.Span = fn.IR.NameSpan
	}
	return out
}

var lintExplain = map[*lint.Rule]string{
	lint.AccStore:  "The compiler stops here before it plans memory.",
	lint.AtomicAdd: "The compiler stops here before it plans memory.",
	lint.OutParam:  "Write into the parameter instead, by pl.store or pl.assemble with it as the target.",
}
