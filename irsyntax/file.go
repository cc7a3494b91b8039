package irsyntax

// ChunkKind is the kind of a chunk.
type ChunkKind uint8

// The kinds of chunks.
const (
	// ModuleChunk is a run of module-level lines: imports, constants, ordinary
	// Python. Root: Block.
	ModuleChunk ChunkKind = iota
	// ClassChunk is a class header with its decorators and the class-level
	// statements up to the first method. Root: ClassDef.
	ClassChunk
	// MemberChunk is a run of class-level statements between methods. Root: Block.
	MemberChunk
	// FuncChunk is one function or method with its decorators. Root: FuncDef.
	FuncChunk
	// SnippetChunk holds IR statements outside any function (documentation
	// shorthand, spec 01 §13); the body of an anonymous InCore function. Root: Block.
	SnippetChunk
)

// Chunk is a contiguous piece of a file that is parsed on its own. Chunks are
// immutable and shared between versions of a file: pointer equality means
// "nothing in here changed".
type Chunk struct {
	Kind ChunkKind
	Text string
	// Hash identifies Text and Kind.
	Hash uint64
	// Name of the function or class, "" if none.
	Name string
	// Indent is the column of the chunk's first code line, in bytes.
	Indent int32

	lines int32 // line ends in Text
	flags chunkFlags
	lazy  lazyTree
}

// Entry places a chunk in a file.
type Entry struct {
	*Chunk
	// Start is the chunk's byte offset in the file; Line its 0-based first line.
	Start, Line int32
	// Class is the index in File.Chunks of the class the chunk belongs to, -1 for none.
	Class int32

	look int32 // bytes past the chunk's end that decided where it ends
	in   int32 // the splitter's state at the chunk's start
}

// File is one version of a document: its chunks in order. The concatenation
// of the chunks' texts is the document, byte for byte.
type File struct {
	Chunks []Entry
	// Len is the document's length in bytes.
	Len int

	src string // the whole text, if this version was made by Parse
}

// Edit replaces the bytes [Start, End) of a document by Text. Edits of one
// batch are applied one after the other, each to the result of the ones before.
type Edit struct {
	Start, End int
	Text       string
}
