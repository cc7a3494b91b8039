package conformance

import (
	"fmt"
	"regexp"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// The rows of the table.
const (
	rowSyntax = iota // Print(Parse(x)) == x
	rowPrint         // read by the dump policy and printed again
	rowInit
	rowAliases
	rowReuse
	rowAllocate
	rowDiagnostics
	rowResult
	numRows
)

var rowNames = [numRows]string{"parse+print", "read+print", "InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr", "diagnostics", "result"}

var rowOf = map[memory.Stage]int{
	memory.StageInitMemRef: rowInit, memory.StageSemanticAliases: rowAliases,
	memory.StageMemoryReuse: rowReuse, memory.StageAllocate: rowAllocate,
}

// score is one comparison; detail says how it failed.
type score struct {
	row    int
	chain  bool
	equal  bool
	detail string
}

type measurement struct {
	c      *recorded
	scores []score
}

func (m *measurement) add(row int, chain bool, got, want string) {
	m.scores = append(m.scores, score{row, chain, got == want, firstDifference(got, want)})
}

// guard turns a panic of f into a failed comparison.
func (m *measurement) guard(row int, chain bool, f func()) {
	defer func() {
		if p := recover(); p != nil {
			m.scores = append(m.scores, score{row, chain, false, fmt.Sprintf("panic: %v", p)})
		}
	}()
	f()
}

// measure runs every stage of c in isolation and as a chain.
func measure(c *recorded) []score {
	m := &measurement{c: c}
	for _, s := range c.sections {
		if strings.HasPrefix(s.name, "after_") {
			m.roundTrip(s.text)
		}
	}
	m.chain()
	m.isolated()
	return m.scores
}

func (m *measurement) roundTrip(text string) {
	m.guard(rowSyntax, false, func() {
		m.add(rowSyntax, false, irsyntax.Print(irsyntax.Parse(text)), text)
	})
	m.guard(rowPrint, false, func() {
		m.add(rowPrint, false, m.program(text, memory.StageAllocate).print(nil), text)
	})
}

// program reads text, which is in state stage: InitMemRef's input as the
// reference reads it, all later text as it is written.
func (m *measurement) program(text string, stage memory.Stage) *program {
	policy := read.Dump
	if stage == memory.StageInput {
		policy = read.Reference
	}
	f := irsyntax.Parse(text)
	p := &program{}
	for _, r := range read.File(f, read.Options{Policy: policy, Platform: m.c.cfg.Platform}) {
		p.Program = r.IR
		break
	}
	if p.Program == nil {
		p.Program = &ir.Program{}
	}
	return p
}

type program struct{ *ir.Program }

// run takes every function from one stage to another.
func (p *program) run(cfg memory.Config, from, to memory.Stage) []*memory.Result {
	out := make([]*memory.Result, len(p.Funcs))
	for i, f := range p.Funcs {
		out[i] = memory.RunTo(f, cfg, from, to)
	}
	return out
}

// print prints the program with the layouts of its functions, or as it was
// read when layouts is nil. The text ends with a newline, as dumps do.
func (p *program) print(layouts []*memory.Layout) string {
	q := &ir.Program{Name: p.Name, Dims: p.Dims}
	if layouts == nil {
		return printer.Program(p.Program, printer.Options{}) + "\n"
	}
	of := make(map[*ir.Function]*memory.Layout)
	for _, l := range layouts {
		q.Funcs = append(q.Funcs, l.Fn)
		of[l.Fn] = l
	}
	return printer.Program(q, printer.Options{TypeOf: func(f *ir.Function, v *ir.Var) ir.Type {
		if l := of[f]; l != nil {
			return l.TypeOf(v)
		}
		return v.Type
	}}) + "\n"
}

// layouts are the layouts of all functions after a stage, nil when one did
// not get there.
func layouts(results []*memory.Result, s memory.Stage) []*memory.Layout {
	out := make([]*memory.Layout, 0, len(results))
	for _, r := range results {
		if r.Layouts[s] == nil {
			return nil
		}
		out = append(out, r.Layouts[s])
	}
	return out
}

// compare compares the state after stage s with the recorded one, when there
// is one: bytes, or placements for a run recorded in memory.
func (m *measurement) compare(p *program, results []*memory.Result, s memory.Stage, chain bool) {
	want, ok := m.c.after(s)
	if !ok {
		return
	}
	row := rowOf[s]
	m.guard(row, chain, func() {
		got := layouts(results, s)
		switch {
		case got == nil:
			m.add(row, chain, "failed: "+memory.Outcome(results).Err.String(), "ok")
		case m.c.noted:
			m.add(row, chain, placements(got), recordedPlacements(m.program(want, s)))
		default:
			m.add(row, chain, p.print(got), want)
		}
	})
}

// chain runs all passes from the text before InitMemRef.
func (m *measurement) chain() {
	text, ok := m.c.after(memory.StageInput)
	if !ok {
		return
	}
	var p *program
	var results []*memory.Result
	m.guard(rowInit, true, func() {
		p = m.program(text, memory.StageInput)
		results = p.run(m.c.cfg, memory.StageInput, memory.StageAllocate)
	})
	if results == nil {
		for _, s := range m.c.cfg.Planner.Passes() {
			if _, ok := m.c.after(s); ok && s != memory.StageInitMemRef {
				m.add(rowOf[s], true, "panic before this pass", "ok")
			}
		}
		m.add(rowDiagnostics, true, "panic", "ok")
		m.add(rowResult, true, "panic", "ok")
		return
	}
	for _, s := range m.c.cfg.Planner.Passes() {
		m.compare(p, results, s, true)
	}
	out := memory.Outcome(results)
	for _, s := range m.c.cfg.Planner.Passes() {
		m.failed(s, out, true)
	}
	m.diagnostics(out.Diags, true)
	m.add(rowResult, true, verdict(out), m.verdict())
}

// isolated runs each pass from the recorded text before it.
func (m *measurement) isolated() {
	var diags []memory.Diagnostic
	var last memory.ProgramOutcome
	from := memory.StageInput
	for _, s := range m.c.cfg.Planner.Passes() {
		text, ok := m.c.after(from)
		if !ok {
			break
		}
		m.guard(rowOf[s], false, func() {
			p := m.program(text, from)
			results := p.run(m.c.cfg, from, s)
			m.compare(p, results, s, false)
			last = memory.Outcome(results)
			m.failed(s, last, false)
			diags = append(diags, last.Diags...)
		})
		from = s
	}
	m.diagnostics(diags, false)
	m.add(rowResult, false, verdict(last), m.verdict())
}

// failed compares the recorded failure of stage s, if it was this stage that
// failed: then no text was recorded for it.
func (m *measurement) failed(s memory.Stage, out memory.ProgramOutcome, chain bool) {
	want := m.verdict()
	if strings.HasPrefix(want, s.String()+": ") {
		m.add(rowOf[s], chain, verdict(out), want)
	}
}

func (m *measurement) diagnostics(diags []memory.Diagnostic, chain bool) {
	text, _ := m.c.text("diagnostics.txt")
	var want []string
	for _, line := range strings.Split(text, "\n") {
		if line != "" {
			want = append(want, location.ReplaceAllString(line, ""))
		}
	}
	var got []string
	for _, d := range diags {
		got = append(got, d.Line())
	}
	m.add(rowDiagnostics, chain, strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// location is where a message points; it does not count.
var location = regexp.MustCompile(` (at \S+:\d+:\d+|\[[^\[\]]*:\d+:\d+\])$`)

// verdict is the recorded outcome: "ok", or pass, class and message.
func (m *measurement) verdict() string {
	text, _ := m.c.text("result.txt")
	return location.ReplaceAllString(strings.TrimSpace(text), "")
}

func verdict(out memory.ProgramOutcome) string {
	switch {
	case out.Err != nil:
		return out.Err.Pass + ": " + out.Err.Kind.Class() + ": " + out.Err.Message
	case len(out.Verify) > 0:
		return "AllocateMemoryAddr: pypto.Error: " + memory.VerifyReport(out.Verify, func(*memory.Error) string { return "" })
	}
	return "ok"
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(g):
			return fmt.Sprintf("line %d\n    got  (end)\n    want %s", i+1, w[i])
		case i >= len(w):
			return fmt.Sprintf("line %d\n    got  %s\n    want (end)", i+1, g[i])
		case g[i] != w[i]:
			return fmt.Sprintf("line %d\n    got  %s\n    want %s", i+1, g[i], w[i])
		}
	}
}
