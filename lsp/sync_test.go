package lsp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

// TestSync: the server's text is the editor's text, or the document is dropped
// and the user asked to open it again.
func TestSync(t *testing.T) {
	run := func(name string, f func(t *testing.T, s *session)) {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.Optional("textDocument/publishDiagnostics")
			f(t, s)
		})
	}
	lost := func(t *testing.T, s *session, why string) {
		t.Helper()
		m := string(s.Next("window/showMessage").Params)
		if !strings.Contains(m, "lost track of a.py") || !strings.Contains(m, why) {
			t.Errorf("the user is told %s, want %q", m, why)
		}
		if _, open := s.text(uri); open {
			t.Error("the document is still there")
		}
	}
	run("open", func(t *testing.T, s *session) {
		s.open(uri, "a\nb")
		s.wantText(uri, "a\nb")
	})
	run("insert, replace, delete", func(t *testing.T, s *session) {
		s.open(uri, "abc\ndef\n")
		s.change(uri, 2, edit(0, 1, 0, 1, "XY"))
		s.wantText(uri, "aXYbc\ndef\n")
		s.change(uri, 3, edit(0, 4, 1, 1, "-"))
		s.wantText(uri, "aXYb-ef\n")
		s.change(uri, 4, edit(0, 0, 1, 0, ""))
		s.wantText(uri, "")
		s.change(uri, 5, edit(0, 0, 0, 0, "new"))
		s.wantText(uri, "new")
	})
	run("whole text", func(t *testing.T, s *session) {
		s.open(uri, "old text here\n")
		s.change(uri, 2, whole("new text there\n"))
		s.wantText(uri, "new text there\n")
		s.change(uri, 3, whole(""))
		s.wantText(uri, "")
		s.change(uri, 4, whole("é"), edit(0, 2, 0, 2, "漢"), whole("z"), edit(0, 0, 0, 0, "y"))
		s.wantText(uri, "yz")
	})
	run("a batch is applied one after the other", func(t *testing.T, s *session) {
		s.open(uri, "abc")
		s.change(uri, 2, edit(0, 0, 0, 0, "1\n"), edit(1, 3, 1, 3, "2"), edit(0, 1, 1, 0, ""), edit(0, 1, 0, 2, "Z"))
		s.wantText(uri, "1Zbc2")
	})
	run("a batch from the end, as for several cursors", func(t *testing.T, s *session) {
		s.open(uri, "a b\nc d\n")
		s.change(uri, 2, edit(1, 3, 1, 3, "!"), edit(1, 1, 1, 2, "\n"), edit(0, 3, 0, 3, "?"), edit(0, 0, 0, 1, "AA"))
		s.wantText(uri, "AA b?\nc\nd!\n")
	})
	run("an empty batch changes nothing", func(t *testing.T, s *session) {
		s.open(uri, "a")
		s.change(uri, 2)
		s.wantText(uri, "a")
	})
	run("columns of the negotiated encoding", func(t *testing.T, s *session) {
		s.open(uri, "é漢😀x")
		s.change(uri, 2, edit(0, 9, 0, 10, "y")) // bytes: é 2, 漢 3, 😀 4
		s.wantText(uri, "é漢😀y")
	})
	run("a column inside a character", func(t *testing.T, s *session) {
		s.open(uri, "é")
		s.change(uri, 2, edit(0, 1, 0, 1, "x"))
		s.wantText(uri, "xé")
	})
	run("a line beyond the document", func(t *testing.T, s *session) {
		s.open(uri, "a\nb")
		s.change(uri, 2, edit(7, 0, 9, 9, "c"))
		s.wantText(uri, "a\nbc")
	})
	run("a column beyond the line", func(t *testing.T, s *session) {
		s.open(uri, "a\r\nb")
		s.change(uri, 2, edit(0, 99, 0, 99, "c"))
		s.wantText(uri, "ac\r\nb")
	})
	run("negative positions", func(t *testing.T, s *session) {
		s.open(uri, "ab")
		s.change(uri, 2, edit(-1, -5, 0, 1, "c"))
		s.wantText(uri, "cb")
	})
	run("huge positions", func(t *testing.T, s *session) {
		s.open(uri, "ab")
		s.change(uri, 2, edit(0, 1, 1<<40, 1<<50, "c"))
		s.wantText(uri, "ac")
	})
	run("a range the wrong way round", func(t *testing.T, s *session) {
		s.open(uri, "abcd")
		s.change(uri, 2, edit(0, 3, 0, 1, "-"))
		s.wantText(uri, "a-d")
	})
	run("line ends of all kinds", func(t *testing.T, s *session) {
		s.open(uri, "a\rb\r\nc\nd")
		s.change(uri, 2, edit(1, 0, 1, 1, "B"), edit(2, 0, 2, 1, "C"), edit(3, 0, 3, 1, "D"))
		s.wantText(uri, "a\rB\r\nC\nD")
	})
	run("a line feed after a carriage return joins them", func(t *testing.T, s *session) {
		s.open(uri, "a\rb")
		s.change(uri, 2, edit(1, 0, 1, 0, "\n"), edit(1, 0, 1, 1, "B"))
		s.wantText(uri, "a\r\nB")
	})
	run("a repeated version", func(t *testing.T, s *session) {
		s.open(uri, "a")
		s.change(uri, 1, edit(0, 1, 0, 1, "b"))
		s.change(uri, 1, edit(0, 2, 0, 2, "c"))
		s.wantText(uri, "abc")
	})
	run("a version that goes back", func(t *testing.T, s *session) {
		s.openAs(uri, "a", 9)
		s.change(uri, 4, edit(0, 0, 0, 1, "")) // no gap it could belong to
		lost(t, s, "an older version of it came after a newer one")
	})
	run("a version of null", func(t *testing.T, s *session) {
		s.openAs(uri, "BAD", 7)
		s.diagnostics(uri, 7)
		s.change(uri, nil, edit(0, 0, 0, 0, " "))
		s.diagnostics(uri, 8)
	})
	run("an edit of a document that was never opened", func(t *testing.T, s *session) {
		s.change(uri, 2, edit(0, 0, 0, 0, "x"))
		lost(t, s, "edited before it was opened")
		s.change(uri, 3, edit(0, 0, 0, 0, "x")) // told once
		s.None("window/showMessage")
		s.open(uri, "fresh")
		s.wantText(uri, "fresh")
	})
	run("a change without text", func(t *testing.T, s *session) {
		s.open(uri, "BAD")
		s.diagnostics(uri, 1)
		s.change(uri, 2, obj{"range": nil})
		lost(t, s, "a change without text")
		if p := s.Next("textDocument/publishDiagnostics"); !strings.Contains(string(p.Params), `"diagnostics":[]`) {
			t.Errorf("the diagnostics stay: %s", p.Params)
		}
	})
	run("an edit that cannot be decoded", func(t *testing.T, s *session) {
		s.open(uri, "a")
		s.Notify("textDocument/didChange", obj{"textDocument": obj{"uri": uri, "version": 2}, "contentChanges": "all"})
		lost(t, s, "an unreadable edit")
	})
	run("an edit that is no JSON", func(t *testing.T, s *session) {
		s.open(uri, "a")
		s.open("file:///ws/b.py", "b")
		s.Raw(fake.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///ws/a.py","version":2},"contentChanges":[{"text":`))
		s.Next("(error)")
		lost(t, s, "unreadable")
		s.wantText("file:///ws/b.py", "b") // others are not touched
	})
	run("open twice", func(t *testing.T, s *session) {
		s.open(uri, "a")
		s.openAs(uri, "b", 1)
		s.wantText(uri, "b")
	})
	run("close, and open again", func(t *testing.T, s *session) {
		s.open(uri, "a")
		s.close(uri)
		if _, open := s.text(uri); open {
			t.Error("still open")
		}
		s.close(uri)
		s.open(uri, "b")
		s.wantText(uri, "b")
	})
	run("other spellings of the same document", func(t *testing.T, s *session) {
		s.open("file:///ws/%61.py", "a")
		s.change("file://localhost/ws/./a.py", 2, edit(0, 1, 0, 1, "b"))
		s.wantText(uri, "ab")
	})
	run("documents that are no files", func(t *testing.T, s *session) {
		s.open("untitled:Untitled-1", "a")
		s.change("untitled:Untitled-1", 2, edit(0, 1, 0, 1, "b"))
		s.wantText("untitled:Untitled-1", "ab")
	})
	run("rangeLength does not matter", func(t *testing.T, s *session) {
		s.open(uri, "abc")
		e := edit(0, 1, 0, 2, "X")
		e["rangeLength"] = 99
		s.change(uri, 2, e)
		s.wantText(uri, "aXc")
	})
}

