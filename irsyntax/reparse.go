package irsyntax

// Reparse applies edits to prev and re-lexes only the touched chunks; every
// other *Chunk pointer is kept. The result equals Parse of the new text.
// An edit out of range reports false and returns prev.
func Reparse(prev *File, edits []Edit) (*File, bool) {
	text := prev.Text()
	for _, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return prev, false
		}
		text = text[:e.Start] + e.Text + text[e.End:]
	}
	return Parse(text), true
}
