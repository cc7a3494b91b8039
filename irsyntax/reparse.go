package irsyntax

import "strings"

// Reparse applies edits to prev and re-lexes only the touched chunks; every
// other *Chunk pointer is kept. The result equals Parse of the new text.
// An edit out of range, or one that makes the document too large, reports
// false and returns prev.
func Reparse(prev *File, edits []Edit) (*File, bool) {
	f := prev
	for _, e := range edits {
		var ok bool
		if f, ok = reparse(f, e); !ok {
			return prev, false
		}
	}
	return f, true
}

// reparse applies one edit. Splitting starts again at the first chunk whose
// end was decided by a look at or past the edit, and stops at the first chunk
// start past the edit where the splitter is in the same state as it was there
// before.
func reparse(prev *File, e Edit) (*File, bool) {
	if e.Start < 0 || e.End < e.Start || e.End > prev.Len {
		return prev, false
	}
	size := prev.Len + len(e.Text) - (e.End - e.Start)
	if prev.Len > maxLen || size > maxLen {
		if size > 2*maxLen {
			return prev, false
		}
		text := prev.Text()
		return Parse(text[:e.Start] + e.Text + text[e.End:]), true
	}
	r := resplit{prev: prev.Chunks, edit: e, delta: len(e.Text) - (e.End - e.Start), size: size}
	r.restart()
	r.run()
	return &File{Chunks: r.b.entries, Len: size}, true
}

// resplit is the work of one reparse. Offsets named old are those of the
// document before the edit.
type resplit struct {
	prev  []Entry
	edit  Edit
	delta int
	size  int // of the new document

	s    splitter
	base int // new offset of s.src's first byte
	fed  int // old offset up to which text is in s.src
	b    builder
	old  int // candidate for the next old chunk that may be kept
}

// restart finds the first chunk to split again and feeds the text up to a bit
// past the edit.
func (r *resplit) restart() {
	k := 0
	for k < len(r.prev) && r.prev[k].End()+int(r.prev[k].look) <= r.edit.Start {
		k++
	}
	r.b = builder{entries: make([]Entry, k, len(r.prev)+4), class: -1}
	copy(r.b.entries, r.prev[:k])
	for i := k - 1; i >= 0; i-- {
		if r.prev[i].Kind == ClassChunk {
			r.b.class = int32(i)
			break
		}
	}
	r.s.classCol = -1
	if k < len(r.prev) {
		r.s.setState(r.prev[k].in)
		r.b.start, r.b.line = r.prev[k].Start, r.prev[k].Line
	}
	r.old = k
	r.base = int(r.b.start)

	var text strings.Builder
	r.fed = r.base
	r.feed(&text, r.edit.Start)
	text.WriteString(r.edit.Text)
	r.fed = r.edit.End
	r.feed(&text, r.edit.End+1024)
	r.s.src = text.String()
}

// feed appends the old text from r.fed up to the old offset to, or to the end.
func (r *resplit) feed(text *strings.Builder, to int) {
	f := File{Chunks: r.prev}
	if n := len(r.prev); n > 0 {
		f.Len = r.prev[n-1].End()
	}
	to = min(to, f.Len)
	if r.fed >= to {
		return
	}
	for i := f.ChunkAt(r.fed); r.fed < to; i++ {
		c := &r.prev[i]
		from := r.fed - int(c.Start)
		upto := min(to-int(c.Start), len(c.Text))
		text.WriteString(c.Text[from:upto])
		r.fed = int(c.Start) + upto
	}
}

// more feeds as much text again as the splitter already has, from its current
// position on.
func (r *resplit) more() {
	var text strings.Builder
	rest := r.s.src[r.s.pos:]
	text.WriteString(rest)
	r.feed(&text, r.fed+max(len(rest), 1024))
	r.base += r.s.pos
	st := r.s.state()
	r.s = splitter{scan: scan{src: text.String()}}
	r.s.setState(st)
}

func (r *resplit) run() {
	for r.base+r.s.pos < r.size {
		start, before := r.s.pos, r.s
		p := r.s.next()
		if r.s.read > len(r.s.src) && r.base+len(r.s.src) < r.size {
			r.s = before
			r.more()
			continue
		}
		r.emit(p, start, before.state())
		if r.resync() {
			return
		}
	}
}

// emit adds the piece that starts at start in s.src, as the old chunk if it is
// the same.
func (r *resplit) emit(p piece, start int, in int32) {
	text := r.s.src[start:p.end]
	look := int32(min(r.s.read-p.end, r.size))
	at, end := r.base+start, r.base+p.end
	oldAt := at
	switch {
	case end <= r.edit.Start:
	case at >= r.edit.Start+len(r.edit.Text):
		oldAt -= r.delta
	default:
		oldAt = -1
	}
	c := r.keep(oldAt, len(text), p)
	if c == nil {
		// The text is cloned so as not to keep the neighbours' alive.
		c = newChunk(strings.Clone(text), p.from(start))
	}
	r.b.add(c, p.inClass, in, look)
}

// keep is the old chunk at the old offset if it is the same as the piece of n
// bytes, whose text no edit touches.
func (r *resplit) keep(at, n int, p piece) *Chunk {
	for r.old < len(r.prev) && int(r.prev[r.old].Start) < at {
		r.old++
	}
	if at < 0 || r.old == len(r.prev) {
		return nil
	}
	e := &r.prev[r.old]
	if int(e.Start) == at && len(e.Text) == n && e.Kind == p.kind && e.flags == p.flags {
		return e.Chunk
	}
	return nil
}

// resync takes over the old chunks from the current position on if they are
// the same.
func (r *resplit) resync() bool {
	at := r.base + r.s.pos
	if at < r.edit.Start+len(r.edit.Text) {
		return false
	}
	at -= r.delta
	j := r.old
	for j < len(r.prev) && int(r.prev[j].Start) < at {
		j++
	}
	r.old = j
	if j == len(r.prev) || int(r.prev[j].Start) != at || at < r.edit.End || r.prev[j].in != r.s.state() {
		return false
	}
	shift := int32(len(r.b.entries) - j)
	lines := r.b.line - r.prev[j].Line
	n := len(r.b.entries)
	r.b.entries = append(r.b.entries, r.prev[j:]...)
	tail := r.b.entries[n:]
	for i := range tail {
		e := &tail[i]
		e.Start += int32(r.delta)
		e.Line += lines
		switch {
		case e.Class >= int32(j):
			e.Class += shift
		case e.Class >= 0:
			e.Class = r.b.class
		}
	}
	return true
}
