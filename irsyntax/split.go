package irsyntax

// splitter cuts a document into chunks. A chunk starts at the start of a
// logical line outside brackets and strings. What a chunk is depends only on
// the splitter's state (packed by state) and on the text from the chunk's
// start to the furthest byte looked at; Reparse relies on that.
type splitter struct {
	scan
	pos int
	// classCol is the column of the last top-level class header, -1 before the
	// first; bodyCol the column of its first body line, 0 while unknown.
	classCol, bodyCol int

	// Decorator lines in [decoFrom, decoTo) decorate the line at decoTo.
	decoFrom, decoTo int
	decoKind         headKind
}

// piece is what the splitter finds out about one chunk.
type piece struct {
	kind      ChunkKind
	flags     chunkFlags
	end       int
	inClass   bool
	nameStart int // of the function's or class's name
}

// chunkFlags are syntax errors of a chunk that its own text does not show.
type chunkFlags uint8

const (
	// chunkMisindented: the chunk's column differs from the other members'.
	chunkMisindented chunkFlags = 1 << iota
	// chunkNoBody: a class header that nothing indented follows.
	chunkNoBody
	// chunkTooLarge: offsets would not fit; the text is not parsed at all.
	chunkTooLarge
)

type headKind uint8

const (
	headEOF headKind = iota
	headBlank
	headDeco
	headDef
	headClass
	headClause // else, elif, except, finally, case
	headImport
	headOther
)

// head is the beginning of a logical line.
type head struct {
	start, first int // of the physical line, of its first token
	col          int
	kind         headKind
}

func (s *splitter) state() int32 { return int32(s.classCol+1)<<15 | int32(s.bodyCol) }

func (s *splitter) setState(st int32) {
	s.classCol, s.bodyCol = int(st>>15)-1, int(st&(1<<15-1))
}

// head looks at the line starting at i.
func (s *splitter) head(i int) head {
	src := s.src
	h := head{start: i}
	h.col, _, h.first = indentAt(src, i)
	i = h.first
	if i >= len(src) {
		s.note(len(src) + 1)
		if h.start < len(src) {
			h.kind = headBlank
		}
		return h
	}
	s.note(i + 1)
	switch src[i] {
	case '\n', '\r', '#':
		h.kind = headBlank
		return h
	case '@':
		h.kind = headDeco
		return h
	}
	h.kind = headOther
	if !isIdentStart(src[i]) {
		return h
	}
	w := wordEnd(src, i)
	s.note(w + 1)
	switch src[i:w] {
	case "def":
		h.kind = headDef
	case "async":
		if w = skipBlanks(src, w); hasWord(src, w, "def") {
			h.kind = headDef
		}
		s.note(w + 4)
	case "class":
		h.kind = headClass
	case "else", "elif", "except", "finally":
		h.kind = headClause
	case "import", "from":
		h.kind = headImport
	}
	return h
}

// code is the first line at or after i that is neither blank nor a comment.
func (s *splitter) code(i int) head {
	h := s.head(i)
	for h.kind == headBlank {
		h = s.head(s.skipLine(h.first))
	}
	return h
}

func (s *splitter) skipLine(i int) int { return afterEOL(s.src, lineEnd(s.src, i)) }

// resolve replaces a decorator line's kind by that of the definition it
// decorates, or by headOther when none follows. def is the definition's line.
func (s *splitter) resolve(h head) (kind headKind, def int) {
	if h.kind != headDeco {
		return h.kind, h.start
	}
	if h.start < s.decoFrom || h.start >= s.decoTo {
		t := h
		for t.kind == headDeco {
			end, _ := s.logical(t.first, t.col)
			t = s.code(end)
		}
		s.decoFrom, s.decoTo, s.decoKind = h.start, t.start, t.kind
		if t.kind != headDef && t.kind != headClass {
			s.decoKind = headOther
		}
	}
	return s.decoKind, s.decoTo
}

// next finds the chunk that starts at s.pos and moves past it.
func (s *splitter) next() piece {
	h := s.code(s.pos)
	kind, def := s.resolve(h)
	starts := kind == headDef || kind == headClass
	var p piece
	if kind == headEOF || (starts && h.start > s.pos) {
		// Only blank lines and comments, at the top of the document.
		p = piece{kind: ModuleChunk, end: h.start}
		s.pos = p.end
		return p
	}
	p.inClass = s.classCol >= 0 && h.col > s.classCol
	if p.inClass {
		if s.bodyCol == 0 {
			s.bodyCol = h.col
		} else if h.col != s.bodyCol {
			p.flags |= chunkMisindented
		}
	}
	switch {
	case kind == headDef:
		s.function(&p, def)
	case kind == headClass && !p.inClass:
		s.class(&p, def)
	case p.inClass:
		p.kind = MemberChunk
		s.run(&p, h, s.classCol)
	default:
		s.moduleRun(&p, h)
	}
	s.pos = p.end
	return p
}

