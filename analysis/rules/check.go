package rules

var checkRules = []Rule{
	{
		Code: "usage-budget", Severity: "warning", Title: "a space is fuller than its budget", Origin: Own,
		Meaning: "A function uses more of the space than ‹check --max-usage› allows. The message gives the bytes used and the budget in bytes.",
		Cause:   "Everything still fits; the budget warns before it does not. A function that overflows is an error ‹capacity› and has no second finding.",
		Action: []string{
			"See ‹capacity› for what makes room.",
			"Raise the budget.",
		},
		Shell: `
pypto-ls check --max-usage Vec=90% --max-usage Mat=400_000 --fail-level warning kernels`,
	},
	{
		Code: "usage-grew", Severity: "information", Title: "a function uses more of a space than before", Origin: Own,
		Meaning: "‹check --against› compares with a saved copy: the function's use of the space grew by the bytes in the message.",
		Cause:   "A tile became larger, lives longer, or no longer shares its buffer.",
		Action: []string{
			"Compare the tables of ‹pypto-ls plan› for the two texts.",
			"Nothing, when it was meant.",
		},
		Shell: `
git worktree add ../before origin/main
pypto-ls check --against ../before/kernels kernels`,
	},
	{
		Code: "addresses-moved", Severity: "hint", Title: "tiles lie at other addresses than before", Origin: Own,
		Meaning: "‹check --against›: so many tiles of the function have another address than tiles of the same name in the saved copy; the message shows the first.",
		Cause:   "Sizes, lifetimes, sharing or the numbers of the buffers changed: planner PYPTO lays buffers in the order of their names, in which ‹mem_vec_10› comes before ‹mem_vec_9›.",
		Action: []string{
			"Nothing, unless something outside of the kernel relies on the addresses.",
		},
		Shell: `
pypto-ls check --against ../before/kernels kernels`,
	},
	{
		Code: "against", Severity: "error", Title: "the saved copy cannot be read", Origin: Own,
		Meaning: "‹check --against› could not read what to compare with. The exit code is 2.",
		Cause:   "The path is wrong or may not be read. A file that the saved folder does not have is new, and no finding.",
		Action: []string{
			"Check the path, or save a new copy.",
		},
		Shell: `
pypto-ls check --against ../before/kernels kernels`,
	},
	{
		Code: "unreadable-file", Severity: "error", Title: "a file cannot be read", Origin: Own,
		Meaning: "The file does not exist, may not be opened, is a device, has NUL bytes, is not UTF-8, or is larger than 256 MiB. All others are checked all the same, and the exit code is 2.",
		Cause:   "The message has the reason: that of the operating system, or ours. For text that is not UTF-8 it names the byte and its line.",
		Action: []string{
			"Leave the file out of the arguments, or correct its rights or encoding.",
		},
		Shell: `
pypto-ls check kernels`,
	},
	{
		Code: "no-dumps", Severity: "warning", Title: "there is nothing to check", Origin: Own,
		Meaning: "A folder holds no dumps and no kernels, or no file matches a pattern. The exit code is 2, so that a gate whose path is wrong does not pass.",
		Cause:   "In folders ‹passes_dump/*.py›, ‹*after_*.py› and ‹*.pypto.py› are taken; hidden folders, ‹node_modules› and ‹__pycache__› are not looked into, links to folders are not followed.",
		Action: []string{
			"Check the path, and whether the compiler wrote its dumps there.",
			"Name other files, or use a pattern: they are taken whatever they are called.",
		},
		Shell: `
pypto-ls check 'kernels/**/*.py'`,
	},
}
