package irsyntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Documentation shorthand (spec 01 §13) in the forms of the pass pages.
func TestShorthand(t *testing.T) {
	for _, c := range []struct{ name, src, chunks, tree string }{
		{"allocations and addresses", `# SeqStmts [
mem_vec_7: Ptr = tile.alloc(Vec, 4096)  # declared
acc: Tile[[32, 32], FP32, MemRef(mem_vec_7, -1, 4096)] = tile.load(...)
sum: Tile[[32, 32], FP32, MemRef(mem_vec_7, 0, 4096)] = tile.add(acc, ...)
# ]
`, "snippet@0",
			`(Block (Marker SeqStmts "# SeqStmts [") (AnnAssign mem_vec_7 Ptr (Call (Attribute tile alloc) Vec 4096)) ` +
				`(AnnAssign acc (Subscript Tile (Tuple (List 32 32) FP32 (Call MemRef mem_vec_7 (UnaryOp - 1) 4096))) (Call (Attribute tile load) Ellipsis)) ` +
				`(AnnAssign sum (Subscript Tile (Tuple (List 32 32) FP32 (Call MemRef mem_vec_7 0 4096))) (Call (Attribute tile add) acc Ellipsis)) ` +
				`(Marker ] "# ]"))`},
		{"ellipses and comments", `# Before:
mem_left_1: Ptr = tile.alloc(Left, 512)

# After (each space on its own):
lhs: Tile[..., MemRef(mem_left_1, 0, 512)] = ...
`, "snippet@0",
			`(Block (AnnAssign mem_left_1 Ptr (Call (Attribute tile alloc) Left 512)) ` +
				`(AnnAssign lhs (Subscript Tile (Tuple Ellipsis (Call MemRef mem_left_1 0 512))) Ellipsis))`},
		{"function without decorator and self", `def body(
    src: Tensor[[8, 8], FP16, MemRef(space=DDR, addr=-1, id=0)],
):
    # SeqStmts [
    mem_vec_1: MemRefType = tile.alloc(Vec, -1, 128, 1)
    v: Tile[[8, 8], FP16, memref=mem_vec_1] = tile.load(src, [0, 0], [8, 8])
    #   ReturnStmt [v, src]
    # ]
`, "func body@0",
			`(FuncDef body (Params (Param src (Subscript Tensor (Tuple (List 8 8) FP16 (Call MemRef (Keyword space DDR) (Keyword addr (UnaryOp - 1)) (Keyword id 0)))) -)) - ` +
				`(Block (Marker SeqStmts "# SeqStmts [") (AnnAssign mem_vec_1 MemRefType (Call (Attribute tile alloc) Vec (UnaryOp - 1) 128 1)) ` +
				`(AnnAssign v (Subscript Tile (Tuple (List 8 8) FP16 (Keyword memref mem_vec_1))) (Call (Attribute tile load) src (List 0 0) (List 8 8))) ` +
				`(Marker ReturnStmt "#   ReturnStmt [v, src]" v src) (Marker ] "# ]")))`},
		{"indented statements", "    # SeqStmts [\n    m: Ptr = tile.alloc(Vec, 64)\n        # deeper\n    t = tile.add(a, b)\n    # ]\n", "snippet@0",
			`(Block (Marker SeqStmts "# SeqStmts [") (AnnAssign m Ptr (Call (Attribute tile alloc) Vec 64)) (Assign t (Call (Attribute tile add) a b)) (Marker ] "# ]"))`},
		{"indentation is free in snippets", "  m: Ptr = tile.alloc(Vec, 64)\n    t = tile.add(a, b)\n u = tile.exp(t)\n", "snippet@0",
			`(Block (AnnAssign m Ptr (Call (Attribute tile alloc) Vec 64)) (Assign t (Call (Attribute tile add) a b)) (Assign u (Call (Attribute tile exp) t)))`},
		{"a marker in a nested block", "for i in pl.range(2):\n    # SeqStmts [\n    a = tile.exp(b)\n    # ]\n# ]\nc = tile.exp(a)\n", "snippet@0",
			`(Block (For i (Call (Attribute pl range) 2) (Block (Marker SeqStmts "# SeqStmts [") (Assign a (Call (Attribute tile exp) b)) (Marker ] "# ]")) -) (Assign c (Call (Attribute tile exp) a)))`},
		{"brackets in comments are no markers by themselves", "def f():\n    # ]\n    #   ReturnStmt [x]\n    return y\n", "func f@0",
			`(FuncDef f (Params) - (Block (Return y)))`},
		{"a malformed ReturnStmt is a comment", "def f():\n    # SeqStmts [\n    #   ReturnStmt [x y]\n    return y\n", "func f@0",
			`(FuncDef f (Params) - (Block (Marker SeqStmts "# SeqStmts [") (Return y)))`},
		{"signature alone", "def f(a: Tensor[..]) -> Tensor[...]:\n    # as above\n", "func f@0",
			`(FuncDef f (Params (Param a (Subscript Tensor Ellipsis) -)) (Subscript Tensor Ellipsis) (Block))`},
		{"body of markers only", "def f():\n    # SeqStmts [\n    #   ReturnStmt [x]\n    # ]\n", "func f@0",
			`(FuncDef f (Params) - (Block (Marker SeqStmts "# SeqStmts [") (Marker ReturnStmt "#   ReturnStmt [x]" x) (Marker ] "# ]")))`},
	} {
		f := Parse(c.src)
		if got := chunks(f); got != c.chunks {
			t.Errorf("%s: chunks %s, want %s", c.name, got, c.chunks)
			continue
		}
		if err := checkFile(f, c.src); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if errs := fileErrors(f); len(errs) > 0 {
			t.Errorf("%s: %v", c.name, errs)
		}
		if d := cmp.Diff(c.tree, sexpr(f.Chunks[0].Tree().Root())); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

// Every IR snippet of the pass pages the project grew from parses without an
// error. A snippet is a paragraph with an IR statement or a bare `def main`.
func TestSeedSnippets(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(needShared(t), "seeds/*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages found (%v)", err)
	}
	found := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, par := range strings.Split(string(data), "\n\n") {
			if !strings.HasPrefix(par, "def main(") && !looksLikeIR(par) {
				continue
			}
			found++
			f := Parse(par)
			if errs := fileErrors(f); len(errs) > 0 {
				t.Errorf("%s: %v\n%s", filepath.Base(name), errs, par)
			}
			if len(f.Chunks) != 1 || (f.Chunks[0].Kind != SnippetChunk && f.Chunks[0].Kind != FuncChunk) {
				t.Errorf("%s: %s\n%s", filepath.Base(name), chunks(f), par)
			}
			if !IsKernelText(f) {
				t.Errorf("%s: not taken for IR:\n%s", filepath.Base(name), par)
			}
		}
	}
	if found < 6 {
		t.Errorf("%d snippets found, want at least 6", found)
	}
	t.Logf("%d snippets", found)
}