// function takes the def at line start def and everything indented deeper.
func (s *splitter) function(p *piece, def int) {
	p.kind = FuncChunk
	h := s.head(def)
	p.nameStart = s.nameAfter(h.first)
	end, _ := s.logical(h.first, h.col)
	for {
		n := s.head(end)
		switch {
		case n.kind == headEOF:
			p.end = n.start
			return
		case n.kind == headBlank:
			end = s.skipLine(n.first)
		case n.col > h.col || s.strayed(n):
			end, _ = s.logical(n.first, n.col)
		default:
			p.end = n.start
			return
		}
	}
}

// strayed reports whether a line left of a body is a broken line of that body
// rather than its end: an ordinary statement that opens no block but is
// followed by a deeper line, which valid Python cannot contain.
func (s *splitter) strayed(h head) bool {
	if h.kind != headOther {
		return false
	}
	end, colon := s.logical(h.first, h.col)
	if colon {
		return false
	}
	n := s.code(end)
	return n.kind != headEOF && n.col > h.col
}

func (s *splitter) nameAfter(i int) int {
	i = wordEnd(s.src, i)
	i = skipBlanks(s.src, i)
	if hasWord(s.src, i, "def") {
		i = skipBlanks(s.src, i+len("def"))
	}
	return i
}

// class takes a class header and the class-level statements up to the first
// method.
func (s *splitter) class(p *piece, def int) {
	p.kind = ClassChunk
	h := s.head(def)
	p.nameStart = s.nameAfter(h.first)
	s.classCol, s.bodyCol = h.col, 0
	end, colon := s.logical(h.first, h.col)
	n := s.code(end)
	if n.kind != headEOF && n.col > h.col {
		s.bodyCol = n.col
	} else if colon {
		p.flags |= chunkNoBody
	}
	s.run(p, s.head(end), h.col)
}

// run takes statements deeper than outer, up to a function or the block's end.
func (s *splitter) run(p *piece, h head, outer int) {
	for {
		switch {
		case h.kind == headEOF:
			p.end = h.start
			return
		case h.kind == headBlank:
			h = s.head(s.skipLine(h.first))
			continue
		case h.col <= outer:
			if !s.strayed(h) {
				p.end = h.start
				return
			}
		default:
			if kind, _ := s.resolve(h); kind == headDef && h.start > s.pos {
				p.end = h.start
				return
			}
		}
		h = s.head(s.item(h))
	}
}

// moduleRun takes module-level statements: a SnippetChunk from the first IR
// statement on, a ModuleChunk before.
func (s *splitter) moduleRun(p *piece, h head) {
	p.kind = ModuleChunk
	for first := true; ; first = false {
		for h.kind == headBlank {
			h = s.head(s.skipLine(h.first))
		}
		kind, _ := s.resolve(h)
		if kind == headEOF || kind == headDef || kind == headClass ||
			(!first && s.classCol >= 0 && h.col > s.classCol) {
			break
		}
		if p.kind == SnippetChunk && (kind == headImport || s.isMainGuard(h.first)) {
			break
		}
		end := s.itemWithClauses(h)
		if p.kind == ModuleChunk && looksLikeIR(s.src[h.first:end]) {
			if !first {
				break
			}
			p.kind = SnippetChunk
		}
		h = s.head(end)
	}
	p.end = h.start
}

// itemWithClauses is item with the else, elif, except and finally clauses that
// follow.
func (s *splitter) itemWithClauses(h head) (end int) {
	end = s.item(h)
	for {
		n := s.head(end)
		if n.kind != headClause || n.col != h.col {
			return end
		}
		end = s.item(n)
	}
}

// item takes one statement with its nested lines. A line between the
// statement's column and its block's belongs to neither and ends it.
func (s *splitter) item(h head) (end int) {
	end, colon := s.logical(h.first, h.col)
	if !colon {
		return end
	}
	for block := h.col + 1; ; {
		n := s.head(end)
		switch {
		case n.kind == headBlank:
			end = s.skipLine(n.first)
		case n.kind == headEOF || n.col < block:
			return n.start
		default:
			if block == h.col+1 {
				block = n.col
			}
			end, _ = s.logical(n.first, n.col)
		}
	}
}
