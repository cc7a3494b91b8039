package rules

var passRules = []Rule{
	{
		Code: "init-memref", Severity: "error", Title: "a tile gets no buffer",
		Meaning: "InitMemRef, the pass that gives each tile a buffer, stopped at this function.",
		Cause:   "A tile has no memory space or no size when the pass runs, or a view leads to a buffer that does not exist.",
		Action:  []string{"Check the statement named in the message; in a dump, that the passes before it have run on the text."},
	},
	{
		Code: "semantic-aliases", Severity: "error", Title: "values that must be the same buffer are not",
		Meaning: "MaterializeSemanticAliases puts values that are one buffer by the meaning of the program, such as the variables carried by a loop, on the same bytes, and could not.",
		Cause:   "The value that goes into a loop and the one that comes round must have the same size and space.",
		Action:  []string{"Yield a tile of the same shape, data type and memory space as the one the loop starts with."},
	},
	{
		Code: "memory-reuse", Severity: "error", Title: "memory reuse stopped at this function",
		Meaning: "MemoryReuse found a function whose lifetimes it cannot work out.",
		Cause:   "The text of a dump is not one that the passes before this one produce.",
		Action:  []string{"Check that the text stands after the pass that its name says: ‹--from› on the command line overrides it."},
	},
	{
		Code: "allocate", Severity: "error", Title: "addresses cannot be given",
		Meaning: "AllocateMemoryAddr stopped at this function; the message says at what.",
		Cause:   "A buffer has no size, no space, or a place that contradicts a reserved window.",
		Action:  []string{"Follow the statement named in the message."},
	},
	{
		Code: "approximate", Severity: "information", Title: "what is shown may differ from the compiler", Origin: Own,
		Meaning: "Part of the function goes through something that pypto-ls does not model exactly. Sizes are right for what is modelled; addresses, sharing and verdicts of this function may differ from the compiler's.",
		Cause:   "The text uses a construct whose lowering is not specified, or the function could not be read completely. The message says which.",
		Action: []string{
			"For an exact answer, open the dump after InitMemRef or later that the compiler wrote.",
			"Everything else in the file stays exact: the mark concerns this function alone.",
		},
	},
	{
		Code: "internal-error", Severity: "error", Title: "pypto-ls failed at this function", Origin: Own,
		Meaning: "The analysis of this function broke off because of a mistake in pypto-ls. The other functions are not affected.",
		Cause:   "A mistake of ours.",
		Action:  []string{"Please report it with the text of the function."},
	},
	{
		Code: "PH001", Severity: "information", Title: "a load or store moves short rows",
		Meaning: "The innermost dimension of the tile that ‹tile.load› or ‹tile.store› moves has fewer bytes than recommended: 512 on Ascend910B, 128 on Ascend950.",
		Cause:   "Every row is a transfer of its own, and a short row uses part of a cache line of 512 B only.",
		Action:  []string{"Make the innermost dimension longer and the outer one shorter, so that the bytes of the tile stay the same."},
	},
}
