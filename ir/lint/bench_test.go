package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/ir/lint"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// BenchmarkAll runs every check on one kernel of 30 statements, 10 of them
// loads.
func BenchmarkAll(b *testing.B) {
	var body []string
	for i := range 10 {
		body = append(body, fmt.Sprintf("a%d = pl.load(x, [%d, 0], [16, 64])", i, i), fmt.Sprintf("b%d = pl.add(a%d, a%d)", i, i, i), fmt.Sprintf("out = pl.store(b%d, [%d, 0], out)", i, i))
	}
	text := header + "        " + strings.Join(body, "\n        ") + "\n"
	f := read.File(irsyntax.Parse(text), read.Options{Policy: read.Reference})[0].Functions[0].IR
	p, _ := platforms.Lookup("Ascend910B")
	for b.Loop() {
		lint.UnusedVariables(f)
		lint.UnusedResults(f)
		lint.DroppedOutWrites(f)
		lint.MisplacedYields(f)
		lint.ValidShapes(f)
		body := lint.Body{Fn: f}
		lint.AccStores(body, p)
		lint.AtomicAdds(body, p)
		lint.InnermostRows([]lint.Body{body}, p)
	}
}
