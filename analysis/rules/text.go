package rules

var textRules = []Rule{
	{
		Code: "syntax", Severity: "error", Title: "the text is not what the language allows here",
		Meaning: "A statement or an expression cannot be read. Everything around it is analysed as if it were not there.",
		Cause:   "Either the text is not Python, or it is Python that the IR does not have, such as a ‹while› without its form, a lambda or a chained comparison.",
		Action:  []string{"See the place marked: what was expected is in the message.", "The other statements and functions of the file keep their results."},
	},
	{
		Code: "configuration", Severity: "warning", Title: "a setting is not understood", Origin: Own,
		Meaning: "A line of pypto-ls.toml or of a ‹# pypto-ls:› comment has an unknown key or value; it is ignored.",
		Cause:   "Keys are ‹platform›, ‹planner› and those listed in the README; platforms are ‹Ascend910B› and ‹Ascend950›, planners ‹PYPTO›, ‹DSA_RP› and ‹PTOAS›.",
		Action:  []string{"Correct the key or the value: the message lists those that exist."},
		Example: `# pypto-ls: platform=Ascend950 planner=DSA_RP`,
	},
	{
		Code: "document-too-long", Severity: "warning", Title: "the document is beyond the size that is analysed", Origin: Own,
		Meaning: "The document is longer than the limit, and only what does not need its text is answered.",
		Cause:   "Offsets and memory are bounded; no dump of a compiler comes near the limit.",
		Action:  []string{"Split the dump by function."},
	},
	{
		Code: "reading", Severity: "error", Title: "the text cannot be understood here", Origin: Own,
		Meaning: "The reference reads this text differently from what pypto-ls supports, or refuses it in words that depend on its own internals.",
		Cause:   "A construct that no recorded run of the compiler shows.",
		Action:  []string{"Rewrite the statement with one of the documented forms."},
	},
}
