package rules

var capacityRules = []Rule{
	{
		Code: "capacity", Severity: "error", Title: "a memory space is used beyond its size",
		Meaning: "The buffers of one on-chip memory space need more bytes than the space has. The message gives the bytes used and the bytes there are; the places listed with it are the tiles alive where most bytes are alive, largest first.",
		Cause:   "Each space (Vec, Mat, Left, Right, Acc, Bias) is an arena of fixed size of its own. Planner PYPTO lets two tiles share a whole buffer when their live ranges do not overlap and nothing forbids it: a declared allocation, an operator that may not write over its input, stages of a pipeline that must stay apart. What remains is laid one after the other, above the bytes that a cross-core ring reserves, each buffer rounded up to 32 bytes; the end of the last one is the usage. So it can be more than the bytes alive at any one statement.",
		Action: []string{
			"Look at the tiles alive at the peak and end the longest live range earlier: store a result as soon as it is complete, load an operand right before it is used.",
			"Make the tiles smaller: halving one dimension halves every tile made from it.",
			"If a cross-core ring takes the beginning of the space, each slot less frees ‹slot_size› bytes: ‹pl.cross_core_slot(slot_num=N)›. Nothing lowers the depth of a ring by itself.",
			"Try ‹planner=DSA_RP›: it chooses addresses freely, so that a large and two small buffers may share. When the explanation says that no planner can fit this, it does not help.",
			"Hover a tile to see why it shares with none of the others.",
		},
		Example: `
# Two tiles of 128 x 256 FP32 (131,072 B each) are alive at the addition; Vec of Ascend910B has 188,416 B.
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def over(x: pl.Tensor[[256, 256], pl.FP32], out: pl.Out[pl.Tensor[[128, 256], pl.FP32]]) -> pl.Tensor[[128, 256], pl.FP32]:
    a = pl.load(x, [0, 0], [128, 256])
    b = pl.load(x, [128, 0], [128, 256])
    c = pl.add(a, b)
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "capacity-here", Severity: "information", Title: "the statement at which a memory space first overflows", Origin: Own,
		Meaning: "The tile made here is the first, in the order of the statements, whose buffer ends beyond the size of the space. The error itself is at the name of the function, where the compiler reports it.",
		Cause:   "The compiler checks the highest address of a whole function and names no statement.",
		Action: []string{
			"See ‹capacity›. The tile marked is where to start, not always the one to shrink: compare it with the others alive here.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def over(x: pl.Tensor[[256, 256], pl.FP32], out: pl.Out[pl.Tensor[[128, 256], pl.FP32]]) -> pl.Tensor[[128, 256], pl.FP32]:
    a = pl.load(x, [0, 0], [128, 256])
    b = pl.load(x, [128, 0], [128, 256])    # ends at byte 262,144 of 188,416
    c = pl.add(a, b)
    return pl.store(c, [0, 0], out)`,
	},
	{
		Code: "ring-too-large", Severity: "error", Title: "a reserved ring is larger than its space",
		Meaning: "The window that ‹system.reserve_buffer› takes at the beginning of the space for a cross-core ring is alone beyond the size of the space. Planner ‹DSA_RP› stops with an internal error; PYPTO reports ‹capacity› as soon as a tile lies above the ring.",
		Cause:   "A ring takes ‹slot_size × slot_num› bytes in the memory of the core that receives: Vec of the vector core, Mat of the cube core. The slot is as large as the largest tile that crosses; the rings that the compiler makes have 2 slots in each direction unless ‹slot_num› says otherwise.",
		Action: []string{
			"Choose fewer slots: ‹pl.cross_core_slot(slot_num=N)›. With fewer slots the sender waits sooner for the receiver.",
			"Let smaller tiles cross: the largest one decides the size of every slot.",
		},
		Example: `
# pypto-ls: planner=DSA_RP
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def ring(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    window = pl.system.reserve_buffer(name="ring_c2v_slot_buffer", size=262144, base=-1)   # Vec has 188,416 B
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "reserve-buffer", Severity: "error", Title: "a reserved window cannot be placed",
		Meaning: "A ‹system.reserve_buffer› has no positive size, meets another window of the function, begins beyond 2,147,483,647, or stands in a function that has no memory for it.",
		Cause:   "The windows of a function all lie in one space: Mat of a cube function, Vec of a vector function or one that is not divided yet. A base that is given is taken as it is; without one (‹base=-1›) a window begins where the highest one so far ends, also when there is a gap below.",
		Action: []string{
			"Leave the base to the compiler (‹base=-1›).",
			"Give the windows with a base of their own ranges that do not meet, counted in multiples of 32 bytes.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def windows(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    first = pl.system.reserve_buffer(name="first", size=4096, base=-1)      # bytes 0 to 4096
    second = pl.system.reserve_buffer(name="second", size=1024, base=2048)  # in the middle of them
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "address", Severity: "error", Title: "a tile has no address, or a negative one",
		Meaning: "The text stands after AllocateMemoryAddr, where the ‹pl.MemRef› of every tile on the chip has an address, and this one has none or a negative one.",
		Cause:   "The compiler gives no such addresses: the dump was edited, or stands before AllocateMemoryAddr while its name or ‹--from› says otherwise.",
		Action: []string{
			"Plan the function again: the fix does, or remove the addresses and open the text under the name of an earlier pass.",
			"Check that the name of the file, or ‹--from›, tells the pass after which the text really stands.",
		},
		File: "35_after_AllocateMemoryAddr.py",
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def gate(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
    a: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(-64, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
    s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(a, [0, 0], out)
    return s`,
	},
	{
		Code: "dynamic-shape", Severity: "error", Title: "the size of a tile is not known at compile time",
		Meaning: "A tile has a dimension that is no positive number when InitMemRef gives it a buffer, so it has no size in bytes.",
		Cause:   "Tiles lie in arenas of fixed size, so each dimension of the ‹shape› must be a constant. Only ‹valid_shape› may depend on values known when the kernel runs.",
		Action: []string{
			"Give the tile its largest constant shape, and the real extent as ‹valid_shape›.",
			"Write the dimension as a number or as a constant of the enclosing Python, not as a parameter.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def rows(x: pl.Tensor[[256, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [n, 64])
    return pl.store(a, [0, 0], out)`,
	},
}
