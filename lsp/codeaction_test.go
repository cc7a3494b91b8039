package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp"
	"pypto-ls/lsp/internal/convert"
)

// ringDump: 8 slots of 65536 B fill Mat, the tile of 8192 B is too much; 7 slots
// leave 466944 B (spec 09 §11.2).
const ringDump = `# pypto.program: P
import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def k_aic(w: pl.Tensor[[64, 64], pl.BF16]):
        k_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_v2c_slot_buffer', size=524288, base=-1)
        pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), k_v2c_slot_buffer, dir_mask=2, slot_size=65536, slot_num=8)
        b: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        c: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b, target_memory=pl.Mem.Right)
`

const ringTitle = "Set cross_core_slot(slot_num=7): Mat 466,944 / 524,288 B"

// actionCaps is an editor that resolves edits and takes them by version.
var actionCaps = obj{
	"general": obj{"positionEncodings": []string{"utf-8"}},
	"textDocument": obj{"codeAction": obj{
		"codeActionLiteralSupport": obj{"codeActionKind": obj{"valueSet": []string{"quickfix", "refactor", "source"}}},
		"dataSupport":              true, "isPreferredSupport": true, "resolveSupport": obj{"properties": []string{"edit"}},
	}},
	"workspace": obj{"workspaceEdit": obj{"documentChanges": true}},
}

type textEdit struct {
	Range struct {
		Start, End struct{ Line, Character int }
	}
	NewText string
}

type action struct {
	Title, Kind string
	IsPreferred bool
	Diagnostics []struct{ Code, Message string }
	Edit        *struct {
		Changes         map[string][]textEdit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []textEdit
		}
	}
	Data json.RawMessage
}

func (s *session) actions(uri string, line int, only ...string) []action {
	s.t.Helper()
	c := obj{"diagnostics": []obj{}, "triggerKind": 1}
	if len(only) > 0 {
		c["only"] = only
	}
	var got []action
	pos := obj{"line": line, "character": 9}
	if err := s.Call("textDocument/codeAction", obj{"textDocument": obj{"uri": uri}, "range": obj{"start": pos, "end": pos}, "context": c}, &got); err != nil {
		s.t.Fatal(err)
	}
	return got
}

