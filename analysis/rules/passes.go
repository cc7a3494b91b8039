package rules

var passRules = []Rule{
	{
		Code: "init-memref", Severity: "error", Title: "a tile gets no buffer",
		Meaning: "InitMemRef, the pass that gives each tile a buffer, stopped at this function. Sizes that are not constant have the code ‹dynamic-shape›, declared allocations ‹declared-allocation›.",
		Cause:   "What remains are views whose offset in bytes cannot be worked out: offsets of another rank than the source, or a slice of a 4-bit tile that does not begin at a whole byte.",
		Action: []string{
			"Correct the slice named in the message.",
			"In a dump, check that the passes before InitMemRef have run on the text.",
		},
		File: "31_after_MaterializeTensorStrides.py",
		Example: `
# pypto-ls: platform=Ascend950
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def part(x: pl.Tensor[[8, 16], pl.FP4], out: pl.Out[pl.Tensor[[8, 16], pl.FP4]]):
    a: pl.Tile[[8, 16], pl.FP4, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
    b: pl.Tile[[1, 14], pl.FP4, pl.Mem.Vec] = pl.tile.slice(a, [1, 14], [0, 1])    # begins in the middle of a byte
    s: pl.Tensor[[8, 16], pl.FP4] = pl.tile.store(b, [0, 0], out)
    return s`,
	},
	{
		Code: "semantic-aliases", Severity: "error", Title: "values of a loop cannot be put into one buffer",
		Meaning: "MaterializeSemanticAliases lets the value that comes round in a loop be made in the buffer of the value that goes in. It stopped at this function with the message shown.",
		Cause:   "What cannot be put into the carried buffer is copied, silently. The one known failure, accumulators, has the code ‹accumulator-merge›; everything else would be a text that the passes before this one do not make.",
		Action: []string{
			"In a dump, check that the text stands after the pass that its name says; ‹--from› on the command line overrides it.",
		},
	},
	{
		Code: "memory-reuse", Severity: "error", Title: "memory reuse stopped at this function",
		Meaning: "MemoryReuse cannot work with the buffers of this text; the message is its own.",
		Cause:   "Views reach beyond the buffer of the tile that they are views of, or tiles have a MemRef and no memory space. The passes before do not make such texts: the dump was edited.",
		Action: []string{
			"Correct the ‹pl.MemRef› at the place marked, or compile the kernel again.",
			"Check that the text stands after the pass that its name says: ‹--from› on the command line overrides it.",
		},
		File: "33_after_MaterializeSemanticAliases.py",
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def views(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(a, [0, 0], out)
    b: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    # bytes 12,288 to 20,480 of 16,384
    v: pl.Tile[[32, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(12288, pl.INT64), 8192), pl.Mem.Vec] = pl.tile.slice(b, [32, 64], [32, 0])
    t: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(v, [0, 0], s)
    return t`,
	},
	{
		Code: "allocate", Severity: "error", Title: "addresses cannot be given",
		Meaning: "AllocateMemoryAddr stopped at this function: a MemRef has no size, a tile with a MemRef has no memory space, or one MemRef is used in two spaces.",
		Cause:   "The passes before do not make such texts: the dump was edited, or stands elsewhere in the pipeline than its name says.",
		Action: []string{
			"Correct the ‹pl.MemRef› at the place marked, or compile the kernel again.",
		},
		File: "34_after_MemoryReuse.py",
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def gate(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 0), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(a, [0, 0], out)
    return s`,
	},
	{
		Code: "approximate", Severity: "information", Title: "what is shown may differ from the compiler", Origin: Own,
		Meaning: "The function goes through a pass that pypto-ls does not model for it, or is made with a value that it does not know. Sizes, addresses, sharing and verdicts of this function may differ from the compiler's; hints carry ‹≈›.",
		Cause:   "The message names the pass and why it would change the function: the compiler tiles a matrix product of operands in Mat itself, for example. Or it names a value of the module around the kernel that pypto-ls, which runs nothing and reads this file alone, cannot tell: one imported from another module or computed by a function.",
		Action: []string{
			"For an exact answer open a dump of a later pass than the one named: from MaterializeTensorStrides on all of them are exact.",
			"Where a value is named, write it in this file as a number or as arithmetic on numbers, such as 1.0 / math.sqrt(64).",
			"Everything else in the file stays exact: the mark concerns this function alone.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def mm(x: pl.Tensor[[64, 64], pl.BF16], y: pl.Tensor[[64, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    c = pl.matmul(a, b)    # operands in Mat: AutoTileMatmulL0 decides how to move and tile them
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "internal-error", Severity: "error", Title: "pypto-ls failed at this function", Origin: Own,
		Meaning: "The analysis of this function broke off because of a mistake in pypto-ls. The other functions are not affected.",
		Cause:   "A mistake of ours.",
		Action: []string{
			"Please report it with the text of the function.",
		},
	},
	{
		Code: "PH001", Severity: "information", Title: "a load or store moves short rows",
		Meaning: "The innermost dimension of the tile that ‹tile.load› or ‹tile.store› moves has fewer bytes than recommended: 512 on Ascend910B, 128 on Ascend950. The message gives the bytes of a row and of the whole tile.",
		Cause:   "Every row is a transfer of its own, and the cache has lines of 512 bytes.",
		Action: []string{
			"Make the innermost dimension longer and the outer one shorter, so that the tile has the same bytes.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def narrow(x: pl.Tensor[[256, 64], pl.FP16], out: pl.Out[pl.Tensor[[256, 64], pl.FP16]]) -> pl.Tensor[[256, 64], pl.FP16]:
    a = pl.load(x, [0, 0], [32, 64])    # rows of 128 B
    return pl.store(a, [0, 0], out)`,
	},
}
