package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

func writeOp(b *bytes.Buffer, o *record) error {
	fmt.Fprintf(b, "{Name: %q, Category: %q,\n", o.Name, o.Category)
	str(b, "Doc", o.Doc)
	writeSignature(b, o)
	r := &o.Result
	b.WriteString("\n")
	for _, f := range [...][2]string{{"ResultKind", r.Kind}, {"ShapeRule", r.Shape}, {"DTypeRule", r.DType}, {"ValidRule", r.Valid},
		{"ViewRule", r.View}, {"Constraints", r.Constraints}, {"ResultNote", r.Note}} {
		str(b, f[0], f[1])
	}
	b.WriteString("\n")
	if err := writeResolver(b, o); err != nil {
		return err
	}
	if err := writeMemory(b, &o.Memory); err != nil {
		return err
	}
	if o.CoreAffinity != nil {
		str(b, "CoreAffinity", *o.CoreAffinity)
	}
	if o.CrossCore != nil {
		str(b, "CrossCore", *o.CrossCore)
	}
	flagField(b, "InternalOnly", o.InternalOnly)
	if err := writeBackend(b, o); err != nil {
		return err
	}
	if len(o.Messages) > 0 {
		b.WriteString("\nMessages: ")
		writeMessages(b, o.Messages)
		b.WriteString(",\n")
	}
	b.WriteString("},\n")
	return nil
}

func writeSignature(b *bytes.Buffer, o *record) {
	if len(o.Args) > 0 {
		b.WriteString("Args: []Arg{")
		for _, a := range o.Args {
			fmt.Fprintf(b, "{Name: %q, Kind: %q, ", a.Name, a.Kind)
			flagField(b, "Optional", a.Optional)
			b.WriteString("}, ")
		}
		b.WriteString("},\n")
	}
	if len(o.Kwargs) > 0 {
		b.WriteString("Kwargs: []KwargSpec{")
		for _, k := range o.Kwargs {
			fmt.Fprintf(b, "{Name: %q, Type: %q, ", k.Name, k.Type)
			str(b, "Default", k.Default)
			str(b, "Emitted", k.Emitted)
			str(b, "Absent", k.Absent)
			b.WriteString("}, ")
		}
		b.WriteString("},\n")
	}
	if len(o.DSL) > 0 {
		b.WriteString("DSL: []Spelling{")
		for _, s := range o.DSL {
			fmt.Fprintf(b, "{Spelling: %q, When: %q, ", s.Spelling, s.When)
			b.WriteString(condition(o.Name, s.Spelling, s.When))
			b.WriteString("}, ")
		}
		b.WriteString("},\n")
	}
}

// condition puts the words of dsl_names' `when` into the fields of
// ops.Spelling.
func condition(op, spelling, when string) string {
	lhs, rhs, keyword, without := "", "", "", ""
	for _, c := range [...]struct{ words, class string }{{"Tile", "Tile"}, {"Tensor", "Tensor"}} {
		switch {
		case strings.HasPrefix(when, "operand(s) are "+c.words), strings.HasPrefix(when, "operand is a "+c.words),
			strings.HasPrefix(when, "lhs is a "+c.words), strings.HasPrefix(when, "src0 is a "+c.words), when == c.words+"s only":
			lhs = c.class
		case when == "both operands are "+c.words+"s":
			lhs, rhs = c.class, c.class
		case when == "rhs is a "+c.words:
			rhs = c.class
		case strings.HasPrefix(when, c.words+", scalar, "):
			lhs, rhs = c.class, "Scalar"
		case strings.HasPrefix(when, c.words+", "+c.words+", "):
			lhs, rhs = c.class, c.class
		}
	}
	switch {
	case strings.HasSuffix(when, "rhs a Tensor, scalar or literal"):
		rhs = "TensorOrScalar"
	case strings.HasSuffix(when, "rhs a scalar or literal"), strings.HasSuffix(when, "rhs is a scalar or literal"):
		rhs = "Scalar"
	}
	if kw, ok := strings.CutPrefix(when, "with "); ok {
		keyword, _, _ = strings.Cut(kw, "=")
	}
	if strings.HasSuffix(spelling, ".mrgsort") {
		if strings.HasSuffix(op, "_format1") {
			keyword = "block_len"
		} else {
			without = "block_len"
		}
	}
	var b bytes.Buffer
	for _, f := range [...][2]string{{"Lhs", lhs}, {"Rhs", rhs}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: Class%s, ", f[0], f[1])
		}
	}
	str(&b, "Keyword", keyword)
	str(&b, "Without", without)
	return b.String()
}

