// Package arch asserts the import graph of docs/architecture.md: arrows point
// down, and the core knows no LSP, no JSON-RPC and no IO.
package arch

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

type pkg struct {
	ImportPath string
	Imports    []string
}

// packages lists all packages of the module with their direct imports.
func packages(t *testing.T) []pkg {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "pypto-ls/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 15 {
		t.Fatalf("only %d packages found", len(all))
	}
	return all
}

const module = "pypto-ls/"

// rooms says which rooms of ours each room may import; a package belongs to
// the room with the longest matching prefix.
var rooms = map[string][]string{
	"irsyntax":  {},
	"dsa":       {},
	"platforms": {},
	"memmap":    {},
	"ir":        {"ir", "irsyntax", "platforms"},
	"memory":    {"memory", "dsa", "ir", "irsyntax", "platforms"},
	"analysis":  {"analysis", "memory", "dsa", "ir", "irsyntax", "platforms"},
	"lsp":       {"lsp", "analysis", "memory", "dsa", "ir", "irsyntax", "platforms", "memmap"},
	"test":      nil, // tests may look everywhere
}

// core rooms are pure.
var core = []string{"irsyntax", "ir", "platforms", "dsa", "memory", "analysis"}

// forbidden in the core: input and output, processes, network, time, LSP.
var forbidden = []string{
	"os", "os/exec", "os/signal", "io/ioutil", "net", "net/http", "syscall", "log", "time", "unsafe", "math/rand", "encoding/json",
	"go.lsp.dev/", "github.com/tliron/", "go.uber.org/zap",
}

func roomOf(path string) string {
	rest := strings.TrimPrefix(path, module)
	room, _, _ := strings.Cut(rest, "/")
	return room
}

// generators are programs inside a room that are not part of it.
func generator(path string) bool { return strings.HasSuffix(path, "/gen") }

func TestArrowsPointDown(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath == "pypto-ls" || generator(p.ImportPath) {
			continue
		}
		room := roomOf(p.ImportPath)
		allowed, known := rooms[room]
		if !known {
			t.Errorf("%s: room %q is not in the plan; add it to docs/architecture.md and here", p.ImportPath, room)
			continue
		}
		if allowed == nil {
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, module) {
				continue
			}
			if to := roomOf(imp); !contains(allowed, to) && imp != p.ImportPath {
				t.Errorf("%s imports %s: %s may not know %s", p.ImportPath, imp, room, to)
			}
		}
	}
}

func TestCoreIsPure(t *testing.T) {
	for _, p := range packages(t) {
		if generator(p.ImportPath) || !contains(core, roomOf(p.ImportPath)) {
			continue
		}
		for _, imp := range p.Imports {
			for _, f := range forbidden {
				if imp == f || strings.HasSuffix(f, "/") && strings.HasPrefix(imp, f) {
					t.Errorf("%s imports %s: the core is pure", p.ImportPath, imp)
				}
			}
		}
	}
}

// TestOnlyPositionKnowsEncodings: UTF-16 arithmetic of positions lives in one
// place. The framing decodes JSON's \u escapes, which are UTF-16 too.
func TestOnlyPositionKnowsEncodings(t *testing.T) {
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.ImportPath, module+"lsp") && !contains(core, roomOf(p.ImportPath)) {
			continue
		}
		for _, imp := range p.Imports {
			if imp == "unicode/utf16" && p.ImportPath != module+"lsp/internal/position" && p.ImportPath != module+"lsp/internal/wire" {
				t.Errorf("%s imports unicode/utf16: only lsp/internal/position knows encodings", p.ImportPath)
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
