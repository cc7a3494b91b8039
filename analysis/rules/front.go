package rules

var frontRules = []Rule{
	{
		Code: "type", Severity: "error", Title: "types do not go together",
		Meaning: "An annotation, an operand or a value has a type that its place does not take.",
		Cause:   "Types are checked statement by statement with the compiler's own rules: shape, data type, memory space, layout.",
		Action:  []string{"Compare the type in the message with that of the operand: the hover of a variable shows it."},
	},
	{
		Code: "name", Severity: "error", Title: "a name is not known here",
		Meaning: "The name is defined nowhere before its use, or only in a scope that has ended.",
		Cause:   "A variable assigned in a loop or a branch is visible after it only when it is carried out by ‹pl.yield_› or was assigned before.",
		Action:  []string{"Assign it before the loop or branch, or yield it.", "Check the spelling: near names are listed with the message."},
	},
	{
		Code: "operation", Severity: "error", Title: "an operator refuses its arguments",
		Meaning: "The operator exists, and these arguments do not fit it; the message is the compiler's.",
		Cause:   "Each operator has its own rules: number of arguments, ranks, data types, memory spaces, keyword arguments.",
		Action:  []string{"Hover the operator to see what it takes.", "Check the argument named in the message."},
	},
	{
		Code: "function", Severity: "error", Title: "a function cannot be made from this definition",
		Meaning: "The definition as a whole is refused: its decorator, parameters, return or calls.",
		Cause:   "Parameters need annotations, a function returns in one place, and calls go to functions defined in the same program or made external.",
		Action:  []string{"See the message for the part that is refused."},
	},
	{
		Code: "memory-space", Severity: "error", Title: "no memory space can be given to a tile",
		Meaning: "The operators that make and use this tile want different memory spaces, and no move between them exists.",
		Cause:   "Spaces are worked out from the producers and consumers of each tile. Between Vec and the cube's spaces data moves only over certain paths.",
		Action:  []string{"Write the move you mean: ‹pl.tile.move(t, target_memory=…)›.", "Give the tile a space in its annotation."},
	},
	{
		Code: "cast", Severity: "error", Title: "a conversion between data types that the platform does not have",
		Meaning: "‹tile.cast› from the one data type to the other is not an instruction of the platform, and no chain of instructions is known for it.",
		Cause:   "Each platform converts only certain pairs; others go through a type in between.",
		Action:  []string{"Convert through FP32 or FP16 in two steps.", "Check the platform: Ascend950 has more pairs than Ascend910B."},
	},
	{
		Code: "slice", Severity: "error", Title: "a slice that has no form in memory",
		Meaning: "The part of a tile that is taken is not contiguous in the way its consumer needs.",
		Cause:   "A slice of a tile is a view: it must start at a whole block of the layout and keep the row length of its source.",
		Action:  []string{"Take whole rows, or begin at a multiple of the layout's block.", "Copy the part with ‹tile.extract› instead of viewing it."},
	},
	{
		Code: "rank", Severity: "error", Title: "a tile of more than two dimensions that cannot be made flat",
		Meaning: "Tiles in memory have two dimensions; all dimensions but the last are folded into one. This tile does not fold.",
		Cause:   "An operator works along a dimension that disappears in the folding, or the valid shape is not contiguous after it.",
		Action:  []string{"Use two dimensions, or loop over the outer ones."},
	},
	{
		Code: "unroll", Severity: "error", Title: "a loop cannot be unrolled",
		Meaning: "‹pl.unroll› needs bounds that are numbers when the kernel is compiled, and not too many turns.",
		Cause:   "Each turn becomes a copy of the body.",
		Action:  []string{"Use constants for start, stop and step, or ‹pl.range›."},
	},
	{
		Code: "mixed-kernel", Severity: "error", Title: "a kernel for both cores cannot be split",
		Meaning: "A function uses the cube and the vector core, and cannot be divided into one function for each.",
		Cause:   "Values cross between the cores over rings, and only tiles of fixed size at places that both cores reach equally often can cross.",
		Action:  []string{"Move the operation named in the message out of the branch that only one core reaches.", "Write the two functions yourself, with ‹tpush› and ‹tpop›."},
	},
	{
		Code: "lowering", Severity: "error", Title: "a pass before memory planning refuses the function",
		Meaning: "Hand-written code is lowered by several passes before memory is planned, and one of them stopped; the message is its own.",
		Cause:   "The message says which construct it cannot lower.",
		Action:  []string{"Rewrite the construct. The function has no addresses until then; the others keep theirs."},
	},
}