// resolved is the action with its edit.
func (s *session) resolved(a action) action {
	s.t.Helper()
	var out action
	if err := s.Call("codeAction/resolve", obj{"title": a.Title, "kind": a.Kind, "data": a.Data}, &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// applied makes edits, of which the columns are bytes.
func applied(text string, edits []textEdit) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(l, c int) int { return len(strings.Join(lines[:l], "")) + c }
	for i := len(edits) - 1; i >= 0; i-- {
		r := edits[i].Range
		text = text[:offset(r.Start.Line, r.Start.Character)] + edits[i].NewText + text[offset(r.End.Line, r.End.Character):]
	}
	return text
}

// TestRingFixInEditor: the preferred fix of an overflow is resolved, applied by
// version, and the overflow is gone; an action of the text before is refused.
func TestRingFixInEditor(t *testing.T) {
	s := planned(t, actionCaps)
	s.openAs(uri, ringDump, 3)
	if got := s.diagnostics(uri, 3); len(got.Diagnostics) == 0 || got.Diagnostics[0].Code != "capacity" {
		t.Fatalf("%+v", got)
	}
	list := s.actions(uri, 6, "quickfix")
	if len(list) != 7 {
		t.Fatalf("%d actions, want the depths 7 to 1", len(list))
	}
	first := list[0]
	if first.Title != ringTitle || !first.IsPreferred || first.Kind != "quickfix" || first.Edit != nil || len(first.Diagnostics) != 1 || first.Diagnostics[0].Code != "capacity" {
		t.Errorf("%+v", first)
	}
	for _, a := range list[1:] {
		if a.IsPreferred {
			t.Errorf("%q is preferred too", a.Title)
		}
	}
	full := s.resolved(first)
	if full.Edit == nil || len(full.Edit.DocumentChanges) != 1 || full.Edit.Changes != nil {
		t.Fatalf("%+v", full)
	}
	change := full.Edit.DocumentChanges[0]
	if change.TextDocument.URI != uri || change.TextDocument.Version == nil || *change.TextDocument.Version != 3 {
		t.Errorf("%+v", change.TextDocument)
	}
	after := applied(ringDump, change.Edits)
	want := strings.NewReplacer("size=524288", "size=458752", "slot_num=8", "slot_num=7").Replace(ringDump)
	if diff := cmp.Diff(want, after); diff != "" {
		t.Error(diff)
	}
	s.change(uri, 4, whole(after))
	for _, d := range s.diagnostics(uri, 4).Diagnostics {
		if strings.HasPrefix(d.Code, "capacity") {
			t.Errorf("%+v", d)
		}
	}
	if got := s.actions(uri, 6, "quickfix"); len(got) != 0 {
		t.Errorf("still offered: %+v", got)
	}
	err := s.Call("codeAction/resolve", obj{"title": first.Title, "kind": first.Kind, "data": first.Data}, nil)
	wantCode(t, err, -32801)
}

// TestActionsOfPlainClients: without resolve the edit comes at once, as plain
// changes; without action literals there are none.
func TestActionsOfPlainClients(t *testing.T) {
	s := planned(t, obj{"textDocument": obj{"codeAction": obj{"codeActionLiteralSupport": obj{"codeActionKind": obj{"valueSet": []string{"quickfix"}}}}}})
	s.Optional("textDocument/publishDiagnostics")
	s.open(uri, ringDump)
	list := s.actions(uri, 6, "quickfix")
	if len(list) != 7 || list[0].Edit == nil || len(list[0].Edit.Changes[uri]) != 2 {
		t.Errorf("%+v", list)
	}
	old := planned(t, obj{})
	old.Optional("textDocument/publishDiagnostics")
	old.open(uri, ringDump)
	if list := old.actions(uri, 6); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// TestRingFixInSource: a dump leads to the scope in a file of the workspace that
// is not open.
func TestRingFixInSource(t *testing.T) {
	dir := t.TempDir()
	const source = `import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64, 64], pl.BF16]) -> pl.Tensor[[64, 64], pl.BF16]:
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="k", optimizations=[pl.cross_core_slot(slot_num=8)]):
            y = pl.exp(x)
        return y
`
	file := filepath.Join(dir, "kernels.py")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	s := startPlanned(t, lsp.Options{})
	s.Optional("textDocument/publishDiagnostics")
	s.initializeWith(obj{"processId": nil, "rootUri": convert.FileURI(dir), "capabilities": actionCaps})
	dumpURI := string(convert.FileURI(filepath.Join(dir, "passes_dump", "31_after_MaterializeTensorStrides.py")))
	s.open(dumpURI, ringDump)
	list := s.actions(dumpURI, 6, "quickfix")
	if len(list) != 8 || list[0].Title != ringTitle || list[1].Title != "Set cross_core_slot(slot_num=7) in kernels.py: Mat 466,944 / 524,288 B" {
		t.Fatalf("%+v", list)
	}
	full := s.resolved(list[1])
	if full.Edit == nil || len(full.Edit.DocumentChanges) != 1 {
		t.Fatalf("%+v", full)
	}
	change := full.Edit.DocumentChanges[0]
	if change.TextDocument.URI != string(convert.FileURI(file)) || change.TextDocument.Version != nil {
		t.Errorf("%+v", change.TextDocument)
	}
	if diff := cmp.Diff(strings.Replace(source, "slot_num=8", "slot_num=7", 1), applied(source, change.Edits)); diff != "" {
		t.Error(diff)
	}
}

// TestActionKinds: kinds are chosen by prefix; all safe fixes go together and
// only when they are asked for; shorthand is converted.
func TestActionKinds(t *testing.T) {
	s := planned(t, actionCaps)
	s.Optional("textDocument/publishDiagnostics")
	const old = `import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, attrs={"windowize": True})
    def k(self, x: pl.Tensor[[64, 64], pl.FP32], o: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.tile.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        pl.tile.store(a, [0, 0], o)
        return o
`
	s.open(uri, old)
	kinds := func(list []action) (out []string) {
		for _, a := range list {
			out = append(out, a.Kind+" "+a.Title)
		}
		return out
	}
	const all = "source.fixAll.pypto-ls Make all safe fixes of pypto-ls"
	for only, want := range map[string][]string{
		"source": {all}, "source.fixAll": {all}, "source.fixAll.pypto-ls": {all}, "source.fixAll.other": nil,
		"source.organizeImports": nil, "quickfix": nil, "refactor": nil,
	} {
		if diff := cmp.Diff(want, kinds(s.actions(uri, 6, only))); diff != "" {
			t.Errorf("%s: %s", only, diff)
		}
	}
	full := s.resolved(s.actions(uri, 0, "source.fixAll")[0])
	after := applied(old, full.Edit.DocumentChanges[0].Edits)
	want := strings.Replace(strings.Replace(old, `, attrs={"windowize": True}`, "", 1), "        a = pl", "        pl.func_attr({\"windowize\": True})\n        a = pl", 1)
	if diff := cmp.Diff(want, after); diff != "" {
		t.Error(diff)
	}
	const doc = "file:///ws/doc.py"
	s.open(doc, "def main(a: Tensor[[64, 64], FP32]):\n    t: Tile[[64, 64], FP32] = tile.load(a, [0, 0], [64, 64])\n")
	if diff := cmp.Diff([]string{"refactor.rewrite Convert 'main' to current syntax"}, kinds(s.actions(doc, 0))); diff != "" {
		t.Error(diff)
	}
	full = s.resolved(s.actions(doc, 0, "refactor.rewrite")[0])
	if full.Edit == nil || !strings.Contains(full.Edit.DocumentChanges[0].Edits[0].NewText, "def main(a: pl.Tensor") {
		t.Errorf("%+v", full.Edit)
	}
}
