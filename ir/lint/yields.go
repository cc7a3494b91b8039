package lint

import "pypto-ls/ir"

// MisplacedYields is the one rule of the verifier NormalizedStmtStructure that
// a text can break (spec 03 §4): a yield followed by other statements of its
// sequence. The other two, about nested sequences, hold by the way ir.Block is
// built. Findings point at the yield.
func MisplacedYields(fn *ir.Function) []Finding {
	var out []Finding
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		if b == nil {
			return
		}
		for i, s := range b.Stmts {
			if y, ok := s.(*ir.Yield); ok && i < len(b.Stmts)-1 {
				out = append(out, Finding{YieldPosition, fn.Name, "YieldStmt before the terminating position; YieldStmt must be the trailing statement of its scope", y.Meta().Span, ""})
			}
			for _, c := range ir.Bodies(s) {
				block(c)
			}
		}
	}
	block(fn.Body)
	return out
}
