package read

import (
	"testing"

	"pypto-ls/irsyntax"
)

// TestHeaderCallsItself: annotations that call functions of the file, themselves
// among them, end; a header needs no callee's header.
func TestHeaderCallsItself(t *testing.T) {
	for _, text := range []string{
		"def k(x: Tile[[64, 64], FP32, MemRef(m, k(x)), Mem.Vec]):\n    y = tile.exp(x)\n",
		"def f(x: Tile[[64, 64], FP32, MemRef(m, g(x)), Mem.Vec]):\n    y = tile.exp(x)\n\ndef g(x: Tile[[64, 64], FP32, MemRef(m, f(x)), Mem.Vec]):\n    y = tile.exp(x)\n",
	} {
		f := irsyntax.Parse(text)
		if programs := File(f, Options{}); len(programs) == 0 {
			t.Errorf("nothing read of %q", text)
		}
	}
}
