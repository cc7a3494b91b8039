package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pypto-ls/lsp"
)

// dumpFolder is a workspace with a kernel that fits, one that does not, and
// what is to be left alone.
func dumpFolder(t *testing.T) string {
	t.Helper()
	ws := filepath.Join(t.TempDir(), "ws")
	for name, text := range map[string]string{
		"a/passes_dump/31_after_MaterializeTensorStrides.py": dump,
		"b/passes_dump/31_after_MaterializeTensorStrides.py": strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"),
		"c/kernel.pypto.py":                 strings.ReplaceAll(dump, "[64, 64]", "[64, 128]"),
		"ordinary.py":                       "x = 1\n",
		"c/kernel.py":                       strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"), // not named as a dump
		".hidden/passes_dump/x.py":          strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"),
		"a/passes_dump/orchestration/x.txt": "text",
	} {
		file := filepath.Join(ws, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return ws
}

func inFolder(ws string, caps obj) obj {
	return obj{"workspaceFolders": []any{obj{"uri": "file://" + ws, "name": "ws"}}, "capabilities": caps}
}

// TestCheckWorkspace: the command counts, reports progress, and publishes what
// is in files that are not open; an open file keeps its own publication.
func TestCheckWorkspace(t *testing.T) {
	ws := dumpFolder(t)
	s := startPlanned(t, lsp.Options{})
	s.initializeWith(inFolder(ws, obj{"general": utf8["general"], "window": obj{"workDoneProgress": true}}))
	run := func() (r struct{ Files, Errors, Warnings int }) {
		t.Helper()
		s.list("workspace/executeCommand", obj{"command": "pypto-ls.checkWorkspace", "arguments": []any{obj{}}}, &r)
		s.Next("window/workDoneProgress/create")
		for {
			if m := string(s.Next("$/progress").Params); strings.Contains(m, `"end"`) {
				break
			}
		}
		return r
	}
	if r := run(); r.Files != 3 || r.Errors != 1 || r.Warnings != 1 {
		t.Errorf("%+v", r)
	}
	over := "file://" + filepath.Join(ws, "b/passes_dump/31_after_MaterializeTensorStrides.py")
	next := func() (p published) {
		t.Helper()
		if err := json.Unmarshal(s.Next("textDocument/publishDiagnostics").Params, &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := next(); p.URI != over || p.Version != nil || len(p.Diagnostics) != 3 {
		t.Errorf("%+v", p)
	}
	s.None("textDocument/publishDiagnostics")
	// The file is repaired outside the editor.
	if err := os.WriteFile(filepath.Join(ws, "b/passes_dump/31_after_MaterializeTensorStrides.py"), []byte(dump+"# repaired\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := run(); r.Errors != 0 {
		t.Errorf("%+v", r)
	}
	if p := next(); p.URI != over || len(p.Diagnostics) != 0 {
		t.Errorf("%+v", p)
	}
	// Open, with an overflow of its own, it counts as it is in the editor.
	s.open(over, strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"))
	s.diagnostics(over, 1)
	if r := run(); r.Files != 3 || r.Errors != 1 {
		t.Errorf("%+v", r)
	}
	s.None("textDocument/publishDiagnostics")
}

// TestWorkspacePull: every dump has a report; what the client has is unchanged,
// and what is gone is taken back.
func TestWorkspacePull(t *testing.T) {
	ws := dumpFolder(t)
	s := startPlanned(t, lsp.Options{})
	s.initializeWith(inFolder(ws, obj{"general": utf8["general"], "workspace": canRefresh, "textDocument": obj{"diagnostic": obj{}}}))
	s.Optional("workspace/diagnostic/refresh")
	type report struct {
		URI, Kind, ResultID string
		Version             *int
		Items               *[]struct{ Message string }
	}
	ids := []obj{}
	pull := func() map[string]report {
		t.Helper()
		var r struct{ Items []report }
		s.list("workspace/diagnostic", obj{"previousResultIds": ids}, &r)
		out := map[string]report{}
		ids = []obj{}
		for _, it := range r.Items {
			out[strings.TrimPrefix(it.URI, "file://"+ws+"/")] = it
			if it.ResultID != "" {
				ids = append(ids, obj{"uri": it.URI, "value": it.ResultID})
			}
		}
		return out
	}
	const fits, over = "a/passes_dump/31_after_MaterializeTensorStrides.py", "b/passes_dump/31_after_MaterializeTensorStrides.py"
	first := pull()
	if len(first) != 3 || first[fits].Kind != "full" || len(*first[fits].Items) != 0 || len(*first[over].Items) != 3 || first[over].Version != nil {
		t.Fatalf("%+v", first)
	}
	for name, r := range pull() {
		if r.Kind != "unchanged" || r.Items != nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	s.openAs("file://"+filepath.Join(ws, fits), strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"), 4)
	if err := os.Remove(filepath.Join(ws, over)); err != nil {
		t.Fatal(err)
	}
	third := pull()
	if r := third[fits]; r.Kind != "full" || r.Version == nil || *r.Version != 4 || len(*r.Items) != 3 {
		t.Errorf("%+v", r)
	}
	if r := third[over]; r.Kind != "full" || len(*r.Items) != 0 || r.ResultID != "" {
		t.Errorf("%+v", r)
	}
	if len(pull()) != 2 {
		t.Error("a file that is gone is told of again")
	}
}

// TestWorkspacePlatform: a platform that pypto-ls.toml changes, and one that it
// adds; the text of the file, not the name of the platform, decides what is
// remembered. Vec of 192 KiB holds the 196,608 B exactly.
func TestWorkspacePlatform(t *testing.T) {
	ws := dumpFolder(t)
	toml := filepath.Join(ws, "b", "pypto-ls.toml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(toml, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("planner = \"PYPTO\"\n[platforms.Ascend910B]\ncapacity = { Vec = \"192 KiB\" }\n[platforms.Lab]\nbase = \"Ascend910B\"\ncapacity = { Vec = 65536 }\n")
	over := "file://" + filepath.Join(ws, "b/passes_dump/31_after_MaterializeTensorStrides.py")
	s := startPlanned(t, lsp.Options{})
	s.initializeWith(inFolder(ws, utf8))
	s.open(over, strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"))
	if e := s.errors(over, 1); len(e) != 0 {
		t.Errorf("errors %q", e)
	}
	holds(t, "the hover", s.hoverAt(over, 6, 9), "planner **PYPTO** (pypto-ls.toml)", "| Vec | 196,608 | 196,608 | 100 % |")
	changed := func() {
		s.Notify("workspace/didChangeWatchedFiles", obj{"changes": []obj{{"uri": "file://" + toml, "type": 2}}})
	}
	write("[platforms.Ascend910B]\ncapacity = { Vec = \"191 KiB\" }\n[platforms.Lab]\nbase = \"Ascend910B\"\ncapacity = { Vec = 65536 }\n")
	changed()
	if e := s.errors(over, 1); len(e) != 1 || !strings.Contains(e[0], "exceeds platform limit (195584 bytes)") {
		t.Errorf("errors %q", e)
	}
	s.list("workspace/executeCommand", obj{"command": "pypto-ls.switchPlatform", "arguments": []any{obj{"platform": "Lab"}}}, nil)
	if e := s.errors(over, 1); len(e) != 1 || !strings.Contains(e[0], "exceeds platform limit (65536 bytes)") {
		t.Errorf("errors %q", e)
	}
	write("[platforms.Ascend910B]\ncapacity = { Vec = -1 }\n")
	changed()
	p := s.diagnostics(over, 1)
	if len(p.Diagnostics) == 0 || p.Diagnostics[0].Code != "configuration" {
		t.Errorf("%+v", p)
	}
}

// TestWorkspaceExperimental: the server says what it has, added platforms
// included.
func TestWorkspaceExperimental(t *testing.T) {
	ws := dumpFolder(t)
	if err := os.WriteFile(filepath.Join(ws, "pypto-ls.toml"), []byte("[platforms.Lab]\nbase = \"Ascend910B\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := startPlanned(t, lsp.Options{})
	var r struct {
		Capabilities struct {
			Experimental struct {
				Pypto struct {
					Plan, IRAfter, Status       bool
					Passes, Platforms, Planners []string
				}
			}
			ExecuteCommandProvider struct{ Commands []string }
		}
	}
	s.list("initialize", inFolder(ws, utf8), &r)
	p := r.Capabilities.Experimental.Pypto
	if !p.Plan || !p.IRAfter || !p.Status || strings.Join(p.Platforms, " ") != "Ascend910B Ascend950 Lab" || strings.Join(p.Planners, " ") != "PYPTO DSA_RP PTOAS" ||
		strings.Join(p.Passes, " ") != "MaterializeTensorStrides InitMemRef MaterializeSemanticAliases MemoryReuse AllocateMemoryAddr" {
		t.Errorf("%+v", p)
	}
	holds(t, "the commands", strings.Join(r.Capabilities.ExecuteCommandProvider.Commands, " "),
		"pypto-ls.checkWorkspace", "pypto-ls.comparePlanners", "pypto-ls.placementTable", "pypto-ls.switchPlanner", "pypto-ls.switchPlatform")
}

// TestManualLinks: the code of a diagnostic links to its page of the manual.
func TestManualLinks(t *testing.T) {
	s := startPlanned(t, lsp.Options{Docs: "https://manual.invalid"})
	s.initialize(obj{"general": utf8["general"], "textDocument": obj{"publishDiagnostics": obj{"codeDescriptionSupport": true}}})
	s.open(dumpURI, strings.ReplaceAll(dump, "[64, 64]", "[64, 384]"))
	if m := string(s.Next("textDocument/publishDiagnostics").Params); !strings.Contains(m, `"codeDescription":{"href":"https://manual.invalid/diagnostics/capacity.md"}`) {
		t.Error(m)
	}
}
