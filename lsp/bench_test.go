package lsp_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/lsp"
	"pypto-ls/test/bench"
	"pypto-ls/test/fake"
)

// echo is an engine that costs nothing: it finds one thing in every version.
type echo struct{ n int }

func (e *echo) Snapshot(lsp.Input) lsp.Queries { e.n++; return echoQueries(e.n) }

type echoQueries int

func (echoQueries) Document(string) *analysis.Document                 { return nil }
func (echoQueries) Targeted(string, lsp.Choice) *analysis.Document     { return nil }
func (echoQueries) Unopened(lsp.Source) *analysis.Document             { return nil }
func (echoQueries) Check(context.Context, lsp.Source) []lsp.Diagnostic { return nil }
func (n echoQueries) Diagnostics(context.Context, string) []lsp.Diagnostic {
	return []lsp.Diagnostic{{Message: fmt.Sprint(int(n))}}
}
func (n echoQueries) Prompt(ctx context.Context, key string) ([]lsp.Diagnostic, bool) {
	return n.Diagnostics(ctx, key), true
}
func (echoQueries) Hints(context.Context, string, int, int) []lsp.Hint   { return nil }
func (echoQueries) Hover(context.Context, string, int) (lsp.Hover, bool) { return lsp.Hover{}, false }
func (echoQueries) Symbols(context.Context, string) []lsp.Symbol         { return nil }

// BenchmarkOpen is what the server itself costs from didOpen to the first
// diagnostics of a document of 100,000 lines.
func BenchmarkOpen(b *testing.B) {
	text := strings.Repeat("    t: pl.Tile[[64, 64], pl.FP32] = pl.tile.load(x, [0, 0], [64, 64])  # \"c\"\n", 100000)
	b.SetBytes(int64(len(text)))
	server, client := net.Pipe()
	go lsp.Serve(context.Background(), server, lsp.Options{Engine: &echo{}})
	e := fake.New(b, client)
	e.Call("initialize", obj{"capabilities": utf8}, nil)
	e.Notify("initialized", obj{})
	for v := 1; b.Loop(); v++ {
		e.Notify("textDocument/didOpen", obj{"textDocument": obj{"uri": fmt.Sprintf("file:///ws/%d.py", v), "languageId": "python", "version": 1, "text": text}})
		e.Next("textDocument/publishDiagnostics")
		e.Notify("textDocument/didClose", obj{"textDocument": obj{"uri": fmt.Sprintf("file:///ws/%d.py", v)}})
		e.Next("textDocument/publishDiagnostics")
	}
}

// BenchmarkMachinery is what the server itself costs: an edit in the middle of a
// document until the diagnostics of that version are read, with an engine that
// costs nothing, through a pipe.
func BenchmarkMachinery(b *testing.B) {
	for _, lines := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			var text strings.Builder
			for i := range lines / 30 {
				fmt.Fprintf(&text, "@pl.function\ndef f%d(x: pl.Tensor[[64, 64], pl.FP32]):\n", i)
				for j := range 28 {
					fmt.Fprintf(&text, "    t%d: pl.Tile[[64, 64], pl.FP32] = pl.tile.load(x, [0, 0], [64, 64])\n", j)
				}
			}
			server, client := net.Pipe()
			go lsp.Serve(context.Background(), server, lsp.Options{Engine: &echo{}})
			e := fake.New(b, client)
			e.Call("initialize", obj{"capabilities": utf8}, nil)
			e.Notify("initialized", obj{})
			e.Notify("textDocument/didOpen", obj{"textDocument": obj{"uri": uri, "languageId": "python", "version": 1, "text": text.String()}})
			e.Next("textDocument/publishDiagnostics")
			line := lines / 2
			for v := 2; b.Loop(); v++ {
				e.Notify("textDocument/didChange", obj{"textDocument": obj{"uri": uri, "version": v}, "contentChanges": []any{edit(line, 4, line, 4, "x")}})
				e.Next("textDocument/publishDiagnostics")
			}
		})
	}
}

// BenchmarkHandWritten is a keystroke in a hand-written kernel of 200 lines
// with all that is computed for it, and the hints of 60 lines after it, without
// processes and pipes of the system.
func BenchmarkHandWritten(b *testing.B) {
	for _, planner := range []string{"PYPTO", "DSA_RP"} {
		for _, kind := range []string{"vector", "mixed"} {
			b.Run(planner+"/"+kind, func(b *testing.B) {
				shape := bench.HandWritten(200, kind == "mixed")
				line := shape.Middle + 1
				text := "# pypto-ls: planner=" + planner + "\n" + shape.Text
				server, client := net.Pipe()
				go lsp.Serve(context.Background(), server, lsp.Options{Engine: lsp.NewPlanner(analysis.NewEngine(8 << 20))})
				e := fake.New(b, client)
				e.Call("initialize", obj{"capabilities": utf8}, nil)
				e.Notify("initialized", obj{})
				e.Notify("textDocument/didOpen", obj{"textDocument": obj{"uri": uri, "languageId": "python", "version": 1, "text": text}})
				e.Next("textDocument/publishDiagnostics")
				e.Notify("textDocument/didChange", obj{"textDocument": obj{"uri": uri, "version": 2}, "contentChanges": []any{edit(line, 0, line, 0, shape.Statement("fresh_0")+"\n")}})
				e.Next("textDocument/publishDiagnostics")
				b.ReportAllocs()
				for v := 3; b.Loop(); v++ {
					e.Notify("textDocument/didChange", obj{"textDocument": obj{"uri": uri, "version": v}, "contentChanges": []any{edit(line, 0, line+1, 0, shape.Statement(fmt.Sprintf("fresh_%d", v))+"\n")}})
					e.Next("textDocument/publishDiagnostics")
					var hints []any
					e.Call("textDocument/inlayHint", obj{"textDocument": obj{"uri": uri}, "range": obj{"start": obj{"line": line - 30, "character": 0}, "end": obj{"line": line + 30, "character": 0}}}, &hints)
					if len(hints) < 20 {
						b.Fatalf("%d hints: the kernel was not planned", len(hints))
					}
				}
			})
		}
	}
}
