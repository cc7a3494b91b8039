package rules

var declaredRules = []Rule{
	{
		Code: "declared-allocation", Severity: "error", Title: "a declared allocation cannot be honoured",
		Meaning: "A tile names its buffer with ‹pl.MemRef›, and the tile does not fit it: it is larger, in another space, or a view leads outside of it.",
		Cause:   "A declaration is a promise that the planners keep literally. They never move a tile out of the allocation that the author gave it.",
		Action: []string{
			"Make the declared size at least as large as the largest tile bound to it.",
			"Remove the declaration and let the planner place the tile.",
		},
	},
	{
		Code: "declared-overlap", Severity: "error", Title: "two tiles that are alive together are bound to one declared slot",
		Meaning: "Both tiles name the same declared allocation while both hold values that are still needed.",
		Cause:   "A declared allocation is shared by all tiles that name it, in the order of the statements. Each may use it only after the last use of the one before.",
		Action: []string{
			"Declare a second allocation for one of the tiles.",
			"Move the last use of the earlier tile before the first write of the later one.",
		},
	},
}
