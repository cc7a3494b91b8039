package lsp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp"
	"pypto-ls/lsp/cli"
)

// told is a finding as a user sees it, by whatever way it came.
type told struct {
	Code, Severity, Text string
	From, To             [2]int // line and column in characters, from 1
	Related              []string
}

func place(l1, c1, l2, c2 int, text string) string {
	return fmt.Sprintf("%d:%d–%d:%d %s", l1, c1, l2, c2, text)
}

// pulledOrPushed are diagnostics as LSP has them.
type pulledOrPushed []struct {
	Range struct {
		Start, End struct{ Line, Character int }
	}
	Severity           int
	Code, Message      string
	RelatedInformation []struct {
		Location struct {
			Range struct {
				Start, End struct{ Line, Character int }
			}
		}
		Message string
	}
}

var severities = []string{"", "error", "warning", "information", "hint"}

func (p pulledOrPushed) told() []told {
	var out []told
	for _, d := range p {
		r := d.Range
		t := told{d.Code, severities[d.Severity], strings.ReplaceAll(d.Message, "\n\n", " "),
			[2]int{r.Start.Line + 1, r.Start.Character + 1}, [2]int{r.End.Line + 1, r.End.Character + 1}, nil}
		for _, x := range d.RelatedInformation {
			r := x.Location.Range
			t.Related = append(t.Related, place(r.Start.Line+1, r.Start.Character+1, r.End.Line+1, r.End.Character+1, x.Message))
		}
		out = append(out, t)
	}
	return out
}

// checked is what the command line tells.
func checked(t *testing.T, file, platform, planner string) []told {
	t.Helper()
	var out, errw bytes.Buffer
	code := cli.Main([]string{"check", "--format", "json", "--platform", platform, "--planner", planner, file}, strings.NewReader(""), &out, &errw)
	if code > 1 {
		t.Fatalf("check: exit code %d\n%s", code, errw.String())
	}
	type pos struct{ Line, Character int }
	var items []struct {
		Code, Severity, Message, Explanation string
		Range                                struct{ Start, End pos }
		Related                              []struct {
			Range   struct{ Start, End pos }
			Message string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &items); err != nil {
		t.Fatalf("check: %v\n%.300s", err, out.String())
	}
	var all []told
	for _, it := range items {
		text := it.Message
		if it.Explanation != "" {
			text += " " + it.Explanation
		}
		x := told{it.Code, it.Severity, strings.ReplaceAll(text, "\n\n", " "), [2]int{it.Range.Start.Line, it.Range.Start.Character}, [2]int{it.Range.End.Line, it.Range.End.Character}, nil}
		for _, r := range it.Related {
			x.Related = append(x.Related, place(r.Range.Start.Line, r.Range.Start.Character, r.Range.End.Line, r.Range.End.Character, r.Message))
		}
		all = append(all, x)
	}
	return all
}

// TestAgree: pushed, pulled and on the command line, the findings of every
// recorded case are the same, before lowering and after.
func TestAgree(t *testing.T) {
	characters := obj{"general": obj{"positionEncodings": []string{"utf-32"}}}
	related := obj{"publishDiagnostics": obj{"relatedInformation": true}}
	for _, name := range corpusNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts := strings.Split(name, ".")
			options := obj{"platform": parts[1], "planner": parts[2]}
			dir := t.TempDir()
			push := startPlanned(t, lsp.Options{})
			push.initializeWith(obj{"capabilities": obj{"general": characters["general"], "textDocument": related}, "initializationOptions": options})
			pull := startPlanned(t, lsp.Options{})
			pull.initializeWith(obj{"capabilities": obj{"general": characters["general"], "workspace": canRefresh,
				"textDocument": obj{"publishDiagnostics": related["publishDiagnostics"], "diagnostic": obj{}}}, "initializationOptions": options})
			pull.Optional("workspace/diagnostic/refresh")
			for _, file := range []string{"after_MaterializeTensorStrides.py", "frontend.py"} {
				text := section(t, name, file)
				path := filepath.Join(dir, "00_"+file)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				want := checked(t, path, parts[1], parts[2])
				u := "file://" + path
				push.open(u, text)
				pull.open(u, text)
				agree(t, file+" pushed", want, func() []told {
					var p struct{ Diagnostics pulledOrPushed }
					if err := json.Unmarshal(push.Next("textDocument/publishDiagnostics").Params, &p); err != nil {
						t.Fatal(err)
					}
					return p.Diagnostics.told()
				})
				agree(t, file+" pulled", want, func() []told {
					var r struct{ Items pulledOrPushed }
					if err := pull.Call("textDocument/diagnostic", doc(u), &r); err != nil {
						t.Fatal(err)
					}
					return r.Items.told()
				})
			}
		})
	}
}

// agree compares what next tells with what is wanted. About functions that
// planner DSA_RP refuses more is told a while later.
func agree(t *testing.T, what string, want []told, next func() []told) {
	t.Helper()
	got := next()
	for n := 0; n < 200 && refused(want) && cmp.Diff(want, got) != ""; n++ {
		time.Sleep(10 * time.Millisecond)
		got = next()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs from check:\n%s", what, diff)
	}
}

func refused(all []told) bool {
	for _, x := range all {
		if x.Code == "dsa-no-fit" {
			return true
		}
	}
	return false
}