// TestSyncTooLong: a document over the limit is left alone, with a diagnostic
// that says so, until its text is short enough.
func TestSyncTooLong(t *testing.T) {
	s := start(t, lsp.Options{Limits: lsp.Limits{Document: 100}})
	s.initialize(utf8)
	s.open(uri, strings.Repeat("x", 101))
	want := "the document has 101 bytes; pypto-ls reads documents of up to 100 bytes and leaves this one alone"
	if p := s.diagnostics(uri, 1); len(p.Diagnostics) != 1 || p.Diagnostics[0].Message != want || p.Diagnostics[0].Code != "document-too-long" {
		t.Errorf("got %+v", p)
	}
	s.change(uri, 2, edit(0, 0, 0, 0, "y")) // not applicable, and harmless
	var hover any
	if err := s.Call("textDocument/hover", at(uri, 0, 0), &hover); err != nil || hover != nil {
		t.Errorf("hover: %v, %v", hover, err)
	}
	s.change(uri, 3, whole("BAD"))
	if p := s.diagnostics(uri, 3); len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "bad" {
		t.Errorf("got %+v", p)
	}
	s.change(uri, 4, edit(0, 3, 0, 3, strings.Repeat("y", 200))) // grows over the limit
	if p := s.diagnostics(uri, 4); len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "document-too-long" {
		t.Errorf("got %+v", p)
	}
}

