package irsyntax

import (
	"fmt"
	"strings"
	"testing"
)

// checkFile verifies what must hold of the file of any text.
func checkFile(f *File, src string) error {
	if f.Len != len(src) || Print(f) != src {
		return fmt.Errorf("text lost")
	}
	at, line := 0, 0
	for i := range f.Chunks {
		e := &f.Chunks[i]
		if int(e.Start) != at || int(e.Line) != line || e.Text == "" || src[at:at+len(e.Text)] != e.Text {
			return fmt.Errorf("chunk %d at %d:%d, want %d:%d", i, e.Line, e.Start, line, at)
		}
		if e.Class >= int32(i) || (e.Class >= 0 && f.Chunks[e.Class].Kind != ClassChunk) {
			return fmt.Errorf("chunk %d is in class %d", i, e.Class)
		}
		if got := f.LineStart(line); got != at && at != 0 {
			return fmt.Errorf("line %d starts at %d, want %d", line, got, at)
		}
		if f.ChunkAt(at) != i || f.ChunkAt(at+len(e.Text)-1) != i {
			return fmt.Errorf("ChunkAt does not find chunk %d", i)
		}
		t := e.Tree()
		if err := checkTree(t); err != nil {
			return fmt.Errorf("chunk %d: %v", i, err)
		}
		if err := checkRoot(e.Chunk); err != nil {
			return fmt.Errorf("chunk %d: %v", i, err)
		}
		at += len(e.Text)
		line += int(countLines(e.Text))
	}
	return nil
}

// checkRoot verifies the root's kind, and that comments and errors lie in
// order within the text.
func checkRoot(c *Chunk) error {
	t := c.Tree()
	want := Block
	switch c.Kind {
	case FuncChunk:
		want = FuncDef
	case ClassChunk:
		want = ClassDef
	}
	if got := t.Root().Kind(); got != want {
		return fmt.Errorf("root is %s, want %s", kindNames[got], kindNames[want])
	}
	last := int32(0)
	for _, m := range t.Comments {
		if m.Start < last || m.End <= m.Start || int(m.End) > len(t.Text) || t.Text[m.Start] != '#' {
			return fmt.Errorf("comment %+v after %d", m, last)
		}
		last = m.End
	}
	for _, e := range t.Errors {
		if e.Start < 0 || e.End < e.Start || int(e.End) > len(t.Text) || e.Msg == "" {
			return fmt.Errorf("error %+v of %d bytes", e, len(t.Text))
		}
	}
	broken := len(t.Errors) == 0
	for _, n := range t.Nodes {
		if broken && (n.Flags&FlagBroken != 0 || n.Kind == ErrorNode) {
			return fmt.Errorf("broken node %s without an error", kindNames[n.Kind])
		}
	}
	return nil
}

func FuzzParse(f *testing.F) {
	for _, doc := range reparseDocs {
		f.Add(doc)
	}
	for _, p := range []string{"type \x8e = 1\n", "f(Mem::\xff)\n", "f(Mem::def)\n", "match \xff:\n  x\n", "from . import (\xff)\n"} {
		f.Add(p)
	}
	for _, p := range pieces {
		f.Add(p)
		f.Add("def f():\n    x = 1" + p + "\n    y = (2, " + p + ")\n")
	}
	f.Fuzz(func(t *testing.T, src string) {
		if err := checkFile(Parse(src), src); err != nil {
			t.Fatalf("%v\n%q", err, src)
		}
	})
}

func FuzzReparse(f *testing.F) {
	for _, doc := range reparseDocs {
		for i, p := range pieces {
			f.Add(doc, i*37, i%3, p)
		}
	}
	f.Fuzz(func(t *testing.T, src string, start, n int, ins string) {
		old := Parse(src)
		e := Edit{Start: start, End: start + n, Text: ins}
		got, ok := Reparse(old, []Edit{e})
		if start < 0 || n < 0 || start > len(src) || n > len(src)-start {
			if ok || got != old {
				t.Fatalf("edit %+v of %d bytes was applied", e, len(src))
			}
			return
		}
		want := src[:start] + ins + src[start+n:]
		if err := sameFile(got, Parse(want)); err != nil {
			t.Fatalf("%v", err)
		}
		if err := checkFile(got, want); err != nil {
			t.Fatalf("%v\n%q", err, want)
		}
		if err := keptChunks(old, got, e); err != nil {
			t.Fatal(err)
		}
		// And back again.
		back, _ := Reparse(got, []Edit{{Start: start, End: start + len(ins), Text: src[start : start+n]}})
		if err := sameFile(back, old); err != nil {
			t.Fatalf("undo: %v", err)
		}
	})
}

