package infer_test

import (
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// inferText reads `params` as a signature and `expr` as the right side of an
// assignment and returns the inferred type as text, or the problem's text
// after "error: ", "internal: " or "degraded: ".
func inferText(t *testing.T, params, expr string) string {
	t.Helper()
	src := "import pypto.language as pl\n\n@pl.function(type=pl.FunctionType.AIV)\ndef k(" + params + "):\n    r = " + expr + "\n"
	for _, p := range read.File(irsyntax.Parse(src), read.Options{Policy: read.Dump}) {
		for _, fn := range p.Functions {
			for _, s := range fn.IR.Body.Stmts {
				a, ok := s.(*ir.Assign)
				if !ok {
					continue
				}
				c, ok := a.Value.(*ir.Call)
				if !ok || c.Op == nil {
					t.Fatalf("%s is no operator call: %#v", expr, a.Value)
				}
				return resultText(c)
			}
		}
	}
	t.Fatalf("nothing was read from\n%s", src)
	return ""
}

func resultText(c *ir.Call) string {
	got, problem := infer.Infer(c.Op, c.Args, c.Kwargs, infer.Env{})
	if problem == nil {
		return printer.Type(nil, got, printer.Options{})
	}
	switch problem.Kind {
	case infer.Degraded:
		return "degraded: " + problem.Text
	case infer.Internal:
		return "internal: " + problem.Text
	}
	return "error: " + problem.Text
}

// typeCase is one call with its expected type or error. Several calls may
// share the parameters of the first.
type typeCase struct{ expr, want string }

func checkTypes(t *testing.T, params string, cases []typeCase) {
	t.Helper()
	for _, c := range cases {
		if got := inferText(t, params, c.expr); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}

// params makes a signature from "name: type" lines with `pl.` left out of
// Tile, Tensor, Scalar, Mem, dtypes and views.
func params(lines ...string) string {
	r := strings.NewReplacer("Tile[", "pl.Tile[", "Tensor[", "pl.Tensor[", "Scalar[", "pl.Scalar[", "Mem.", "pl.Mem.", "TileView(", "pl.TileView(",
		"TensorView(", "pl.TensorView(", "FP32", "pl.FP32", "FP16", "pl.FP16", "BF16", "pl.BF16", "INT8", "pl.INT8", "INT16", "pl.INT16",
		"INT32", "pl.INT32", "INT64", "pl.INT64", "INDEX", "pl.INDEX", "BOOL", "pl.BOOL", "TileLayout.", "pl.TileLayout.", "PadValue.", "pl.PadValue.",
		"CompactMode.", "pl.CompactMode.", "TensorLayout.", "pl.TensorLayout.", "FP8E4M3FN", "pl.FP8E4M3FN", "FP8E8M0", "pl.FP8E8M0")
	out := make([]string, len(lines))
	for i, l := range lines {
		l = strings.ReplaceAll(l, "UINT", "\x00")
		l = r.Replace(l)
		out[i] = strings.ReplaceAll(l, "\x00", "pl.UINT")
	}
	return strings.Join(out, ", ")
}
