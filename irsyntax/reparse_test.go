package irsyntax

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sameFile compares what Parse and Reparse must agree on.
func sameFile(got, want *File) error {
	if got.Len != want.Len || len(got.Chunks) != len(want.Chunks) {
		return fmt.Errorf("%d bytes in %d chunks, want %d in %d\n%s\nwant\n%s",
			got.Len, len(got.Chunks), want.Len, len(want.Chunks), outline(got), outline(want))
	}
	for i := range want.Chunks {
		g, w := &got.Chunks[i], &want.Chunks[i]
		if g.Kind != w.Kind || g.Text != w.Text || g.Hash != w.Hash || g.Name != w.Name || g.Indent != w.Indent ||
			g.Start != w.Start || g.Line != w.Line || g.Class != w.Class || g.flags != w.flags || g.lines != w.lines || g.in != w.in {
			return fmt.Errorf("chunk %d:\n%s\nwant\n%s", i, outline(got), outline(want))
		}
	}
	return nil
}

// outline lists a file's chunks, one a line.
func outline(f *File) string {
	var b strings.Builder
	for _, e := range f.Chunks {
		fmt.Fprintf(&b, "%d:%d %s %q class=%d indent=%d flags=%d %q\n", e.Line, e.Start, chunkKindNames[e.Kind], e.Name, e.Class, e.Indent, e.flags, e.Text)
	}
	return b.String()
}

var chunkKindNames = [...]string{"module", "class", "member", "func", "snippet"}

// pieces are what random edits insert: everything that can move a chunk's
// border.
var pieces = []string{
	"\"", "'", "\"\"\"", "'''", "(", ")", "[", "]", "{", "}", "\n", "\r", "\r\n", "\\", "\\\n", "#", "@", ":", " ", "    ",
	"\t", "x = ", "x", "def f():\n", "    def g(self):\n", "class A:\n", "@pl.function\n", "    @pl.function(type=pl.X)\n", "\n\n",
	"return x\n", "        return x\n", "if a:\n", "else:\n", "for i in pl.range(4):\n", "m: Ptr = tile.alloc(Vec, 64)\n",
	"import x\n", "    y = 1\n", "async ", "# SeqStmts [\n", "# ]\n", "f\"{x[\"", "\ufeff", "\x00", "\xff", "é", "pl.tile.f(\n", "\f",
	"a = (\n", "b = [\n", "    b: pl.Tile[[1,\n",
}

var reparseDocs = []string{
	"",
	"x",
	`# pypto.program: P
import pypto.language as pl

M = pl.dynamic("M")

@pl.program
class P:
    """doc"""
    N = 4
    @pl.function(type=pl.FunctionType.InCore)
    def f(a: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        t: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64])
        for i, (u,) in pl.range(4, init_values=(t,)):
            v = pl.yield_(u)
        return v
    K = 5
    # comment
    @pl.function
    @other
    def g(self, b: pl.Out[
        pl.Tensor[[M, 64], pl.FP32]],
    ):
        s = "a # b"
        return b

    def h(self):
        pass

if __name__ == "__main__":
    print(P)
`,
	`mem_vec_0: Ptr = tile.alloc(Vec, 2048)
# SeqStmts [
t: Tile[..., MemRef(mem_vec_0, 0, 2048)] = tile.load(...)
# ]
class A(B): x = 1
def main(a: Tensor[[4], FP32]):
    u = (a +
        1)
@stray
w = {
  1: 2
}
async def k(): return f'{x!r}' """
text
"""
try:
    import x
except ImportError:
    def y(): pass
`,
	`x = 1
t = tile.add(a, b)
if   __name__ == "__main__": pass
async   def f(): pass
async  for x in y: pass
t: pl.Tile[[1], pl.FP32] = (a,
  b
else  : c = 1
t = f(
pl.g(
x  == 1,
x  = 1
)
class A:
    x = [
    y : 1
    ]
@a

# c
@b
def f(): pass
@a
import x
`,
}

// largeDoc is long enough for Reparse to see only a part of it.
func largeDoc() string {
	return strings.Repeat(reparseDocs[2], 2) + genProgram(3) + strings.Repeat(reparseDocs[3]+reparseDocs[2], 3)
}

func TestReparseRandom(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 2))
	docs := append(reparseDocs[:len(reparseDocs):len(reparseDocs)], largeDoc())
	rounds, steps := 400, 50
	if testing.Short() {
		rounds = 60
	}
	for round := range rounds {
		f := Parse(docs[round%len(docs)])
		for step := range steps {
			text := f.Text()
			batch := randomEdits(rng, text)
			g, ok := Reparse(f, batch)
			if !ok {
				t.Fatalf("seed %d round %d step %d: edits %+v of %d bytes refused", seed, round, step, batch, f.Len)
			}
			if err := sameFile(g, Parse(applyEdits(text, batch))); err != nil {
				t.Fatalf("seed %d round %d step %d: edits %+v of\n%s\n%v", seed, round, step, batch, text, err)
			}
			if len(batch) == 1 {
				if err := keptChunks(f, g, batch[0]); err != nil {
					t.Fatalf("seed %d round %d step %d: edit %+v of\n%s\n%v", seed, round, step, batch[0], text, err)
				}
			}
			f = g
		}
	}
}

