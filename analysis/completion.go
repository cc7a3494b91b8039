package analysis

import (
	"strings"
	"sync"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// CompletionKind is what a completion inserts.
type CompletionKind uint8

// The kinds of completions.
const (
	CompleteOperator CompletionKind = iota
	CompleteFunction
	CompleteVariable
	CompleteConstant
	CompleteType
	CompleteEnum
	CompleteEnumMember
	CompleteModule
	CompleteArgument
	CompleteKeyword
	CompleteSnippet
)

// Completion is one proposal. Span is what it replaces, in bytes of the
// document. Snippet, when not "", is what to insert with places to fill in
// (`${1:name}`, `$1`), otherwise Insert, otherwise Label. Sort orders the list.
// Topic asks CompletionDoc for documentation; "" means that there is none.
type Completion struct {
	Label, Detail   string
	Kind            CompletionKind
	Insert, Snippet string
	Span            ir.Span
	Sort            string
	Deprecated      bool
	Topic           string
}

// Complete lists what may stand at an offset, in the order of usefulness. The
// list is whole: filtering by what is typed further is the editor's. It
// answers while the text is broken.
func (d *Document) Complete(off int) []Completion {
	p, ok := d.probeAt(off)
	if !ok {
		return nil
	}
	c := &completer{probe: p, span: p.replaced()}
	switch {
	case p.str.Ok():
		c.inString()
	case p.base == "self":
		c.functions()
	case p.base != "":
		c.members(p.base)
	case p.outside:
		c.topLevel()
	default:
		c.names()
	}
	return c.out
}

// CompletionDoc is the documentation of a completion's topic, as Markdown.
func CompletionDoc(topic string) string {
	name, ok := strings.CutPrefix(topic, "op:")
	if !ok {
		return ""
	}
	c, ok := namedCallee(name)
	if !ok {
		return ""
	}
	label, _ := c.text()
	return code(label) + "\n\n" + c.docText()
}

// completer gathers completions.
type completer struct {
	*probe
	span ir.Span
	out  []Completion
}

// add appends a completion in a group; groups come in the order of their
// numbers, within them entries in the order in which they are added.
func (c *completer) add(group int, x Completion) {
	x.Span = c.span
	x.Sort = itoa(group) + itoa(10000+len(c.out))
	c.out = append(c.out, x)
}

// members lists what may stand after a dotted name.
func (c *completer) members(base string) {
	full := base
	switch first, _, _ := strings.Cut(base, "."); first {
	case "tile", "tensor", "system", "array", "prefetch", "Mem", "MemorySpace":
		full = "pl." + base // the shorthand of the documentation
	}
	if full == "pl" {
		c.languageMembers()
		return
	}
	if names := operatorNames()[full]; names != nil {
		for _, name := range names {
			c.operator(1, full+"."+name, name)
		}
		return
	}
	if full == "pl.jit" {
		for _, w := range []string{"incore", "host", "inline", "opaque"} {
			c.add(1, Completion{Label: w, Kind: CompleteFunction, Detail: "decorator"})
		}
		return
	}
	ns, last := splitLast(full)
	if e := enumCalled(last); e != nil && (ns == "pl" || ns == "") {
		c.enumMembers(1, e, "")
		return
	}
	if _, ok := ir.ParseDType(last); ok {
		c.add(1, Completion{Label: "get_byte", Kind: CompleteFunction, Detail: "size of an element in bytes", Insert: "get_byte()"})
		return
	}
	if ns == "" && base != "?" {
		c.add(1, Completion{Label: "base", Kind: CompleteVariable, Detail: "base address of a reserved buffer"})
	}
}

// languageMembers lists what may stand after `pl.`.
func (c *completer) languageMembers() {
	at := c.place()
	for _, w := range languageMembers {
		group := 3
		if w.place == at && at != anyPlace {
			group = 1
		} else if w.place != anyPlace {
			group = 5
		}
		c.add(group, Completion{Label: w.name, Kind: w.kind, Detail: w.detail, Snippet: w.snippet})
	}
	types := 4
	if at == typePlace {
		types = 2
	}
	for _, name := range dtypeNames {
		c.add(types, Completion{Label: name, Kind: CompleteType, Detail: dtypeDetail(name)})
	}
	for i := range enums {
		c.add(types, Completion{Label: enums[i].name, Kind: CompleteEnum, Detail: enums[i].detail})
	}
	c.add(9, Completion{Label: "MemRefType", Kind: CompleteType, Detail: "the old spelling of Ptr", Deprecated: true})
	for _, name := range operatorNames()["pl"] {
		c.operator(2, "pl."+name, name)
	}
}

// operator adds an operator with its signature; its documentation comes later.
func (c *completer) operator(group int, spelling, name string) {
	if x, ok := operatorItems()[spelling]; ok {
		x.Label = name
		c.add(group, x)
	}
}

// operatorItems are the completions of all operators by spelling.
var operatorItems = sync.OnceValue(func() map[string]Completion {
	out := map[string]Completion{}
	for ns, names := range operatorNames() {
		for _, name := range names {
			spelling := ns + "." + name
			if call, ok := namedCallee(spelling); ok {
				label, _ := call.text()
				out[spelling] = Completion{Kind: CompleteOperator, Detail: label, Snippet: call.snippet(name), Topic: "op:" + spelling}
			}
		}
	}
	return out
})

func (c *completer) enumMembers(group int, e *enum, prefix string) {
	for _, m := range e.members {
		detail := e.detail
		if e.name == "Mem" || e.name == "MemorySpace" {
			detail = c.d.spaceDetail(m)
		}
		c.add(group, Completion{Label: prefix + m, Kind: CompleteEnumMember, Detail: detail})
	}
}

// functions lists the functions of the program.
func (c *completer) functions() {
	e := &c.d.File.Chunks[c.chunk]
	for i := range c.d.File.Chunks {
		f := &c.d.File.Chunks[i]
		if f.Kind != irsyntax.FuncChunk || f.Class < 0 || f.Class != e.Class || c.d.unitOf[i] < 0 || i == c.chunk {
			continue
		}
		call, _ := c.d.functionCallee(c.chunk, f.Name, "self."+f.Name)
		label, _ := call.text()
		c.add(1, Completion{Label: f.Name, Kind: CompleteFunction, Detail: call.doc + " " + label, Snippet: call.snippet(f.Name)})
	}
}

// topLevel proposes what begins a function or a program.
func (c *completer) topLevel() {
	e := &c.d.File.Chunks[c.chunk]
	self, class := "", e.Class >= 0 || e.Kind == irsyntax.ClassChunk
	if class {
		self = "self, "
	}
	body := "    ${4:return a}"
	c.add(1, Completion{Label: "@pl.function", Kind: CompleteSnippet, Detail: "a kernel function",
		Snippet: "@pl.function(type=pl.FunctionType.${1:InCore})\ndef ${2:kernel}(" + self + "${3:a: pl.Tensor[[64, 64], pl.FP32]}):\n" + body})
	if !class {
		c.add(1, Completion{Label: "@pl.program", Kind: CompleteSnippet, Detail: "a program", Snippet: "@pl.program\nclass ${1:Program}:\n    $0"})
		c.add(1, Completion{Label: "pl.dynamic", Kind: CompleteSnippet, Detail: "a dynamic dimension", Snippet: "${1:M} = pl.dynamic(\"${1:M}\")"})
		c.add(1, Completion{Label: "pl.MemRef", Kind: CompleteSnippet, Detail: "a declared allocation", Snippet: "${1:buf} = pl.MemRef()"})
	}
	c.add(2, Completion{Label: "pl", Kind: CompleteModule, Detail: "the kernel language"})
}

// inString proposes names that strings hold: allocations, functions.
func (c *completer) inString() {
	_, in, ok := simpleString(c.str)
	if !ok {
		if !unclosed(c.str.Text()) {
			return
		}
		in = ir.Span{Start: c.str.Start() + 1}
	}
	c.span = c.d.Abs(c.chunk, ir.Span{Start: in.Start, End: c.cursor})
	call, at := c.call()
	if !call.Ok() {
		return
	}
	switch name := lastComponent(call.First()); {
	case at.keyword == "peer_func":
		for _, f := range c.d.FuncChunks() {
			if e := &c.d.File.Chunks[f]; e.Class == c.d.File.Chunks[c.chunk].Class && f != c.chunk {
				c.add(1, Completion{Label: e.Name, Kind: CompleteFunction})
			}
		}
	case at.keyword == "name" && name == "import_peer_buffer":
		c.ringBuffers(call)
	case name == "MemRef":
		n := c.visible()
		for i := range n.syms {
			if s := &n.syms[i]; s.kind == AllocationName || s.kind == DeclaredName {
				c.add(1, Completion{Label: s.name, Kind: CompleteVariable, Detail: s.kind.String()})
			}
		}
	default:
		if callee, ok := c.callee(call); ok {
			for _, p := range callee.params {
				if p.name == at.keyword {
					for _, w := range p.words {
						c.add(1, Completion{Label: w, Kind: CompleteEnumMember, Detail: p.detail})
					}
				}
			}
		}
	}
}

// ringBuffers proposes the buffers that the peer reserves.
func (c *completer) ringBuffers(call irsyntax.Ref) {
	peer, _, _ := simpleString(keywordOf(call, "peer_func"))
	for _, f := range c.d.FuncChunks() {
		e := &c.d.File.Chunks[f]
		if f == c.chunk || peer != "" && e.Name != peer || !strings.Contains(e.Text, "reserve_buffer") {
			continue
		}
		for _, s := range c.d.namesOf(f).syms {
			if s.kind == RingBufferName && s.def.Valid() {
				c.add(1, Completion{Label: s.name, Kind: CompleteVariable, Detail: "reserved by " + e.Name})
			}
		}
	}
}