func TestComments(t *testing.T) {
	tree := module("# a\n#b \nx = f(1, # é c\n  # d\n  2)  ## e\n\tif_ = '# no' #\n#")
	var got []string
	for _, c := range tree.Comments {
		own := "after code"
		if c.OwnLine {
			own = "own line"
		}
		got = append(got, strings.Join([]string{tree.CommentText(c), own, strings.Repeat(".", int(c.Col))}, "|"))
	}
	// The column counts characters; `## e` has the text "# e"; trailing blanks
	// are kept.
	want := []string{"a|own line|", "b |own line|", "é c|after code|.........", "d|own line|..", "# e|after code|......", "|after code|..............", "|own line|"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDecorators(t *testing.T) {
	src := "@pl.program\nclass P:\n    @a.b.c(x, [\n      1])  # c\n\n    # d\n    @function\n    @(x)\n    def f(self): pass\n"
	f := Parse(src)
	if d := cmp.Diff([]string{"pl.program"}, f.Chunks[0].Decorators()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"a.b.c", "function", ""}, f.Chunks[1].Decorators()); d != "" {
		t.Error(d)
	}
	root := f.Chunks[1].Tree().Root()
	if at := root.DefStart(); !strings.HasPrefix(f.Chunks[1].Text[at:], "def f(") {
		t.Errorf("DefStart = %d", at)
	}
}

func TestIsKernelText(t *testing.T) {
	for src, want := range map[string]bool{
		"":                                                      false,
		"import os\nx = 1\n":                                    false,
		"import pypto.language as pl\n":                         true,
		"from pypto import language as P":                       true,
		"import pyptology\n":                                    false,
		"@pl.function\ndef f(): pass\n":                         true,
		"@pl.jit.incore(x=1)\ndef f(): pass\n":                  true,
		"@pl.inline\ndef f(): pass\n":                           true,
		"@program\nclass P: pass\n":                             true,
		"class A:\n    @function\n    def f(self): pass\n":      true,
		"@tf.function\ndef f(): pass\n":                         false,
		"@jit\ndef f(): pass\n":                                 false,
		"@numba.jit(x)\ndef f(): pass\n":                        false,
		"@property\ndef f(self): pass\n":                        false,
		"import polars as pl\ndf = pl.read_csv('x')\n":          false,
		"m: Ptr = tile.alloc(Vec, 64)\n":                        true,
		"x = tile.add(a, b)\n":                                  false, // an ordinary object named tile
		"x: pl.Tile[[4], pl.FP32] = y\n":                        true,
		"def main(a: Tensor[[4], FP32]):\n    return a\n":       true,
		"def main(a: Tensor):\n    return a.tile(2)\n":          false,
		"def f():\n    x = pl.tile.load(a)\n":                   true,
		"# SeqStmts [\nx = tile.add(a, b)\n# ]\n":               true,
		"if x:\n    from pypto import y\n":                      true,
		"class A:\n    def f(self):\n        return [[1], 2]\n": false,
	} {
		if got := IsKernelText(Parse(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
