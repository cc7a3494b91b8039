package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
)

// PassIR is the answer to IRAfterPass.
type PassIR struct {
	// Text is the IR after Pass, the pass asked for or, after a failure, the last
	// one that worked.
	Text, Pass string
	// Error is `<Pass>: <message>` when a pass failed, "" otherwise.
	Error string
}

// IRPasses are the passes that IRAfterPass can be asked for, in the order in
// which they run.
func IRPasses() []string {
	var out []string
	for s := range memory.NumStages {
		out = append(out, s.String())
	}
	return out
}

// IRAfterPass prints the programs of the document, or the one function, after
// a memory pass, byte-equal to the reference's dump. ok is false when there is
// no such pass, or no such function.
func (d *Document) IRAfterPass(pass, function string) (out PassIR, ok bool) {
	stage, ok := memory.ParseStage(pass)
	if !ok {
		return PassIR{}, false
	}
	if !d.IsKernel() {
		return PassIR{Pass: pass}, function == ""
	}
	var progs []*loweredProgram
	for _, u := range d.units {
		p := d.lowered(u)
		if function != "" {
			p.only(function)
		}
		if len(p.results) > 0 {
			progs = append(progs, p)
		}
	}
	if len(progs) == 0 {
		return PassIR{}, function == ""
	}
	at := stage
	for _, p := range progs {
		if o := memory.Outcome(p.results); o.Err != nil && o.Failed <= at {
			out.Error, at = o.Err.String(), o.Failed-1
		}
	}
	return d.printPass(progs, at, out), true
}

// only leaves the named function of a program.
func (p *loweredProgram) only(name string) {
	var funcs []*ir.Function
	var results []*memory.Result
	for i, r := range p.results {
		if r.Fn.Name == name {
			funcs, results = append(funcs, p.prog.Funcs[i]), append(results, r)
		}
	}
	p.prog.Funcs, p.results = funcs, results
}

// printPass prints the programs after stage at, or after the last stage before
// it that the planner runs.
func (d *Document) printPass(progs []*loweredProgram, at memory.Stage, out PassIR) PassIR {
	runs := map[memory.Stage]bool{memory.StageInput: true}
	for _, s := range d.Settings.Planner.Passes() {
		runs[s] = true
	}
	for at > memory.StageInput && at < memory.NumStages && !runs[at] {
		at--
	}
	first := memory.NumStages
	for _, p := range progs {
		first = min(first, p.start)
	}
	if at < first || at >= memory.NumStages { // at wraps below the first stage
		if out.Error == "" {
			out.Error = "The text stands after " + first.String() + " already"
		}
		at = first
	}
	var text []string
	for _, p := range progs {
		if t, ok := p.print(at); ok {
			text = append(text, t)
		}
	}
	out.Pass = at.String()
	if len(text) > 0 {
		out.Text = strings.Join(text, "\n\n") + "\n"
	}
	return out
}
