package rules

var frontRules = []Rule{
	{
		Code: "type", Severity: "error", Title: "types do not go together",
		Meaning: "An annotation, a parameter or a value has a type that its place does not take, or a name gets a value of another type than it has.",
		Cause:   "Types are checked statement by statement with the compiler's own rules: shape, data type, memory space, layout. The annotation of a variable must agree with what its operator gives, and a name that is assigned again must keep its type.",
		Action: []string{
			"Compare the type in the message with that of the operand: the hover of a variable shows it.",
			"Use a new name for a value of another shape or data type.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    a = pl.load(x, [0, 0], [32, 64])    # another shape under the same name
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "name", Severity: "error", Title: "a name is not known here",
		Meaning: "The name is defined nowhere before its use.",
		Cause:   "Names assigned in a plain loop or branch are known after it. In a loop that carries values, and in a branch that yields, they end with it: only the names that ‹pl.yield_› is assigned to are known afterwards.",
		Action: []string{
			"Check the spelling.",
			"After such a loop or branch use the result of its ‹pl.yield_›: ‹r = pl.yield_(x)›, then ‹r›.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    tile = pl.load(x, [0, 0], [64, 64])
    return pl.store(tiel, [0, 0], out)`,
	},
	{
		Code: "operation", Severity: "error", Title: "an operator or statement refuses its arguments",
		Meaning: "The operator exists, and these arguments do not fit it; or a statement stands where it may not, such as ‹break› outside of a loop. The message is that of the compiler.",
		Cause:   "Each operator has its own rules: number of arguments, ranks, data types, memory spaces, keyword arguments.",
		Action: []string{
			"Hover the operator to see what it takes.",
			"Check the argument named in the message.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def sum(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    b = pl.load(x, [0, 0], [64, 48])
    c = pl.add(a, b)    # 64 and 48 columns
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "function", Severity: "error", Title: "a function cannot be made from this definition",
		Meaning: "The compiler refuses the function as a whole, ‹Failed to parse function …›, without a position of its own; the mark is where we found the reason.",
		Cause:   "Level or role of the decorator contradict the type of the function, a loop has other results than values that it carries, an element of a tuple does not exist, or an operator fails while the text is read.",
		Action: []string{
			"The part after the colon of the message says what is refused.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIC)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "memory-space", Severity: "error", Title: "a tile is in a memory space that its operator does not take",
		Meaning: "After InferTileMemorySpace every tile on the chip has a memory space that its operators take. Here one has none, or another one; or a function of type InCore has a tile as parameter.",
		Cause:   "Spaces are worked out from the producers and consumers of each tile, and moves are put in where they differ. That is not done for parameters, and not again in a dump that was edited after the pass.",
		Action: []string{
			"Write the move: ‹pl.move(t, target_memory=pl.Mem.Vec)›.",
			"Make the operand in the right space: ‹pl.load(…, target_memory=…)›.",
			"Pass a tensor instead of a tile, and load it in the function.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def twice(t: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    b = pl.add(t, t)
    return pl.store(b, [0, 0], out)`,
	},
	{
		Code: "cast", Severity: "error", Title: "a conversion between data types that the platform does not have",
		Meaning: "The platform has no instruction for this conversion, and the compiler finds no chain of instructions that does not lose bits on the way.",
		Cause:   "Each platform converts only certain pairs; for the others LegalizeTileCast looks for a chain, such as INT8 by way of FP16. A step that narrows a floating-point type is not taken by itself, also where it would lose nothing.",
		Action: []string{
			"Convert in two steps that you choose: ‹pl.cast(pl.cast(t, target_type=pl.FP16), target_type=pl.FP32)›.",
			"Check the platform: the pairs differ.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def widen(x: pl.Tensor[[64, 64], pl.INT8], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    b = pl.cast(a, target_type=pl.FP32)    # pl.cast(pl.cast(a, target_type=pl.FP16), target_type=pl.FP32) works
    return pl.store(b, [0, 0], out)`,
	},
	{
		Code: "slice", Severity: "error", Title: "an accumulator is a window of rows",
		Meaning: "A matrix product accumulates into a slice of an Acc tile that takes some of its rows only.",
		Cause:   "Acc is laid out in blocks of 16 columns, each through all rows, so that a window of rows is not contiguous, and the hardware writes results without gaps.",
		Action: []string{
			"Slice the accumulator by columns, so that each window has all rows: a wide tile ‹[rows, n * columns]› and ‹pl.slice(acc, [rows, columns], [0, i * columns])›. The message has the numbers. It is the same memory.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIC)
def windows(x: pl.Tensor[[64, 64], pl.BF16], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
    m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    l = pl.move(pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Left)
    r = pl.move(m, target_memory=pl.Mem.Right)
    big = pl.matmul(pl.move(m, target_memory=pl.Mem.Left), r)
    half = pl.slice(big, [32, 64], [0, 0])    # a window of rows of Acc
    c = pl.matmul_acc(half, l, r)
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "rank", Severity: "error", Title: "a tile of more than two dimensions that cannot be made flat",
		Meaning: "Tiles in memory have two dimensions: FlattenTileNdTo2D folds all but the last into one. This one does not fold.",
		Cause:   "A dimension is not constant, ‹tile.read›, ‹tile.write› or ‹tile.slice› takes the tile, or a transposition moves an axis other than the last two.",
		Action: []string{
			"Use two dimensions, or loop over the outer ones.",
			"Reshape the tile so that the axes to transpose are the last two.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def swap(x: pl.Tensor[[2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 2, 64], pl.FP32]]) -> pl.Tensor[[16, 2, 64], pl.FP32]:
    a = pl.load(x, [0, 0, 0], [2, 16, 64])
    b = pl.transpose(a, 0, 1)    # the first axis is folded away
    return pl.store(b, [0, 0, 0], out)`,
	},
	{
		Code: "unroll", Severity: "error", Title: "a loop cannot be unrolled",
		Meaning: "‹pl.unroll› needs start, stop and step that are numbers when the kernel is compiled, a step other than 0, and at most 1,024 turns.",
		Cause:   "Each turn becomes a copy of the body.",
		Action: []string{
			"Use constants for start, stop and step.",
			"Use ‹pl.range› for long loops, or unroll an inner loop of a few turns.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def rows(x: pl.Tensor[[65536, 64], pl.FP32], out: pl.Out[pl.Tensor[[65536, 64], pl.FP32]]) -> pl.Tensor[[65536, 64], pl.FP32]:
    for i in pl.unroll(2048):
        a = pl.load(x, [i * 32, 0], [32, 64])
        out = pl.store(a, [i * 32, 0], out)
    return out`,
	},
	{
		Code: "mixed-kernel", Severity: "error", Title: "the two halves of a kernel cannot exchange their tiles",
		Meaning: "A function that uses the cube and the vector core is divided into a function for each; tiles cross between them through rings. The set-up of the rings is missing or not complete, in the halves that were made or in functions written as halves.",
		Cause:   "Rings are made automatically only when neither half has any part of a set-up, and when every tile that crosses has a constant size. A set-up that is written by hand needs in each half one ‹initialize_pipe›, and for each direction a ‹reserve_buffer› in the half that receives and an ‹import_peer_buffer› in the other, before the first tile crosses.",
		Action: []string{
			"Remove what is written of the set-up and let the compiler make it, or complete it in both halves.",
			"Give tiles that cross a constant shape.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def half(x: pl.Tensor[[64, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    c = pl.matmul(pl.move(m, target_memory=pl.Mem.Left), pl.move(m, target_memory=pl.Mem.Right))
    v = pl.move(c, target_memory=pl.Mem.Vec)
    w = pl.system.reserve_buffer(name="mine", size=4096, base=-1)    # half a set-up: none is made then
    e = pl.exp(v)
    return pl.store(e, [0, 0], out)`,
	},
	{
		Code: "lowering", Severity: "error", Title: "a pass before memory planning refuses the function",
		Meaning: "Hand-written code is lowered by several passes before memory is planned, and one of them stopped; the message is its own.",
		Cause:   "Known: ‹break› inside a kernel, which the compiler turns into a comparison that it does not accept; functions of type Inline that call each other in a circle; ‹sin› and ‹cos› of other types than FP32; ‹tfree› of a tile that no ‹tpop› made.",
		Action: []string{
			"Rewrite the construct. The function has no addresses until then; the others keep theirs.",
			"Instead of ‹break›, put the rest of the body under an ‹if›.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def rows(x: pl.Tensor[[256, 64], pl.FP32], out: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
    for i in pl.range(8):
        if i > 4:
            break
        a = pl.load(x, [i * 32, 0], [32, 64])
        out = pl.store(a, [i * 32, 0], out)
    return out`,
	},
}
