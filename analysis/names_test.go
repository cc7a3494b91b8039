package analysis

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// docOf makes a document of a text under the default settings.
func docOf(t testing.TB, name, text string) *Document {
	t.Helper()
	return NewEngine(16<<20).NewDocument(name, irsyntax.Parse(text), Resolve(platforms.Builtin()), Options{}, nil)
}

// marked takes `name‹7›` marks out of a text: the marked names by offset.
func marked(text string) (plain string, marks map[int]string) {
	marks = map[int]string{}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "‹")
		b.WriteString(before)
		if !ok {
			return b.String(), marks
		}
		id, after, _ := strings.Cut(rest, "›")
		i := len(before)
		for i > 0 && isNameByte(before[i-1]) {
			i--
		}
		marks[b.Len()-len(before)+i] = id
		text = after
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// resolved writes the marks that the resolver would set: numbers in order of
// first occurrence, equal for one symbol.
func resolved(d *Document) map[int]string {
	got := map[int]string{}
	ids := map[symKey]string{}
	for i := range d.File.Chunks {
		n := d.namesOf(i)
		for _, u := range n.uses {
			k := n.syms[u.sym].key
			if ids[k] == "" {
				ids[k] = strconv.Itoa(len(ids) + 1)
			}
			got[int(d.File.Chunks[i].Start+u.span.Start)] = ids[k]
		}
	}
	return got
}

func remark(text string, marks map[int]string) string {
	var at []int
	for o := range marks {
		at = append(at, o)
	}
	sort.Ints(at)
	var b strings.Builder
	last := 0
	for _, o := range at {
		end := o
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		b.WriteString(text[last:end])
		fmt.Fprintf(&b, "‹%s›", marks[o])
		last = end
	}
	b.WriteString(text[last:])
	return b.String()
}

