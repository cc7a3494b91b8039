package lsp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
	runes "unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp"
)

// The oracle of incrementality: after every random edit the server that has
// followed all of them tells byte for byte what a new server tells of the text.
var (
	oracleEdits = flag.Int("oracle.edits", 600, "random edits over all documents; 100000 are the full test")
	oracleSeed  = flag.Uint64("oracle.seed", 0, "seed of the edits; 0 takes one from the clock")
)

// oracleModule is full of what one function may depend on outside its text.
const oracleModule = `import pypto.language as pl

N = 64
M = N * 2
ROWS = pl.dynamic("ROWS")
BUF = pl.MemRef(slots=2)


@pl.inline
def scaled(t, k: pl.Scalar[pl.FP32]):
    return pl.mul(t, k)


@pl.inline
def twice(t):
    return scaled(pl.add(t, t), 2.0)


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def first(self, x: pl.Tensor[[N, 64], pl.FP32], y: pl.Out[pl.Tensor[[N, 64], pl.FP32]]):
        a = pl.load(x, [0, 0], [N, 64])
        b = twice(a)
        return pl.store(b, [0, 0], y)

    @pl.function(type=pl.FunctionType.InCore)
    def second(self, x: pl.Tensor[[ROWS, M], pl.FP32], y: pl.Out[pl.Tensor[[ROWS, M], pl.FP32]]) -> pl.Tensor[[ROWS, M], pl.FP32]:
        t = pl.load(x, [0, 0], [32, M])
        for i in pl.pipeline(4, stage=2):
            u = pl.load(x, [i * 32, 0], [32, M])
            t = pl.add(t, u)
        return pl.store(t, [0, 0], y)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[N, 64], pl.FP32], y: pl.Out[pl.Tensor[[N, 64], pl.FP32]]):
        z = self.first(x, y)
        w = self.first(z, y)
        return w


@pl.function(type=pl.FunctionType.InCore)
def alone(x: pl.Tensor[[N, M], pl.FP16], y: pl.Out[pl.Tensor[[N, M], pl.FP16]]) -> pl.Tensor[[N, M], pl.FP16]:
    a = pl.load(x, [0, 0], [N, M])
    if N > 32:
        b = pl.exp(a)
    else:
        b = pl.add(a, a)
    return pl.store(b, [0, 0], y)
`

const oracleOrdinary = "import os\n\nN = 3\n\n\ndef f(x, y=2):\n    return [x * y for _ in range(N)]\n\n\nclass C:\n    def g(self) -> int:\n        return f(1)\n"

// oracleTexts are the documents: recorded dumps of three stages, hand-written
// kernels, and modules.
func oracleTexts(t *testing.T) []string {
	texts := []string{oracleModule, oracleOrdinary, dump, "# pypto-ls: planner=DSA_RP\n" + dump, strings.ReplaceAll(oracleModule, "\n", "\r\n")}
	for i, name := range corpusNames(t) {
		stage := []string{"frontend.py", "after_MaterializeTensorStrides.py", "frontend.py", "after_InitMemRef.py"}[i%4]
		text, ok := findSection(t, name, stage)
		if !ok || i%3 != 0 || len(text) > 12000 {
			continue
		}
		parts := strings.Split(name, ".")
		texts = append(texts, fmt.Sprintf("# pypto-ls: platform=%s planner=%s\n%s", parts[1], parts[2], text))
	}
	if len(texts) < 20 {
		t.Fatalf("only %d documents", len(texts))
	}
	return texts
}

// TestOracle is the oracle; the seed is printed so that a failure can be
// repeated.
func TestOracle(t *testing.T) {
	seed := *oracleSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d, %d edits", seed, *oracleEdits)
	texts := oracleTexts(t)
	each := max(*oracleEdits/len(texts), 1)
	for i, text := range texts {
		o := &oracle{r: rand.New(rand.NewPCG(seed, uint64(i))), original: text, others: texts}
		for done := 0; done < each && !t.Failed(); done += 40 { // sessions end with their subtest
			t.Run(fmt.Sprintf("document %d edits %d", i, done), func(t *testing.T) { o.run(t, min(40, each-done)) })
		}
	}
}

// oracle is one document under random edits.
type oracle struct {
	r        *rand.Rand
	original string
	others   []string
	text     string
	history  []string
	log      []string
}

// edit is one change: the bytes [from, to) become text.
type change struct {
	from, to int
	text     string
}

func (o *oracle) run(t *testing.T, n int) {
	o.text, o.history, o.log = o.original, nil, nil
	s := startPlanned(t, lsp.Options{NoSearch: true})
	s.Optional("textDocument/publishDiagnostics", "window/logMessage")
	s.initialize(utf8)
	s.open(uri, o.text)
	for v := 2; v < n+2; v++ {
		var changes []obj
		for range 1 + o.r.IntN(8)/7*o.r.IntN(3) {
			changes = append(changes, o.apply(o.pick()))
		}
		s.change(uri, v, changes...)
		if o.r.IntN(3) == 0 {
			continue // the next edit comes before anything is asked
		}
		got, want := answers(s), o.fresh(t)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after edit %d the server tells something else than a new one (-new +incremental):\n%.4000s\nedits:\n%s", v, diff, strings.Join(o.log, "\n"))
			if file := os.Getenv("ORACLE_TEXT"); file != "" {
				os.WriteFile(file, []byte(o.text), 0o600)
			}
			return
		}
	}
}

