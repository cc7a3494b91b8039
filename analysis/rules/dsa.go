package rules

var dsaRules = []Rule{
	{
		Code: "dsa-no-fit", Severity: "error", Title: "no placement fits, even when every sharing is allowed",
		Meaning: "The planner ‹DSA_RP› found no addresses with which all buffers of the space fit. The message names the space and its size.",
		Cause:   "Buffers whose live ranges overlap must not overlap in bytes. When the sum of the buffers alive at some statement, with the reserved ring, is larger than the space, no placement exists; the explanation says so when that is the case. Otherwise the search ended at its limit.",
		Action: []string{
			"If the explanation gives a lower bound above the size, only smaller or shorter-lived tiles help: see ‹capacity›.",
			"If a ring takes the start of the space, fewer slots give room: ‹pl.cross_core_slot(slot_num=N)›.",
		},
	},
	{
		Code: "dsa-internal", Severity: "error", Title: "the placement did not pass its own validation",
		Meaning: "After placing, every pair of buffers is checked again independently of the search; this check failed, or the input of the search was inconsistent.",
		Cause:   "The text declares something that contradicts itself, such as a view that is larger than the buffer it lies in.",
		Action:  []string{"Look at the buffers named in the message and at how their views are declared."},
	},
	{
		Code: "PH-DSA-001", Severity: "information", Title: "stages of a software pipeline share bytes so that everything fits",
		Meaning: "Keeping every stage of every pipeline in bytes of its own, the search found no placement. It was run again with sharing between stages allowed at a price, and in the placement found the given number of pairs of stage buffers share bytes.",
		Cause:   "A pipeline overlaps the work of one turn with the loads of the next, which needs a buffer for each stage. Two stages in the same bytes wait for each other. The search looks for the lowest total price, but all of the function must fit the space.",
		Action: []string{
			"Nothing has to be done for correctness.",
			"To get the overlap back, make room: smaller tiles, shorter live ranges, a lower ‹stage=› for a pipeline that matters less, or fewer ring slots. The hover of a tile shows with whom it shares.",
		},
	},
}
