package analysis

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// names lists what may stand where a bare name can: values for the parameter,
// keyword arguments, variables, module-level names, statements.
func (c *completer) names() {
	want := wanted{}
	call, at := c.call()
	if call.Ok() && c.direct(call) {
		if callee, ok := c.callee(call); ok {
			want = c.arguments(callee, call, at)
		}
	}
	if c.place() == typePlace {
		c.add(2, Completion{Label: "pl", Kind: CompleteModule, Detail: "the kernel language"})
	}
	c.variables(want)
	c.moduleNames()
	if c.lineStart {
		c.statements()
	}
	if c.place() != typePlace {
		c.add(7, Completion{Label: "pl", Kind: CompleteModule, Detail: "the kernel language"})
		c.add(7, Completion{Label: "self", Kind: CompleteVariable, Detail: "the functions of the program"})
	}
}

// wanted is what the operand at the cursor accepts.
type wanted struct {
	kind   string
	spaces []platforms.Space
}

// arguments proposes the values of the parameter at the cursor and the keyword
// arguments that are not given yet.
func (c *completer) arguments(f *callee, call irsyntax.Ref, at argument) wanted {
	want := wanted{}
	active := f.active(call, at)
	if active >= 0 {
		c.values(&f.params[active])
	}
	if at.keyword != "" {
		return want
	}
	if active >= 0 {
		want.kind, want.spaces = f.operand(at.index)
	}
	given := map[string]bool{}
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() == irsyntax.Keyword {
			given[a.First().Text()] = true
		}
	}
	group := 1
	if active >= 0 && f.params[active].required && (f.op != nil || at.index == 0) {
		group = 3 // something else is due first
	}
	for i, p := range f.params {
		if given[p.name] || strings.HasPrefix(p.name, "*") || i < at.index && !p.kwOnly || f.op == nil && !p.kwOnly {
			continue
		}
		detail := p.detail
		if p.def != "" {
			detail = strings.TrimSpace(detail + " = " + p.def)
		}
		c.add(group, Completion{Label: p.name + "=", Kind: CompleteArgument, Detail: detail, Insert: p.name + "="})
	}
	return want
}

// values proposes what a parameter's value is chosen from.
func (c *completer) values(p *param) {
	switch p.hint {
	case "":
		for _, w := range p.words {
			c.add(0, Completion{Label: "'" + w + "'", Kind: CompleteEnumMember, Detail: p.detail})
		}
	case "DataType":
		for _, name := range dtypeNames {
			c.add(0, Completion{Label: "pl." + name, Kind: CompleteType, Detail: dtypeDetail(name)})
		}
	case "bool":
		c.add(0, Completion{Label: "True", Kind: CompleteKeyword})
		c.add(0, Completion{Label: "False", Kind: CompleteKeyword})
	default:
		if e := enumCalled(p.hint); e != nil {
			c.enumMembers(0, e, "pl."+e.name+".")
		}
	}
}

// known is what is known of a variable for ordering and display.
type known struct {
	typ   ir.Type
	text  string
	kind  string // as in operand kinds
	space ir.Space
	at    int32
}

// knownVars types the variables of the function as far as it reads, by the
// place of their definition.
func (c *completer) knownVars() map[int32]known {
	d := c.d
	out := map[int32]known{}
	fn := d.reading(c.chunk)
	if fn == nil {
		return out
	}
	spaces := map[int32]ir.Space{}
	for _, s := range d.tileSpaces(c.chunk) {
		spaces[s.start] = s.space
	}
	note := func(v *ir.Var) {
		if v == nil || !v.Span.Valid() {
			return
		}
		k := known{typ: v.Type, space: -1, at: v.Span.Start}
		switch t := v.Type.(type) {
		case *ir.TileType:
			k.kind, k.space = "tile", t.Space
			if s, ok := spaces[v.Span.Start]; ok {
				k.space = s
			}
			k.text = TypeText(t)
			if k.space >= 0 {
				k.text += " in " + k.space.String()
			}
		case *ir.TensorType:
			k.kind = "tensor"
		case *ir.ScalarType:
			k.kind = "scalar"
		case *ir.ArrayType:
			k.kind = "array"
		}
		if _, unknown := v.Type.(*ir.UnknownType); k.text == "" && v.Type != nil && !unknown {
			// Without the function: with it, each call would look at all of it.
			k.text = printer.Type(nil, placeless(v.Type), printer.Options{})
		}
		out[v.Span.Start] = k
	}
	for _, p := range fn.IR.Params {
		note(p.Var)
	}
	ir.EachStmt(fn.IR.Body, func(s ir.Stmt) {
		for _, v := range definedBy(s) {
			note(v)
		}
	})
	return out
}

func placeless(t ir.Type) ir.Type {
	if x, ok := t.(*ir.TensorType); ok && x.MemRef != nil {
		y := *x
		y.MemRef = nil
		return &y
	}
	return t
}