// fresh are the answers of a server that opens the text as it is.
func (o *oracle) fresh(t *testing.T) map[string]string {
	s := startPlanned(t, lsp.Options{NoSearch: true})
	s.Optional("textDocument/publishDiagnostics", "window/logMessage")
	s.initialize(utf8)
	s.open(uri, o.text)
	defer func() { s.Notify("exit", nil); <-s.code }()
	return answers(s)
}

func answers(s *session) map[string]string {
	out := map[string]string{}
	for method, params := range map[string]obj{"textDocument/diagnostic": doc(uri), "textDocument/inlayHint": all(uri), "textDocument/documentSymbol": doc(uri)} {
		var raw json.RawMessage
		s.list(method, params, &raw)
		out[method] = string(raw)
	}
	return out
}

// apply makes an edit and says it as a client does.
func (o *oracle) apply(c change) obj {
	o.log = append(o.log, fmt.Sprintf("  [%d, %d) %q", c.from, c.to, c.text))
	from, to := o.position(c.from), o.position(c.to)
	o.history = append(o.history, o.text)
	o.text = o.text[:c.from] + c.text + o.text[c.to:]
	return obj{"range": obj{"start": from, "end": to}, "text": c.text}
}

// position is the place of an offset, counted in bytes.
func (o *oracle) position(off int) obj {
	line, start := 0, 0
	for i := 0; i < off; i++ {
		if o.text[i] == '\n' || o.text[i] == '\r' && (i+1 == len(o.text) || o.text[i+1] != '\n') {
			line, start = line+1, i+1
		}
	}
	return obj{"line": line, "character": off - start}
}

// boundary moves an offset to where an editor's cursor can be.
func (o *oracle) boundary(off int) int {
	off = max(0, min(off, len(o.text)))
	for off > 0 && off < len(o.text) && !runes.RuneStart(o.text[off]) {
		off--
	}
	if off > 0 && off < len(o.text) && o.text[off-1] == '\r' && o.text[off] == '\n' {
		off--
	}
	return off
}

func (o *oracle) anywhere() int { return o.boundary(o.r.IntN(len(o.text) + 1)) }

// line is a random line with its end.
func (o *oracle) line() (from, to int) {
	from = strings.LastIndexByte(o.text[:o.anywhere()], '\n') + 1
	if n := strings.IndexByte(o.text[from:], '\n'); n >= 0 {
		return from, from + n + 1
	}
	return from, len(o.text)
}

var oracleKeys = []string{"a", "x", "_", "0", "7", "4", " ", ".", ",", "(", ")", "[", "]", "\"", "'", "\"\"\"", "#", ":", "=", "\n", "\n    ", "\n        ", "\\", "é", "😀", "\r\n", "\r", "\t", "@", "->"}

// pick chooses the next edit.
func (o *oracle) pick() change {
	if len(o.text) > 2*len(o.original)+400 || len(o.history) > 12 && o.r.IntN(12) == 0 {
		return change{0, len(o.text), o.original}
	}
	switch k := o.r.IntN(20); {
	case k < 5: // a key
		at := o.anywhere()
		return change{at, at, oracleKeys[o.r.IntN(len(oracleKeys))]}
	case k < 7: // backspace
		at := o.anywhere()
		return change{o.boundary(at - 1), at, ""}
	case k < 9: // a line goes
		from, to := o.line()
		return change{from, to, ""}
	case k < 10: // several lines go
		from, _ := o.line()
		_, to := o.line()
		return change{min(from, to), max(from, to), ""}
	case k < 11: // a line is pasted
		from, to := o.line()
		at, _ := o.line()
		return change{at, at, o.text[from:to]}
	case k < 12: // text of another document is pasted
		other := o.others[o.r.IntN(len(o.others))]
		from := strings.LastIndexByte(other[:o.r.IntN(len(other))], '\n') + 1
		to := min(len(other), from+o.r.IntN(400))
		at, _ := o.line()
		return change{at, at, strings.ToValidUTF8(other[from:to], "")}
	case k < 15: // undo
		if n := len(o.history); n > 0 {
			return o.difference(o.history[max(0, n-1-o.r.IntN(3))])
		}
		return o.number()
	case k < 18: // a number, in a body or of the module
		return o.number()
	default: // a name becomes another
		return o.word()
	}
}

// difference is the edit that leads back to a text.
func (o *oracle) difference(to string) change {
	a := 0
	for a < min(len(o.text), len(to)) && o.text[a] == to[a] {
		a++
	}
	b := 0
	for b < min(len(o.text), len(to))-a && o.text[len(o.text)-1-b] == to[len(to)-1-b] {
		b++
	}
	from := o.boundary(a)
	end := len(o.text) - b
	for end < len(o.text) && (o.boundary(end) != end || !runes.RuneStart(o.text[end])) {
		end++
	}
	return change{from, end, to[from : len(to)-(len(o.text)-end)]}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// run is a random run of bytes of a kind; empty when there is none nearby.
func (o *oracle) span(kind func(byte) bool) (from, to int) {
	from = o.anywhere()
	for from < len(o.text) && !kind(o.text[from]) {
		from++
	}
	to = from
	for from > 0 && kind(o.text[from-1]) {
		from--
	}
	for to < len(o.text) && kind(o.text[to]) {
		to++
	}
	return from, to
}

func (o *oracle) number() change {
	from, to := o.span(isDigit)
	return change{from, to, []string{"0", "1", "16", "32", "48", "64", "128", "384", "4096"}[o.r.IntN(9)]}
}

func (o *oracle) word() change {
	from, to := o.span(isLetter)
	other, end := o.span(isLetter)
	return change{from, to, o.text[other:end]}
}
