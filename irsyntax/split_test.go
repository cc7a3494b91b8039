package irsyntax

import (
	"fmt"
	"strings"
	"testing"
)

// chunks lists a file's chunks as "kind name @first line" with the class's
// name before methods.
func chunks(f *File) string {
	var out []string
	for _, e := range f.Chunks {
		s := chunkKindNames[e.Kind]
		if e.Class >= 0 {
			s += " " + f.Chunks[e.Class].Name + "."
		} else if e.Name != "" {
			s += " "
		}
		out = append(out, fmt.Sprintf("%s%s@%d", s, e.Name, e.Line))
	}
	return strings.Join(out, ", ")
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"empty", "", ""},
		{"blank", "\n \n# c\n", "module@0"},
		{"no final newline", "x = 1", "module@0"},
		{"module", "import a\n\nN = 4\n", "module@0"},
		{"program",
			"# head\nimport pypto.language as pl\n\n@pl.program\nclass P:\n    \"doc\"\n    @pl.function(\n        type=1)\n    def f(self):\n        x = 1\n    # tail of f\n\n    K = 1\n    def g(a,\n  b): pass\nz = 1\n",
			"module@0, class P@3, func P.f@6, member P.@12, func P.g@13, module@15"},
		{"comments before the class stand alone", "# c\n@pl.program\nclass P:\n    x = 1\n", "module@0, class P@1"},
		{"blank lines belong to what is before", "def f():\n    pass\n\n\n# c\ndef g():\n    pass\n", "func f@0, func g@5"},
		{"nested functions stay inside", "def f():\n    @d\n    def g():\n        pass\n    class A:\n        def h(self): pass\n    return g\n", "func f@0"},
		{"nested class is a member", "class A:\n    def f(self): pass\n    class B:\n        def g(self): pass\n    def h(self): pass\n", "class A@0, func A.f@1, member A.@2, func A.h@4"},
		{"functions under if are no functions of the module", "if x:\n    def f(): pass\nelse:\n    def f(): pass\n", "module@0"},
		{"async", "async def f():\n    pass\nasync for x in y: pass\n", "func f@0, module@2"},
		{"decorators may have comments between", "@a\n# c\n\n@b\ndef f(): pass\n", "func f@0"},
		{"two classes", "class A:\n    def f(self): pass\nclass B(A):\n    def g(self): pass\n", "class A@0, func A.f@1, class B@2, func B.g@3"},
		{"one-line class", "class A: x = 1\nclass B: pass\n", "class A@0, class B@1"},
		{"function after class", "class A:\n    x = 1\ndef f():\n    pass\n", "class A@0, func f@2"},
		{"triple quotes hide lines", "def f():\n    \"\"\"\ndef g():\n    \"\"\"\ndef h(): pass\n", "func f@0, func h@4"},
		{"a backslash keeps a quote in raw strings too", "a = r'\\'x'\ndef f(): pass\n", "module@0, func f@1"},
		{"brackets hide lines", "x = [\n1,\n2]\ndef f(): pass\n", "module@0, func f@3"},
		{"backslash joins lines", "x = 1 + \\\ndef_\ndef f(): pass\n", "module@0, func f@2"},
		{"line ends", "def f():\r\n    pass\rdef g():\r    pass\n", "func f@0, func g@2"},
		{"byte order mark", "\ufeffdef f(): pass\n", "func f@0"},
		{"tabs", "class A:\n\tdef f(self):\n\t\tpass\n\tdef g(self): pass\n", "class A@0, func A.f@1, func A.g@3"},

		{"snippet", "m: Ptr = tile.alloc(Vec, 64)\nt: Tile[[4, 4], FP32, MemRef(m, -1, 64)] = tile.load(...)\n", "snippet@0"},
		{"indented snippet", "    # SeqStmts [\n    m: Ptr = tile.alloc(Vec, 64)\n    # ]\n", "snippet@0"},
		{"snippet after imports", "import pypto.language as pl\nN = 4\nx = pl.tile.load(a)\ny = 1\nimport z\n", "module@0, snippet@2, module@4"},
		{"snippet with a loop", "N = 1\nfor i, (a,) in pl.range(4, init_values=(b,)):\n    c = f(a)\nif N:\n    x = 1\nelse:\n    x: pl.Tile[[1], pl.FP32] = y\n", "module@0, snippet@1"},
		{"else stays with its if", "if a:\n    b = 1\nelse:\n    x: pl.Tile[[1], pl.FP32] = y\n", "snippet@0"},
		{"constants are no snippet", "V = pl.TensorView(stride=[1])\nb = pl.MemRef()\nM = pl.dynamic('M')\nx = tensor_of(3)\ny = a.tile.load(1)\n", "module@0"},
		{"snippet before a function", "m: Ptr = tile.alloc(Vec, 64)\ndef f(a: Tensor[[4], FP32]):\n    return a\nt = tile.add(m, m)\n", "snippet@0, func f@1, snippet@3"},
		{"main guard ends a snippet", "t = tile.add(m, m)\nif __name__ == '__main__':\n    run()\n", "snippet@0, module@1"},

		// Broken text.
		{"stray decorator", "@a\nx = 1\ndef f(): pass\n", "module@0, func f@2"},
		{"unclosed bracket in a function", "class P:\n    def f(self):\n        x = g(1,\n        y = [2\n    @d\n    def g(self): pass\n", "class P@0, func P.f@1, func P.g@4"},
		{"unclosed bracket in a signature", "def f(a: T[[1, 2],\n    x = 1\n    return x\ndef g(): pass\n", "func f@0, func g@3"},
		{"unclosed bracket at module level", "x = (\ny = 1\n@d\ndef f(): pass\n", "module@0, func f@2"},
		{"keyword arguments at the margin", "x = dict(\na=1,\nb=2,\n)\ndef f(): pass\n", "module@0, func f@4"},
		{"annotations at the margin", "def f(\na: int,\nb: int,\n): pass\ndef g(): pass\n", "func f@0, func g@4"},
		{"line left of a body", "class P:\n    def f(self):\n        x = 1\ny = 2\n        z = 3\n    def g(self): pass\n", "class P@0, func P.f@1, func P.g@5"},
		{"header left of a body", "class P:\n    def f(self):\n        x = 1\nfor i in y:\n        z = 3\n    def g(self): pass\n", "class P@0, func P.f@1, module@3, func P.g@5"},
		{"decorator whose def is gone", "class P:\n    def f(self): pass\n    @d\n        x = 1\n    def g(self): pass\n", "class P@0, func P.f@1, member P.@2, func P.g@4"},
		{"def misspelt", "class P:\n    @d\n    de f(self):\n        x = 1\n    def g(self): pass\n", "class P@0, func P.g@4"},
		{"unclosed quote", "def f():\n    x = 'abc\ndef g(): pass\n", "func f@0, func g@2"},
		{"unclosed triple quote", "def f():\n    x = '''abc\ndef g(): pass\n", "func f@0"},
		{"indented function alone", "    def f(a: Tensor[[4], FP32]):\n        return a\n", "func f@0"},
	} {
		f := Parse(c.src)
		if got := chunks(f); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if err := checkFile(f, c.src); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Names, indents and lines of chunks, worked out by hand.
func TestChunkFields(t *testing.T) {
	f := Parse("\n@pl.program\nclass P:\n    # c\n\n    @d\n    async def  foo (self): pass\n")
	if len(f.Chunks) != 3 {
		t.Fatal(outline(f))
	}
	p, foo := f.Chunks[1], f.Chunks[2]
	if p.Name != "P" || p.Indent != 0 || p.Line != 1 || p.Start != 1 || p.Class != -1 {
		t.Errorf("%+v", p)
	}
	if foo.Name != "foo" || foo.Indent != 4 || foo.Line != 5 || foo.Start != 31 || foo.Class != 1 {
		t.Errorf("%+v", foo)
	}
	if p.Hash == foo.Hash || p.Hash != Parse("@pl.program\nclass P:\n    # c\n\n    def x(): pass").Chunks[0].Hash {
		t.Error("hash does not identify the text")
	}
}

// The bracket recovery looks only so far ahead, so that an edit far below
// changes nothing.
func TestLookAheadIsBounded(t *testing.T) {
	margin := strings.Repeat("a = 1,\n", 99)
	if got := chunks(Parse("x = f(\n" + margin + ")\ndef g(): pass\n")); got != "module@0, func g@101" {
		t.Error(got)
	}
	f := Parse("x = f(\n" + strings.Repeat("a = 1,\n", 200) + ")\n")
	if n := f.Chunks[0].Tree().Root().NumChildren(); n < 100 {
		t.Errorf("%d statements", n)
	}
}

func TestPositions(t *testing.T) {
	f := Parse("a\r\nb\rc\n\ndef f():\n  x\r\n\r  y")
	for line, want := range []int{0, 3, 5, 7, 8, 17, 22, 23, 26, 26} {
		if got := f.LineStart(line); got != want {
			t.Errorf("LineStart(%d) = %d, want %d", line, got, want)
		}
	}
	// Offset 2 is between CR and LF: still the first line.
	for _, c := range [][2]int{{-1, 0}, {0, 0}, {1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 2}, {7, 3}, {8, 4}, {16, 4}, {17, 5}, {20, 5}, {21, 5}, {22, 6}, {23, 7}, {26, 7}, {99, 7}} {
		if got := f.Line(c[0]); got != c[1] {
			t.Errorf("Line(%d) = %d, want %d", c[0], got, c[1])
		}
	}
	for _, c := range [][2]int{{-1, -1}, {0, 0}, {7, 0}, {8, 1}, {26, 1}, {27, -1}} {
		if got := f.ChunkAt(c[0]); got != c[1] {
			t.Errorf("ChunkAt(%d) = %d, want %d", c[0], got, c[1])
		}
	}
	if e := Parse(""); e.ChunkAt(0) != -1 || e.LineStart(3) != 0 || e.Line(0) != 0 || e.Text() != "" {
		t.Error("empty document")
	}
}

// TestChunkNameEndsWithIdentifier: the chunk has the name that the tree has,
// without a byte that is no character.
func TestChunkNameEndsWithIdentifier(t *testing.T) {
	for text, want := range map[string]string{"def f\x95(x):\n    pass\n": "f", "def größe\u00a0():\n    pass\n": "größe", "def \x95():\n    pass\n": ""} {
		for _, e := range Parse(text).Chunks {
			if e.Kind == FuncChunk && e.Name != want {
				t.Errorf("%q: name %q, want %q", text, e.Name, want)
			}
		}
	}
}
