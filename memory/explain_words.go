package memory

import (
	"fmt"

	"pypto-ls/ir"
)

// Words says the reason as one sentence without a full stop. where names the
// position of a statement ("line 12"); it is only asked for statements with a
// valid span.
func (r Reason) Words(where func(ir.Span) string) string {
	a, b := varName(r.A), varName(r.B)
	switch r.Kind {
	case Shared:
		return fmt.Sprintf("%s and %s share storage", a, b)
	case NoBuffer:
		return fmt.Sprintf("%s or %s has no on-chip buffer", a, b)
	case OtherSpace:
		return fmt.Sprintf("%s and %s are in different memory spaces", a, b)
	case DeclaredApart:
		return fmt.Sprintf("%s is in an allocation declared by the author, which nothing else may join", a)
	case LiveTogether:
		return fmt.Sprintf("%s and %s are live together%s", a, b, r.stretch(where))
	case GroupsOverlap:
		return fmt.Sprintf("the storage of %s and that of %s are in use together%s, from the first definition to the last use of all that lies in each",
			a, b, r.stretch(where))
	case LoadPop:
		return fmt.Sprintf("%s is written from a value popped from the other core by the statement that last reads %s, which is derived from a load%s",
			a, b, r.operator(where))
	case ReadsWhileWriting:
		return fmt.Sprintf("%s reads %s while it writes %s%s", opName(r.Stmt), b, a, r.operator(where))
	case WideningCast:
		return fmt.Sprintf("the cast of %s to the wider %s would overwrite elements it has not read yet%s", b, a, r.operator(where))
	case PipelineApart:
		return fmt.Sprintf("%s and %s belong to stages %d and %d of pipeline group %d", a, b, r.StageA, r.StageB, r.Group)
	case DepthApart:
		return fmt.Sprintf("%s and %s belong to stages %d and %d of pipeline group %d, which keeps %d of %d buffers apart",
			a, b, r.StageA, r.StageB, r.Group, r.Depth, r.Asked)
	case ByMember:
		return fmt.Sprintf("nothing keeps %s and %s apart, but %s shares its buffer with %s: %s", a, b, b, varName(r.Via), r.Because.Words(where))
	case OlderBuffer:
		return fmt.Sprintf("nothing keeps %s and %s apart: %s joined the older buffer of %s first", a, b, a, varName(r.Via))
	case Placement:
		return fmt.Sprintf("nothing keeps %s and %s apart: the planner chose addresses that do not overlap", a, b)
	}
	return fmt.Sprintf("it is not decided whether %s and %s share", a, b)
}

// Words says the finding as one sentence without a full stop; where is as for
// Reason.Words.
func (u UnsafeReuse) Words(where func(ir.Span) string) string {
	s := fmt.Sprintf("%s is written over %s", varName(u.Writer.Var), varName(u.Victim))
	if p := place(u.Writer, where); p != "" {
		s += " at " + p
	}
	s += ", which is still read"
	if p := place(u.Reader, where); p != "" {
		s += " at " + p
	}
	return s
}

func varName(v *ir.Var) string {
	if v == nil {
		return "?"
	}
	return v.Name
}

func opName(a *ir.Assign) string {
	if a != nil {
		if c, ok := a.Value.(*ir.Call); ok {
			return c.Name
		}
	}
	return "the operator"
}

// stretch is " at line 4" or " at line 4 to line 9", "" without positions.
func (r Reason) stretch(where func(ir.Span) string) string {
	from, to := place(r.From, where), place(r.To, where)
	switch {
	case from == "" && to == "":
		return ""
	case from == to || to == "":
		return " at " + from
	case from == "":
		return " at " + to
	}
	return " at " + from + " to " + to
}

func (r Reason) operator(where func(ir.Span) string) string {
	if r.Stmt == nil {
		return ""
	}
	if p := place(r.Stmt, where); p != "" {
		return " at " + p
	}
	return ""
}

// place is the position of s in words, "" when it has none.
func place(s ir.Stmt, where func(ir.Span) string) string {
	if s == nil || where == nil || !s.Meta().Span.Valid() {
		return ""
	}
	return where(s.Meta().Span)
}