// definedBy are the variables that a statement itself defines.
func definedBy(s ir.Stmt) []*ir.Var {
	switch s := s.(type) {
	case *ir.Assign:
		return []*ir.Var{s.Var}
	case *ir.For:
		return append(append([]*ir.Var{s.Var}, s.IterArgs...), s.Results...)
	case *ir.While:
		return append(append([]*ir.Var(nil), s.IterArgs...), s.Results...)
	case *ir.If:
		return s.Results
	case *ir.Scope:
		return []*ir.Var{s.Var, s.TaskVar}
	}
	return nil
}

// reading is a function as read, from the memo of details if it is there.
func (d *Document) reading(chunk int) *read.Function {
	f := d.Func(chunk)
	if f == nil || f.failed {
		return nil
	}
	if det := d.engine.findDetail(f); det != nil && det.Read.Chunk == d.File.Chunks[chunk].Chunk {
		return det.Read
	}
	u := d.units[d.unitOf[chunk]]
	c := d.File.Chunks[chunk].Chunk
	return read.Func(c, u.ctx.env, u.ctx.sigs, u.ctx.method, read.Options{Policy: u.ctx.policyOf(c.Text), Platform: d.Settings.Platform})
}

// variables proposes the variables in scope: those first that the operand
// accepts, in the right memory space before others, the last defined first.
func (c *completer) variables(want wanted) {
	n := c.visible()
	vars := c.knownVars()
	type entry struct {
		s     *nameSym
		k     known
		group int
	}
	var list []entry
	for _, i := range n.visible {
		s := &n.syms[i]
		at := s.def.Start
		if at >= c.start { // behind the cursor positions are those of the probed text
			at += (c.cursorWord()) - int32(len(probeWord))
		}
		k := vars[at]
		list = append(list, entry{s, k, rank(s, k, want)})
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if a.group != b.group {
			return a.group < b.group
		}
		return a.s.def.Start > b.s.def.Start
	})
	for _, e := range list {
		detail := e.k.text
		if detail == "" {
			detail = e.s.kind.String()
		}
		c.add(e.group, Completion{Label: e.s.name, Kind: CompleteVariable, Detail: detail})
	}
}

// cursorWord is the length of the word that the probe replaces.
func (c *completer) cursorWord() int32 {
	text := c.d.File.Chunks[c.chunk].Text
	end := c.cursor
	for int(end) < len(text) && isWordByte(text[end]) {
		end++
	}
	return end - c.start
}

// rank is the group of a variable: what fits stands before keyword arguments
// that are optional, what does not behind them.
func rank(s *nameSym, k known, want wanted) int {
	switch {
	case s.kind == AllocationName:
		return 6
	case want.kind == "":
		return 2
	case !strings.Contains(want.kind, k.kind) || k.kind == "":
		return 5
	case k.kind != "tile" || len(want.spaces) == 0:
		return 1
	}
	for _, m := range want.spaces {
		if m == k.space {
			return 1
		}
	}
	return 2
}

// moduleNames proposes the names of the module level.
func (c *completer) moduleNames() {
	for _, m := range c.d.module().list {
		x := Completion{Label: m.name, Kind: CompleteConstant, Detail: m.kind.String()}
		switch m.kind {
		case FunctionName:
			x.Kind = CompleteFunction
			if call, ok := c.d.functionCallee(c.chunk, m.name, m.name); ok {
				x.Detail, _ = call.text()
				x.Snippet = call.snippet(m.name)
			}
		case ModuleName:
			if m.name == "pl" || m.name == "pld" {
				continue
			}
			x.Kind = CompleteModule
		case ProgramName:
			continue
		}
		c.add(6, x)
	}
}

// statements proposes statements of the language.
func (c *completer) statements() {
	for _, s := range []struct{ label, detail, snippet string }{
		{"for range", "sequential loop", "for ${1:i} in pl.range(${2:n}):\n    $0"},
		{"for carried", "loop with a carried value", "for ${1:i}, (${2:acc},) in pl.range(${3:n}, init_values=(${4:init},)):\n    ${5:next} = $6\n    ${7:out} = pl.yield_(${5:next})"},
		{"for pipeline", "software-pipelined loop", "for ${1:i} in pl.pipeline(${2:n}, stage=${3:2}):\n    $0"},
		{"while carried", "conditional loop", "for (${1:x},) in pl.while_(init_values=(${2:init},)):\n    pl.cond($3)\n    ${4:out} = pl.yield_($5)"},
		{"if yield", "branch with a result", "if ${1:cond}:\n    ${2:x} = pl.yield_($3)\nelse:\n    ${2:x} = pl.yield_($4)"},
		{"with scope", "runtime scope", "with pl.scope():\n    $0"},
	} {
		c.add(8, Completion{Label: s.label, Kind: CompleteSnippet, Detail: s.detail, Snippet: s.snippet})
	}
	for _, w := range []string{"for", "if", "elif", "else", "while", "with", "return", "pass", "break", "continue"} {
		c.add(9, Completion{Label: w, Kind: CompleteKeyword})
	}
}
