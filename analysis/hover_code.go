package analysis

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// comment tells about a diagnostic's code that a comment mentions.
func (h *hoverer) comment(c irsyntax.Comment) (string, ir.Span) {
	text := h.tree.Text
	part := func(b byte) bool {
		return b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	}
	start, end := h.rel, h.rel
	for start > c.Start && part(text[start-1]) {
		start--
	}
	for end < c.End && part(text[end]) {
		end++
	}
	word := strings.Trim(text[start:end], "-")
	about := CodeSummary(word)
	if about == "" {
		return "", ir.Span{}
	}
	return "**" + word + "** · " + about, ir.Span{Start: start, End: end}
}

// codes are the codes of all findings with what they mean in one sentence; the
// manual has a page for each.
var codes = map[string]string{
	"PH-MR-001":           "The compiler's performance hint that the pipeline's buffers did not all fit: stages share storage and overlap less.",
	"PH-DSA-001":          "The compiler's performance hint that planner DSA_RP gave up some separations of software-pipeline stages.",
	"PH001":               "The compiler's performance hint that a transfer's innermost row is shorter than the hardware likes.",
	"capacity":            "A memory space holds more than it has: the compiler refuses the function.",
	"capacity-here":       "The statement at which a memory space first overflows.",
	"dsa-no-fit":          "Planner DSA_RP found no placement within the capacities.",
	"dsa-internal":        "Planner DSA_RP of the compiler stops with an internal error on this function.",
	"ring-too-large":      "The window of a cross-core ring is larger than its memory space.",
	"reserve-buffer":      "A reserve_buffer statement that the compiler rejects.",
	"declared-overlap":    "Two tiles that live together are bound to one slot of a declared allocation.",
	"declared-allocation": "A declared allocation that the compiler rejects.",
	"accumulator-merge":   "Two accumulators meet at a branch and cannot be copied into one.",
	"dynamic-shape":       "An on-chip tile needs a constant shape.",
	"init-memref":         "The compiler's pass InitMemRef fails on this function.",
	"semantic-aliases":    "The compiler's pass MaterializeSemanticAliases fails on this function.",
	"memory-reuse":        "The compiler's pass MemoryReuse fails on this function.",
	"allocate":            "The compiler's pass AllocateMemoryAddr fails on this function.",
	"reuse-fallback":      "MemoryReuse could not honour the pipeline's depth and shares storage as if there were no pipeline.",
	"unsafe-reuse":        "The compiler places a tile over another that is still read: its addresses are shown as they are, and the program is wrong.",
	"address":             "The verifier after the last pass finds an address that is out of place.",
	"approximate":         "A pass outside the exact subset would change this function: the addresses shown may differ from the compiler's.",
	"configuration":       "The platform or planner that is configured is unknown, or pypto-ls.toml has an error.",
	"internal-error":      "pypto-ls itself failed on this function.",
	"document-too-long":   "The document is longer than pypto-ls reads.",
	"syntax":              "The text is not well-formed.",
	"type":                "A type that the compiler's reader rejects.",
	"name":                "A name that nothing defines.",
	"operation":           "An operator call that the compiler's reader rejects.",
	"function":            "A function header that the compiler's reader rejects.",
	"reading":             "Something that pypto-ls cannot read.",
	"memory-space":        "An operand is in a memory space that the operator does not take.",
	"cast":                "A cast that the target cannot do.",
	"slice":               "A slice of a tile that cannot be lowered.",
	"rank":                "A tile of a rank that cannot be flattened.",
	"unroll":              "A loop that cannot be unrolled.",
	"mixed-kernel":        "A mixed kernel that cannot be split into its halves.",
	"lowering":            "A pass before memory planning rejects the function.",

	"unused-variable":         "The compiler's warning that nothing reads a variable.",
	"out-param-write-dropped": "An output parameter's name is bound to another tensor, so that writes do not reach the caller.",
	"acc-store":               "An accumulator is stored as a data type that the fix-pipe does not make.",
	"atomic-add":              "A store adds BF16 atomically, which the platform does not do.",
	"valid-shape":             "A valid shape has another rank than its shape or lies outside of it.",
	"yield-position":          "Statements follow a yield, which has to end its body.",
	"memref-missing":          "A tile has no MemRef in a text that stands after InitMemRef.",
}

// CodeSummary says in one sentence what a code means; "" for words that are no
// code.
func CodeSummary(code string) string { return codes[code] }
