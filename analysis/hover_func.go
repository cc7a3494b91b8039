package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
)

// function tells about the whole function: what it was planned for and why,
// how full its spaces are, and how exact that is.
func (h *hoverer) function() string {
	f, s := h.f, &h.d.Settings
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · %s function", f.Name, f.Kind)
	fmt.Fprintf(&b, "\n\nplatform **%s** (%s) · planner **%s** (%s)", s.Name, s.PlatformFrom, s.Planner, s.PlannerFrom)
	if s.Problem != "" {
		b.WriteString("\n\n⚠ " + s.Problem)
	}
	if f.Opaque {
		b.WriteString("\n\nNot an in-core kernel: its body is not planned.")
		return b.String()
	}
	b.WriteString("\n\n" + f.Start.words())
	for n := range f.Planned {
		b.WriteString(h.usage(&f.Planned[n], len(f.Planned) > 1))
	}
	b.WriteString(h.approximate())
	b.WriteString(h.refused())
	var count [4]int
	for i := range f.Findings {
		count[f.Findings[i].Severity]++
	}
	var found []string
	for sev, n := range count {
		if n == 1 {
			found = append(found, "1 "+Severity(sev).String())
		} else if n > 1 {
			found = append(found, fmt.Sprintf("%d of severity %s", n, Severity(sev)))
		}
	}
	if len(found) > 0 {
		b.WriteString("\n\nfindings: " + strings.Join(found, ", "))
	}
	return b.String()
}

func (h *hoverer) usage(p *Planned, several bool) string {
	if len(p.Spaces) == 0 {
		if several {
			return ""
		}
		return "\n\nno on-chip tiles"
	}
	var b strings.Builder
	if several {
		fmt.Fprintf(&b, "\n\n`%s` (%s)", p.Name, p.Kind)
	}
	b.WriteString("\n\n| space | used | limit | full | most live | at line | at least |\n|---|---:|---:|---:|---:|---:|---:|")
	for _, s := range p.Spaces {
		line, full, limit := "", "", "unknown"
		if s.PeakAt.Valid() {
			line = fmt.Sprint(h.l.line(s.PeakAt.Start))
		}
		if s.Limit > 0 {
			limit = Thousands(s.Limit)
			full = fmt.Sprintf("%d %%", percent(s.Used, s.Limit))
			if s.Used > s.Limit {
				full = "⚠ " + full
			}
		}
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s | %s | %s | %s |", s.Space, Thousands(s.Used), limit, full, Thousands(s.Peak), line, Thousands(s.Bound))
	}
	for _, s := range p.Spaces {
		if s.Reserved > 0 {
			fmt.Fprintf(&b, "\n\nThe first %s B of %s are reserved for rings.", Thousands(s.Reserved), s.Space)
		}
	}
	return b.String()
}

// percent is n of limit, rounded.
func percent(n, limit uint64) uint64 { return (n*100 + limit/2) / limit }

// words say from where the text is taken through the passes.
func (s Start) words() string {
	from := "told by the text"
	if s.FromName {
		from = "told by the file's name"
	}
	switch {
	case s.Lower && s.Pass == "":
		return "Hand-written: lowered first, then planned (" + from + ")."
	case s.Lower:
		return "Stands after " + s.Pass + ": lowered further, then planned (" + from + ")."
	case s.Pass != "":
		return "Stands after " + s.Pass + " (" + from + ")."
	}
	return "Stands after " + s.Stage.String() + " (" + from + ")."
}

// callee tells about a function of the program that is called.
func (h *hoverer) callee(name string) string {
	u := h.d.units[h.d.unitOf[h.chunk]]
	sig, ok := u.ctx.sigs.Lookup(name)
	if !ok || sig == nil {
		return ""
	}
	for _, i := range u.funcs {
		if h.d.File.Chunks[i].Name != name {
			continue
		}
		f := h.d.Func(i)
		text := fmt.Sprintf("**%s** · %s function, line %d", name, sig.Kind, h.d.Line(i, f.NameSpan.Start))
		if use := f.UsageText(); use != "" {
			text += "\n\n" + use
		}
		return text
	}
	return fmt.Sprintf("**%s** · %s function", name, sig.Kind)
}

// buffer tells about the allocations that a base's name stands for: after
// reuse the tiles that were in it may lie elsewhere.
func (h *hoverer) buffer(base string) string {
	var b strings.Builder
	for n, p := range h.det.Plans {
		if p.Plan == nil {
			continue
		}
		seen := map[*ir.Var]bool{}
		for _, v := range tileVars(p.Plan) {
			buf := p.Plan.BufferOf(v)
			if buf == nil || seen[buf.Base] || buf.Base.Name != base && writtenBase(v) != base {
				continue
			}
			seen[buf.Base] = true
			fmt.Fprintf(&b, "\n\n**%s** · buffer in **%s**", buf.Base.Name, buf.Space)
			if buf.Declared {
				b.WriteString(", declared by the author")
			}
			if len(h.det.Plans) > 1 {
				fmt.Fprintf(&b, " of `%s`", h.f.Planned[n].Name)
			}
			if buf.Base.Name != base {
				fmt.Fprintf(&b, "\n\nReuse has moved `%s` here.", base)
			}
			if p.Plan.Placed {
				b.WriteString("\n\n" + RangeText(int64(buf.Addr), buf.Size))
			} else {
				b.WriteString("\n\n" + sizeBoth(buf.Size) + ", no address")
			}
			for i, m := range buf.Members {
				if i == 2*maxListed {
					fmt.Fprintf(&b, "\n- and %d more", len(buf.Members)-i)
					break
				}
				if i == 0 {
					b.WriteString("\n\nmembers:")
				}
				fmt.Fprintf(&b, "\n- `%s`%s", m.Var.Name, liveText(p.Plan, m.Var, h.l))
			}
		}
	}
	return b.String()
}

// writtenBase is the name of the allocation that a variable has in the text.
func writtenBase(v *ir.Var) string {
	if t, ok := v.Type.(*ir.TileType); ok && t.MemRef != nil {
		return t.MemRef.Base.Name
	}
	return ""
}
