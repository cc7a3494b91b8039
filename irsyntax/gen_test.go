package irsyntax

import (
	"fmt"
	"strings"
)

// genProgram writes a program of functions with about 30 statements each, in
// the form of a dump after address assignment.
func genProgram(funcs int) string {
	var b strings.Builder
	b.WriteString("# pypto.program: Gen\nimport pypto.language as pl\n\nROWS = pl.dynamic(\"ROWS\")\n\n@pl.program\nclass Gen:\n")
	for i := range funcs {
		genFunc(&b, i)
	}
	return b.String()
}

func genFunc(b *strings.Builder, i int) {
	fmt.Fprintf(b, "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)\n")
	fmt.Fprintf(b, "    def kernel_%d(src_%d__ssa_v0: pl.Tensor[[ROWS, 512], pl.FP32, pl.MemRef(\"mem_ddr_0\", pl.const(0, pl.INT64), %d)], "+
		"dst__ssa_v0: pl.Out[pl.Tensor[[512, 512], pl.FP32]]) -> pl.Tensor[[512, 512], pl.FP32]:\n", i, i, 4096*i)
	for k := range 4 {
		fmt.Fprintf(b, "        mem_vec_%d: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, %d)\n", k, 16384*(k+1))
	}
	fmt.Fprintf(b, "        block__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx() * 8 + %d\n", i)
	fmt.Fprintf(b, "        for row__idx_v0, (acc__iter_v1,) in pl.range(0, 512, 64, init_values=(dst__ssa_v0,), attrs={\"kept\": True}):\n")
	for k := range 8 {
		typ := fmt.Sprintf("pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_%d, pl.const(%d, pl.INT64), 16384), pl.Mem.Vec]", k%4, 16384*(k%4))
		fmt.Fprintf(b, "            load_%d__tile: %s = pl.tile.load(src_%d__ssa_v0, [row__idx_v0 + %d, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)\n", k, typ, i, k)
		fmt.Fprintf(b, "            mul_%d__tile: %s = pl.tile.muls(load_%d__tile, %d.5)\n", k, typ, k, k)
		fmt.Fprintf(b, "            if row__idx_v0 < block__ssa_v0:\n                phi_%d: %s = pl.yield_(mul_%d__tile)\n            else:\n                phi_%d: %s = pl.yield_(load_%d__tile)\n", k, typ, k, k, typ, k)
	}
	fmt.Fprintf(b, "            store__tile: pl.Tensor[[512, 512], pl.FP32] = pl.tile.store(phi_7, [row__idx_v0, 0], acc__iter_v1)\n")
	fmt.Fprintf(b, "            acc__rv_v2 = pl.yield_(store__tile)\n        return acc__rv_v2\n")
}