// TestDepth parses texts that would overflow a stack or take quadratic time if
// depth and look ahead had no limits.
func TestDepth(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	rep := strings.Repeat
	nested := func(head string, levels int) string {
		var b strings.Builder
		for i := range levels {
			b.WriteString(rep(" ", i) + head + "\n")
		}
		return b.String() + rep(" ", levels) + "pass\n"
	}
	elifs := "if a:\n    pass\n" + rep("elif b:\n    pass\n", 5000)
	for name, src := range map[string]string{
		"parens":        rep("(", n),
		"brackets":      "x = " + rep("[", n),
		"braces":        "x = " + rep("{", n),
		"closers":       rep(")", n),
		"pairs":         "x = " + rep("(", n/2) + rep(")", n/2),
		"calls":         "x = f" + rep("(f", n),
		"call chain":    "x = f" + rep("()", n),
		"attributes":    "x = a" + rep(".b", n),
		"subscripts":    "x = a" + rep("[0]", n),
		"sum":           "x = a" + rep("+a", n),
		"power":         "x = a" + rep("**a", n),
		"compare":       "x = a" + rep("<a", n),
		"and":           "x = a" + rep(" and a", n),
		"minus":         "x = " + rep("-", n) + "1",
		"not":           "x = " + rep("not ", n) + "1",
		"await":         "x = " + rep("await ", n) + "1",
		"lambda":        "x = " + rep("lambda:", n) + "1",
		"conditional":   "x = a" + rep(" if a else a", n),
		"then":          "x = " + rep("a if ", n),
		"assign":        rep("a = ", n) + "1",
		"walrus":        "x = (" + rep("a := ", n) + "1)",
		"stars":         rep("*", n),
		"quotes":        rep("\"", n),
		"quotes2":       rep("'\"", n),
		"triple":        rep("'''\"\"\"", n/6),
		"f-strings":     rep("f'{", n),
		"f-strings2":    rep("f'{f\"{", n/4),
		"backslashes":   rep("\\", n),
		"continuations": rep("\\\n", n/2),
		"decorators":    rep("@a\n", n/3),
		"commas":        "x = " + rep("1,", n),
		"colons":        "x[" + rep(":", n),
		"semicolons":    rep("a;", n),
		"nul":           rep("\x00", n),
		"bom":           rep("\ufeff", n/3),
		"newlines":      rep("\n", n),
		"cr":            rep("\r", n),
		"tabs":          rep("\t", n) + "x",
		"open lines":    rep("x = (\n", n/6),
		"open pl lines": rep("pl.f(\n", n/6),
		"comments":      rep("#\n", n/2),
		"comment":       rep("#", n),
		"digits":        "x = " + rep("1", n),
		"name":          rep("x", n),
		"markers":       rep("# SeqStmts [\n", n/13),
		"return marker": "# SeqStmts [\n# ReturnStmt [" + rep("[", n) + "]\n",
		"ifs":           nested("if a:", 3000),
		"elses":         nested("else:", 3000),
		"defs":          nested("def f():", 3000),
		"classes":       nested("class A:", 3000),
		"trys":          nested("try:", 3000),
		"matches":       nested("match a:", 3000),
		"deeper":        nested("a", 3000),
		"elifs":         elifs,
		"with":          rep("with (", n/6),
		"with lines":    rep("with (\n", n/7),
		"match lines":   rep("match (\n", n/8),
		"match":         rep("match ", n/6),
		"import":        "import " + rep("a.", n/2),
		"strayed":       "def f():\n    x\n" + rep("y\n  z\n", n/7),
		"types":         rep("type x[", n/7),
		"comp":          "x = [a" + rep(" for a in a", n/11) + "]",
		"comps":         "x = " + rep("[a for a in ", n/12),
		"global":        "global " + rep("a,", n/2),
		"dict":          "x = {" + rep("a:{", n/3),
		"params":        "def f(" + rep("a:", n/2),
		"slices":        "a" + rep("[a:", n/3),
	} {
		t.Run(name, func(t *testing.T) {
			if err := checkFile(Parse(src), src); err != nil {
				t.Errorf("%.300s", err)
			}
		})
	}
}
