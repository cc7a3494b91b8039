package lsp

import (
	"slices"

	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

// Bounds of what is kept of a document whose versions have gaps.
const (
	historyHalf  = 32      // changes; twice as many are kept at most
	historyBytes = 1 << 20 // of their texts
)

// history puts changes that were overtaken by later ones in their place. Versions
// only grow, and by more than 1 where the editor likes (LSP 3.17,
// VersionedTextDocumentIdentifier), so a gap alone says nothing; a version that
// comes after a higher one says that the later change was applied to the wrong
// text. Helix 25.01 sends changes from tasks that race when keys come within
// milliseconds. What is needed to do it again is kept while there is a gap among
// the latest versions, and only then: editors that count by 1 pay nothing.
type history struct {
	// floor is the version up to which nothing can be missing. Versions between
	// it and base.version are contained in a whole text that base came from.
	floor   int32
	base    *Document
	changes []versionedChange // after base, by version
	mid     *Document         // base with the first historyHalf changes, nil while there are fewer
	bytes   int
}

// versionedChange is the content of one didChange.
type versionedChange struct {
	version int32
	events  []protocol317.TextDocumentContentChangeEvent
}

func (c versionedChange) bytes() int {
	n := 0
	for _, e := range c.events {
		if e.Text != nil {
			n += len(*e.Text)
		}
	}
	return n
}

// follow records a change that came in order and led from one version to the
// next one; nil is a history without a gap.
func (h *history) follow(from *Document, c versionedChange, to *Document) *history {
	if wholeText(c.events) {
		whole := &history{floor: from.version, base: to}
		if h != nil {
			whole.floor = h.floor
		}
		return whole.unlessComplete()
	}
	if h == nil {
		if c.version <= from.version+1 {
			return nil
		}
		h = &history{floor: from.version, base: from}
	}
	h.changes = append(h.changes, c)
	h.bytes += c.bytes()
	return h.passed(to).folded(to)
}

// insert puts a change in its place before later ones and gives the document
// that results. It fails when the version is not in a gap that is known.
func (h *history) insert(c versionedChange, current *Document, limit int, enc position.Encoding) (*Document, *history, error) {
	if h == nil || c.version <= h.floor || c.version == h.base.version {
		return nil, nil, errOrder
	}
	if c.version < h.base.version {
		return current, h, nil // the whole text has it
	}
	at, known := slices.BinarySearchFunc(h.changes, c.version, func(e versionedChange, v int32) int { return int(e.version) - int(v) })
	if known {
		return nil, nil, errOrder
	}
	h.changes = slices.Insert(h.changes, at, c)
	h.bytes += c.bytes()
	d, from := h.base, 0
	if h.mid != nil && at >= historyHalf {
		d, from = h.mid, historyHalf
	}
	for i := from; i < len(h.changes); i++ {
		var err error
		if d, err = d.step(h.changes[i], limit, enc); err != nil {
			return nil, nil, err
		}
		if i+1 == historyHalf {
			h.mid = d
		}
	}
	return d, h.folded(d).unlessComplete(), nil
}

// passed keeps the document in the middle.
func (h *history) passed(d *Document) *history {
	if len(h.changes) == historyHalf {
		h.mid = d
	}
	return h
}

// folded drops the older half of a full history; current is the document after
// all changes.
func (h *history) folded(current *Document) *history {
	if h.bytes > historyBytes {
		return nil
	}
	if len(h.changes) < 2*historyHalf {
		return h
	}
	younger := &history{floor: h.mid.version, base: h.mid, mid: current}
	younger.changes = append(younger.changes, h.changes[historyHalf:]...)
	for _, c := range younger.changes {
		younger.bytes += c.bytes()
	}
	return younger.unlessComplete()
}

// unlessComplete is nil when no version is missing.
func (h *history) unlessComplete() *history {
	if h == nil {
		return nil
	}
	last := h.floor
	for v := range h.versions() {
		if v > last+1 {
			return h
		}
		last = v
	}
	return nil
}

func (h *history) versions() func(func(int32) bool) {
	return func(yield func(int32) bool) {
		if !yield(h.base.version) {
			return
		}
		for _, c := range h.changes {
			if !yield(c.version) {
				return
			}
		}
	}
}
