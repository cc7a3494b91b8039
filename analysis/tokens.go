package analysis

import (
	"hash/fnv"
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// TokenType is what a semantic token is.
type TokenType uint8

// The token types. Operators and other words of the language that are called
// are functions with TokenLibrary.
const (
	TokenNamespace TokenType = iota
	TokenTypeWord
	TokenClass
	TokenEnumMember
	TokenParameter
	TokenVariable
	TokenProperty
	TokenFunction
	TokenKeyword
	TokenComment
	TokenString
	TokenNumber
	NumTokenTypes
)

// TokenMods are a token's modifiers: bits.
type TokenMods uint32

// The modifiers. From TokenSpaces on there is one for each memory space, in the
// order of their numbers (spec 01 §6.2).
const (
	TokenDeclaration TokenMods = 1 << iota
	TokenReadonly
	TokenDeprecated
	TokenLibrary
	TokenSpaces
)

// tokenSpaceBits is the number of the first memory space's modifier.
const tokenSpaceBits = 4

// TokenTypeNames and TokenModNames are the names in the order of the numbers;
// those that LSP knows have its names.
var (
	TokenTypeNames = []string{"namespace", "type", "class", "enumMember", "parameter", "variable", "property", "function", "keyword", "comment", "string", "number"}
	TokenModNames  = []string{"declaration", "readonly", "deprecated", "defaultLibrary",
		"ddr", "vec", "mat", "left", "right", "acc", "bias", "scalarLocal", "leftScale", "rightScale"}
)

// spaceMod is the modifier of a memory space, 0 for none.
func spaceMod(s ir.Space) TokenMods {
	if s < 0 || int(s)+tokenSpaceBits >= len(TokenModNames) {
		return 0
	}
	return TokenSpaces << s
}

// Token is a semantic token. It never spans lines. Start counts from the start
// of the chunk.
type Token struct {
	Start, Len int32
	Type       TokenType
	Mods       TokenMods
}

// TokenChunks are the chunks that have tokens between two document offsets: all
// of a document with kernels, none of ordinary Python.
func (d *Document) TokenChunks(from, to int) []int {
	if !d.IsKernel() {
		return nil
	}
	var out []int
	for i := range d.File.Chunks {
		if e := &d.File.Chunks[i]; int(e.Start) <= to && e.End() >= from {
			out = append(out, i)
		}
	}
	return out
}

// TokenKey identifies the tokens of a chunk: equal keys, equal tokens.
func (d *Document) TokenKey(chunk int) uint64 {
	h := fnv.New64a()
	num := func(n uint64) {
		var b [8]byte
		for i := range b {
			b[i] = byte(n >> (8 * i))
		}
		h.Write(b[:])
	}
	ctx := d.nameContext(chunk)
	num(d.File.Chunks[chunk].Hash)
	num(d.module().hash)
	if ctx.class >= 0 {
		num(1)
	}
	if ctx.kernel {
		num(2)
	}
	for _, t := range d.tileSpaces(chunk) {
		num(uint64(t.start)<<8 | uint64(uint8(t.space)))
	}
	return h.Sum64()
}

// spaceAt is the memory space of the tile whose name begins at start.
type spaceAt struct {
	start int32
	space ir.Space
}

// tileSpaces are the spaces of a function's tiles by position.
func (d *Document) tileSpaces(chunk int) []spaceAt {
	f := d.Func(chunk)
	if f == nil {
		return nil
	}
	var out []spaceAt
	for _, site := range f.allSites() {
		out = append(out, spaceAt{site.span.Start, f.Planned[site.tiles[0][0]].Tiles[site.tiles[0][1]].Space})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].start < out[j].start })
	return out
}

