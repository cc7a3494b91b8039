package rules

var textRules = []Rule{
	{
		Code: "syntax", Severity: "error", Title: "the text is not what the language allows here",
		Meaning: "A statement or an expression cannot be read. Everything around it is analysed as if it were not there.",
		Cause:   "Either the text is not Python, or it is Python that kernels do not have: other iterators than ‹pl.range›, ‹pl.pipeline› and their like, chained comparisons, lambdas, ‹try›, assignment to attributes; or a decorator or loop lacks an argument.",
		Action: []string{
			"See the place marked: what was expected is in the message, and often below it.",
			"The other statements and functions of the file keep their results.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    for i in pl.pipeline(4):    # stage= is missing
        a = pl.load(x, [i * 16, 0], [16, 64])
        out = pl.store(a, [i * 16, 0], out)
    return out`,
	},
	{
		Code: "reading", Severity: "error", Title: "the text has no meaning here", Origin: Own,
		Meaning: "The compiler refuses this text in words of its own internals, or reads it in a way that its author cannot have meant. The message is ours. As a warning it tells of an old spelling that the compiler still takes.",
		Cause:   "A loop that carries values and yields none, a name that only one branch defines and that is read after it, ‹pl.yield_› as a value, an inline function that calls itself.",
		Action: []string{
			"The second line of the message says what to write instead.",
		},
		Example: `
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def sum(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    for i, (acc,) in pl.range(4, init_values=(a,)):
        b = pl.add(acc, a)    # nothing is yielded
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "configuration", Severity: "warning", Title: "a setting is not understood", Origin: Own,
		Meaning: "A ‹pypto-ls.toml› or a ‹# pypto-ls:› comment has an unknown key or value. What is not understood does not count; the message says what is used instead. When the command line or ‹--config› is wrong, this is an error and the exit code is 2.",
		Cause:   "A ‹pypto-ls.toml› has the keys ‹platform› and ‹planner›, and tables ‹[platforms.NAME]› with ‹base›, ‹arch›, ‹capacity›, ‹align›, ‹skip›, ‹order›, ‹acc_row_multiple›, ‹innermost_bytes› and ‹routes›. Platforms are ‹Ascend910B›, ‹Ascend950›, those of the file, and ‹none›; planners ‹PYPTO›, ‹DSA_RP› and ‹PTOAS›.",
		Action: []string{
			"Correct the key or the value: the message lists those that exist.",
		},
		Example: `
# pypto-ls: platform=Ascend911
import pypto.language as pl

@pl.function(type=pl.FunctionType.InCore)
def copy(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [64, 64])
    return pl.store(a, [0, 0], out)`,
	},
	{
		Code: "document-too-long", Severity: "warning", Title: "the document is beyond the size that is analysed", Origin: Own,
		Meaning: "The document is longer than the limit that the message gives, and the server leaves it alone.",
		Cause:   "Memory is bounded; no dump of a compiler comes near the limit.",
		Action: []string{
			"Divide the text, or check it on the command line, which takes files of up to 256 MiB.",
		},
	},
}
