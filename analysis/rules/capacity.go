package rules

var capacityRules = []Rule{
	{
		Code: "capacity", Severity: "error", Title: "a memory space is used beyond its size",
		Meaning: "The tiles that are alive at the same time in one on-chip memory space need more bytes than the space has. The message gives the bytes used and the bytes there are; the places listed with it are the tiles alive at the peak, largest first.",
		Cause:   "Each space (Vec, Mat, Left, Right, Acc, Bias, …) is an arena of fixed size of its own. Two tiles share bytes only when their live ranges do not overlap and nothing forbids it: a declared allocation, an operator that must not overwrite its input, a data type that the platform does not let take over another's buffer. What remains is added up, a reserved ring first.",
		Action: []string{
			"Look at the tiles alive at the peak and end the longest live range earlier: store a result as soon as it is complete, load an operand right before it is used.",
			"Make the tiles smaller: halving one dimension halves every tile made from it.",
			"If a cross-core ring takes the leading part of the space, fewer slots free ‹slot_size› bytes each: ‹pl.cross_core_slot(slot_num=N)›. The depth of a ring is never reduced silently.",
			"Let stages of a pipeline share: with ‹DSA_RP› the planner trades sharing for speed only where it must.",
			"Hover a tile to see why it shares with none of the others.",
		},
		Example: `
# Ascend910B: Vec has 192 KiB. Two tiles of 128 x 256 FP32 alive together need 256 KiB.
a: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [128, 256])
b: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.load(y, [0, 0], [128, 256])
c: pl.Tile[[128, 256], pl.FP32, pl.Mem.Vec] = pl.tile.add(a, b)`,
	},
	{
		Code: "capacity-here", Severity: "information", Title: "the statement at which a memory space first overflows", Origin: Own,
		Meaning: "From this statement on the tiles laid out in the space no longer fit; the error itself is at the function's name, where the compiler reports it.",
		Cause:   "The compiler checks the highest address of a whole function. This marks the tile that is the first, in program order, to end beyond the size of the space.",
		Action: []string{
			"See ‹capacity›. The tile marked is where to start, not always the one to shrink: compare it with the others alive here.",
		},
	},
	{
		Code: "ring-too-large", Severity: "error", Title: "a reserved ring does not leave room in its space",
		Meaning: "‹system.reserve_buffer› takes a window at the start of the space for a cross-core ring, and that window alone is beyond the space's size.",
		Cause:   "A ring takes ‹slot_size × slot_num› bytes. Its depth is 8 in one direction and 4 in both directions unless it is chosen, and nothing reduces it automatically.",
		Action: []string{
			"Choose fewer slots: ‹pl.cross_core_slot(slot_num=N)›. Fewer slots mean that the producer waits sooner for its consumer.",
			"Send smaller tiles: the largest tile pushed decides ‹slot_size›.",
		},
	},
	{
		Code: "reserve-buffer", Severity: "error", Title: "a reserved window cannot be placed",
		Meaning: "A ‹system.reserve_buffer› has a base or a size that the rules of reserved windows do not allow, or that meets another window.",
		Cause:   "Windows are placed from the start of the space in the order of the statements. A base that is given must leave room for those before it, and the size is a whole number of bytes known at compile time.",
		Action:  []string{"Leave the base to the compiler (‹base=-1›).", "Use one window for each direction of a ring and give each a name of its own."},
	},
	{
		Code: "address", Severity: "error", Title: "an address in the text breaks a rule of its space",
		Meaning: "The text already has addresses, and one of them is beyond the space, not aligned, or shared by two tiles that must not share.",
		Cause:   "Dumps after AllocateMemoryAddr carry an address in every ‹pl.MemRef›. They are checked against the capacity and the alignment of the platform that the text is analysed for.",
		Action: []string{
			"Check that the platform is the one the dump was made for: ‹platform› in pypto-ls.toml, ‹--platform› on the command line.",
			"Do not edit addresses by hand: remove them and let the passes place the tiles again.",
		},
	},
	{
		Code: "dynamic-shape", Severity: "error", Title: "the size of a tile is not known at compile time",
		Meaning: "A tile has a dimension that is not a positive number when memory is laid out, so it has no size in bytes.",
		Cause:   "Tiles live in arenas of fixed size, so each dimension of a tile's ‹shape› must be a constant. Only ‹valid_shape› may depend on values known when the kernel runs.",
		Action: []string{
			"Give the tile its largest constant shape, and the real extent as ‹valid_shape›.",
			"Write the dimension as a number or as a constant of the closure, not as a parameter.",
		},
	},
}
