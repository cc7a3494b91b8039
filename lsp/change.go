package lsp

import (
	"errors"
	"strings"

	"pypto-ls/irsyntax"
	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

var (
	errNoText = errors.New("a change without text")
	errEdit   = errors.New("an edit that cannot be applied")
	errOrder  = errors.New("an older version of it came after a newer one")
)

// changer applies the changes of one notification. Each is relative to the text
// after the ones before it (LSP 3.17, didChange). Changes whose ranges lie before
// all earlier ones, as editors send them for several cursors, are collected and
// applied in one go.
type changer struct {
	file   *irsyntax.File
	mapper *position.Mapper // of file
	edits  []irsyntax.Edit  // collected, all at or after floor
	floor  position.Position
	focus  int
	limit  int
	length int // of the text with the edits applied
}

// step returns the document after the change of one notification. A document that
// is too long has no text that could be edited; only a whole text ends that.
func (d *Document) step(c versionedChange, limit int, enc position.Encoding) (*Document, error) {
	var next *Document
	var err error
	if d.oversize > 0 && !wholeText(c.events) {
		same := *d
		next = &same
	} else if next, err = d.apply(c.events, limit); err == nil {
		next.oversize = 0
	}
	if long := errTooLong(0); errors.As(err, &long) {
		over := *d
		over.oversize, over.file = int(long), irsyntax.Parse("")
		over.mapper = position.New(enc, nil, over.file)
		next, err = &over, nil
	}
	if err != nil {
		return nil, err
	}
	next.version = c.version
	return next, nil
}

// apply returns the changed document, or why it could not be changed.
func (d *Document) apply(changes []protocol317.TextDocumentContentChangeEvent, limit int) (*Document, error) {
	c := &changer{file: d.file, mapper: d.mapper, focus: d.focus, limit: limit, length: d.file.Len}
	for _, ch := range changes {
		if ch.Text == nil {
			return nil, errNoText
		}
		if ch.Range == nil {
			if err := c.replaceAll(*ch.Text); err != nil {
				return nil, err
			}
			continue
		}
		if err := c.replace(ch.Range.Clamp(), *ch.Text); err != nil {
			return nil, err
		}
	}
	if err := c.flush(); err != nil {
		return nil, err
	}
	next := *d
	next.file, next.mapper, next.focus = c.file, c.mapper, c.focus
	return &next, nil
}

func (c *changer) replace(r position.Range, text string) error {
	if before(r.End, r.Start) {
		r.Start, r.End = r.End, r.Start
	}
	if len(c.edits) > 0 && !before(r.End, c.floor) {
		if err := c.flush(); err != nil {
			return err
		}
	}
	start, end := c.mapper.RangeSpan(r)
	c.add(start, end, text)
	c.floor = c.mapper.OffsetPosition(start)
	return nil
}

func (c *changer) add(start, end int, text string) {
	c.edits = append(c.edits, irsyntax.Edit{Start: start, End: end, Text: text})
	c.length += len(text) - (end - start)
	c.focus = start + len(text)
}

// flush applies what was collected.
func (c *changer) flush() error {
	if len(c.edits) == 0 {
		return nil
	}
	if c.length > c.limit {
		return errTooLong(c.length)
	}
	if len(c.edits) > manyEdits {
		c.edits = []irsyntax.Edit{c.joined()}
	}
	file, ok := irsyntax.Reparse(c.file, c.edits)
	if !ok {
		return errEdit
	}
	c.file, c.mapper, c.edits = file, position.New(c.mapper.Encoding(), c.mapper, file), nil
	return nil
}

// manyEdits is how many edits are applied one by one; each costs a look at every
// chunk of the file.
const manyEdits = 8

// joined is one edit that does what the collected ones do.
func (c *changer) joined() irsyntax.Edit {
	text := c.file.Text()
	first, last := c.edits[len(c.edits)-1], c.edits[0]
	var b strings.Builder
	at := first.Start
	for i := len(c.edits) - 1; i >= 0; i-- {
		b.WriteString(text[at:c.edits[i].Start])
		b.WriteString(c.edits[i].Text)
		at = c.edits[i].End
	}
	return irsyntax.Edit{Start: first.Start, End: last.End, Text: b.String()}
}

// replaceAll makes text the whole document, as an edit of what differs: clients
// that send whole texts then cost no more than others.
func (c *changer) replaceAll(text string) error {
	if err := c.flush(); err != nil {
		return err
	}
	front := c.commonFront(text)
	back := c.commonBack(text[front:], c.file.Len-front)
	if front+back == c.file.Len && front+back == len(text) {
		return nil
	}
	c.add(front, c.file.Len-back, text[front:len(text)-back])
	return c.flush()
}

// commonFront is the length of the common beginning of the document and text.
func (c *changer) commonFront(text string) int {
	n := 0
	for _, e := range c.file.Chunks {
		if strings.HasPrefix(text[n:], e.Text) {
			n += len(e.Text)
			continue
		}
		for i := 0; i < len(e.Text) && n < len(text) && e.Text[i] == text[n]; i++ {
			n++
		}
		break
	}
	return n
}

// commonBack is the length of the common end, at most max.
func (c *changer) commonBack(text string, max int) int {
	n := 0
	for i := len(c.file.Chunks) - 1; i >= 0 && n < max; i-- {
		part := c.file.Chunks[i].Text
		if n+len(part) <= max && strings.HasSuffix(text[:len(text)-n], part) {
			n += len(part)
			continue
		}
		for k := len(part) - 1; k >= 0 && n < max && n < len(text) && part[k] == text[len(text)-1-n]; k-- {
			n++
		}
		break
	}
	return n
}

// before reports whether a is before b.
func before(a, b position.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// errTooLong is a document longer than the limit, in bytes.
type errTooLong int

func (errTooLong) Error() string { return "the document is too long" }
