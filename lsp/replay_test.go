package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/lsp"
)

// recorded is a session in which a kernel is opened, a name is typed letter by
// letter, and things are asked.
func recorded(t *testing.T) ([]lsp.Recorded, string) {
	t.Helper()
	var file bytes.Buffer
	rec := lsp.NewRecorder(&file)
	s := startPlanned(t, lsp.Options{Record: rec.Message, NoSearch: true})
	s.Optional("textDocument/publishDiagnostics", "workspace/configuration")
	s.initializeWith(obj{"processId": 1, "rootUri": nil, "workspaceFolders": []any{obj{"uri": "file:///home/someone/secret_project", "name": "secret_project"}},
		"capabilities": obj{"workspace": obj{"configuration": true}}})
	const u = "file:///home/someone/secret_project/passes_dump/31_after_MaterializeTensorStrides.py"
	text := strings.NewReplacer("main", "attention_core", " a:", " weights:", "(a, b)", "(weights, b)").Replace(dump)
	text = strings.Replace(text, "        r: ", "        # known to nobody: é漢😀 4711\n        r: ", 1)
	s.open(u, text)
	s.hints(u)
	for i, c := range "gated" {
		s.change(u, i+2, edit(9, 8+i, 9, 8+i+btoi(i == 0), string(c))) // c becomes gated
	}
	s.hints(u)
	s.hoverAt(u, 9, 9)
	s.list("pypto/plan", doc(u), nil)
	s.Call("shutdown", nil, nil)
	s.Notify("exit", nil)
	s.exitCode()
	if err := rec.Err(); err != nil {
		t.Fatal(err)
	}
	list, err := lsp.ReadRecording(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	return list, file.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func replay(t *testing.T, recording []lsp.Recorded) *lsp.ReplayReport {
	t.Helper()
	r, err := lsp.Replay(context.Background(), recording, lsp.Options{Engine: lsp.NewPlanner(analysis.NewEngine(1 << 20)), NoSearch: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReplay: a recorded session plays with the same answers, and one that
// answers otherwise is told.
func TestReplay(t *testing.T) {
	recording, file := recorded(t)
	r := replay(t, recording)
	if len(r.Differences) != 0 || r.Requests != 6 || r.Code != 0 {
		t.Errorf("%+v", r)
	}
	for i := range recording {
		if !recording[i].In {
			recording[i].Message = bytes.Replace(recording[i].Message, []byte("0x04000"), []byte("0x04020"), 1)
		}
	}
	r = replay(t, recording)
	if len(r.Differences) != 2 || r.Differences[0].Method != "textDocument/inlayHint" {
		t.Errorf("%+v", r.Differences)
	}
	// A recording that a crash has cut off.
	cut, err := lsp.ReadRecording(strings.NewReader(file[:len(file)/2]))
	if err != nil || len(cut) == 0 {
		t.Fatalf("%d messages, %v", len(cut), err)
	}
	replay(t, cut)
	if _, err := lsp.ReadRecording(strings.NewReader("nonsense\n{}\n")); err == nil {
		t.Error("nonsense was read")
	}
}

// TestAnonymise: nothing of the names and numbers is left, positions are the
// same, and the session plays.
func TestAnonymise(t *testing.T) {
	recording, _ := recorded(t)
	shown := lsp.Anonymise(recording, "salt")
	var all strings.Builder
	for _, rec := range shown {
		all.Write(rec.Message)
		all.WriteByte('\n')
	}
	for _, secret := range []string{"someone", "secret", "attention", "core", "weights", "gated", "nobody", "4711", "漢字"} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%q is still there", secret)
		}
	}
	var text string
	for _, rec := range shown {
		var m struct {
			Method string
			Params struct{ TextDocument struct{ Text string } }
		}
		if json.Unmarshal(rec.Message, &m); m.Method == "textDocument/didOpen" {
			text = m.Params.TextDocument.Text
		}
	}
	holds(t, "the text", text, "pl.tile.load(", "target_memory=pl.Mem.Vec", "pl.FP32", "# pypto.program: ", "@pl.program\nclass ")
	was := strings.Split(strings.NewReplacer("main", "attention_core", " a:", " weights:", "(a, b)", "(weights, b)").Replace(dump), "\n")
	is := strings.Split(text, "\n")
	for i, l := range was[:10] {
		if len(l) != len(is[i]) {
			t.Errorf("line %d has another length:\n%s\n%s", i+1, l, is[i])
		}
	}
	r := replay(t, shown)
	if r.Requests != 6 || r.Code != 0 {
		t.Errorf("%+v", r)
	}
	// The typed name is one name at each step, and the last text is that of the
	// real session under the map.
	n := 0
	for _, rec := range shown {
		if strings.Contains(string(rec.Message), "textDocument/didChange") {
			n++
		}
	}
	if n != 5 {
		t.Errorf("%d changes", n)
	}
	var other strings.Builder
	for _, rec := range lsp.Anonymise(recording, "pepper") {
		other.Write(rec.Message)
		other.WriteByte('\n')
	}
	if other.String() == all.String() {
		t.Error("the salt changes nothing")
	}
}
