package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tokenText shows the tokens of a document, a line for each of the text:
// `word:type+modifier`.
func tokenText(d *Document) string {
	var b strings.Builder
	line := -1
	for _, i := range d.TokenChunks(0, d.File.Len) {
		e := &d.File.Chunks[i]
		for _, t := range d.Tokens(i) {
			if l := d.File.Line(int(e.Start + t.Start)); l != line {
				if line >= 0 {
					b.WriteString("\n")
				}
				line = l
			} else {
				b.WriteString(" ")
			}
			fmt.Fprintf(&b, "%s:%s", e.Text[t.Start:t.Start+t.Len], TokenTypeNames[t.Type])
			for k, name := range TokenModNames {
				if t.Mods>>k&1 != 0 {
					b.WriteString("+" + name)
				}
			}
		}
	}
	return b.String() + "\n"
}

func TestTokens(t *testing.T) {
	const text = `# head
import pypto.language as pl
M = pl.dynamic("M")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV, attrs={})
    def f(self, a: pl.Out[pl.Tensor[[M, 64], pl.FP32, pl.MemRef("mem_ddr_0", 0, 16384)]]) -> pl.Tensor[[64], pl.FP32]:
        mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        """doc
        more"""
        t: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_1, -1, 16384), pl.Mem.Vec] = pl.tile.load(a, [0, 0], mode='x')
        for i, (acc,) in pl.range(4, init_values=(t,)):
            if not i == 0:
                r = pl.yield_(acc)
        return self.g(r.base, None)  # tail
`
	// By hand: type of each word; a tile's space stands at every use of it.
	want := `# head:comment
import:keyword pypto.language:namespace as:keyword pl:namespace
M:variable+declaration+readonly pl:namespace+defaultLibrary dynamic:function+defaultLibrary ":string M:variable+readonly ":string
pl:namespace+defaultLibrary program:function+defaultLibrary
class:keyword P:class+declaration
pl:namespace+defaultLibrary function:function+defaultLibrary type:parameter pl:namespace+defaultLibrary FunctionType:type+defaultLibrary AIV:enumMember+readonly attrs:parameter+deprecated
def:keyword f:function+declaration self:parameter+readonly a:parameter+declaration+ddr pl:namespace+defaultLibrary Out:type+defaultLibrary pl:namespace+defaultLibrary Tensor:type+defaultLibrary M:variable+readonly 64:number pl:namespace+defaultLibrary FP32:type+defaultLibrary pl:namespace+defaultLibrary MemRef:type+defaultLibrary ":string mem_ddr_0:variable+ddr ":string 0:number 16384:number pl:namespace+defaultLibrary Tensor:type+defaultLibrary 64:number pl:namespace+defaultLibrary FP32:type+defaultLibrary
mem_vec_1:variable+declaration+vec pl:namespace+defaultLibrary Ptr:type+defaultLibrary pl:namespace+defaultLibrary tile:namespace+defaultLibrary alloc:function+defaultLibrary pl:namespace+defaultLibrary Mem:type+defaultLibrary Vec:enumMember+readonly+vec 16384:number
"""doc:string
        more""":string
t:variable+declaration+vec pl:namespace+defaultLibrary Tile:type+defaultLibrary 64:number 64:number pl:namespace+defaultLibrary FP32:type+defaultLibrary pl:namespace+defaultLibrary MemRef:type+defaultLibrary mem_vec_1:variable+vec 1:number 16384:number pl:namespace+defaultLibrary Mem:type+defaultLibrary Vec:enumMember+readonly+vec pl:namespace+defaultLibrary tile:namespace+defaultLibrary load:function+defaultLibrary a:parameter+ddr 0:number 0:number mode:parameter 'x':string
for:keyword i:variable+declaration+readonly acc:variable+declaration+vec in:keyword pl:namespace+defaultLibrary range:function+defaultLibrary 4:number init_values:parameter t:variable+vec
if:keyword not:keyword i:variable+readonly 0:number
r:variable+declaration+vec pl:namespace+defaultLibrary yield_:function+defaultLibrary acc:variable+vec
return:keyword self:parameter+readonly g:function r:variable base:property None:keyword # tail:comment
`
	got := tokenText(docOf(t, "k.py", text))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := docOf(t, "x.py", "import os\nx = 1\n").TokenChunks(0, 99); got != nil {
		t.Errorf("ordinary Python has tokens: %v", got)
	}
}

// TestTokenKey: the key changes when a name's kind or a tile's space does, and
// not when the document grows elsewhere.
func TestTokenKey(t *testing.T) {
	const f = `@pl.function(type=pl.FunctionType.InCore)
def f(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Tensor[[64, 64], pl.FP32]):
    t = pl.tile.load(a, [0, 0], [N, 64], target_memory=pl.Mem.%s)
    r = pl.tile.store(t, [0, 0], o)
    return r
`
	key := func(head, space string) uint64 {
		d := docOf(t, "k.py", head+fmt.Sprintf(f, space))
		return d.TokenKey(len(d.File.Chunks) - 1)
	}
	base := key("N = 64\n", "Vec")
	if got := key("\n# comment\n\nN = 32\n", "Vec"); got != base {
		t.Error("an edit elsewhere changes the key")
	}
	if got := key("N = 64\n", "Mat"); got == base {
		t.Error("another space, the same key")
	}
	if got := key("def N(): pass\n", "Vec"); got == base {
		t.Error("another kind of name, the same key")
	}
}
