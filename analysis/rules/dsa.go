package rules

var dsaRules = []Rule{
	{
		Code: "dsa-no-fit", Severity: "error", Title: "planner DSA_RP finds no placement",
		Meaning: "No addresses were found with which the buffers of the function fit their spaces. The message is about the whole function; our explanation names the space, when a space cannot be fitted by anybody.",
		Cause:   "Buffers that are alive at the same statement must not overlap, nor those that are separated for another reason. When the buffers alive at one statement, with the reserved ring, are together larger than the space, no placement exists, and the explanation says so. Otherwise the search, which tries a first fit and seven orders, did not find one: that is no proof that there is none.",
		Action: []string{
			"If the explanation says that no placement exists, only smaller or shorter-lived tiles help: see ‹capacity›.",
			"If a ring takes the beginning of the space, fewer slots give room: ‹pl.cross_core_slot(slot_num=N)›.",
			"Otherwise try planner PYPTO, or change the size of one of the large tiles.",
		},
		Example: `
# pypto-ls: planner=DSA_RP
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def over(x: pl.Tensor[[256, 256], pl.FP32], out: pl.Out[pl.Tensor[[128, 256], pl.FP32]]) -> pl.Tensor[[128, 256], pl.FP32]:
    a = pl.load(x, [0, 0], [128, 256])
    b = pl.load(x, [128, 0], [128, 256])
    c = pl.add(a, b)
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "dsa-internal", Severity: "error", Title: "planner DSA_RP stops with an internal error",
		Meaning: "The problem given to the search contradicts itself, the placement did not pass its own validation, or it could not be written back. The message is that of the compiler.",
		Cause:   "Known to lead here: a tile carried through a ‹while› loop, which this planner does not place. A ring that is larger than its space has a code of its own, ‹ring-too-large›.",
		Action: []string{
			"Carry the tile through a ‹for› loop (‹pl.range›), or use planner PYPTO.",
		},
		Example: `
# pypto-ls: planner=DSA_RP
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def until(x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    i = 0
    for (t, k) in pl.while_(init_values=(a, i)):
        pl.cond(k < n)
        u = pl.exp(t)
        r, m = pl.yield_(u, k + 1)
    return pl.store(r, [0, 0], out)`,
	},
	{
		Code: "dsa-too-large", Severity: "error", Title: "the function is too large for planner DSA_RP here", Origin: Own,
		Meaning: "The function is not placed: its buffers make more pairs that must not, or should not, share bytes than pypto-ls looks at, 4,194,304. The message is ours; the compiler has no such bound.",
		Cause:   "Thousands of tiles that are all alive together, or stages of one pipeline, or declared allocations, in one function; often loops or pipelines nested so that they unroll into copies of copies.",
		Action: []string{
			"Divide the function, or unroll less.",
			"Planner PYPTO has no such bound.",
		},
	},
	{
		Code: "PH-DSA-001", Severity: "information", Title: "stages of a software pipeline share bytes so that everything fits",
		Meaning: "With every stage of every pipeline in bytes of its own the search found no placement. It was run again with sharing between stages allowed at a price, and in the placement found so many of the pairs of stage buffers share bytes.",
		Cause:   "A pipeline overlaps the work of one turn with the loads of the next, which needs a buffer for each stage. Two stages in the same bytes wait for each other.",
		Action: []string{
			"Nothing has to be done for correctness.",
			"To get the overlap back, make room: smaller tiles, shorter live ranges, a lower ‹stage=› for a pipeline that matters less, or fewer ring slots. The hover of a tile shows with whom it shares.",
		},
		Example: `
# pypto-ls: planner=DSA_RP
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
}
