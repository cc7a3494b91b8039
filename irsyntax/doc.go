// Package irsyntax turns kernel IR text into syntax and back. Parse is total:
// any bytes give a File with a list of errors. Every byte is kept, positions
// inside a chunk are relative to the chunk's start, and Reparse keeps every
// chunk that an edit does not touch (spec 01 §2–§4, §13–§14).
//
// # Chunks
//
// A splitter (split.go) cuts a document into chunks at starts of logical
// lines: a function or method with its decorators and everything indented
// deeper, a class header with the class-level statements up to the first
// method, runs of other statements. Blank lines and comments belong to the
// chunk before them. A chunk's tree is built when it is first asked for.
//
// # Broken text
//
// The rules are local: what a chunk is depends on its own text, on a few lines
// after it and on the column of the last class. A quote that is not closed
// ends with its line, except a triple one. A bracket that is not closed ends
// before a line that starts with a keyword no bracket can contain, or before
// one that looks like a statement at or left of the bracket's statement,
// unless the bracket does close within the next hundred lines (scan.go). A
// line left of a function's body that is followed by a deeper one is a broken
// line of that body. In the tree a broken statement costs one logical line and
// gives one error; what could be read of it is kept, marked FlagBroken.
//
// # Reparse
//
// An entry remembers how far past its chunk the splitter looked (look) and the
// state it started in (in). After an edit, splitting starts again at the first
// chunk that looked at the edit or past it, and ends at the first chunk start
// behind the edit that is reached in the old state; the rest is shared.
package irsyntax
