package analysis

import (
	"sort"
	"strings"
	"testing"
)

// cursor takes the `|` out of a text.
func cursor(t testing.TB, text string) (string, int) {
	t.Helper()
	i := strings.Index(text, "¦")
	if i < 0 {
		t.Fatal("no cursor")
	}
	return text[:i] + text[i+len("¦"):], i
}

func completions(t testing.TB, text string) []Completion {
	t.Helper()
	plain, off := cursor(t, text)
	out := docOf(t, "k.py", plain).Complete(off)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Sort < out[j].Sort })
	for _, c := range out {
		if int(c.Span.End) != off || c.Span.Start > c.Span.End {
			t.Errorf("%s replaces %v, the cursor is at %d", c.Label, c.Span, off)
		}
	}
	return out
}

const completionHead = `import pypto.language as pl
M = pl.dynamic("M")
ring = pl.MemRef(slots=2)
@pl.inline
def twice(x, y):
    return x
@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self, a: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[64, 64], pl.FP32]:
        r = pl.system.reserve_buffer(name="slots", size=4096, base=0)
        return a
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, a: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Tensor[[64, 64], pl.FP32]):
        v1 = pl.tile.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        m1 = pl.tile.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        v2 = pl.tile.exp(v1)
`

const completionTail = `
        w = pl.tile.exp(v2)
        return w
`

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		name, at string
		first    string // the first labels in order
		has, not string // labels that are there, or not
	}{
		{"after pl. in an expression: operators and words", "        x = pl.¦", "abs add", "matmul tile tensor FP32 Mem Tile range yield_ const load", "self v1"},
		{"after pl. with letters typed", "        x = pl.loa¦", "abs", "load", ""},
		{"operators of a namespace", "        x = pl.tile.¦", "abs", "load matmul exp store muls and_", "FP32 aic_initialize_pipe"},
		{"operators of tensors", "        x = pl.tensor.¦", "", "create matmul add", "load mgather_nothing"},
		{"operators of the system", "        pl.system.¦", "aic_initialize_pipe", "reserve_buffer sync_src", "load"},
		{"in the middle of a word", "        x = pl.tile.lo¦ad(a)", "abs", "load", ""},
		{"memory spaces", "        x = pl.tile.load(a, [0, 0], [64, 64], target_memory=pl.Mem.¦", "DDR Vec Mat", "Acc Bias", "FP32 ScalarLocal"},
		{"a decorator", "        return a\n    @pl.¦\n    def z(): pass", "program function inline jit", "", ""},
		{"members of an enumeration", "        return a\n    @pl.function(type=pl.FunctionType.¦)", "Opaque Orchestration InCore", "AIV", "Vec"},
		{"arguments of a decorator", "        return a\n    @pl.function(¦)", "type= level= role=", "auto_scope=", "target_memory="},
		{"values of a decorator's argument", "        return a\n    @pl.function(type=¦)", "pl.FunctionType.Opaque", "pl.FunctionType.AIV", ""},
		{"tiles in the space that the operand accepts first", "        x = pl.tile.exp(¦)", "v2 v1", "m1 a n", ""},
		{"a tensor where a tensor is due", "        x = pl.tile.load(¦", "o a", "v1 m1 n valid_shape= target_memory=", ""},
		{"keyword arguments once the operands are given", "        x = pl.tile.load(a, [0, 0], [64, 64], ¦", "valid_shape=", "target_memory=", "tensor="},
		{"given keywords are not proposed again", "        x = pl.tile.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Vec, ¦)", "valid_shape= clamp=", "", "target_memory= pl.Mem.Vec"},
		{"values of a keyword: memory spaces", "        x = pl.tile.load(a, [0, 0], [64, 64], target_memory=¦", "pl.Mem.DDR pl.Mem.Vec", "", ""},
		{"values of a keyword: dtypes", "        x = pl.tile.create([64, 64], dtype=¦)", "pl.FP32", "pl.INT8", ""},
		{"values of a keyword: rounding modes", "        x = pl.cast(v1, pl.FP16, mode=¦)", "'none' 'rint' 'round'", "", ""},
		{"values of a positional parameter: dtypes", "        x = pl.cast(v1, ¦)", "pl.FP32", "", ""},
		{"matrix operand", "        x = pl.tile.move(¦)", "", "v1 m1", ""},
		{"keywords of a loop", "        for i in pl.pipeline(4, ¦", "init_values= attrs= stage=", "n", "start="},
		{"after for in: loops first", "        for i in pl.¦", "range parallel unroll pipeline", "", ""},
		{"after with: scopes first", "        with pl.¦", "spmd at cluster scope", "", ""},
		{"types in an annotation", "        x: pl.¦ = v1", "Tensor Tile Scalar", "FP32 Mem", ""},
		{"dtype in a type", "        x: pl.Tile[[64, 64], pl.F¦", "", "FP32 FP16", ""},
		{"functions of the program", "        x = self.¦", "cube", "", "main twice a"},
		{"a statement", "        ¦", "v2 m1 v1", "M ring twice for return pl self", "P"},
		{"an expression", "        x = v1 + ¦", "", "v1 n M twice", "return"},
		{"names defined later are not there", "        x = ¦", "", "v1", "w x"},
		{"a slot of a declared allocation", "        x: pl.Tile[[64, 64], pl.FP32, ri¦ng[0]] = v1", "", "ring pl", ""},
		{"names of functions in strings", "        b = pl.system.import_peer_buffer(name=\"slots\", peer_func=\"¦\")", "cube", "", "main v1"},
		{"names of reserved buffers in strings", "        b = pl.system.import_peer_buffer(name=\"¦\", peer_func=\"cube\")", "slots", "", "cube"},
		{"an unclosed string", "        x = pl.cast(v1, pl.FP16, mode='r¦", "none rint", "", ""},
		{"nothing in a comment", "        x = v1  # pl.¦", "", "", "load"},
		{"nothing in a number", "        x = v1 + 12¦", "", "", "v1"},
		{"element type", "        x = pl.FP32.¦", "get_byte", "", "load"},
		{"metadata of a buffer", "        x = m1.¦", "base", "", "load"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := completions(t, completionHead+c.at+completionTail)
			labels := map[string]bool{}
			var list []string
			for _, x := range got {
				labels[x.Label] = true
				list = append(list, x.Label)
			}
			all := strings.Join(list, " ") + " "
			if !strings.HasPrefix(all, c.first) {
				t.Errorf("begins with %.120s, want %s", all, c.first)
			}
			for _, w := range strings.Fields(c.has) {
				if !labels[w] {
					t.Errorf("no %s in %.400s", w, all)
				}
			}
			for _, w := range strings.Fields(c.not) {
				if labels[w] {
					t.Errorf("%s is proposed", w)
				}
			}
		})
	}
}

