package analysis

import (
	"fmt"
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

func syntaxFindings(errors []irsyntax.Error, fn string) []Finding {
	out := make([]Finding, len(errors))
	for i, e := range errors {
		out[i] = Finding{Code: "syntax", Severity: Error, Span: ir.Span{Start: e.Start, End: e.End}, Message: e.Msg, Func: fn}
	}
	return out
}

var classCodes = map[read.Class]string{
	read.Syntax: "syntax", read.TypeErr: "type", read.NameErr: "name", read.Operation: "operation",
	read.Function_: "function", read.Own: "reading",
}

func readFindings(fn *read.Function) []Finding {
	var out []Finding
	for _, p := range fn.Problems {
		f := Finding{Code: classCodes[p.Class], Severity: Error, Span: p.Span, Message: p.Message, Explain: p.Explain, Help: p.Help, Func: fn.IR.Name}
		if p.Warning {
			f.Severity = Warning
		}
		if !f.Span.Valid() {
			f.Span = fn.IR.NameSpan
		}
		if p.Related.Valid() {
			f.Related = []Related{{p.Related, "Previous definition was here:"}}
		}
		out = append(out, f)
	}
	return out
}

// planFindings turns what the memory passes found into findings.
func planFindings(fn *read.Function, p *PlannedDetail, s Settings) []Finding {
	var out []Finding
	name := p.Fn.Name
	at := fn.IR.NameSpan
	for _, d := range p.Result.Diags {
		out = append(out, adviceFinding(fn, p, d, at))
	}
	if err := p.Result.Err; err != nil {
		out = append(out, errorFindings(fn, p, err, s)...)
	}
	for _, v := range p.Result.Verify {
		f := Finding{Code: "address", Severity: Error, Span: at, Message: v.Message, Func: name}
		if v.Code == 1 {
			f.Code = "capacity"
			fillSpace(&f, p)
		}
		if v.Span.Valid() && v.Code == 0 {
			f.Span = v.Span
		}
		out = append(out, f)
	}
	if p.Plan != nil && p.Result.Err == nil {
		out = append(out, unsafeFindings(p, name)...)
	}
	return out
}

// fillSpace notes which space a finding of the verifier is about.
func fillSpace(f *Finding, p *PlannedDetail) {
	if p.Plan == nil {
		return
	}
	for i := range p.Plan.Spaces {
		if u := &p.Plan.Spaces[i]; strings.Contains(f.Message, "': "+u.Space.String()+" buffer usage") {
			f.Space, f.Used, f.Limit = u.Space.String(), u.Used, u.Limit
		}
	}
}

func adviceFinding(fn *read.Function, p *PlannedDetail, d memory.Diagnostic, at ir.Span) Finding {
	f := Finding{Code: d.Code, Severity: Information, Span: at, Message: d.Text, Func: p.Fn.Name}
	if d.Severity == memory.Warning {
		f.Severity = Warning
		f.Code = "reuse-fallback"
	}
	return f
}

// errorFindings explains why planning one function failed.
func errorFindings(fn *read.Function, p *PlannedDetail, err *memory.Error, s Settings) []Finding {
	at := fn.IR.NameSpan
	if err.Span.Valid() && (err.SpanVar != nil || err.Span != p.Fn.Span) {
		at = err.Span
	}
	over := false
	var out []Finding
	for _, u := range p.Result.Usage {
		if u.Over() {
			over = true
			out = append(out, capacityFindings(fn, p, u)...)
		}
	}
	if over {
		return out
	}
	f := Finding{Code: errorCode(err), Severity: Error, Span: at, Message: err.Message, Func: p.Fn.Name}
	f.Explain = explainError(p, err)
	f.Related = append(f.Related, relatedPeak(p)...)
	return []Finding{f}
}

// errorCode is our name for a failure of a memory pass.
func errorCode(err *memory.Error) string {
	m := err.Message
	switch {
	case strings.HasPrefix(m, "DSA-RP could not find a placement"):
		return "dsa-no-fit"
	case strings.HasPrefix(m, "pypto-ls does not place"):
		return "dsa-too-large"
	case strings.Contains(m, "has a reserved range beyond capacity"):
		return "ring-too-large"
	case strings.HasPrefix(m, "DSA-RP"), strings.HasPrefix(m, "Independent validation"):
		return "dsa-internal"
	case strings.Contains(m, "are both bound to the same slot"):
		return "declared-overlap"
	case strings.Contains(m, "declared allocation") || strings.Contains(m, "Declared allocation") || strings.Contains(m, "lands in its source tile's allocation"):
		return "declared-allocation"
	case strings.Contains(m, "accumulator"):
		return "accumulator-merge"
	case strings.Contains(m, "reserve_buffer"):
		return "reserve-buffer"
	case strings.Contains(m, "requires static shape"), strings.Contains(m, "requires positive shape"), strings.Contains(m, "physical allocation size"):
		return "dynamic-shape"
	}
	switch err.Pass {
	case memory.StageInitMemRef.String():
		return "init-memref"
	case memory.StageSemanticAliases.String():
		return "semantic-aliases"
	case memory.StageMemoryReuse.String():
		return "memory-reuse"
	}
	return "allocate"
}

// capacityFindings is the finding at the function's name, with the tiles live
// at the peak, and one at the statement where the space first overflows.
func capacityFindings(fn *read.Function, p *PlannedDetail, u memory.Usage) []Finding {
	f := Finding{Code: "capacity", Severity: Error, Span: fn.IR.NameSpan, Message: u.Message(), Func: p.Fn.Name,
		Space: u.Space.String(), Used: u.Used, Limit: u.Limit}
	if p.Plan == nil {
		return []Finding{f}
	}
	use := p.Plan.Space(u.Space)
	if use == nil {
		return []Finding{f}
	}
	names := newNamer(fn.Chunk.Text)
	f.Explain = explainSpace(use, u.Used, names)
	for _, t := range use.PeakLive {
		if t.Var.Span.Valid() {
			f.Related = append(f.Related, Related{t.Var.Span, fmt.Sprintf("%s: %s B, live at the peak", names.shown(t.Var), Thousands(t.Size))})
		}
	}
	out := []Finding{f}
	if use.OverTile != nil && use.FirstOver != nil && use.OverTile.Span.Valid() {
		b := p.Plan.BufferOf(use.OverTile)
		end := uint64(0)
		if b != nil {
			end = b.Addr + b.Size
		}
		out = append(out, Finding{Code: "capacity-here", Severity: Information, Span: use.OverTile.Span, Func: p.Fn.Name, Space: f.Space,
			Message: fmt.Sprintf("%s first overflows here: %s ends at byte %s of %s", f.Space, names.shown(use.OverTile), Thousands(end), Thousands(u.Limit))})
	}
	return out
}

// explainSpace says where the peak is, what is live there, and whether any
// planner could fit it.
func explainSpace(use *memory.SpaceUse, used uint64, names namer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s B over its limit.", use.Space, Thousands(used-use.Limit))
	if use.PeakAt != nil && use.PeakAt.Meta().Span.Valid() {
		fmt.Fprintf(&b, " Most is live at line %s: %s B", lineMark(use.PeakAt.Meta().Span.Start), Thousands(use.Peak))
		for i, t := range use.PeakLive {
			if i == 6 {
				fmt.Fprintf(&b, ", and %d more", len(use.PeakLive)-i)
				break
			}
			sep := ", "
			if i == 0 {
				sep = " in "
			}
			name := names.shown(t.Var)
			if name == nestedResult && t.Var.Span.Valid() {
				name += " at " + where(t.Var.Span)
			}
			fmt.Fprintf(&b, "%s%s (%s B)", sep, name, Thousands(t.Size))
		}
		b.WriteString(".")
	}
	if use.Reserved > 0 {
		fmt.Fprintf(&b, " The first %s B are reserved.", Thousands(use.Reserved))
	}
	switch {
	case use.Reserved > 0 && use.Reserved >= use.Limit:
		// Shrinking tiles is no help.
		b.WriteString(" They leave no room for tiles: lower the ring's depth (slot_num) or its slot size.")
	case use.Impossible():
		fmt.Fprintf(&b, " No planner can fit this: even perfect packing needs %s B of %s B. Make a tile that is live there smaller, or end its life earlier.", Thousands(use.Bound), Thousands(use.Limit))
	default:
		fmt.Fprintf(&b, " Perfect packing would need at least %s B, so the space could suffice: planner DSA_RP may fit it, or let tiles share storage by shortening their lives.", Thousands(use.Bound))
	}
	return b.String()
}

func explainError(p *PlannedDetail, err *memory.Error) string {
	switch errorCode(err) {
	case "dsa-no-fit":
		return explainNoFit(p)
	case "ring-too-large":
		return "The window that system.reserve_buffer takes is larger than the whole space: lower the ring's depth (slot_num) or the slot size."
	case "accumulator-merge":
		return "Two values in different Acc buffers meet at this point, and the hardware cannot copy Acc to Acc: let both paths accumulate into the same tile."
	case "dsa-internal":
		return "The reference stops here with an internal error. A tile carried through a while loop cannot be placed by DSA_RP: use planner PYPTO, or a for loop."
	case "dsa-too-large":
		return "The compiler may place it, given time. Divide the function, or use planner PYPTO, which has no such bound."
	case "declared-overlap":
		return "Give the two tiles different slots or separate declarations, or end the first one's life before the second is written."
	case "dynamic-shape":
		return "On-chip buffers need constant sizes: allocate the largest shape and narrow it with valid_shape."
	}
	return ""
}

// explainNoFit says which spaces cannot be fitted by anybody.
func explainNoFit(p *PlannedDetail) string {
	if p.Plan == nil {
		return ""
	}
	var parts []string
	for i := range p.Plan.Spaces {
		u := &p.Plan.Spaces[i]
		if !u.Impossible() {
			continue
		}
		line := ""
		if u.PeakAt != nil && u.PeakAt.Meta().Span.Valid() {
			line = " at line " + lineMark(u.PeakAt.Meta().Span.Start)
		}
		parts = append(parts, fmt.Sprintf("Impossible: %s needs at least %s B of %s B%s, whatever the placement.", u.Space, Thousands(u.Bound), Thousands(u.Limit), line))
	}
	if len(parts) == 0 {
		parts = append(parts, "The lower bounds of all spaces fit their capacities, so this is a failure of the bounded search, not a proof that no placement exists.")
	}
	return strings.Join(parts, " ")
}

func relatedPeak(p *PlannedDetail) []Related {
	if p.Plan == nil {
		return nil
	}
	var out []Related
	for i := range p.Plan.Spaces {
		u := &p.Plan.Spaces[i]
		if !u.Impossible() {
			continue
		}
		for _, t := range u.PeakLive {
			if t.Var.Span.Valid() {
				out = append(out, Related{t.Var.Span, fmt.Sprintf("%s: %s B in %s, live at the peak", t.Var.Name, Thousands(t.Size), u.Space)})
			}
		}
	}
	return out
}

func unsafeFindings(p *PlannedDetail, name string) []Finding {
	var out []Finding
	for _, u := range p.Plan.Unsafe() {
		f := Finding{Code: "unsafe-reuse", Severity: Warning, Span: u.Writer.Var.Span, Func: name,
			Message: fmt.Sprintf("'%s' overwrites '%s' in %s, which is still read later", u.Writer.Var.Name, u.Victim.Name, u.Space),
			Explain: "The compiler ends the life of this value too early and places both in the same bytes; the addresses shown are the compiler's."}
		if !p.Plan.Placed {
			f.Explain = "Both are bound to one place of the same allocation, and no pass of this planner checks that they do not live together."
		}
		if sp := u.Reader.Meta().Span; sp.Valid() {
			f.Explain = fmt.Sprintf("'%s' is read again at line %s. ", u.Victim.Name, lineMark(sp.Start)) + f.Explain
			f.Related = append(f.Related, Related{sp, "'" + u.Victim.Name + "' is read here"})
		}
		if !f.Span.Valid() {
			f.Span = p.Fn.NameSpan
		}
		out = append(out, f)
	}
	return out
}

func approximateFindings(f *Func, list []Approximation) []Finding {
	out := make([]Finding, len(list))
	for i, a := range list {
		sp := a.Span
		if !sp.Valid() {
			sp = f.NameSpan
		}
		out[i] = Finding{Code: "approximate", Severity: Information, Span: sp, Func: f.Name,
			Message: "The placement shown is approximate, because " + a.because(),
			Explain: "Addresses and usage of this function may differ from the compiler's. A dump of a later pass is exact."}
	}
	return out
}

func sortFindings(fs []Finding) {
	sort.SliceStable(fs, func(i, j int) bool {
		if fs[i].Span.Start != fs[j].Span.Start {
			return fs[i].Span.Start < fs[j].Span.Start
		}
		return fs[i].Severity < fs[j].Severity
	})
}

// Thousands writes a byte count with separators: 188,416.
func Thousands(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
