package rules

var sharingRules = []Rule{
	{
		Code: "PH-MR-001", Severity: "information", Title: "a software pipeline gets fewer buffers than its depth",
		Meaning: "The stages of a pipeline should have a buffer each, and the space has not the bytes for that. The message gives the depth asked for, the depth reached, the bytes of one stage and the bytes that are free; stages that far apart share bytes and wait for each other.",
		Cause:   "When the space overflows with every stage apart, memory reuse lets stages share, one depth less at a time, until everything fits. Which pipeline gives way is decided by the space's total, so other tiles alive at the same time count too.",
		Action: []string{
			"If the message says that the operand alone needs more than there is, make the tile of a stage at most as large as it says.",
			"Otherwise make the other tiles of the space smaller or shorter-lived.",
			"Or ask for the depth that is reached: ‹pl.pipeline(…, stage=N)›.",
		},
		Example: `
# Left has 64 KiB; two stages of 40000 B need 80000 B.
for k in pl.pipeline(0, 8, 1, stage=2):
    a: pl.Tile[[200, 100], pl.FP16, pl.Mem.Left] = pl.tile.move(m, target_memory=pl.Mem.Left)`,
	},
	{
		Code: "reuse-fallback", Severity: "warning", Title: "memory reuse gave up fitting a space",
		Meaning: "The packing that respects the size of the space found no way to fit it, so the older packing without regard to the size was used. The message says whether that one overflows too.",
		Cause:   "Even with every pipeline at depth 1 the tiles alive together need more than the space has, or the search reached its limit of 256 attempts.",
		Action: []string{
			"If it overflows too, an error ‹capacity› follows: see there.",
			"Otherwise nothing has to be done, but pipelines of this space may share bytes; smaller tiles give them their depth back.",
		},
	},
	{
		Code: "unsafe-reuse", Severity: "warning", Title: "two tiles that are alive together share bytes", Origin: Own,
		Meaning: "The recorded or computed layout puts two tiles with overlapping live ranges on the same bytes. Writing the later one destroys the earlier one before its last use.",
		Cause:   "In a dump the text may have been edited, or declared allocations force tiles together; the compiler does not check this in every pass.",
		Action: []string{
			"Check the two statements named: the write of the later tile and the last use of the earlier one.",
			"Give the tiles different ‹pl.MemRef› bases, or move the last use before the write.",
		},
	},
	{
		Code: "accumulator-merge", Severity: "error", Title: "an accumulator cannot be merged with its result",
		Meaning: "An operator that accumulates in place needs its accumulator and its result in the same bytes, and they cannot be: another tile still reads the old value, or the two live in different allocations.",
		Cause:   "Matrix products with accumulation read and write the same buffer of Acc. When the value from before is needed again, the buffer cannot be overwritten.",
		Action: []string{
			"Use the new value wherever the old one is used after the operation.",
			"If both are needed, begin the second accumulation with a product that does not accumulate.",
		},
	},
}