// writeResolver writes the output space resolver. Operators whose memory spec
// is empty or absent have none, and neither has one whose results are tensors:
// the DDR that ops.json lists there is a remark, not a resolver.
func writeResolver(b *bytes.Buffer, o *record) error {
	s := o.Result.Space
	if o.Memory.Spec != "declared" {
		s = nil
	}
	mode, space := "SpaceNone", "NoSpace"
	switch {
	case o.Memory.Inherit:
		mode = "SpaceInherit"
	case s == nil, s.Mode == "none", s.Mode == "fixed" && s.Space == "DDR":
	case s.Mode == "fixed":
		mode, space = "SpaceFixed", s.Space
	case s.Mode == "inherit_input":
		mode = "SpaceInherit"
	case s.Mode == "kwarg":
		mode = "SpaceKwarg"
		if s.Default != nil {
			space = *s.Default
		}
		str(b, "SpaceKwarg", s.Kwarg)
		flagField(b, "Retargetable", s.Retargetable)
	default:
		return fmt.Errorf("memory_space_rule mode %q", s.Mode)
	}
	fmt.Fprintf(b, "SpaceMode: %s, Space: platforms.%s, ", mode, space)
	return nil
}

func writeMemory(b *bytes.Buffer, m *memory) error {
	flagField(b, "HasMemSpec", m.Spec == "declared")
	if len(m.Constraints) > 0 {
		last := 0
		for k := range m.Constraints {
			i, err := strconv.Atoi(k)
			if err != nil {
				return err
			}
			last = max(last, i)
		}
		b.WriteString("InputSpaces: [][]platforms.Space{")
		for i := 0; i <= last; i++ {
			spaces := m.Constraints[strconv.Itoa(i)]
			if len(spaces) == 0 {
				b.WriteString("nil, ")
				continue
			}
			b.WriteString("{")
			for _, s := range spaces {
				fmt.Fprintf(b, "platforms.%s, ", s)
			}
			b.WriteString("}, ")
		}
		b.WriteString("}, ")
	}
	flagField(b, "InheritsInput", m.Inherit)
	flagField(b, "NotInplaceSafe", m.NotInplaceSafe)
	reuses := -1
	if m.Reuses != nil {
		reuses = *m.Reuses
	}
	fmt.Fprintf(b, "ReusesInput: %d, ", reuses)
	if len(m.ForbidAlias) > 0 {
		fmt.Fprintf(b, "ForbidAlias: %#v, ", m.ForbidAlias)
	}
	switch m.Access {
	case "Unknown":
	case "Functional":
		b.WriteString("Access: AccessFunctional, ")
	case "NoAccess":
		b.WriteString("Access: AccessNone, ")
	default:
		return fmt.Errorf("exec_access %q", m.Access)
	}
	str(b, "AccessNote", m.Promotion)
	str(b, "MemNote", m.Note)
	if m.WriteChannel != nil {
		str(b, "WriteChannel", *m.WriteChannel)
	}
	return writeEffects(b, m.Effects)
}

func writeEffects(b *bytes.Buffer, effects map[string]string) error {
	last, note := -1, ""
	for _, k := range sortedKeys(effects) {
		i, err := strconv.Atoi(k)
		if err != nil {
			return err
		}
		last = max(last, i)
		if e := effects[k]; strings.Contains(e, " ") {
			if note != "" {
				note += "; "
			}
			note += fmt.Sprintf("operand %d: %s", i, e)
		}
	}
	if last < 0 {
		return nil
	}
	b.WriteString("Effects: []Effect{")
	for i := 0; i <= last; i++ {
		e := effects[strconv.Itoa(i)]
		switch {
		case e == "":
			b.WriteString("Read, ")
		case strings.Contains(e, "ReadWrite"):
			b.WriteString("ReadWrite, ")
		case strings.HasPrefix(e, "Write"):
			b.WriteString("Write, ")
		default:
			return fmt.Errorf("effect %q", e)
		}
	}
	b.WriteString("}, ")
	str(b, "EffectNote", note)
	return nil
}

func writeBackend(b *bytes.Buffer, o *record) error {
	if rl := o.Backend.RequiredLayout; rl != nil {
		b.WriteString("RowMajorIn: []int{")
		for _, k := range sortedKeys(rl.Inputs) {
			if rl.Inputs[k] != "row_major" {
				return fmt.Errorf("required layout %q", rl.Inputs[k])
			}
			fmt.Fprintf(b, "%s, ", k)
		}
		b.WriteString("}, ")
		flagField(b, "RowMajorOut", rl.Output != nil && *rl.Output == "row_major")
	}
	var none []string
	for _, target := range sortedKeys(o.Backend.Codegen) {
		if !o.Backend.Codegen[target] {
			none = append(none, target)
		}
	}
	if none != nil {
		fmt.Fprintf(b, "NoCodegen: %#v, ", none)
	}
	return nil
}
