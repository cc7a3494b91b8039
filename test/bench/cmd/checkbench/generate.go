package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// dump writes IR as it stands before InitMemRef, of about n lines: kernels of
// the vector core and of the cube core, of 10 to 300 statements, with the names
// and line lengths of real dumps. The same seed gives the same text.
func dump(seed uint64, n int) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, uint64(n)))}
	g.line("# pypto.program: Gen%d", seed)
	g.line("import pypto.language as pl")
	g.line("")
	g.line("@pl.program")
	g.line("class Gen%d:", seed)
	for f := 0; g.lines < n; f++ {
		size := min(10<<g.r.IntN(5)+g.r.IntN(20), max(10, n-g.lines))
		if g.r.IntN(3) == 0 {
			g.cube(f, size)
		} else {
			g.vector(f, size)
		}
	}
	return g.b.String()
}

type generator struct {
	b      strings.Builder
	r      *rand.Rand
	lines  int
	indent string
	names  int
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(g.indent)
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
	g.lines++
}

// name is a new one, as single assignment makes them.
func (g *generator) name(stem string) string {
	g.names++
	return fmt.Sprintf("%s_%d__ssa_v0", stem, g.names)
}

const tensor = "pl.Tensor[[4096, 4096], pl.FP32]"

// begin writes the head of a kernel whose inputs have the given data type.
func (g *generator) begin(kind, dtype string, f int) {
	g.indent, g.names = "    ", 0
	if f > 0 {
		g.line("")
	}
	g.line("@pl.function(type=pl.FunctionType.%s, level=pl.Level.%s, role=pl.Role.SubWorker)", kind, kind)
	in := strings.Replace(tensor, "FP32", dtype, 1)
	g.line("def kernel_%d_%s(x__ssa_v0: %s, y__ssa_v0: %s, out__ssa_v0: pl.Out[%s]) -> %s:", f, strings.ToLower(kind), in, in, tensor, tensor)
	g.indent = "        "
}

// vector is a kernel that loads tiles, works on them, in loops too, and stores
// them.
func (g *generator) vector(f, size int) {
	g.begin("AIV", "FP32", f)
	rows, cols := 8<<g.r.IntN(3), 64<<g.r.IntN(2)
	shape := fmt.Sprintf("[%d, %d]", rows, cols)
	tile := "pl.Tile[" + shape + ", pl.FP32, pl.Mem.Vec]"
	load := func(row string) string {
		n := g.name("hidden_tile")
		g.line("%s: %s = pl.tile.load(x__ssa_v0, [%s, 0], %s, %s, target_memory=pl.Mem.Vec)", n, tile, row, shape, shape)
		return n
	}
	live := []string{load("0"), load("128")}
	work := func() {
		n, a := g.name("norm_tile"), live[len(live)-1]
		switch g.r.IntN(4) {
		case 0:
			g.line("%s: %s = pl.tile.exp(%s)", n, tile, a)
		case 1:
			g.line("%s: %s = pl.tile.muls(%s, 0.%d)", n, tile, a, 1+g.r.IntN(9))
		default:
			g.line("%s: %s = pl.tile.add(%s, %s)", n, tile, a, live[g.r.IntN(len(live))])
		}
		live = append(live, n)
		if len(live) > 4 {
			live = live[1:]
		}
	}
	for made := 0; made < size; {
		if g.r.IntN(4) > 0 || size-made < 12 {
			work()
			made++
			continue
		}
		inner := 4 + g.r.IntN(min(20, size-made))
		acc := g.name("acc")
		g.line("for i_%d__idx_v0, (%s,) in pl.range(0, %d, 1, init_values=(%s,)):", g.names, acc, 2+g.r.IntN(8), live[len(live)-1])
		index := fmt.Sprintf("i_%d__idx_v0", g.names)
		outer := live[:len(live)-1]
		g.indent += "    "
		live = []string{acc, load(index + " * 64")}
		for range inner {
			work()
		}
		result := g.name("acc_rv")
		g.line("%s: %s = pl.yield_(%s)", result, tile, live[len(live)-1])
		g.indent = g.indent[4:]
		live = append(outer[:len(outer):len(outer)], result)
		made += inner
	}
	g.end(live[len(live)-1])
}

func (g *generator) end(last string) {
	n := g.name("out")
	g.line("%s: %s = pl.tile.store(%s, [0, 0], out__ssa_v0)", n, tensor, last)
	g.line("return %s", n)
}

// cube is a kernel that multiplies in software pipelines of two stages.
func (g *generator) cube(f, size int) {
	g.begin("AIC", "BF16", f)
	const (
		left  = "pl.Tile[[64, 128], pl.BF16, pl.Mem.%s]"
		right = "pl.Tile[[128, 64], pl.BF16, pl.Mem.%s]"
		acc   = "pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc]"
	)
	operand := func(typ, from, at, shape, mem, attrs string) string {
		m, n := g.name("panel_mat"), g.name("panel_"+strings.ToLower(mem))
		g.line("%s: %s = pl.tile.load(%s, %s, %s, %s, target_memory=pl.Mem.Mat%s)", m, fmt.Sprintf(typ, "Mat"), from, at, shape, shape, attrs)
		g.line("%s: %s = pl.tile.move(%s, target_memory=pl.Mem.%s%s)", n, fmt.Sprintf(typ, mem), m, mem, attrs)
		return n
	}
	a := operand(left, "x__ssa_v0", "[0, 0]", "[64, 128]", "Left", "")
	b := operand(right, "y__ssa_v0", "[0, 0]", "[128, 64]", "Right", "")
	last := g.name("sum")
	g.line("%s: %s = pl.tile.matmul(%s, %s)", last, acc, a, b)
	for made, group := 8, 0; made < size; made, group = made+14, group+1 {
		carried := g.name("sum_it")
		index := fmt.Sprintf("k_%d__idx_v0", g.names)
		g.line("for %s, (%s,) in pl.range(1, %d, 2, init_values=(%s,)):", index, carried, 9+2*g.r.IntN(8), last)
		g.indent += "    "
		last = carried
		for stage := range 2 {
			attrs := fmt.Sprintf(", attrs={\"pipeline_membership\": \"%d:%d\"}", group, stage)
			at := fmt.Sprintf("(%s + %d) * 128", index, stage)
			a := operand(left, "x__ssa_v0", "[0, "+at+"]", "[64, 128]", "Left", attrs)
			b := operand(right, "y__ssa_v0", "["+at+", 0]", "[128, 64]", "Right", attrs)
			next := g.name("sum")
			g.line("%s: %s = pl.tile.matmul_acc(%s, %s, %s)", next, acc, last, a, b)
			last = next
		}
		result := g.name("sum_rv")
		g.line("%s: %s = pl.yield_(%s)", result, acc, last)
		g.indent = g.indent[4:]
		last = result
	}
	g.end(last)
}
