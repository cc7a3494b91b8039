package lsp_test

import (
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/analysis"
	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

func init() {
	fake.Newer("pypto/plan", "pypto/irAfter", "pypto/status", "pypto/planChanged")
}

// planned begins a session with the real engine.
func planned(t *testing.T, caps obj) *session {
	t.Helper()
	s := startPlanned(t, lsp.Options{})
	s.initialize(caps)
	return s
}

func startPlanned(t *testing.T, opts lsp.Options) *session {
	t.Helper()
	s := &session{t: t, code: make(chan int, 1)}
	server, client := net.Pipe()
	if opts.Engine == nil {
		opts.Engine = lsp.NewPlanner(analysis.NewEngine(64 << 20))
	}
	go func() { s.code <- lsp.Serve(context.Background(), server, opts) }()
	s.Editor = fake.New(t, client)
	return s
}

// dump is what the tests edit: a and b are live together. [64, 64] FP32 is
// 64·64·4 = 16,384 B: a at 0, b at 0x4000.
const dump = `# pypto.program: P
import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def main(self, x: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(a, b)
        r: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(c, [0, 0], y)
        return r
`

const dumpURI = "file:///ws/passes_dump/31_after_MaterializeTensorStrides.py"

// section is one section of a recorded case.
func section(t testing.TB, name, file string) string {
	t.Helper()
	text, ok := findSection(t, name, file)
	if !ok {
		t.Fatalf("%s has no %s", name, file)
	}
	return text
}

// findSection is section for one that may be missing.
func findSection(t testing.TB, name, file string) (string, bool) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("..", "test", "testdata", "corpus", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == file {
			return string(f.Data), true
		}
	}
	return "", false
}

func corpusNames(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "test", "testdata", "corpus", "*.txtar"))
	if err != nil || len(paths) < 60 {
		t.Fatalf("%d corpus cases, %v", len(paths), err)
	}
	for i, p := range paths {
		paths[i] = strings.TrimSuffix(filepath.Base(p), ".txtar")
	}
	return paths
}

// errors are the messages of severity Error of the next publication.
func (s *session) errors(uri string, version int) []string {
	s.t.Helper()
	var out []string
	for _, d := range s.diagnostics(uri, version).Diagnostics {
		if d.Severity == 1 {
			out = append(out, d.Message)
		}
	}
	return out
}

type inlayHint struct {
	Position struct{ Line, Character int }
	Label    []struct {
		Value    string
		Location *struct {
			URI   string
			Range struct{ Start struct{ Line, Character int } }
		}
	}
	Tooltip *struct{ Value string }
	Data    json.RawMessage `json:",omitempty"`
}

func (h *inlayHint) text() string {
	var b strings.Builder
	for _, p := range h.Label {
		b.WriteString(p.Value)
	}
	return b.String()
}

// hints are the hints of the whole document by 1-based line.
func (s *session) hints(uri string) map[int]string {
	s.t.Helper()
	var list []inlayHint
	if err := s.Call("textDocument/inlayHint", all(uri), &list); err != nil {
		s.t.Fatal(err)
	}
	out := map[int]string{}
	for i := range list {
		line := list[i].Position.Line + 1
		if out[line] != "" {
			out[line] += " | "
		}
		out[line] += list[i].text()
	}
	return out
}

// TestPlannerEdit: addresses and overflow follow an edit and a switch of the
// platform. [64, 384] FP32 is 98,304 B: b at 0x18000, 196,608 B in all; Vec has
// 188,416 B on Ascend910B and 245,760 B on Ascend950.
func TestPlannerEdit(t *testing.T) {
	s := planned(t, utf8)
	s.open(dumpURI, dump)
	if e := s.errors(dumpURI, 1); len(e) != 0 {
		t.Fatalf("errors %q", e)
	}
	want := func(line int, text string) {
		t.Helper()
		if got := s.hints(dumpURI)[line]; got != text {
			t.Errorf("line %d: %q, want %q", line, got, text)
		}
	}
	want(7, "Vec 32,768 / 188,416 B (17 %)")
	want(8, "▸Vec 0x00000 +16 KiB")
	want(9, "▸Vec 0x04000 +16 KiB")
	want(10, "▸Vec 0x00000 +16 KiB") // c takes a's place: add may work in place
	s.change(dumpURI, 2, whole(strings.ReplaceAll(dump, "[64, 64]", "[64, 384]")))
	const message = "Vec buffer usage (196608 bytes) exceeds platform limit (188416 bytes)"
	for _, advised := range []bool{false, true} { // what has to be tried out comes after the rest
		if e := s.errors(dumpURI, 2); len(e) != 1 || !strings.HasPrefix(e[0], message+"\n\n") || strings.Contains(e[0], "smallest single change") != advised {
			t.Errorf("errors %q, advice wanted: %v", e, advised)
		}
	}
	want(9, "▸Vec 0x18000 +96 KiB")
	var now struct{ Platform, Planner string }
	run := func(command string, arg obj) {
		t.Helper()
		if err := s.Call("workspace/executeCommand", obj{"command": command, "arguments": []any{arg}}, &now); err != nil {
			t.Fatal(err)
		}
	}
	run("pypto-ls.switchPlatform", obj{"platform": "Ascend950"})
	if now.Platform != "Ascend950" || now.Planner != "PYPTO" {
		t.Errorf("now %+v", now)
	}
	if e := s.errors(dumpURI, 2); len(e) != 0 {
		t.Errorf("errors on Ascend950: %q", e)
	}
	want(7, "Vec 196,608 / 245,760 B (80 %)")
	run("pypto-ls.switchPlatform", obj{"platform": "Ascend910B"})
	if e := s.errors(dumpURI, 2); len(e) != 1 {
		t.Errorf("errors %q", e)
	}
	for _, bad := range []obj{{"platform": "Ascend1"}, {}} {
		if err := s.Call("workspace/executeCommand", obj{"command": "pypto-ls.switchPlatform", "arguments": []any{bad}}, nil); err == nil || err.Code != -32602 {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if err := s.Call("workspace/executeCommand", obj{"command": "pypto-ls.switchPlanner", "arguments": []any{obj{"planner": "X"}}}, nil); err == nil || !strings.Contains(err.Message, "PYPTO, DSA_RP, PTOAS") {
		t.Errorf("%v", err)
	}
}
