package irsyntax

// Node is one node of a Tree: 20 bytes, addressed by index. Start and End are
// byte offsets in the chunk's text. First and Next link the children; 0 means
// none, because node 0 is always the root and nobody's child.
type Node struct {
	Kind       Kind
	Op         Op
	Flags      Flags
	Start, End int32
	First      int32
	Next       int32
}

// Tree is the syntax tree of one chunk. It is immutable.
type Tree struct {
	Text     string
	Nodes    []Node // Nodes[0] is the root: FuncDef, ClassDef or Block
	Comments []Comment
	Errors   []Error
}

// Comment is one comment token; Text is what follows the first `#`, minus one
// directly following space (spec 01 §11.1). Col is the 0-based column in
// characters.
type Comment struct {
	Start, End int32
	Col        int32
	OwnLine    bool
}

// Error is a syntax error at a range of the chunk's text. Msg is Python's or
// our own wording.
type Error struct {
	Start, End int32
	Msg        string
}

// Ref is a node within its tree; the zero Ref is "no node". It is the handle
// all readers use.
type Ref struct {
	T *Tree
	I int32
}

// Root is the root node.
func (t *Tree) Root() Ref { return Ref{t, 0} }

// Ok reports whether r is a node at all.
func (r Ref) Ok() bool { return r.T != nil }

// Node is the raw node.
func (r Ref) Node() *Node { return &r.T.Nodes[r.I] }

// Kind is the node's kind; Invalid for the zero Ref.
func (r Ref) Kind() Kind {
	if r.T == nil {
		return Invalid
	}
	return r.T.Nodes[r.I].Kind
}

// Op is the node's operator or sub-kind.
func (r Ref) Op() Op { return r.T.Nodes[r.I].Op }

// Has reports whether all the given flags are set.
func (r Ref) Has(f Flags) bool { return r.T.Nodes[r.I].Flags&f == f }

// Start and End are the node's byte range in the chunk.
func (r Ref) Start() int32 { return r.T.Nodes[r.I].Start }

// End is the offset just past the node.
func (r Ref) End() int32 { return r.T.Nodes[r.I].End }

// Text is the node's source text.
func (r Ref) Text() string {
	n := &r.T.Nodes[r.I]
	return r.T.Text[n.Start:n.End]
}

// First is the first child, or the zero Ref.
func (r Ref) First() Ref {
	if i := r.T.Nodes[r.I].First; i != 0 {
		return Ref{r.T, i}
	}
	return Ref{}
}

// Next is the next sibling, or the zero Ref.
func (r Ref) Next() Ref {
	if i := r.T.Nodes[r.I].Next; i != 0 {
		return Ref{r.T, i}
	}
	return Ref{}
}

// Child is the n-th child (from 0), or the zero Ref.
func (r Ref) Child(n int) Ref {
	c := r.First()
	for ; n > 0 && c.T != nil; n-- {
		c = c.Next()
	}
	return c
}

// NumChildren counts the children.
func (r Ref) NumChildren() int {
	n := 0
	for c := r.First(); c.T != nil; c = c.Next() {
		n++
	}
	return n
}

// Positionals counts the positional arguments of a Call node.
func (r Ref) Positionals() int {
	n := 0
	for a := r.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != Keyword {
			n++
		}
	}
	return n
}

// IsEmpty reports whether r is absent or an Empty node.
func (r Ref) IsEmpty() bool { return r.T == nil || r.Kind() == Empty }

// DefStart is the offset of the `def`, `async` or `class` of a FuncDef or
// ClassDef, after its decorators: where its span begins (spec 01 §12).
func (r Ref) DefStart() int32 {
	at := r.Start()
	for c := r.First(); c.Kind() == Decorator; c = c.Next() {
		at = c.End()
	}
	s, i := r.T.Text, int(at)
	for i < int(r.End()) {
		switch {
		case isBlank(s[i]) || s[i] == '\n' || s[i] == '\r':
			i++
		case s[i] == '#' || s[i] == '\\':
			i = afterEOL(s, lineEnd(s, i))
		default:
			return int32(i)
		}
	}
	return at
}

// Path lists the nodes that hold the offset, from the root to the deepest; a
// node holds its end too, unless the next one begins there.
func (t *Tree) Path(offset int32) []Ref {
	var path []Ref
	for r := t.Root(); r.Ok(); {
		path = append(path, r)
		var in Ref
		for c := r.First(); c.Ok() && c.Start() <= offset; c = c.Next() {
			if offset <= c.End() && c.Kind() != Empty {
				in = c
			}
		}
		r = in
	}
	return path
}
