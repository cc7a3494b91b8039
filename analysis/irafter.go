package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/memory"
)

// IR is the text of a document's programs after one pass.
type IR struct {
	Pass string
	Text string
}

// IRAfter prints all programs of the document after each pass that the
// planner runs, from the text's own stage on. Passes after the first failure
// are left out; the failure is returned with the sections before it, as the
// reference does: the first failing function in name order of the first
// failing pass.
func (d *Document) IRAfter() (sections []IR, failed *memory.Error) {
	if !d.IsKernel() {
		return nil, nil
	}
	var progs []*loweredProgram
	for _, u := range d.units {
		progs = append(progs, d.lowered(u))
	}
	stages := append([]memory.Stage{memory.StageInput}, d.Settings.Planner.Passes()...)
	for _, s := range stages {
		for _, p := range progs {
			if out := memory.Outcome(p.results); out.Err != nil && out.Failed == s {
				return sections, out.Err
			}
		}
		var text []string
		some := false
		for _, p := range progs {
			if t, ok := p.print(s); ok {
				text = append(text, t)
				some = true
			}
		}
		if some {
			sections = append(sections, IR{Pass: s.String(), Text: strings.Join(text, "\n\n") + "\n"})
		}
	}
	for _, p := range progs {
		if out := memory.Outcome(p.results); out.Err == nil && len(out.Verify) > 0 {
			return sections, out.Verify[0]
		}
	}
	return sections, nil
}

// loweredProgram is one program with the planning results of its functions.
type loweredProgram struct {
	prog    *ir.Program
	results []*memory.Result
	start   memory.Stage
}

func (d *Document) lowered(u *unit) *loweredProgram {
	p := &loweredProgram{prog: &ir.Program{Name: u.name, Dims: u.ctx.env.Dims()}, start: memory.NumStages}
	for _, i := range u.funcs {
		det := d.Detail(i)
		f := d.Func(i)
		p.start = min(p.start, f.Start.Stage)
		for _, pl := range det.Plans {
			p.prog.Funcs = append(p.prog.Funcs, pl.Fn)
			p.results = append(p.results, pl.Result)
		}
	}
	return p
}

// print prints the program after stage s; false when the text stands later.
func (p *loweredProgram) print(s memory.Stage) (string, bool) {
	if s < p.start {
		return "", false
	}
	prog := &ir.Program{Name: p.prog.Name, Dims: p.prog.Dims}
	layouts := map[*ir.Function]*memory.Layout{}
	for _, r := range p.results {
		fn := r.Fn
		if l := r.Layouts[s]; l != nil {
			fn = l.Fn
			layouts[fn] = l
		}
		prog.Funcs = append(prog.Funcs, fn)
	}
	return printer.Program(prog, printer.Options{TypeOf: func(f *ir.Function, v *ir.Var) ir.Type {
		if l := layouts[f]; l != nil {
			return l.TypeOf(v)
		}
		return v.Type
	}}), true
}
