package read_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// kernelHead is the signature that the tests' statements stand under: tensors
// of FP32, FP16 and INT32, an INDEX and an INT32 scalar.
const kernelHead = `@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(a: pl.Tensor[[64, 64], pl.FP32], h: pl.Tensor[[64, 64], pl.FP16], q: pl.Tensor[[64, 64], pl.INT32], n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
`

// prepared are tiles most tests need.
const prepared = `t = pl.load(a, [0, 0], [16, 64])
u = pl.load(h, [0, 0], [16, 64])
i = pl.load(q, [0, 0], [16, 64])
`

func kernelText(module, body string) string {
	var b strings.Builder
	b.WriteString("import pypto.language as pl\n\n" + module + "\n" + kernelHead)
	for _, l := range strings.Split(strings.TrimRight(body, "\n"), "\n") {
		b.WriteString("        " + l + "\n")
	}
	return b.String()
}

// kernel reads the statements of body, printed one a line without the
// kernel's indentation.
func kernel(t *testing.T, module, body string) (string, *read.Function) {
	t.Helper()
	ps := read.File(irsyntax.Parse(kernelText(module, body)), read.Options{Policy: read.Reference})
	for _, p := range ps {
		if p.Class == nil {
			continue
		}
		for _, fn := range p.Functions {
			if fn.IR.Name == "f" {
				return bodyText(printer.Program(p.IR, printer.Options{})), fn
			}
		}
	}
	t.Fatal("no function f")
	return "", nil
}

// bodyText are the lines below `def f`, 8 columns to the left.
func bodyText(program string) string {
	_, rest, _ := strings.Cut(program, "    def f(")
	_, rest, _ = strings.Cut(rest, "\n")
	rest, _, _ = strings.Cut(rest, "\n    @pl.function")
	var out []string
	for _, l := range strings.Split(rest, "\n") {
		out = append(out, strings.TrimPrefix(l, "        "))
	}
	return strings.Join(out, "\n")
}

// wantBody reads statements after the prepared ones and compares what they
// become; no problem may be found.
func wantBody(t *testing.T, body, want string) {
	t.Helper()
	wantBodyOf(t, "", body, want)
}

func wantBodyOf(t *testing.T, module, body, want string) {
	t.Helper()
	got, fn := kernel(t, module, prepared+body)
	for _, p := range fn.Problems {
		if !p.Warning {
			t.Errorf("%s: %s", body, p.Message)
		}
	}
	lines := strings.Split(got, "\n")
	got = strings.Join(lines[min(3, len(lines)):], "\n")
	if diff := cmp.Diff(strings.TrimRight(want, "\n"), got); diff != "" {
		t.Errorf("%s:\n%s", body, diff)
	}
}

// found is a problem as the tests compare it: the text it stands at, its
// message and its help.
type found struct{ At, Message, Help string }

// wantProblems reads statements after the prepared ones and compares what is
// found.
func wantProblems(t *testing.T, module, body string, want ...found) {
	t.Helper()
	_, fn := kernel(t, module, prepared+body)
	wantFound(t, body, fn, want)
}

func wantFound(t *testing.T, name string, fn *read.Function, want []found) {
	t.Helper()
	var got []found
	for _, p := range fn.Problems {
		if !p.Warning {
			got = append(got, found{fn.Chunk.Text[p.Span.Start:p.Span.End], p.Message, p.Help})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:\n%s", name, diff)
	}
}
