package prelude_test

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir/prelude"
	"pypto-ls/ir/read"
	"pypto-ls/platforms"
)

// longMixed is a hand-written mixed kernel of about n lines: exchanges in both
// directions in loops, with row reductions on the vector side.
func longMixed(n int) string {
	var b strings.Builder
	b.WriteString(operands)
	for i := 0; i < n/14; i++ {
		fmt.Fprintf(&b, `
for i%[1]d in pl.range(n):
    v%[1]d = pl.load(a, [i%[1]d * 16, 0], [64, 64])
    w%[1]d = pl.add(v%[1]d, v%[1]d)
    l%[1]d = pl.move(w%[1]d, target_memory=pl.Mem.Left)
    c%[1]d = pl.matmul(l%[1]d, br)
    u%[1]d = pl.move(c%[1]d, target_memory=pl.Mem.Vec)
    t%[1]d = pl.tile.create([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
    m%[1]d = pl.row_max(u%[1]d, t%[1]d)
    s%[1]d = pl.row_expand_sub(u%[1]d, m%[1]d)
    if i%[1]d > n:
        x%[1]d = pl.add(s%[1]d, s%[1]d)
        pl.store(x%[1]d, [0, 0], out)
    pl.store(s%[1]d, [i%[1]d * 16, 0], out2)
`, i)
	}
	b.WriteString("return out\n")
	return kernel(b.String())
}

// BenchmarkLowerMixed is the whole prelude on a mixed kernel of 200 and of
// 2,000 lines.
func BenchmarkLowerMixed(b *testing.B) {
	for _, n := range []int{200, 2000} {
		for _, name := range []string{"Ascend910B", "Ascend950"} {
			p, _ := platforms.Lookup(name)
			prog := readProgram(b, longMixed(n), read.Reference, p)
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				for range b.N {
					c := &prelude.Ctx{Platform: p, Planner: "PYPTO"}
					r := prelude.Lower(c, prog.Funcs[0], "", nil)
					if len(r.Funcs) != 3 {
						b.Fatal("the kernel was not split")
					}
				}
			})
		}
	}
}
