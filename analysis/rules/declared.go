package rules

var declaredRules = []Rule{
	{
		Code: "declared-allocation", Severity: "error", Title: "a declared allocation cannot be honoured",
		Meaning: "A tile is bound to an allocation of its author, ‹pl.MemRef(\"name\")›, and that is not possible: the tile has no constant size, lives in another space than the others bound to the name, is a view or the in-place result of another tile, or the declarations of one name disagree on their slots.",
		Cause:   "A declared allocation has as many slots as it says, each as large as the largest tile bound to it, in one space. A view has no storage of its own that could be bound. Planner PTOAS takes only declarations with several slots.",
		Action: []string{
			"Bind the source tile instead of its view.",
			"Use a name of its own for each space and each number of slots.",
			"Give the tile a constant shape, and the real extent as ‹valid_shape›.",
			"Remove the declaration and let the planner place the tile.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def views(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    b: pl.Tile[[64, 64], pl.FP32, pl.MemRef("buf"), pl.Mem.Vec] = pl.tile.set_validshape(a, 32, 64)   # is a's storage
    return pl.store(b, [0, 0], out)`,
	},
	{
		Code: "declared-overlap", Severity: "error", Title: "two tiles that are alive together are bound to one declared slot",
		Meaning: "Both tiles are bound to the same slot of a declared allocation, and the first is still read after the second is written. The message gives both live ranges, in statement numbers.",
		Cause:   "A slot may be used by one tile after the other: by the next from the statement on that reads the last one for the last time.",
		Action: []string{
			"Use two slots: ‹buf = pl.MemRef(\"buf\", slots=2)›, ‹buf[0]› and ‹buf[1]›.",
			"Declare a second allocation for one of the tiles.",
			"Move the last use of the earlier tile before the first write of the later one.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def both(x: pl.Tensor[[128, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef("buf"), pl.Mem.Vec] = pl.load(x, [0, 0], [64, 64])
    b: pl.Tile[[64, 64], pl.FP32, pl.MemRef("buf"), pl.Mem.Vec] = pl.load(x, [64, 0], [64, 64])
    c = pl.add(a, b)    # both are still needed
    return pl.store(c, [0, 0], out)`,
	},
}
