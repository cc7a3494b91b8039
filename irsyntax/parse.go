package irsyntax

// Parse splits and parses a document. It never fails: any bytes give a file.
func Parse(src string) *File { panic("to be written") }

// Reparse applies edits to prev and re-lexes only the touched chunks; every
// other *Chunk pointer is kept. The result equals Parse of the new text.
// An edit out of range reports false and returns prev.
func Reparse(prev *File, edits []Edit) (*File, bool) { panic("to be written") }

func parseChunk(c *Chunk) *Tree { panic("to be written") }
