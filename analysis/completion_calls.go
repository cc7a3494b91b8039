package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// callee is something that can be called: its parameters in order and, for an
// operator, what it accepts.
type callee struct {
	name   string // as it is shown: `pl.tile.load`
	params []param
	op     *ops.Op // nil for functions and words of the language
	result string
	doc    string // of functions and words of the language; see docText
}

// docText is the documentation as Markdown.
func (c *callee) docText() string {
	if c.op != nil && c.doc == "" {
		return operatorDoc(c.op)
	}
	return c.doc
}

// spelled is a callee's dotted name with the prefix that documentation
// shorthand leaves out, "" when it is none.
func spelled(fn irsyntax.Ref) string {
	name := strings.NewReplacer(" ", "", "\t", "").Replace(fn.Text())
	switch fn.Kind() {
	case irsyntax.Name:
		return name
	case irsyntax.Attribute:
		for _, c := range name {
			if c != '.' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 {
				return ""
			}
		}
		if strings.HasPrefix(name, "tile.") || strings.HasPrefix(name, "tensor.") || strings.HasPrefix(name, "system.") {
			return "pl." + name
		}
		return name
	}
	return ""
}

// callee finds what a call calls.
func (p *probe) callee(call irsyntax.Ref) (*callee, bool) {
	fn := call.First()
	name := spelled(fn)
	if name == "" {
		return nil, false
	}
	if f, ok := strings.CutPrefix(name, "self."); ok {
		return p.d.functionCallee(p.chunk, f, "self."+f)
	}
	if fn.Kind() == irsyntax.Name {
		if c, ok := p.d.functionCallee(p.chunk, name, name); ok {
			return c, true
		}
	}
	return namedCallee(name)
}

// namedCallee finds an operator or a word of the language.
func namedCallee(name string) (*callee, bool) {
	_, last := splitLast(name)
	if last == "alloc" {
		return &callee{name: name, params: languageCalls[last], op: lookupSpelling(name)}, true
	}
	if w := ops.WrapperOf(name); w != nil {
		c := &callee{name: name, op: lookupSpelling(name)}
		c.params = wrapperParams(w, c.op)
		c.finish()
		return c, true
	}
	if ps, ok := languageCalls[last]; ok && (strings.HasPrefix(name, "pl.") && strings.Count(name, ".") == 1 || name == last) {
		c := &callee{name: name, params: ps}
		for _, w := range languageMembers {
			if w.name == last {
				c.doc = w.detail
			}
		}
		return c, true
	}
	op := lookupSpelling(name)
	if op == nil {
		op = lookupSpelling(strings.TrimSuffix(name, "_"))
	}
	if op == nil || !strings.HasPrefix(name, "pl") {
		return nil, false
	}
	c := &callee{name: name, op: op}
	for _, a := range op.Args {
		c.params = append(c.params, param{name: a.Name, required: !a.Optional, detail: a.Kind})
	}
	for i := range op.Kwargs {
		k := &op.Kwargs[i]
		c.params = append(c.params, param{name: k.Name, def: k.Default, hint: hintOf(k.Name, k.Type), kwOnly: true, detail: k.Type})
	}
	c.finish()
	return c, true
}

// finish completes what an operator's record says.
func (c *callee) finish() {
	if c.op == nil {
		return
	}
	c.result = c.op.ResultKind
}

