package rules

var sharingRules = []Rule{
	{
		Code: "PH-MR-001", Severity: "information", Title: "a software pipeline gets fewer buffers than its depth",
		Meaning: "The stages of a pipeline should have a buffer each, and the space has not the bytes for that. The message gives the depth asked for, the depth reached, the bytes of one stage and the bytes that are free; stages that are so many apart share a buffer and wait for each other.",
		Cause:   "A pipeline begins with at most as many buffers as stages fit the whole space. While the space overflows, the pipeline with the largest stage gives up one buffer, and everything is packed anew. So other tiles alive at the same time count too.",
		Action: []string{
			"If the message says that the operand alone needs more than there is, make the tile of a stage at most as large as it says.",
			"Otherwise make the other tiles of the space smaller or shorter-lived.",
			"Or ask for the depth that is reached: ‹stage=N›.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIC)
def stages(x: pl.Tensor[[128, 2048], pl.BF16], y: pl.Tensor[[2048, 64], pl.BF16], out: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
    r = pl.move(pl.load(y, [0, 0], [256, 64], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Right)
    c0 = pl.matmul(pl.move(pl.load(x, [0, 0], [128, 256], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Left), r)
    for k, (c,) in pl.pipeline(1, 8, 1, stage=2, init_values=(c0,)):
        m = pl.load(x, [0, k * 256], [128, 256], target_memory=pl.Mem.Mat)
        l = pl.move(m, target_memory=pl.Mem.Left)    # 65,536 B a stage: all of Left
        n = pl.matmul_acc(c, l, r)
        res = pl.yield_(n)
    return pl.store(res, [0, 0], out)`,
	},
	{
		Code: "reuse-fallback", Severity: "warning", Title: "memory reuse gave up fitting a space",
		Meaning: "With every pipeline of the space at depth 1 the packing still does not fit, or 256 attempts were made. The older packing was used instead, which lets stages share freely in Left, Right, Acc and Bias. The message says whether that one overflows too.",
		Cause:   "The tiles alive together need more than the space has. A space without pipelines comes here at once when it overflows. When one buffer alone is larger than the space, there is only the error ‹capacity›.",
		Action: []string{
			"If it overflows too, an error ‹capacity› follows: see there.",
			"Otherwise nothing has to be done, but stages of the pipelines in this space may share bytes; smaller tiles give them their depth back.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def over(x: pl.Tensor[[256, 256], pl.FP32], out: pl.Out[pl.Tensor[[128, 256], pl.FP32]]) -> pl.Tensor[[128, 256], pl.FP32]:
    a = pl.load(x, [0, 0], [128, 256])
    b = pl.load(x, [128, 0], [128, 256])
    c = pl.add(a, b)
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "unsafe-reuse", Severity: "warning", Title: "a tile is overwritten while it is still needed", Origin: Own,
		Meaning: "The compiler's plan puts a tile into bytes whose value is still read later. The addresses shown are the compiler's; the kernel reads wrong data.",
		Cause:   "The compiler ends some lives too early: that of the result of a loop over the result of another loop, of the result of a branch whose values come from outside of it, of a value carried by a loop and read by name inside it. In a dump the text may also have been edited.",
		Action: []string{
			"Copy the value that is needed longer, where it is made: ‹kept = pl.move(r, target_memory=pl.Mem.Vec)›, and read the copy.",
			"Or read it for the last time before the tile that overwrites it is made.",
			"Or bind one of the two tiles to a declared allocation: ‹pl.MemRef(\"keep\")›.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def twice(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    x0 = pl.load(x, [0, 0], [64, 64])
    for i, (a,) in pl.range(4, init_values=(x0,)):
        a1 = pl.exp(a)
        o1 = pl.yield_(a1)
    for j, (b,) in pl.range(4, init_values=(o1,)):
        b1 = pl.neg(b)
        o2 = pl.yield_(b1)
    t = pl.load(x, [0, 0], [64, 64])    # lands on o2, which the next line reads
    u = pl.add(t, o2)
    return pl.store(u, [0, 0], out)`,
	},
	{
		Code: "accumulator-merge", Severity: "error", Title: "two accumulators meet that lie in different buffers",
		Meaning: "The branches of an ‹if›, or the turns of a loop, hand on results in different buffers of Acc, and one of them would have to be moved to the other.",
		Cause:   "The hardware has no move from Acc to Acc. Memory reuse therefore needs both values in one buffer and could not put them there, because one of them is read again afterwards or is made before the branch.",
		Action: []string{
			"Begin the product inside the branch that hands it on, and do not read it anywhere else.",
			"Let both branches accumulate into the same tile: ‹pl.matmul_acc(acc, …)›.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIC)
def pick(x: pl.Tensor[[64, 64], pl.BF16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    l = pl.move(m, target_memory=pl.Mem.Left)
    r = pl.move(m, target_memory=pl.Mem.Right)
    c1 = pl.matmul(l, r)
    c2 = pl.matmul(l, r)
    if n < 1:
        c = pl.yield_(c1)
    else:
        c = pl.yield_(c2)
    c3 = pl.matmul_acc(c2, l, r)
    s = pl.store(c, [0, 0], out)
    return pl.store(c3, [0, 0], out)`,
	},
}
