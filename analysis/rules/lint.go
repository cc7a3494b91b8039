package rules

var lintRules = []Rule{
	{
		Code: "unused-variable", Severity: "warning", Title: "a variable that nothing reads",
		Meaning: "The kernel assigns this variable, and no expression and no type of the function mentions it.",
		Cause:   "The value was never needed, or another name was meant where it should be read. The compiler warns before its first pass, so only kernels as written show it, not dumps. The tile is planned all the same and takes bytes.",
		Action: []string{
			"Remove the statement, or read the value where it was meant to be read.",
			"A store whose result nobody wants can stand alone: ‹pl.store(t, [0, 0], out)›.",
			"A name that begins with an underscore says that the value is not wanted, and is left alone.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    dead = pl.load(x, [0, 0], [64, 64])
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "out-param-write-dropped", Severity: "warning", Title: "an output parameter is bound to another tensor", Origin: Own,
		Meaning: "The name of an output parameter is assigned a tensor that the function makes itself, or another parameter. What is stored through the name from there on goes into that tensor and does not reach the caller.",
		Cause:   "A name denotes what was assigned to it last; a parameter is no exception. The compiler has this check too (OutParamWriteDropped); its words are not known, so the message is ours.",
		Action: []string{
			"Store into the parameter: ‹out = pl.store(t, [0, 0], out)›.",
			"Give the tensor a name of its own.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    t = pl.load(x, [0, 0], [64, 64])
    out = pl.create_tensor([64, 64], dtype=pl.FP32)
    out = pl.store(t, [0, 0], out)
    return out`,
	},
	{
		Code: "acc-store", Severity: "error", Title: "an accumulator cannot be stored as this data type",
		Meaning: "‹tile.store› takes a tile straight from Acc to a tensor of a data type that the path from Acc to global memory does not make.",
		Cause:   "That path narrows a result only to INT32, FP32, FP16 or BF16.",
		Action: []string{
			"Move the result to Vec, convert it there with ‹pl.cast›, and store that.",
			"Or store INT32 or FP32 and convert later.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIC)
def mm(x: pl.Tensor[[64, 64], pl.INT8], out: pl.Out[pl.Tensor[[64, 64], pl.INT8]]) -> pl.Tensor[[64, 64], pl.INT8]:
    m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    c = pl.matmul(pl.move(m, target_memory=pl.Mem.Left), pl.move(m, target_memory=pl.Mem.Right))
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "atomic-add", Severity: "error", Title: "the platform does not add BF16 atomically",
		Meaning: "A store with ‹atomic=pl.AtomicType.Add› goes to a BF16 tensor.",
		Cause:   "Only Ascend910B has that instruction.",
		Action: []string{
			"Accumulate into an FP32 tensor and convert it to BF16 after the last addition.",
		},
		Example: `
# pypto-ls: platform=Ascend950
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def add(x: pl.Tensor[[64, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.BF16]]) -> pl.Tensor[[64, 64], pl.BF16]:
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out, atomic=pl.AtomicType.Add)`,
	},
	{
		Code: "valid-shape", Severity: "error", Title: "a valid shape does not lie within its shape",
		Meaning: "The valid shape of a tile or tensor has another rank than its shape, an extent below 0, or one beyond the shape's.",
		Cause:   "A valid shape says which part of the tile holds data. What is reported is certain; extents that depend on the run are not.",
		Action: []string{
			"Correct the extents of the annotation, or the valid shape given to the operator.",
			"A wrong rank comes from an operator whose first operand has fewer dimensions than its result: put the larger operand first.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def part(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
    a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[80, 64])] = pl.load(x, [0, 0], [64, 64])    # 80 rows of 64
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "yield-position", Severity: "error", Title: "statements after a yield",
		Meaning: "‹pl.yield_› hands its values on at the end of a loop's body or a branch, and here other statements follow it.",
		Cause:   "A yield ends its sequence; what follows would never be part of it.",
		Action: []string{
			"Move the yield to the end of the body or branch.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def sum(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    for i, (acc,) in pl.range(4, init_values=(a,)):
        b = pl.exp(acc)
        r = pl.yield_(b)
        c = pl.exp(b)    # never part of the loop
    return pl.store(r, [0, 0], out)`,
	},
	{
		Code: "memref-missing", Severity: "error", Title: "a tile without a MemRef",
		Meaning: "The text stands after InitMemRef, which gives every tile a MemRef, and this one has none. The planner leaves it out.",
		Cause:   "The dump was edited. Only tiles popped from a cross-core ring, and views of those, have no MemRef.",
		Action: []string{
			"Add the MemRef to the annotation, with the base of an allocation of the function, or run the passes again from a dump before InitMemRef.",
		},
		File: "32_after_InitMemRef.py",
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def gate(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(a, [0, 0], out)
    return s`,
	},
}