// Tokens are the semantic tokens of a chunk by position; they do not overlap.
func (d *Document) Tokens(chunk int) []Token {
	e := &d.File.Chunks[chunk]
	n := d.namesOf(chunk)
	held := e.HasTree()
	tree := e.Tree()
	w := &tokenWalker{tree: tree, names: n, uses: make(map[int32]int32, len(n.uses)), spaces: d.symbolSpaces(chunk, n, tree)}
	for i, u := range n.uses {
		w.uses[u.span.Start] = int32(i)
	}
	w.node(tree.Root(), irsyntax.Invalid)
	for _, c := range tree.Comments {
		w.add(c.Start, c.End, TokenComment, 0)
	}
	sort.SliceStable(w.out, func(i, j int) bool { return w.out[i].Start < w.out[j].Start })
	w.keywords()
	if !held {
		e.Release()
	}
	return w.out
}

// symbolSpaces is the memory space of each symbol, -1 where there is none.
func (d *Document) symbolSpaces(chunk int, n *chunkNames, t *irsyntax.Tree) []ir.Space {
	tiles := d.tileSpaces(chunk)
	out := make([]ir.Space, len(n.syms))
	for i := range out {
		out[i] = -1
	}
	written := writtenSpaces(t)
	for _, u := range n.uses {
		if out[u.sym] >= 0 || !u.role.writes() && n.syms[u.sym].kind != AllocationName {
			continue
		}
		k := sort.Search(len(tiles), func(i int) bool { return tiles[i].start >= u.span.Start })
		if k < len(tiles) && tiles[k].start == u.span.Start {
			out[u.sym] = tiles[k].space
		} else if s, ok := written[u.span.Start]; ok {
			out[u.sym] = s
		} else if n.syms[u.sym].kind == AllocationName {
			out[u.sym] = spaceOfAllocation(n.syms[u.sym].name)
		}
	}
	return out
}

// spaceOfAllocation reads `mem_<space>_<n>`.
func spaceOfAllocation(name string) ir.Space {
	rest, ok := strings.CutPrefix(name, "mem_")
	if !ok {
		return -1
	}
	word, _, _ := strings.Cut(rest, "_")
	if s, ok := platforms.ParseLowerSpace(word); ok {
		return s
	}
	return -1
}

// writtenSpaces reads the memory spaces off annotations and allocations, by the
// position of the name they are written at.
func writtenSpaces(t *irsyntax.Tree) map[int32]ir.Space {
	out := map[int32]ir.Space{}
	for i := range t.Nodes {
		r := irsyntax.Ref{T: t, I: int32(i)}
		switch r.Kind() {
		case irsyntax.AnnAssign, irsyntax.Param, irsyntax.Assign:
		default:
			continue
		}
		name := r.First()
		if !name.Ok() || name.Kind() != irsyntax.Name {
			continue
		}
		if v := lastChild(r); isCallTo(v, "alloc") {
			if s, ok := spaceWord(v.First().Next()); ok {
				out[name.Start()] = s
			}
			continue
		}
		if r.Kind() != irsyntax.Assign {
			if s, ok := annotatedSpace(r.Child(1)); ok {
				out[name.Start()] = s
			}
		}
	}
	return out
}

// annotatedSpace is the memory space a type names; tensors lie in DDR.
func annotatedSpace(ann irsyntax.Ref) (ir.Space, bool) {
	if !ann.Ok() || ann.Kind() != irsyntax.Subscript {
		return 0, false
	}
	switch lastComponent(ann.First()) {
	case "Out", "InOut":
		return annotatedSpace(ann.Child(1))
	case "Tensor", "DistributedTensor":
		return platforms.DDR, true
	case "Tile":
		for c := ann.Child(1).First(); c.Ok(); c = c.Next() {
			if s, ok := spaceWord(c); ok {
				return s, true
			}
		}
	}
	return 0, false
}

func spaceWord(n irsyntax.Ref) (ir.Space, bool) {
	if !n.Ok() {
		return 0, false
	}
	switch n.Kind() {
	case irsyntax.Attribute:
		if q := lastComponent(n.First()); q != "Mem" && q != "MemorySpace" {
			return 0, false
		}
	case irsyntax.Name:
	default:
		return 0, false
	}
	return platforms.ParseSpace(lastComponent(n))
}