func TestCompleteScopes(t *testing.T) {
	for _, c := range []struct{ at, has, not string }{
		{"        for i, (acc,) in pl.range(4, init_values=(v1,)):\n            u = ¦\n            r = pl.yield_(u)", "acc i v1", "u r"},
		{"        for i, (acc,) in pl.range(4, init_values=(v1,)):\n            u = acc\n            r = pl.yield_(u)\n        z = ¦", "r v1", "acc u i"},
		{"        if n == 0:\n            q = n + 1\n        z = ¦", "q", ""},
		{"        for i in pl.range(4):\n            q = n + 1\n            ¦", "q i", ""},
		{"        for i, (acc,) in pl.range(4, init_values=(v1,)):\n            u = acc\n            ¦", "acc u i", ""},
	} {
		labels := map[string]bool{}
		for _, x := range completions(t, completionHead+c.at+completionTail) {
			labels[x.Label] = true
		}
		for _, w := range strings.Fields(c.has) {
			if !labels[w] {
				t.Errorf("%q: no %s", c.at, w)
			}
		}
		for _, w := range strings.Fields(c.not) {
			if labels[w] {
				t.Errorf("%q: %s is proposed", c.at, w)
			}
		}
	}
}

// TestCompleteItem: what is inserted, shown and documented.
func TestCompleteItem(t *testing.T) {
	find := func(at, label string) Completion {
		for _, x := range completions(t, completionHead+at+completionTail) {
			if x.Label == label {
				return x
			}
		}
		t.Errorf("%q: no %s", at, label)
		return Completion{}
	}
	x := find("        x = pl.tile.¦", "load")
	if x.Snippet != "load(${1:tensor}, ${2:offsets}, ${3:shapes})" || !strings.HasPrefix(x.Detail, "pl.tile.load(tensor: tensor, offsets: int-tuple") {
		t.Errorf("load: %q %q", x.Snippet, x.Detail)
	}
	if doc := CompletionDoc(x.Topic); !strings.Contains(doc, "memory: ") || !strings.Contains(doc, "target_memory") {
		t.Errorf("documentation of load: %q", doc)
	}
	if doc := CompletionDoc("op:pl.no_such") + CompletionDoc("nonsense"); doc != "" {
		t.Errorf("documentation of nothing: %q", doc)
	}
	if x = find("        x = self.¦", "cube"); x.Snippet != "cube(${1:a}, ${2:n})" || !strings.Contains(x.Detail, "AIC function") {
		t.Errorf("cube: %+v", x)
	}
	if x = find("        x = ¦", "twice"); x.Snippet != "twice(${1:x}, ${2:y})" {
		t.Errorf("twice: %+v", x)
	}
	if x = find("        x = ¦", "v1"); x.Detail != "[64, 64] FP32 in Vec" {
		t.Errorf("v1: %+v", x)
	}
	if x = find("        x = ¦", "a"); x.Detail != "pl.Tensor[[64, 64], pl.FP32]" {
		t.Errorf("a: %+v", x)
	}
	if x = find("        x = pl.Mem.¦", "Vec"); !strings.HasSuffix(x.Detail, "on Ascend910B") {
		t.Errorf("Vec: %+v", x)
	}
	if got := completions(t, "import os\nos.¦\n"); got != nil {
		t.Errorf("ordinary Python gets %v", got)
	}
}

