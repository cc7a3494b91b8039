package rules

var checkRules = []Rule{
	{
		Code: "usage-budget", Severity: "warning", Title: "a space is fuller than its budget", Origin: Own,
		Meaning: "‹check --max-usage Vec=90%› was given and a function uses more of the space.",
		Cause:   "Everything still fits; the budget warns before it does not.",
		Action:  []string{"See ‹capacity› for what makes room.", "Raise the budget."},
	},
	{
		Code: "usage-grew", Severity: "information", Title: "a function uses more of a space than before", Origin: Own,
		Meaning: "‹check --against› compares with a saved copy: this function's use of the space grew by the bytes in the message.",
		Cause:   "A tile became larger, lives longer, or no longer shares its bytes.",
		Action:  []string{"‹pypto-ls plan --compare› shows buffer by buffer what changed."},
	},
	{
		Code: "addresses-moved", Severity: "hint", Title: "buffers lie at other addresses than before", Origin: Own,
		Meaning: "‹check --against›: the function needs no more bytes than in the saved copy, but its buffers lie elsewhere.",
		Cause:   "Order, lifetimes or sharing changed.",
		Action:  []string{"Nothing, unless something outside of the kernel relies on the addresses."},
	},
	{
		Code: "against", Severity: "error", Title: "the saved copy cannot be read", Origin: Own,
		Meaning: "‹check --against› could not read the file or folder to compare with.",
		Cause:   "The path is wrong or may not be read. A file that the saved copy does not have is new, and no finding.",
		Action:  []string{"Check the path, or save a new copy."},
	},
	{
		Code: "unreadable-file", Severity: "error", Title: "a file cannot be read", Origin: Own,
		Meaning: "The file does not exist, may not be opened, is binary, or is larger than what is checked. The others are checked all the same, and the exit status is 2.",
		Cause:   "The message has the reason given by the operating system or the limit.",
		Action:  []string{"Leave the file out of the arguments, or correct its rights."},
	},
	{
		Code: "no-dumps", Severity: "warning", Title: "there is nothing to check", Origin: Own,
		Meaning: "A folder or a pattern holds no Python files with kernel IR. The exit status is 2, so that a gate whose path is wrong does not pass.",
		Cause:   "The path is not the one meant, or the compiler did not write its dumps there.",
		Action:  []string{"Check the path. Hidden folders are not looked into."},
	},
}