// Marks are hand-set after spec 01 §10: names with one number are one
// variable. Numbers are by first occurrence in the text of a document.
var nameCases = []struct{ name, text string }{
	{"straight line: an assignment reuses the variable", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(a‹2›: pl.Tensor[[64, 64], pl.FP32]):
    x‹3› = pl.tile.load(a‹2›, [0, 0], [64, 64])
    x‹3› = pl.tile.exp(x‹3›)
    y‹4›, z‹5› = pl.tile.two(x‹3›)
    return y‹4›, z‹5›
`},
	{"strict SSA: every assignment is a variable", `@pl.function(type=pl.FunctionType.InCore, strict_ssa=True)
def f‹1›(a‹2›: pl.Tensor[[64, 64], pl.FP32]):
    x‹3› = pl.tile.load(a‹2›, [0, 0], [64, 64])
    x‹4› = pl.tile.exp(x‹3›)
    return x‹4›
`},
	{"loop with carried values: header, body and result are three variables", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(a‹2›: pl.Tensor[[64, 64], pl.FP32]):
    acc‹3› = pl.tile.load(a‹2›, [0, 0], [64, 64])
    for i‹4›, (acc‹5›,) in pl.range(4, init_values=(acc‹3›,)):
        t‹6› = pl.tile.load(a‹2›, [i‹4›, 0], [64, 64])
        acc‹7› = pl.tile.add(acc‹5›, t‹6›)
        acc‹7› = pl.tile.exp(acc‹7›)
        acc‹8› = pl.yield_(acc‹7›)
    return acc‹8›
`},
	{"plain loop leaks, so does a scope", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(a‹2›: pl.Tensor[[64, 64], pl.FP32]):
    x‹3› = pl.tile.load(a‹2›, [0, 0], [64, 64])
    for i‹4› in pl.range(4):
        x‹3› = pl.tile.exp(x‹3›)
        u‹5› = pl.tile.exp(x‹3›)
    with pl.scope():
        w‹6› = pl.tile.add(u‹5›, x‹3›)
    return w‹6›, i‹4›
`},
	{"while with carried values", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(n‹2›: pl.Scalar[pl.INDEX], a‹3›: pl.Tensor[[64, 64], pl.FP32]):
    for (i‹4›, s‹5›) in pl.while_(init_values=(0, n‹2›)):
        pl.cond(i‹4› < s‹5›)
        j‹6› = i‹4› + 1
        i‹7›, s‹8› = pl.yield_(j‹6›, s‹5›)
    return i‹7›, s‹8›
`},
	{"branch with results: one phi for both sides, nothing else gets out", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(n‹2›: pl.Scalar[pl.INDEX], a‹3›: pl.Tensor[[64, 64], pl.FP32]):
    x‹4› = pl.tile.load(a‹3›, [0, 0], [64, 64])
    if n‹2› == 0:
        y‹5› = pl.tile.exp(x‹4›)
        x‹6›: pl.Tile[[64, 64], pl.FP32] = pl.yield_(y‹5›)
    else:
        y‹7› = pl.tile.neg(x‹4›)
        x‹6›: pl.Tile[[64, 64], pl.FP32] = pl.yield_(y‹7›)
    return x‹6›
`},
	{"branch without results leaks", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(n‹2›: pl.Scalar[pl.INDEX]):
    if n‹2› == 0:
        y‹3› = n‹2› + 1
    elif n‹2› == 1:
        y‹3› = n‹2› + 2
    else:
        y‹3› = n‹2› + 3
    return y‹3›
`},
	{"allocations: bare and quoted bases, signature and body", `@pl.program
class P‹1›:
    @pl.function(type=pl.FunctionType.AIV)
    def f‹2›(a‹3›: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_0‹4›", pl.const(0, pl.INT64), 16384)]):
        mem_vec_1‹5›: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        t‹6›: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_1‹5›, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a‹3›, [0, 0], [64, 64])
        r‹7›: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_0‹4›", pl.const(0, pl.INT64), 16384)] = pl.tile.store(t‹6›, [0, 0], a‹3›)
        return r‹7›
`},
	{"declared allocations: module variables with slots, and names in place", `import pypto.language as pl‹1›
ping‹2›, pong‹3› = pl.MemRef(slots=2), pl.MemRef("second‹4›")
@pl.function(type=pl.FunctionType.InCore)
def f‹5›(a‹6›: pl.Tensor[[64, 64], pl.FP32]):
    for i‹7› in pl.range(4):
        t‹8›: pl.Tile[[64, 64], pl.FP32, ping‹2›[i‹7› % 2], pl.Mem.Vec] = pl.tile.load(a‹6›, [0, 0], [64, 64])
        u‹9›: pl.Tile[[64, 64], pl.FP32, pong‹3›, pl.Mem.Vec] = pl.tile.exp(t‹8›)
        third‹10›: pl.Tile[[64, 64], pl.FP32, pl.MemRef("third‹11›"), pl.Mem.Vec] = pl.tile.exp(u‹9›)
        v‹12›: pl.Tile[[64, 64], pl.FP32, pl.MemRef("third‹11›"), pl.Mem.Vec] = pl.tile.exp(third‹10›)
`},
	{"dimensions: declared with their string, and as a parameter; free ones by program", `import pypto.language as pl‹1›
M‹2› = pl.dynamic("M‹2›")
N‹3› = 64
@pl.program
class P‹4›:
    @pl.function(type=pl.FunctionType.InCore)
    def f‹5›(M‹2›: pl.Scalar[pl.INDEX], a‹6›: pl.Tensor[[M‹2›, N‹3›, K‹7›], pl.FP32]):
        N‹8› = 3
        t‹9›: pl.Tile[[N‹3›, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[M‹2›, N‹8›])] = pl.tile.load(a‹6›, [N‹8›, 0], [64, 64])
    @pl.function(type=pl.FunctionType.InCore)
    def g‹10›(b‹11›: pl.Tensor[[K‹7›], pl.FP32]):
        return b‹11›
`},
	{"functions: methods, references to them, bare calls with keywords, peers and their rings", `import pypto.language as pl‹1›
@pl.inline
def twice‹2›(x‹3›):
    return x‹3› + x‹3›
@pl.program
class P‹4›:
    @pl.function(type=pl.FunctionType.AIC)
    def cube‹5›(a‹6›: pl.Tensor[[64, 64], pl.FP32]):
        ring‹7› = pl.system.reserve_buffer(name="ring‹8›", size=4096, base=0)
        b‹9› = twice‹2›(x‹10›=a‹6›)
    @pl.function(type=pl.FunctionType.AIV)
    def vec‹11›(a‹12›: pl.Tensor[[64, 64], pl.FP32]):
        p‹13› = pl.system.import_peer_buffer(name="ring‹8›", peer_func="cube‹5›")
        q‹14› = p‹13›.base
    @pl.function(type=pl.FunctionType.Orchestration)
    def main‹15›(self, a‹16›: pl.Tensor[[64, 64], pl.FP32]):
        out‹17›, tid‹18› = pl.submit(self.vec‹11›, a‹16›)
        c‹19› = self.cube‹5›(a‹16›, attrs={"arg_directions": [pl.adir.input]})
        return c‹19›
`},
	{"broken lines: names on the left are there, the rest goes on", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(a‹2›: pl.Tensor[[64, 64], pl.FP32]):
    x‹3› = pl.tile.load(a‹2›, [0,
    y‹4› = pl.tile.exp(x‹3›)
    z‹5› = = y
    return z‹5›
`},
	{"shorthand of the pass pages", `mem_vec_7‹1›: Ptr = tile.alloc(Vec, 4096)
a‹2›: Tile[[32, 32], FP32, MemRef(mem_vec_7‹1›, -1, 4096)] = tile.load(...)
b‹3›: Tile[[32, 32], FP32, memref=mem_vec_7‹1›] = tile.add(a‹2›, a‹2›)
`},
	{"subscript assignment rebinds", `@pl.function(type=pl.FunctionType.InCore)
def f‹1›(a‹2›: pl.Tensor[[64, 64], pl.FP32], b‹3›: pl.Tensor[[64], pl.FP32]):
    a‹2›[0:64, 0] = b‹3›
    return a‹2›
`},
	{"ordinary Python next to kernels has Python's scopes", `import pypto.language as pl‹1›
N‹2› = 4
def host‹3›(n‹4›):
    for k‹5› in range(n‹4›):
        total‹6› = k‹5› + N‹2›
    return [total‹6› + q‹7› for q‹7› in range(N‹2›) if q‹7›]
@pl.function
def f‹8›(x‹9›: pl.Scalar[pl.INDEX]):
    return x‹9› + N‹2›
`},
}

func TestNames(t *testing.T) {
	for _, c := range nameCases {
		t.Run(c.name, func(t *testing.T) {
			text, want := marked(c.text)
			d := docOf(t, "k.py", text)
			if got, want := remark(text, resolved(d)), remark(text, want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
