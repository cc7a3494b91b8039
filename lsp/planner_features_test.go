package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pypto-ls/lsp"
	"pypto-ls/test/fake"
)

func (s *session) list(method string, params any, into any) {
	s.t.Helper()
	if err := s.Call(method, params, into); err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
}

func (s *session) hoverAt(uri string, line, char int) string {
	s.t.Helper()
	var h *struct{ Contents struct{ Value string } }
	s.list("textDocument/hover", at(uri, line, char), &h)
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

func (s *session) settings(settings obj) {
	s.Notify("workspace/didChangeConfiguration", obj{"settings": obj{"pypto-ls": settings}})
}

// holds checks that a text has all the given parts.
func holds(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

// TestPlannerHints: each kind has a switch, parts link to the tiles in the same
// bytes, and the tooltip comes on request. c takes a's place: a is read for the
// last time where c is written.
func TestPlannerHints(t *testing.T) {
	s := planned(t, obj{"general": utf8["general"], "textDocument": obj{"inlayHint": obj{"resolveSupport": obj{"properties": []string{"tooltip"}}}}})
	s.Optional("textDocument/publishDiagnostics")
	s.open(dumpURI, dump)
	for _, c := range []struct {
		on   obj
		want map[int]string
	}{
		{obj{}, map[int]string{7: "Vec 32,768 / 188,416 B (17 %)", 8: "▸Vec 0x00000 +16 KiB", 9: "▸Vec 0x04000 +16 KiB", 10: "▸Vec 0x00000 +16 KiB"}},
		{obj{"usage": false}, map[int]string{8: "▸Vec 0x00000 +16 KiB", 9: "▸Vec 0x04000 +16 KiB", 10: "▸Vec 0x00000 +16 KiB"}},
		{obj{"usage": false, "sizes": false}, map[int]string{8: "▸Vec 0x00000", 9: "▸Vec 0x04000", 10: "▸Vec 0x00000"}},
		{obj{"usage": false, "addresses": false}, map[int]string{8: "▸+16 KiB", 9: "▸+16 KiB", 10: "▸+16 KiB"}},
		{obj{"usage": false, "addresses": false, "sizes": false, "sharing": true}, map[int]string{8: " = c", 10: " = a"}},
		{obj{"usage": false, "addresses": false, "sizes": false}, map[int]string{}},
	} {
		s.settings(obj{"inlayHints": c.on})
		got := s.hints(dumpURI)
		if len(got) != len(c.want) {
			t.Errorf("%v: %v", c.on, got)
		}
		for line, want := range c.want {
			if got[line] != want {
				t.Errorf("%v: line %d: %q, want %q", c.on, line, got[line], want)
			}
		}
	}
	s.settings(obj{"inlayHints": obj{"sharing": true, "usage": false}})
	var list []inlayHint
	s.list("textDocument/inlayHint", obj{"textDocument": obj{"uri": dumpURI}, "range": obj{"start": obj{"line": 9, "character": 0}, "end": obj{"line": 10, "character": 0}}}, &list)
	if len(list) != 1 || list[0].Position.Character != 9 || list[0].text() != "▸Vec 0x00000 +16 KiB = a" {
		t.Fatalf("hints of line 10: %+v", list)
	}
	if l := list[0].Label[len(list[0].Label)-1].Location; l == nil || l.URI != dumpURI || l.Range.Start.Line != 7 || l.Range.Start.Character != 8 {
		t.Errorf("the link of a: %+v", l)
	}
	if list[0].Tooltip != nil {
		t.Error("a tooltip that was not asked for")
	}
	var one inlayHint
	s.list("inlayHint/resolve", hintParams(list[0]), &one)
	if one.Tooltip == nil {
		t.Fatal("no tooltip")
	}
	holds(t, "the tooltip", one.Tooltip.Value, "**c** · `[64, 64] FP32` in **Vec**", "bytes 0–16,383 · `0x00000`–`0x03fff` · 16 KiB (16,384 B)", "live at lines 10–11",
		"- `a`, live at lines 8–10", "nothing keeps") // b could hold c as well, but a's buffer is older
	// A hint of an older version is left as it is.
	s.change(dumpURI, 2, edit(0, 0, 0, 0, "# more\n"))
	one = inlayHint{}
	s.list("inlayHint/resolve", hintParams(list[0]), &one)
	if one.Tooltip != nil {
		t.Error("a tooltip for a hint of an older version")
	}
}

func hintParams(h inlayHint) obj {
	return obj{"position": obj{"line": h.Position.Line, "character": h.Position.Character}, "label": []obj{{"value": h.text()}}, "data": h.Data}
}

// TestPlannerLens: usage, and the planners side by side. DSA_RP gives c bytes of
// its own while there is room: taking those of a, read by the same operator,
// would cost a wait.
func TestPlannerLens(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	s.open(dumpURI, dump)
	type lens struct {
		Range   struct{ Start struct{ Line, Character int } }
		Command *struct {
			Title, Command string
			Arguments      []struct{ URI string }
		}
		Data json.RawMessage
	}
	var lenses []lens
	s.list("textDocument/codeLens", doc(dumpURI), &lenses)
	if len(lenses) != 2 || lenses[0].Range.Start.Line != 6 || lenses[0].Command != nil {
		t.Fatalf("lenses %+v", lenses)
	}
	for i, want := range []struct{ title, command string }{
		{"Vec 32,768 / 188,416 B (17 %)", "pypto-ls.placementTable"},
		{"PYPTO / DSA_RP: Vec 32,768 / 49,152 B", "pypto-ls.comparePlanners"},
	} {
		var l lens
		s.list("codeLens/resolve", obj{"range": obj{"start": obj{"line": 6, "character": 8}, "end": obj{"line": 6, "character": 12}}, "data": lenses[i].Data}, &l)
		if l.Command == nil || l.Command.Title != want.title || l.Command.Command != want.command || l.Command.Arguments[0].URI != dumpURI {
			t.Errorf("lens %d: %+v", i, l.Command)
		}
	}
	s.settings(obj{"codeLens": obj{"enabled": false}})
	s.list("textDocument/codeLens", doc(dumpURI), &lenses)
	if len(lenses) != 0 {
		t.Errorf("lenses that are switched off: %+v", lenses)
	}
}

// TestPlannerHover: what is told about each kind of thing.
func TestPlannerHover(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	text := strings.Replace(dump, "        r: ", "        # about dsa-no-fit and PH-MR-001, not about nothing-else\n        r: ", 1)
	s.open(dumpURI, text)
	at := func(line int, word string) string {
		t.Helper()
		l := strings.Split(text, "\n")[line-1]
		i := strings.Index(l, word)
		if i < 0 {
			t.Fatalf("line %d has no %q", line, word)
		}
		return s.hoverAt(dumpURI, line-1, i+1)
	}
	holds(t, "a tile", at(8, "a:"), "**a** · `[64, 64] FP32` in **Vec**", "bytes 0–16,383", "live at lines 8–10", "- `c`, live at lines 10–12",
		"not shared with the other buffers of Vec:\n- a and b are live together at line 9 to line 10")
	holds(t, "its use", at(10, "a, b"), "**a** · `[64, 64] FP32` in **Vec**")
	holds(t, "an operator", at(10, "add("), "pl.tile.add(lhs: tile, rhs: tile) -> tile", "Adds two tiles element by element.", "the result is in Vec", "pipe **V**")
	holds(t, "a keyword", at(8, "target_memory"), "`target_memory`: MemorySpace", "keyword argument of `tile.load`")
	holds(t, "a function", at(7, "main"), "**main** · AIV function", "platform **Ascend910B** (default) · planner **PYPTO** (default)",
		"Stands after MaterializeTensorStrides (told by the file's name)", "| Vec | 32,768 | 188,416 | 17 % | 32,768 | 9 | 32,768 |")
	holds(t, "a tensor", at(8, "x,"), "x: pl.Tensor[[64, 64], pl.FP32]")
	holds(t, "a code in a comment", at(11, "dsa-no-fit"), "**dsa-no-fit** · planner DSA_RP finds no placement")
	holds(t, "another", at(11, "MR-001"), "**PH-MR-001**")
	for _, c := range [][2]any{{11, "nothing-else"}, {8, "64]"}, {2, "import"}} {
		if h := at(c[0].(int), c[1].(string)); h != "" {
			t.Errorf("a hover on %v: %s", c, h)
		}
	}
	refs := section(t, "loop_0006.Ascend950.PYPTO", "after_InitMemRef.py")
	const refsURI = "file:///ws/passes_dump/32_after_InitMemRef.py"
	s.open(refsURI, refs)
	lines := strings.Split(refs, "\n")
	found := 0
	for n, l := range lines {
		if i := strings.Index(l, ": pl.Ptr = pl.tile.alloc(pl.Mem.Vec"); i > 0 && found < 3 {
			found++
			name := strings.TrimSpace(l[:i])
			holds(t, "an allocation", s.hoverAt(refsURI, n, i-1), "buffer in **Vec**", "members:")
			_ = name
		}
		if i := strings.Index(l, "pl.MemRef(mem_vec"); i > 0 && found < 5 && !strings.Contains(l, "def ") {
			found++
			holds(t, "a MemRef", s.hoverAt(refsURI, n, i+4), "buffer in **Vec**", "members:")
		}
	}
	if found < 4 {
		t.Errorf("only %d buffers looked at", found)
	}
}

type planAnswer struct {
	URI, Planner, Platform string
	Version                int
	Functions              []struct {
		Name, Kind          string
		FirstLine, LastLine int
		Notes, Source       []string
		Spaces              []struct {
			Name                 string
			Used, Limit          int
			PeakLine, LowerBound int
			Boxes                []planBox
		}
	}
}

type planBox struct {
	Buffer                                   string
	Address, Size                            int
	FirstLine, LastLine, FirstStmt, LastStmt int
	Overflow                                 bool
	Reasons                                  []string
	Tiles                                    []struct {
		Name   string
		Line   int
		Size   int
		Offset int
		Live   [2]int
		Type   string
	}
}

// TestPlannerPlan: the memory map's model, for the target that applies and for
// another one.
func TestPlannerPlan(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	s.openAs(dumpURI, strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"), 7)
	var p planAnswer
	s.list("pypto/plan", obj{"textDocument": obj{"uri": dumpURI}, "source": true}, &p)
	if p.URI != dumpURI || p.Version != 7 || p.Planner != "PYPTO" || p.Platform != "Ascend910B" || len(p.Functions) != 1 {
		t.Fatalf("%+v", p)
	}
	f := p.Functions[0]
	if f.Name != "main" || f.Kind != "AIV" || f.FirstLine != 7 || f.LastLine != 12 || len(f.Source) != 6 || !strings.Contains(f.Source[0], "def main") || len(f.Notes) != 2 || !strings.HasPrefix(f.Notes[0], "Vec buffer usage") {
		t.Errorf("%+v", f)
	}
	if len(f.Spaces) != 1 || f.Spaces[0].Name != "Vec" || f.Spaces[0].Used != 196608 || f.Spaces[0].Limit != 188416 || f.Spaces[0].LowerBound != 196608 || f.Spaces[0].PeakLine != 9 || len(f.Spaces[0].Boxes) != 2 {
		t.Fatalf("%+v", f.Spaces)
	}
	a, b := f.Spaces[0].Boxes[0], f.Spaces[0].Boxes[1]
	if a.Address != 0 || a.Size != 98304 || a.Overflow || len(a.Tiles) != 2 || a.FirstLine != 8 || a.LastLine != 11 || a.Tiles[1].Name != "c" || a.Tiles[1].Type != "[64, 384] FP32" || a.Tiles[1].Live != [2]int{10, 11} {
		t.Errorf("%+v", a)
	}
	if b.Address != 98304 || !b.Overflow || len(b.Tiles) != 1 || b.Tiles[0].Line != 9 {
		t.Errorf("%+v", b)
	}
	s.list("pypto/plan", obj{"textDocument": obj{"uri": dumpURI}, "platform": "Ascend950", "planner": "DSA_RP"}, &p)
	if p.Planner != "DSA_RP" || p.Platform != "Ascend950" || p.Functions[0].Spaces[0].Limit != 245760 {
		t.Errorf("another target: %+v", p)
	}
	s.list("pypto/plan", obj{"textDocument": obj{"uri": dumpURI}, "planner": "PTOAS"}, &p)
	if p.Functions[0].Spaces[0].Boxes[0].Address != -1 {
		t.Errorf("PTOAS gives no addresses: %+v", p.Functions[0].Spaces)
	}
	s.list("pypto/plan", obj{"textDocument": obj{"uri": dumpURI}, "function": "other"}, &p)
	if len(p.Functions) != 0 {
		t.Errorf("%+v", p.Functions)
	}
	for _, bad := range []obj{{"textDocument": obj{"uri": "file:///ws/other.py"}}, {"textDocument": obj{"uri": dumpURI}, "planner": "X"}, {"textDocument": obj{"uri": dumpURI}, "platform": "X"}} {
		if err := s.Call("pypto/plan", bad, nil); err == nil || err.Code != -32602 {
			t.Errorf("%v: %v", bad, err)
		}
	}
	s.open("file:///ws/ordinary.py", "def f(x):\n    return x\n")
	var raw struct{ Functions json.RawMessage }
	s.list("pypto/plan", obj{"textDocument": obj{"uri": "file:///ws/ordinary.py"}}, &raw)
	if string(raw.Functions) != "[]" {
		t.Errorf("ordinary Python: %s", raw.Functions)
	}
}

// TestPlannerIR: the IR after a pass is the recorded one, byte for byte; after
// a failure it is that of the last pass that worked.
func TestPlannerIR(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	type answer struct{ Text, Pass, Error string }
	ask := func(pass string) (a answer) {
		t.Helper()
		s.list("pypto/irAfter", obj{"textDocument": obj{"uri": dumpURI}, "pass": pass}, &a)
		return a
	}
	const good = "loop_0006.Ascend950.PYPTO"
	s.list("workspace/executeCommand", obj{"command": "pypto-ls.switchPlatform", "arguments": []any{obj{"platform": "Ascend950"}}}, nil)
	s.open(dumpURI, section(t, good, "after_MaterializeTensorStrides.py"))
	for _, pass := range []string{"InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr"} {
		if a := ask(pass); a.Text != section(t, good, "after_"+pass+".py") || a.Pass != pass || a.Error != "" {
			t.Errorf("after %s: %q, %q\n%.300s", pass, a.Pass, a.Error, a.Text)
		}
	}
	if err := s.Call("pypto/irAfter", obj{"textDocument": obj{"uri": dumpURI}, "pass": "Simplify"}, nil); err == nil || err.Code != -32602 {
		t.Errorf("an unknown pass: %v", err)
	}
	const bad = "mixedk_0006.Ascend910B.PYPTO"
	s.list("workspace/executeCommand", obj{"command": "pypto-ls.switchPlatform", "arguments": []any{obj{"platform": "Ascend910B"}}}, nil)
	s.change(dumpURI, 2, whole(section(t, bad, "after_MaterializeTensorStrides.py")))
	a := ask("AllocateMemoryAddr")
	_, message, _ := strings.Cut(section(t, bad, "result.txt"), "ValueError: ")
	if a.Pass != "MemoryReuse" || a.Text != section(t, bad, "after_MemoryReuse.py") || !strings.HasPrefix(a.Error, "AllocateMemoryAddr: Vec buffer usage") {
		t.Errorf("after a failure: %q %q, recorded %q\n%.300s", a.Pass, a.Error, message, a.Text)
	}
}

// TestPlannerStatus: what applies, and where it comes from.
func TestPlannerStatus(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	type status struct {
		Platform, Planner, Source, Function string
		Approximate                         bool
		Spaces                              []struct {
			Space       string
			Used, Limit int
		}
	}
	ask := func() (a status) {
		t.Helper()
		s.list("pypto/status", doc(dumpURI), &a)
		return a
	}
	s.open(dumpURI, dump)
	if a := ask(); a.Platform != "Ascend910B" || a.Planner != "PYPTO" || a.Source != "default" || a.Function != "main" || a.Approximate || len(a.Spaces) != 1 || a.Spaces[0].Used != 32768 {
		t.Errorf("%+v", a)
	}
	s.change(dumpURI, 2, edit(0, 0, 0, 0, "# pypto-ls: platform=Ascend950 planner=DSA_RP\n"))
	if a := ask(); a.Platform != "Ascend950" || a.Planner != "DSA_RP" || a.Source != "comment in the file" {
		t.Errorf("%+v", a)
	}
	s.settings(obj{"planner": "PYPTO"})
	if a := ask(); a.Platform != "Ascend950" || a.Planner != "PYPTO" || a.Source != "platform: comment in the file, planner: setting" {
		t.Errorf("%+v", a)
	}
	s.settings(obj{"platform": "Ascend1"})
	if a := ask(); a.Platform != "Ascend910B" {
		t.Errorf("%+v", a)
	}
	holds(t, "the function's hover", s.hoverAt(dumpURI, 7, 9), "⚠ Unknown platform 'Ascend1' (setting); known: Ascend910B, Ascend950")
}

// TestPlannerNotices: a changed plan is told, a comment is not; an inserted line
// moves the map but no hint.
func TestPlannerNotices(t *testing.T) {
	s := startPlanned(t, lsp.Options{})
	s.initializeWith(obj{"capabilities": obj{"general": utf8["general"], "experimental": obj{"pypto": obj{"planChanged": true}},
		"workspace": obj{"inlayHint": obj{"refreshSupport": true}, "textDocumentContent": obj{}}}})
	s.Optional("textDocument/publishDiagnostics")
	changed := func(version int) {
		t.Helper()
		var p struct {
			URI     string
			Version int
		}
		if err := json.Unmarshal(s.Next("pypto/planChanged").Params, &p); err != nil || p.URI != dumpURI || p.Version != version {
			t.Errorf("%+v, want version %d", p, version)
		}
	}
	s.open(dumpURI, dump)
	changed(1)
	s.Next("workspace/inlayHint/refresh")
	s.change(dumpURI, 2, edit(9, 8, 9, 9, "z")) // c is z: shown by name nowhere but in hovers and the map
	changed(2)
	s.Next("workspace/inlayHint/refresh")
	s.change(dumpURI, 3, edit(9, 60, 9, 60, " ")) // white space
	s.change(dumpURI, 4, edit(9, 0, 9, 0, "\n"))
	changed(4)
	s.None("workspace/inlayHint/refresh")

	var c struct{ Text string }
	table := "pypto-plan:/table/" + strings.NewReplacer("/", "%2F", ":", "%3A").Replace(dumpURI) + ".txt"
	s.list("workspace/textDocumentContent", obj{"uri": table}, &c)
	holds(t, "the table", c.Text, "platform Ascend910B, planner PYPTO", "0x04000", "Vec 32,768 / 188,416 B (17 %)")
	ir := "pypto-ir:/after/InitMemRef/" + dumpURI + ".pypto.py"
	s.list("workspace/textDocumentContent", obj{"uri": ir}, &c)
	holds(t, "the IR", c.Text, "pl.tile.alloc(pl.Mem.Vec, 16384)")
	s.change(dumpURI, 5, edit(0, 0, 0, 0, "\n"))
	changed(5)
	for range 2 {
		m := s.Next("workspace/textDocumentContent/refresh")
		if !strings.Contains(string(m.Params), "pypto-plan:") && !strings.Contains(string(m.Params), "pypto-ir:") {
			t.Errorf("refresh of %s", m.Params)
		}
	}
	for _, bad := range []string{"pypto-ir:/after/X/" + dumpURI + ".pypto.py", "pypto-ir:/x", "pypto-plan:/table/a%zz.txt", "file:///a", "pypto-plan:/table/file:///ws/closed.py.txt"} {
		if err := s.Call("workspace/textDocumentContent", obj{"uri": bad}, nil); err == nil || err.Code != -32602 {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestPlannerOrdinary: ordinary Python has empty answers everywhere.
func TestPlannerOrdinary(t *testing.T) {
	s := planned(t, utf8)
	s.open(uri, "import os\n\nN = 3\n\ndef f(x, y=2):\n    '''doc'''\n    return [x * y for _ in range(N)]\n\nclass C:\n    def g(self) -> int:\n        return f(1)\n")
	if p := s.diagnostics(uri, 1); len(p.Diagnostics) != 0 {
		t.Errorf("%+v", p)
	}
	if h := s.hints(uri); len(h) != 0 {
		t.Errorf("hints %v", h)
	}
	var list []any
	if s.list("textDocument/codeLens", doc(uri), &list); len(list) != 0 {
		t.Errorf("lenses %v", list)
	}
	if h := s.hoverAt(uri, 4, 5); h != "" {
		t.Errorf("hover %s", h)
	}
}

// TestPlannerBeyond: about a function that DSA_RP refuses a verdict follows.
func TestPlannerBeyond(t *testing.T) {
	s := startPlanned(t, lsp.Options{})
	s.initializeWith(obj{"capabilities": utf8, "initializationOptions": obj{"planner": "DSA_RP"}})
	// 192 KiB live together in a Vec of 184 KiB: whatever the placement.
	s.open(dumpURI, strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"))
	e := s.errors(dumpURI, 1)
	for n := 0; n < 3 && (len(e) != 1 || !strings.Contains(e[0], "No placement exists")); n++ {
		e = s.errors(dumpURI, 1)
	}
	if len(e) != 1 || !strings.HasPrefix(e[0], "DSA-RP could not find a placement for 'main'") {
		t.Fatalf("%q", e)
	}
	holds(t, "the verdict", e[0], "No placement exists: Vec needs at least 196608 bytes, 8192 more than its 188416, for 2 buffers that live together at line")
	holds(t, "the hover", s.hoverAt(dumpURI, 7, 8), "No placement exists")
}

// TestPlannerSettings: when findings are told, and which.
func TestPlannerSettings(t *testing.T) {
	s := planned(t, obj{"general": utf8["general"], "textDocument": obj{"publishDiagnostics": obj{"codeDescriptionSupport": true}}})
	s.settings(obj{"diagnostics": obj{"onType": false}})
	s.open(dumpURI, dump)
	s.diagnostics(dumpURI, 1)
	s.change(dumpURI, 2, whole(strings.ReplaceAll(dump, "[64, 64]", "[64, 384]")))
	s.hints(dumpURI)
	s.None("textDocument/publishDiagnostics")
	s.Notify("textDocument/didSave", doc(dumpURI))
	all := s.diagnostics(dumpURI, 2).Diagnostics
	s.settings(obj{"diagnostics": obj{"hints": false}})
	fewer := s.diagnostics(dumpURI, 2).Diagnostics
	if len(all) != 3 || len(fewer) != 2 { // the overflow, where it begins, and the warning of MemoryReuse
		t.Errorf("%d and %d findings", len(all), len(fewer))
	}
}

var _ = fake.Newer
