package rules

var editRules = []Rule{
	{
		Code: "deprecated", Severity: "hint", Title: "a spelling that has a successor", Origin: Own,
		Meaning: "The text uses an old name of an operator, an argument or an attribute. It still means the same.",
		Cause:   "The language renamed it and keeps the old name for texts that exist.",
		Action:  []string{"Take the fix ‹Use the current spelling›; ‹check --fix› applies it to whole files."},
	},
	{
		Code: "stale-address", Severity: "warning", Title: "an address that the planner would not give", Origin: Own,
		Meaning: "The dump has addresses, and planning the function as it is written now gives this buffer another one: the text was edited after the addresses were assigned.",
		Cause:   "A shape, a lifetime or a statement changed and the addresses did not follow.",
		Action: []string{
			"Take the fix that plans the function's addresses again: all of them in one edit.",
			"Undo the edit if the dump should stay what the compiler wrote.",
		},
	},
	{
		Code: "unused-alloc", Severity: "hint", Title: "an allocation that no tile uses", Origin: Own,
		Meaning: "The function allocates a buffer, and no ‹pl.MemRef› in it names the buffer.",
		Cause:   "The tiles that used it were removed or now lie in another buffer.",
		Action:  []string{"Take the fix that removes the statement."},
	},
}
