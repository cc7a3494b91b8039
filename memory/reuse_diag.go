package memory

import (
	"fmt"
)

// diagnostics are the findings of a plan (spec 06 §6.4): first the spaces that
// fell back, then the pipeline groups whose depth does not fit.
func (p *reusePlan) diagnostics() []Diagnostic {
	var out []Diagnostic
	for _, sp := range p.spaces {
		if sp != nil && sp.fellBack {
			if d, ok := sp.fallbackWarning(); ok {
				out = append(out, d)
			}
		}
	}
	for _, sp := range p.spaces {
		if sp == nil || !sp.gated || sp.fellBack {
			continue
		}
		for k := range sp.groups {
			if g := &sp.groups[k]; g.depth < len(g.stages) {
				out = append(out, sp.depthHint(g))
			}
		}
	}
	return out
}

func (p *reusePlan) diagnostic(s Severity, code, text string) Diagnostic {
	fn := p.lt.Layout.Fn
	return Diagnostic{Severity: s, Pass: passReuse, Rule: passReuse, Code: code, Func: fn.Name, Text: text, Span: fn.Span}
}

// fallbackWarning is silent when one buffer alone is larger than the space:
// no packing could help.
func (sp *packing) fallbackWarning() (Diagnostic, bool) {
	capacity := sp.plan.cfg.Platform.Capacity(sp.space)
	for _, b := range sp.buffers {
		if b.size > capacity {
			return Diagnostic{}, false
		}
	}
	why, tail := "at any double-buffering depth", ""
	if sp.budget {
		why = "within the shed-repack budget"
	}
	if sp.footprint > capacity {
		tail = " (which also overflows — reduce tile size or stage count)"
	}
	return sp.plan.diagnostic(Warning, "", fmt.Sprintf(
		"capacity-gated reuse could not fit memory space %s %s; fell back to the legacy packing%s.", sp.space, why, tail)), true
}

// depthHint is PH-MR-001.
func (sp *packing) depthHint(g *stageGroup) Diagnostic {
	capacity, floor := sp.plan.cfg.Platform.Capacity(sp.space), sp.plan.reserve.floorOf(sp.space)
	free := uint64(0)
	if capacity > floor {
		free = capacity - floor
	}
	reserved := ""
	if floor != 0 {
		reserved = fmt.Sprintf(" after %d B reserved", floor)
	}
	asked := uint64(len(g.stages))
	need := g.aligned * asked
	advice := fmt.Sprintf("The operand would fit depth %d on its own, but co-resident buffers / other pipeline groups over-subscribe the space; "+
		"relieve the co-residents (smaller or fewer co-live tiles) or reduce the pipeline depth to %d.", asked, g.depth)
	if free == 0 || need > free {
		advice = fmt.Sprintf("This operand alone needs %d B for depth %d; shrink the per-stage tile to <= %d B, or reduce the pipeline depth "+
			"(e.g. `pl.pipeline(stage=)`) to %d.", need, asked, free/asked, g.depth)
	}
	return sp.plan.diagnostic(PerfHint, "PH-MR-001", fmt.Sprintf(
		"software pipelining requested depth %d for pipeline group %d in %s, but only %d of %d buffers fit "+
			"(%d B per stage, %d B free%s) — stages %d apart share storage and serialize. %s",
		asked, g.id, sp.space, g.depth, asked, g.aligned, free, reserved, g.depth, advice))
}
