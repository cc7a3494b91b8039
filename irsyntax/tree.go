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

// IsEmpty reports whether r is absent or an Empty node.
func (r Ref) IsEmpty() bool { return r.T == nil || r.Kind() == Empty }
