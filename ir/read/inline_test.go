package read_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

const inlines = `
K = 3

@pl.inline
def scaled(x, k):
    y = pl.mul(x, k)
    y = pl.add(y, K)
    return y

@pl.inline
def both(x):
    p = scaled(x, 2.0)
    return p, x

@pl.inline
def nothing(x):
    pl.exp(x)

@pl.inline
def forever(x):
    return forever(x)
`

// TestInline: the body's statements stand where the call stood, the last
// return is the value, names of the body stay inside (spec 01 §9.6).
func TestInline(t *testing.T) {
	tile := ": pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = "
	wantBodyOf(t, inlines, "x = scaled(t, 0.5)", "y"+tile+"pl.tile.muls(t, 0.5)\ny"+tile+"pl.tile.adds(y, 3.0)\nx"+tile+"y")
	// In the middle of an expression; comments go to the first statement.
	wantBodyOf(t, inlines, "# scale\nx = pl.exp(scaled(t, 1))", "# scale\ny"+tile+"pl.tile.muls(t, 1.0)\ny"+tile+"pl.tile.adds(y, 3.0)\nx"+tile+"pl.tile.exp(y)")
	// Nested, with two values.
	wantBodyOf(t, inlines, "x, z = both(t)", "y"+tile+"pl.tile.muls(t, 2.0)\ny"+tile+"pl.tile.adds(y, 3.0)\np"+tile+"y\n"+
		"_tuple_tmp: pl.Tuple[pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec], pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec]] = [p, t]\nx"+tile+"_tuple_tmp[0]\nz"+tile+"_tuple_tmp[1]")
	// As a statement, without value.
	wantBodyOf(t, inlines, "nothing(t)", "pl.tile.exp(t)")
	// Inside a loop the statements stay in the loop.
	wantBodyOf(t, inlines, "for j in pl.range(2):\n    nothing(t)", "for j in pl.range(2):\n    pl.tile.exp(t)")
}

func TestInlineErrors(t *testing.T) {
	wantProblems(t, inlines, "x = scaled(t)", found{"scaled(t)", "Inline function 'scaled' expects 2 argument(s), got 1", "Check the inline function's parameter list: ['x', 'k']"})
	wantProblems(t, inlines, "x = nothing(t)", found{"nothing(t)", "Inline function 'nothing' has no return value", "Inline functions used as expressions must return a value"})
	wantProblems(t, inlines, "x = forever(t)", found{"forever(t)", "Inline function 'forever' calls itself without end", "An @pl.inline function is expanded at its call; it cannot be recursive"})
	// An error in the body stands at the call.
	wantProblems(t, inlines, "x = scaled(n, 2)\nz = scaled(a, n)", found{"scaled(a, n)", "pl operation 'mul': Scalar operand has dtype `index`, which tile/tensor scalar instructions do not accept. Convert it explicitly, e.g. pl.cast(<value>, pl.INT32).", scalarHelp})
}

// TestInlineDeps: what was expanded is a dependency, with the names it reads;
// n is one because a dynamic dimension of that name would be the parameter.
func TestInlineDeps(t *testing.T) {
	_, fn := kernel(t, inlines, prepared+"x, z = both(t)")
	want := read.Deps{Names: []string{"K", "n"}, Callees: []string{"both", "scaled"}, Bodies: []string{"both", "scaled"}}
	if diff := cmp.Diff(want, fn.Deps); diff != "" {
		t.Error(diff)
	}
}

// TestExternal: a bare call of another kernel function adds it to the program.
func TestExternal(t *testing.T) {
	text := strings.Replace(kernelText("@pl.function(type=pl.FunctionType.InCore)\ndef g(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n    return x\n", "b = g(a)"), "InCore)\n    def f", "Orchestration)\n    def f", 1)
	p := read.File(irsyntax.Parse(text), read.Options{Policy: read.Reference})[0]
	want := `# pypto.program: P
import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def g(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:
        return x
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def f(self, a: pl.Tensor[[64, 64], pl.FP32], h: pl.Tensor[[64, 64], pl.FP16], q: pl.Tensor[[64, 64], pl.INT32], n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        b: pl.Tensor[[64, 64], pl.FP32] = self.g(a)`
	if diff := cmp.Diff(want, printer.Program(p.IR, printer.Options{})); diff != "" {
		t.Error(diff)
	}
}

// TestCalls: calls of program functions (spec 01 §9.5).
func TestCalls(t *testing.T) {
	text := `import pypto.language as pl
M = pl.dynamic("M")
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def g(x: pl.Tensor[[M, 64], pl.FP32], o: pl.Out[pl.Tensor[[M, 64], pl.FP32]]) -> tuple[pl.Tensor[[M, 64], pl.FP32], pl.Scalar[pl.INDEX]]:
        return o, 1
    @pl.function(type=pl.FunctionType.Orchestration)
    def f(self, x: pl.Tensor[[128, 64], pl.FP32], o: pl.Out[pl.Tensor[[128, 64], pl.FP32]]):
        p, q = self.g(x, o)
        s = self.late(x)
        self.g(x)
        self.g(x, o, scale=2)
    @pl.function(type=pl.FunctionType.InCore)
    def late(x: pl.Tensor[[128, 64], pl.FP32]) -> pl.Tensor[[128, 64], pl.FP32]:
        return x
`
	p := read.File(irsyntax.Parse(text), read.Options{Policy: read.Reference})[0]
	f := p.Functions[1]
	// Dynamic dimensions of the result take the argument's extents; a function
	// further down is not parsed yet.
	var types []string
	for _, s := range f.IR.Body.Stmts {
		if a, ok := s.(*ir.Assign); ok {
			types = append(types, a.Var.Name+": "+printer.Type(nil, a.Var.Type, printer.Options{}))
		}
	}
	want := []string{"_tuple_tmp: pl.Tuple[pl.Tensor[[128, 64], pl.FP32], pl.Scalar[pl.INDEX]]", "p: pl.Tensor[[128, 64], pl.FP32]", "q: pl.Scalar[pl.INDEX]", "s: pl.UnknownType"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
	wantFound(t, "calls", f, []found{
		{"self.g(x)", "Function 'g' expects 2 argument(s), got 1", "Parameters: ['x: In', 'o: Out']"},
		{"self.g(x, o, scale=2)", "Function 'g' does not accept keyword argument 'scale'", "Allowed keyword arguments: ['attrs']"},
	})
}