// TestSyncRandom: after random batches, in three encodings, the server has the
// text that a plain editor has. The editor applies changes to runes by line and
// column, in the dullest way.
func TestSyncRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, enc := range []string{"utf-8", "utf-16", "utf-32"} {
		s := start(t, lsp.Options{})
		s.Optional("textDocument/publishDiagnostics")
		s.initialize(obj{"general": obj{"positionEncodings": []string{enc}}})
		text := "def f(x):\n    y = x\n"
		s.open(uri, text)
		for version := 2; version < 150; version++ {
			var changes []obj
			for range 1 + r.IntN(4) {
				a, b := r.IntN(len(text)+1), r.IntN(len(text)+1)
				if r.IntN(3) > 0 {
					b = min(a+r.IntN(6), len(text))
				}
				a, b = runeStart(text, min(a, b)), runeStart(text, max(a, b))
				ins := randomInsert(r)
				if r.IntN(20) == 0 {
					text = ins + text[:a]
					changes = append(changes, whole(text))
					continue
				}
				l1, c1 := lineColumn(text, a, enc)
				l2, c2 := lineColumn(text, b, enc)
				changes = append(changes, edit(l1, c1, l2, c2, ins))
				text = text[:a] + ins + text[b:]
			}
			s.change(uri, version, changes...)
			if got, _ := s.text(uri); got != text {
				t.Fatalf("seed %d, %s, version %d: the server has\n%q\nwant\n%q\nafter %v", seed, enc, version, got, text, changes)
			}
		}
	}
}

func randomInsert(r *rand.Rand) string {
	atoms := []string{"", "a", "def f():\n", "    ", "\n", "\r\n", "é", "漢", "😀", "\"\"\"", "(", "t_x", "class A:\n"}
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(atoms[r.IntN(len(atoms))])
	}
	return b.String()
}

// runeStart moves an offset back out of a character and out of a \r\n.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && (s[i]&0xC0 == 0x80 || s[i] == '\n' && s[i-1] == '\r') {
		i--
	}
	return i
}

func lineColumn(s string, off int, enc string) (line, col int) {
	head := strings.ReplaceAll(s[:off], "\r\n", "\n")
	line = strings.Count(head, "\n")
	last := head[strings.LastIndexByte(head, '\n')+1:]
	switch enc {
	case "utf-8":
		col = len(last)
	default:
		for _, c := range last {
			col++
			if enc == "utf-16" && c > 0xFFFF {
				col++
			}
		}
	}
	return line, col
}

// TestManyCursors: a batch of thousands of edits is quick, since they come from
// the end; it would be quadratic otherwise.
func TestManyCursors(t *testing.T) {
	s := begin(t)
	s.Optional("textDocument/publishDiagnostics")
	const n = 5000
	s.open(uri, strings.Repeat("def f(a): return a\n", n))
	var changes []obj
	for i := n - 1; i >= 0; i-- {
		changes = append(changes, edit(i, 17, i, 18, "bb"))
	}
	s.change(uri, 2, changes...)
	s.wantText(uri, strings.Repeat("def f(a): return bb\n", n))
}
