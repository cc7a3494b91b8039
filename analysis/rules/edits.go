package rules

var editRules = []Rule{
	{
		Code: "deprecated", Severity: "hint", Title: "a spelling that has a successor", Origin: Own,
		Meaning: "The text uses an old spelling of a name, an argument or an attribute. It still means the same; the compiler prints the newer one.",
		Cause:   "The language renamed it and keeps the old spelling for texts that exist: attributes of a function in its decorator and MemRefs by number, for example.",
		Action: []string{
			"Take the fix ‹Use the current spelling›; ‹check --fix› applies it to whole files.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore, attrs={"slot_num": 4})
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "stale-address", Severity: "warning", Title: "an address that no planner gives", Origin: Own,
		Meaning: "The text has addresses, and the one here is no multiple of 32, meets a buffer that is alive at the same time, lies in a reserved window, or belongs to a tile that has grown out of its buffer.",
		Cause:   "A shape, a lifetime or a statement was changed by hand after the addresses were assigned, and the addresses did not follow. The compiler takes addresses in a dump as they are and does not complain.",
		Action: []string{
			"Take the fix that plans the function's addresses again: all of them in one edit.",
			"Undo the edit if the dump should stay what the compiler wrote.",
		},
		File: "35_after_AllocateMemoryAddr.py",
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def gate(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(72, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(a, [0, 0], out)
    return s`,
	},
	{
		Code: "unused-alloc", Severity: "hint", Title: "an allocation in which no tile lies", Origin: Own,
		Meaning: "The dump allocates a buffer, and no ‹pl.MemRef› in the function names it.",
		Cause:   "The tiles that lay in it were removed or lie in another buffer now: the compiler itself removes allocations that nobody uses.",
		Action: []string{
			"Take the fix that removes the statement.",
		},
		File: "35_after_AllocateMemoryAddr.py",
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def gate(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(a, [0, 0], out)
    return s`,
	},
}