// operatorDoc is the documentation of an operator as Markdown.
func operatorDoc(op *ops.Op) string {
	var parts []string
	if op.Doc != "" {
		parts = append(parts, op.Doc)
	}
	parts = append(parts, MemoryText(op))
	if len(op.Kwargs) > 0 {
		var ks []string
		for i := range op.Kwargs {
			ks = append(ks, "- "+kwargText(&op.Kwargs[i]))
		}
		parts = append(parts, "keyword arguments:\n"+strings.Join(ks, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// wrapperParams are the parameters that an author may write.
func wrapperParams(w *ops.Wrapper, op *ops.Op) []param {
	var out []param
	kwOnly := false
	for i := range w.Params {
		x := &w.Params[i]
		if x.Hidden {
			continue
		}
		star := strings.HasPrefix(x.Name, "*")
		p := param{name: x.Name, def: x.Default, required: !x.HasDefault && !star, kwOnly: !star && (x.KeywordOnly || kwOnly)}
		typ := ""
		if op != nil {
			if k, ok := op.Kwarg(x.Name); ok {
				typ = k.Type
				p.detail = k.Type
			} else if i < len(op.Args) && !p.kwOnly {
				p.detail = op.Args[i].Kind
			}
		}
		p.hint = hintOf(x.Name, typ)
		if x.Name == "mode" && typ == "int" {
			p.words = []string{"none", "rint", "round", "floor", "ceil", "trunc", "odd"}
			p.detail = "rounding mode"
		}
		kwOnly = kwOnly || star
		out = append(out, p)
	}
	return out
}

// hintOf says what the values of a parameter are chosen from.
func hintOf(name, typ string) string {
	switch name {
	case "dtype", "target_type", "output_dtype", "out_dtype", "count_dtype":
		return "DataType"
	case "target_memory", "space":
		return "Mem"
	case "set_pipe", "wait_pipe", "pipe":
		return "PipeType"
	case "atomic":
		return "AtomicType"
	}
	switch typ {
	case "DataType", "bool", "PadValue", "TileLayout", "TensorLayout":
		return typ
	case "MemorySpace":
		return "Mem"
	}
	return ""
}

// functionCallee finds a function of the program, or of the module.
func (d *Document) functionCallee(chunk int, name, shown string) (*callee, bool) {
	e := &d.File.Chunks[chunk]
	method := strings.HasPrefix(shown, "self.")
	for i := range d.File.Chunks {
		f := &d.File.Chunks[i]
		if f.Kind != irsyntax.FuncChunk || f.Name != name || method != (f.Class >= 0) || method && f.Class != e.Class {
			continue
		}
		c := &callee{name: shown, params: paramsOf(f.Tree().Root())}
		if method {
			c.params = append(c.params, param{name: "attrs", kwOnly: true})
		}
		if s := d.header(i); s != nil {
			c.doc = s.Kind.String() + " function"
			if len(s.Returns) > 0 {
				c.result = typesText(s.Returns)
			}
		}
		return c, true
	}
	return nil, false
}

// header is the declared signature of a kernel function, nil for others; its
// body is not looked at.
func (d *Document) header(chunk int) *read.Signature {
	if d.unitOf[chunk] < 0 {
		return nil
	}
	s, _ := d.units[d.unitOf[chunk]].ctx.sigs.Lookup(d.File.Chunks[chunk].Name)
	return s
}

func typesText(ts []ir.Type) string {
	var out []string
	for _, t := range ts {
		out = append(out, printer.Type(nil, t, printer.Options{}))
	}
	if len(out) == 1 {
		return out[0]
	}
	return "tuple[" + strings.Join(out, ", ") + "]"
}

// paramsOf reads a function's parameters off its tree.
func paramsOf(f irsyntax.Ref) []param {
	var out []param
	for n := f.First(); n.Ok(); n = n.Next() {
		if n.Kind() != irsyntax.Params {
			continue
		}
		for p := n.First(); p.Ok(); p = p.Next() {
			name := p.First()
			if name.Kind() != irsyntax.Name || name.Text() == "self" {
				continue
			}
			x := param{name: name.Text(), required: p.Child(2).IsEmpty()}
			if ann := p.Child(1); !ann.IsEmpty() {
				x.detail = strings.Join(strings.Fields(ann.Text()), " ")
			}
			out = append(out, x)
		}
		break
	}
	return out
}

// text is the callee with its parameters; spans are those of the parameters in
// it, bytes.
func (c *callee) text() (label string, spans []ir.Span) {
	var b strings.Builder
	b.WriteString(c.name + "(")
	star := false
	for i, p := range c.params {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.kwOnly && !star {
			star = true
			b.WriteString("*, ")
		}
		star = star || strings.HasPrefix(p.name, "*")
		from := b.Len()
		b.WriteString(p.name)
		if p.detail != "" {
			b.WriteString(": " + p.detail)
		}
		if p.def != "" {
			b.WriteString(" = " + p.def)
		} else if !p.required && !strings.HasPrefix(p.name, "*") {
			b.WriteString(" = …")
		}
		spans = append(spans, ir.Span{Start: int32(from), End: int32(b.Len())})
	}
	b.WriteString(")")
	if c.result != "" {
		b.WriteString(" -> " + c.result)
	}
	return b.String(), spans
}

// snippet is the call with places for what must be given.
func (c *callee) snippet(name string) string {
	var parts []string
	for _, p := range c.params {
		if !p.required {
			continue
		}
		place := "${" + itoa(len(parts)+1) + ":" + p.name + "}"
		if p.kwOnly {
			place = p.name + "=" + place
		}
		parts = append(parts, place)
	}
	if len(parts) == 0 {
		if len(c.params) == 0 {
			return name + "()"
		}
		return name + "($1)"
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// operand is what an operator accepts at a positional argument: its kind
// ("tile", "tensor", "scalar", …) and, of a tile, the memory spaces.
func (c *callee) operand(arg int) (kind string, spaces []platforms.Space) {
	if c.op == nil || arg >= len(c.op.Args) {
		return "", nil
	}
	if arg < len(c.op.InputSpaces) {
		spaces = c.op.InputSpaces[arg]
	}
	return c.op.Args[arg].Kind, spaces
}