func TestSignature(t *testing.T) {
	for _, c := range []struct{ at, label, active string }{
		{"        x = pl.tile.load(¦", "pl.tile.load(", "tensor: tensor"},
		{"        x = pl.tile.load(a, ¦", "pl.tile.load(", "offsets: int-tuple"},
		{"        x = pl.tile.load(a, [0, ¦0], [64, 64])", "pl.tile.load(", "offsets: int-tuple"},
		{"        x = pl.tile.load(a, [0, 0], [64, 64], target_memory=¦)", "pl.tile.load(", "target_memory: MemorySpace = "},
		{"        x = pl.tile.add(pl.tile.exp(v1¦), v2)", "pl.tile.exp(", "tile: tile"},
		{"        x = pl.tile.add(pl.tile.exp(v1), ¦v2)", "pl.tile.add(", "rhs: tile"},
		{"        x = self.cube(a, ¦)", "self.cube(a: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], *, attrs = …)", "n: pl.Scalar[pl.INDEX]"},
		{"        x = twice(a, y=¦)", "twice(x, y)", "y"},
		{"        for i in pl.range(¦", "pl.range(start = …, stop, step = …", "stop"},
		{"        for i in pl.range(0, ¦", "pl.range(", "stop"},
		{"        x = pl.yield_(a, v1, ¦)", "pl.yield_(*values)", "*values"},
		{"        x = v1¦", "", ""},
		{"        x = unknown(¦)", "", ""},
		{"        x = pl.tile.exp(v1)¦", "", ""},
	} {
		plain, off := cursor(t, completionHead+c.at+completionTail)
		s, ok := docOf(t, "k.py", plain).SignatureAt(off)
		if !ok {
			if c.label != "" {
				t.Errorf("%q: no signature", c.at)
			}
			continue
		}
		if !strings.HasPrefix(s.Label, c.label) || c.label == "" {
			t.Errorf("%q: %s, want %s", c.at, s.Label, c.label)
			continue
		}
		got := ""
		if s.Active >= 0 {
			sp := s.Params[s.Active].Span
			got = s.Label[sp.Start:sp.End]
		}
		if !strings.HasPrefix(got, c.active) || c.active == "" {
			t.Errorf("%q: active %q, want %q", c.at, got, c.active)
		}
	}
}
