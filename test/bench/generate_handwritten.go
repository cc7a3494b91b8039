package bench

import (
	"fmt"
	"strings"
)

// HandWritten is one kernel of about n lines as a person types it: no
// annotations, names used again, loops, a software pipeline. A mixed one works
// on both cores, with tiles that go from one to the other in every block. The
// statement in the middle is right but for its result, which nobody uses: the
// warning about it names it, and the kernel is lowered and planned.
func HandWritten(n int, mixed bool) Shape {
	var l lines
	l.add("import pypto.language as pl")
	l.add("")
	l.add("")
	l.add("@pl.program")
	l.add("class Hand:")
	l.add("    @pl.function(type=pl.FunctionType.InCore)")
	l.add("    def kernel(")
	l.add("        self,")
	l.add("        a: pl.Tensor[[4096, 128], pl.FP32],")
	l.add("        b: pl.Tensor[[128, 128], pl.FP32],")
	l.add("        out: pl.Out[pl.Tensor[[4096, 128], pl.FP32]],")
	l.add("        n: pl.Scalar[pl.INDEX],")
	l.add("    ) -> pl.Tensor[[4096, 128], pl.FP32]:")
	add := vectorBlock
	if mixed {
		l.add("        bm = pl.load(b, [0, 0], [128, 128], target_memory=pl.Mem.Mat)")
		l.add("        br = pl.move(bm, target_memory=pl.Mem.Right)")
		add = mixedBlock
	}
	middle := 0
	for i := 0; l.n < n-2; i++ {
		add(&l, i)
		if middle == 0 && l.n > n/2 {
			middle = l.n
		}
	}
	l.add("        return out")
	return Shape{Language: "python", Name: "kernel.py", Text: l.String(), Middle: middle, Statement: func(name string) string {
		return fmt.Sprintf("        %s = pl.load(a, [0, 0], [32, 128])", name)
	}}
}

func vectorBlock(l *lines, i int) {
	block(l, i, `acc_# = pl.load(a, [#, 0], [32, 128])
for i in pl.pipeline(8, stage=2):
    x_# = pl.load(a, [i * 32, 0], [32, 128])
    y_# = pl.mul(pl.add(x_#, acc_#), x_#)
    x_# = pl.exp(y_#)
    acc_# = pl.add(acc_#, x_#)
if n > #:
    acc_# = pl.mul(acc_#, 2.0)
else:
    acc_# = pl.sub(acc_#, pl.abs(acc_#))
out = pl.store(acc_#, [#, 0], out)`)
}

func mixedBlock(l *lines, i int) {
	block(l, i, `for i in pl.range(n):
    v_# = pl.load(a, [i * 32, 0], [32, 128])
    w_# = pl.add(v_#, pl.exp(v_#))
    left_# = pl.move(w_#, target_memory=pl.Mem.Left)
    c_# = pl.matmul(left_#, br)
    u_# = pl.move(c_#, target_memory=pl.Mem.Vec)
    tmp_# = pl.tile.create([32, 128], dtype=pl.FP32, target_memory=pl.Mem.Vec)
    m_# = pl.row_max(u_#, tmp_#)
    s_# = pl.row_expand_sub(u_#, m_#)
    if i > #:
        pl.store(pl.add(s_#, s_#), [0, 0], out)
    pl.store(s_#, [i * 32, 0], out)`)
}

// block writes statements with their number in place of '#'.
func block(l *lines, i int, text string) {
	for line := range strings.Lines(text) {
		l.add("        %s", strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "#", fmt.Sprint(i)))
	}
}
