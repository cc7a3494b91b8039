package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Shape is a generated file in one language.
type Shape struct {
	Language string // its id in LSP
	Name     string // of the file
	// Text has about as many lines as asked for, in functions of 30 statements.
	Text string
	// Middle is a line (0-based) in the body of a function in the middle.
	Middle int
	// Statement makes a statement for that place that uses an undefined name.
	Statement func(name string) string
	// Says is what the finding about that statement holds; "" means the name.
	Says string
}

// lines collects the text of a file.
type lines struct {
	strings.Builder
	n int
}

func (l *lines) add(format string, args ...any) {
	fmt.Fprintf(l, format, args...)
	l.WriteByte('\n')
	l.n++
}

// Generate makes a file in the language of a server; ok is false for unknown
// languages.
func Generate(language string, n int) (shape Shape, ok bool) {
	switch language {
	case "pypto-ir":
		return Kernels(n), true
	case "python":
		s := Kernels(n)
		s.Language, s.Name = "python", "kernels.py"
		return s, true
	case "mlir":
		return mlir(n), true
	case "go":
		return golang(n), true
	case "cpp":
		return cpp(n), true
	}
	return Shape{}, false
}

// functions writes functions of 30 statements until there are n lines, and
// finds a line in the body of one in the middle.
func functions(l *lines, n int, one func(l *lines, i int)) (middle int) {
	for i := 0; l.n < n; i++ {
		one(l, i)
		if middle == 0 && l.n > n/2 {
			middle = l.n - 10
		}
	}
	return middle
}

// Kernels is IR as it stands before InitMemRef: vector kernels that load tiles,
// work on them in straight lines and in loops, and store them. No two functions
// are alike.
func Kernels(n int) Shape {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var l lines
	l.add("# pypto.program: Gen")
	l.add("import pypto.language as pl")
	l.add("")
	l.add("@pl.program")
	l.add("class Gen:")
	middle := functions(&l, n, func(l *lines, i int) { kernel(l, r, i) })
	return Shape{
		Language: "pypto-ir", Name: "31_after_MaterializeTensorStrides.py", Text: l.String(), Middle: middle,
		Statement: func(name string) string {
			return "        bad: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.adds(" + name + ", 1.0)"
		},
	}
}

// kernel writes one function of 30 statements.
func kernel(l *lines, r *rand.Rand, i int) {
	shape := fmt.Sprintf("[%d, %d]", 16*(1+r.IntN(4)), 64)
	tile := "pl.Tile[" + shape + ", pl.FP32, pl.Mem.Vec]"
	tensor := "pl.Tensor[[512, 512], pl.FP32]"
	l.add("    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)")
	l.add("    def kernel_%d(x__ssa_v0: %s, out__ssa_v0: pl.Out[%s]) -> %s:", i, tensor, tensor, tensor)
	indent, made := "        ", []string{}
	load := func(k int) {
		name := fmt.Sprintf("t%d__ssa_v0", k)
		l.add("%s%s: %s = pl.tile.load(x__ssa_v0, [%d, 0], %s, %s, target_memory=pl.Mem.Vec)", indent, name, tile, k, shape, shape)
		made = append(made, name)
	}
	work := func(k int) {
		name := fmt.Sprintf("t%d__ssa_v0", k)
		a := made[len(made)-1-r.IntN(min(4, len(made)))]
		switch r.IntN(3) {
		case 0:
			l.add("%s%s: %s = pl.tile.adds(%s, %d.0)", indent, name, tile, a, k+i%7)
		case 1:
			l.add("%s%s: %s = pl.tile.exp(%s)", indent, name, tile, a)
		default:
			b := made[len(made)-1-r.IntN(min(6, len(made)))]
			l.add("%s%s: %s = pl.tile.mul(%s, %s)", indent, name, tile, a, b)
		}
		made = append(made, name)
	}
	for k := range 4 {
		load(k)
	}
	for k := 4; k < 12; k++ {
		work(k)
	}
	last := made[len(made)-1]
	l.add("%sfor i__idx_v0, (acc__iter_v1,) in pl.range(%d, init_values=(%s,)):", indent, 2+i%5, last)
	indent += "    "
	made = append(made, "acc__iter_v1")
	for k := 12; k < 16; k++ {
		load(k)
	}
	for k := 16; k < 26; k++ {
		work(k)
	}
	l.add("%sacc__rv_v2: %s = pl.yield_(%s)", indent, tile, made[len(made)-1])
	indent = indent[4:]
	made = append(made[:0], "acc__rv_v2") // its initial value must not be read again: the loop has overwritten it
	work(26)
	l.add("%sres__ssa_v0: %s = pl.tile.store(%s, [0, 0], out__ssa_v0)", indent, tensor, made[len(made)-1])
	l.add("%sreturn res__ssa_v0", indent)
}
