package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

const slotHelp = "Use pl.cross_core_slot(slot_num=4)."

// optimizations reads the entries of `optimizations=[…]` (spec 09 §5).
func (r *reader) optimizations(sc *ir.Scope, list irsyntax.Ref) {
	owner, help := "pl.at", ""
	if sc.Kind == ir.ScopeSpmd {
		owner, help = "pl.spmd", "Use optimizations=[pl.split(pl.SplitMode.NONE)]."
	}
	if list.Kind() != irsyntax.List {
		r.problem(Syntax, r.span(list), owner+"(optimizations=...) must be a list literal", help)
		return
	}
	splits, slots := 0, 0
	for e := list.First(); e.Ok(); e = e.Next() {
		switch {
		case isCallTo(e, "split"):
			if splits++; splits > 1 {
				r.problem(Syntax, r.span(e), "Duplicate 'pl.split(...)' in optimizations=[...]", "")
				continue
			}
			r.splitEntry(sc, e)
		case isCallTo(e, "cross_core_slot"):
			if slots++; slots > 1 {
				r.problem(Syntax, r.span(e), "Duplicate 'pl.cross_core_slot(...)' in optimizations=[...]", "")
				continue
			}
			r.slotEntry(sc, e)
		default:
			help := ""
			if owner == "pl.spmd" {
				help = "Each entry must be pl.split(pl.SplitMode.X) or pl.cross_core_slot(slot_num=N)."
			}
			r.problem(Syntax, r.span(e), "Unsupported entry in "+owner+"(optimizations=[...])", help)
		}
	}
}

func (r *reader) splitEntry(sc *ir.Scope, e irsyntax.Ref) {
	positional := 0
	for a := e.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			if key := a.First().Text(); key != "slot_num" {
				r.problem(Syntax, r.span(a), "Unknown keyword argument '"+key+"' in pl.split()", "pl.split() accepts only the deprecated slot_num= keyword.")
				continue
			}
			if n, ok := r.slotCount("pl.split(slot_num=...)", a.Child(1), "Use e.g. pl.cross_core_slot(slot_num=16)."); ok {
				r.setSlots(sc, e, n)
			}
			r.warn(r.span(a), "pl.split(slot_num=...) is deprecated; use pl.cross_core_slot(slot_num=N)", "Replace it by an entry pl.cross_core_slot(slot_num=N)")
			continue
		}
		if positional++; positional == 1 {
			sc.Attrs = append(sc.Attrs, ir.Attr{Key: "split", Value: splitModeOf(a)})
		}
	}
	if positional != 1 {
		r.problem(Syntax, r.span(e), "pl.split() takes exactly 1 positional argument, got "+itoa(int64(positional)), "Use pl.split(pl.SplitMode.NONE).")
	}
}

func (r *reader) slotCount(api string, v irsyntax.Ref, help string) (int64, bool) {
	n, ok := parseInt(v.Text())
	if v.Kind() == irsyntax.UnaryOp && v.Op() == irsyntax.OpSub {
		if n, ok = parseInt(v.First().Text()); ok {
			n = -n
		}
	} else if v.Kind() != irsyntax.Int {
		ok = false
	}
	switch {
	case !ok:
		r.problem(Syntax, r.span(v), api+" must be an integer literal", help)
	case n < 1:
		r.problem(Syntax, r.span(v), api+" must be positive, got "+itoa(n), "")
	default:
		return n, true
	}
	return 0, false
}

func (r *reader) setSlots(sc *ir.Scope, e irsyntax.Ref, n int64) {
	if _, dup := ir.FindAttr(sc.Attrs, "slot_num"); dup {
		r.problem(Syntax, r.span(e), "optimizations=[...] sets the cross-core slot count twice: via the deprecated pl.split(slot_num=...) and via pl.cross_core_slot(...)", "Keep only pl.cross_core_slot(slot_num=N).")
		return
	}
	sc.Attrs = append(sc.Attrs, ir.Attr{Key: "slot_num", Value: n})
}

func (r *reader) slotEntry(sc *ir.Scope, e irsyntax.Ref) {
	found := false
	pos := 0
	for a := e.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			pos++
			continue
		}
		if k := a.First().Text(); k != "slot_num" {
			r.problem(Syntax, r.span(a), "Unknown keyword argument '"+k+"' in pl.cross_core_slot()", slotHelp)
			continue
		}
		found = true
		if n, ok := r.slotCount("pl.cross_core_slot(slot_num=...)", a.Child(1), slotHelp); ok {
			r.setSlots(sc, e, n)
		}
	}
	if pos > 0 {
		r.problem(Syntax, r.span(e), "pl.cross_core_slot() takes no positional arguments, got "+itoa(int64(pos)), slotHelp)
	} else if !found {
		r.problem(Syntax, r.span(e), "pl.cross_core_slot() requires the slot_num= keyword argument", slotHelp)
	}
}