// keptChunks checks that every chunk of g outside the edit that f has at the
// same place is the same pointer.
func keptChunks(f, g *File, e Edit) error {
	old := map[int]Entry{}
	for _, c := range f.Chunks {
		old[int(c.Start)] = c
	}
	delta := len(e.Text) - (e.End - e.Start)
	for i, c := range g.Chunks {
		at := int(c.Start)
		switch {
		case c.End() <= e.Start:
		case at >= e.Start+len(e.Text):
			at -= delta
		default:
			continue
		}
		o, ok := old[at]
		if ok && o.Kind == c.Kind && o.flags == c.flags && len(o.Text) == len(c.Text) && o.Chunk != c.Chunk {
			return fmt.Errorf("chunk %d %q is equal but not kept", i, c.Name)
		}
	}
	return nil
}

func TestReparseKeeps(t *testing.T) {
	f := Parse(genProgram(20))
	at := f.LineStart(int(f.Chunks[10].Line) + 8)
	g, ok := Reparse(f, []Edit{{Start: at, End: at, Text: "        x = 1\n"}})
	if !ok || len(g.Chunks) != len(f.Chunks) {
		t.Fatalf("ok=%v, %d chunks, want %d", ok, len(g.Chunks), len(f.Chunks))
	}
	for i := range f.Chunks {
		if same := f.Chunks[i].Chunk == g.Chunks[i].Chunk; same != (i != 10) {
			t.Errorf("chunk %d: kept=%v", i, same)
		}
	}
}

func TestReparseOutOfRange(t *testing.T) {
	f := Parse("x = 1\n")
	for _, e := range []Edit{{Start: -1, End: 0}, {Start: 2, End: 1}, {Start: 0, End: 7}, {Start: 7, End: 7}} {
		if g, ok := Reparse(f, []Edit{e}); ok || g != f {
			t.Errorf("%+v was applied", e)
		}
	}
	// The second edit of a batch refers to the text after the first.
	if g, ok := Reparse(f, []Edit{{Start: 0, End: 0, Text: "y"}, {Start: 7, End: 7, Text: "z"}}); !ok || g.Text() != "yx = 1\nz" {
		t.Errorf("ok=%v %q", ok, g.Text())
	}
	if g, ok := Reparse(f, []Edit{{Start: 0, End: 0, Text: "y"}, {Start: 8, End: 8, Text: "z"}}); ok || g != f {
		t.Error("a batch with an edit out of range was applied in part")
	}
}

func applyEdits(text string, edits []Edit) string {
	for _, e := range edits {
		text = text[:e.Start] + e.Text + text[e.End:]
	}
	return text
}

// randomEdits makes a batch of one to three edits: insertions, deletions of
// bytes or whole lines, copies of other text.
func randomEdits(rng *rand.Rand, text string) []Edit {
	var edits []Edit
	for range 1 + rng.IntN(3)/2 {
		n := len(text)
		a := rng.IntN(n + 1)
		var e Edit
		switch rng.IntN(8) {
		case 0: // delete a few bytes
			e = Edit{Start: a, End: min(n, a+rng.IntN(8))}
		case 1: // delete a line
			s := strings.LastIndexByte(text[:a], '\n') + 1
			end := n
			if i := strings.IndexByte(text[a:], '\n'); i >= 0 {
				end = a + i + 1
			}
			e = Edit{Start: s, End: end}
		case 2: // paste a piece of the document
			b := min(n, a+rng.IntN(120))
			at := rng.IntN(n + 1)
			e = Edit{Start: at, End: at, Text: text[a:b]}
		case 3: // at a line start
			s := strings.LastIndexByte(text[:a], '\n') + 1
			e = Edit{Start: s, End: s, Text: pieces[rng.IntN(len(pieces))]}
		case 4: // replace
			e = Edit{Start: a, End: min(n, a+rng.IntN(4)), Text: pieces[rng.IntN(len(pieces))]}
		case 5: // dedent or indent a line
			s := strings.LastIndexByte(text[:a], '\n') + 1
			e = Edit{Start: s, End: s, Text: "    "}
			if strings.HasPrefix(text[s:], "    ") && rng.IntN(2) == 0 {
				e = Edit{Start: s, End: s + 4}
			}
		default:
			e = Edit{Start: a, End: a, Text: pieces[rng.IntN(len(pieces))]}
		}
		edits = append(edits, e)
		text = text[:e.Start] + e.Text + text[e.End:]
	}
	return edits
}

// Every byte of small documents deleted, and every piece inserted everywhere.
func TestReparseEverywhere(t *testing.T) {
	for n, doc := range reparseDocs {
		f := Parse(doc)
		for i := range len(doc) + 1 {
			edits := make([]Edit, 0, len(pieces)+1)
			if i < len(doc) {
				edits = append(edits, Edit{Start: i, End: i + 1})
			}
			if i%7 == n || !testing.Short() {
				for _, p := range pieces {
					edits = append(edits, Edit{Start: i, End: i, Text: p})
				}
			}
			for _, e := range edits {
				g, _ := Reparse(f, []Edit{e})
				if err := sameFile(g, Parse(applyEdits(doc, []Edit{e}))); err != nil {
					t.Fatalf("document %d, edit %+v: %v", n, e, err)
				}
			}
		}
	}
}
