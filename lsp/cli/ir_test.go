package cli

import (
	"strings"
	"testing"
)

const irKernel = `import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 64], pl.BF16], o: pl.Out[pl.Tensor[[64, 64], pl.DTYPE]]) -> pl.Tensor[[64, 64], pl.DTYPE]:
        a = pl.tile.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        b = pl.tile.cast(a, target_type=pl.DTYPE, mode="rint")
        r = pl.tile.store(b, [0, 0], o)
        return r
`

// A function that a pass before the memory passes refuses is not in the
// printed IR: the command says so and does not succeed. No chain of casts
// leads from BF16 to INT64; FP32 is native.
func TestIRSaysWhatIsMissing(t *testing.T) {
	code, out, errText := run(strings.ReplaceAll(irKernel, "DTYPE", "INT64"), "ir", "-", "--after", "InitMemRef")
	if code != exitFindings || !strings.Contains(errText, "-:8:9: error: LegalizeTileCast: no native cast path from bfloat16 to int64") {
		t.Errorf("exit %d, %q, errors %q", code, out, errText)
	}
	code, out, errText = run(strings.ReplaceAll(irKernel, "DTYPE", "FP32"), "ir", "-", "--after", "InitMemRef")
	if code != exitOK || errText != "" || !strings.Contains(out, "mem_vec_2") {
		t.Errorf("exit %d, %q, errors %q", code, out, errText)
	}
	code, _, errText = run("@pl.function\ndef f(x: pl.Tensor[[1, pl.FP32]:\n    y = 3\n", "ir", "-", "--after", "InitMemRef")
	if code != exitFindings || !strings.HasPrefix(errText, "-:2:19: error: '[' was never closed [syntax] in f\n") {
		t.Errorf("broken text: exit %d, errors %q", code, errText)
	}
}
