package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// lookupSpelling finds the operator that a dotted name means without knowing
// its operands.
func lookupSpelling(name string) *ops.Op {
	if c := ops.Spelled(name); len(c) > 0 {
		return c[0].Op
	}
	return ops.Lookup(strings.TrimPrefix(name, "pl."))
}

// operator tells what an operator is, does to memory, and where it runs.
func (h *hoverer) operator(c *ir.Call) string {
	op := c.Op
	var b strings.Builder
	b.WriteString(code(SignatureText(op)))
	if op.Doc != "" {
		b.WriteString("\n\n" + op.Doc)
	}
	b.WriteString("\n\n" + MemoryText(op))
	if p := h.pipe(c); p != platforms.NoPipe {
		fmt.Fprintf(&b, "\n\nruns on pipe **%s** of %s", p, h.d.Settings.Name)
	}
	if t := h.d.Settings.Platform; t != nil && !op.HasCodegen(t.Name) {
		fmt.Fprintf(&b, "\n\n⚠ %s has no code generator for it", t.Name)
	}
	for i := range op.Kwargs {
		if i == 0 {
			b.WriteString("\n\nkeyword arguments:")
		}
		b.WriteString("\n- " + kwargText(&op.Kwargs[i]))
	}
	return b.String()
}

// pipe is where a call executes; the call may be one of the text or bare.
func (h *hoverer) pipe(c *ir.Call) platforms.Pipe {
	if c.Type == nil || h.d.Settings.Platform == nil {
		return platforms.NoPipe
	}
	return memory.CallPipe(memory.NewLayout(h.det.Read.IR), c, h.d.Settings.Platform)
}

// SignatureText is an operator as it is called: `pl.tile.load(tensor, offsets,
// shapes, valid_shape, *, target_memory=Mem.Vec)`.
func SignatureText(op *ops.Op) string {
	spelling := "pl." + op.Name
	if len(op.DSL) > 0 {
		spelling = op.DSL[0].Spelling
	}
	var parts []string
	for _, a := range op.Args {
		p := a.Name
		if a.Kind != "" {
			p += ": " + a.Kind
		}
		if a.Optional {
			p += " = …"
		}
		parts = append(parts, p)
	}
	for i := range op.Kwargs {
		k := &op.Kwargs[i]
		if i == 0 {
			parts = append(parts, "*")
		}
		p := k.Name + ": " + k.Type
		if k.Default != "" {
			p += " = " + k.Default
		}
		parts = append(parts, p)
	}
	text := spelling + "(" + strings.Join(parts, ", ") + ")"
	if op.ResultKind != "" {
		text += " -> " + op.ResultKind
	}
	return text
}

// MemoryText says in words what an operator means for memory planning.
func MemoryText(op *ops.Op) string {
	var parts []string
	arg := func(i int) string {
		if i < len(op.Args) {
			return "`" + op.Args[i].Name + "`"
		}
		return fmt.Sprintf("operand %d", i+1)
	}
	switch {
	case op.IsView():
		parts = append(parts, "a view: the result is the storage of "+arg(0))
	case op.ReusesInput >= 0:
		parts = append(parts, "writes in place: the result takes the buffer of "+arg(op.ReusesInput))
	}
	if len(op.ForbidAlias) > 0 {
		var names []string
		for _, i := range op.ForbidAlias {
			names = append(names, arg(i))
		}
		parts = append(parts, "no alias: the result must not share bytes with "+strings.Join(names, ", "))
	} else if op.NotInplaceSafe {
		parts = append(parts, "no alias: the result must not share bytes with an operand")
	}
	if len(parts) == 0 && op.HasMemSpec {
		parts = append(parts, "the result may share bytes with an operand whose life ends here")
	}
	switch op.SpaceMode {
	case ops.SpaceFixed:
		parts = append(parts, "the result is in "+op.Space.String())
	case ops.SpaceKwarg:
		parts = append(parts, "`"+op.SpaceKwarg+"` says where the result is")
	case ops.SpaceInherit:
		parts = append(parts, "the result is where its first tile operand is")
	}
	for i, spaces := range op.InputSpaces {
		if len(spaces) == 0 {
			continue
		}
		var names []string
		for _, s := range spaces {
			names = append(names, s.String())
		}
		parts = append(parts, arg(i)+" is in "+strings.Join(names, " or "))
	}
	text := "memory: " + strings.Join(parts, "; ")
	if len(parts) == 0 {
		text = "memory: no rule of its own"
	}
	for _, note := range []string{op.MemNote, op.EffectNote} {
		if note != "" {
			text += "\n\n" + note
		}
	}
	return text
}

func kwargText(k *ops.KwargSpec) string {
	s := "`" + k.Name + "`"
	if k.Type != "" {
		s += ": " + k.Type
	}
	if k.Default != "" {
		s += ", default `" + k.Default + "`"
	}
	if k.Absent != "" {
		s += "; when absent: " + k.Absent
	}
	return s
}

// keyword tells about a keyword argument of the call around the place.
func (h *hoverer) keyword(name string) string {
	call := h.parent(2)
	if call.Kind() != irsyntax.Call {
		return ""
	}
	c := h.callAt(call)
	var op *ops.Op
	if c != nil {
		op = c.Op
	}
	if op == nil {
		op = lookupSpelling(call.First().Text())
	}
	if op == nil {
		return ""
	}
	k, ok := op.Kwarg(name)
	if !ok {
		return ""
	}
	return kwargText(k) + "\n\nkeyword argument of `" + op.Name + "`"
}
