package read_test

import (
	"testing"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// TestEnvAt: a name has the value that it has where the function stands, and
// none that may have been replaced (spec 01 §4.3, §4.5). "?" stands for a value
// that is not known, "" for a name that is not bound.
func TestEnvAt(t *testing.T) {
	const first, second = "\n\n@pl.function\ndef f():\n    return\n\n\n", "\n\n@pl.function\ndef g():\n    return\n"
	for _, c := range []struct{ before, between, atF, atG string }{
		{"A = 16", "A = 32", "16", "32"},
		{"A = 16", "A += 16", "16", "32"},
		{"A = [1]", "A += [2]", "[1]", "[1, 2]"},
		{"A = 16", "A += B", "16", "?"},
		{"B = 1", "A = 16", "", "16"},
		{"A = 16", "if B:\n    A = 32", "16", "?"},
		{"A = 16", "if True:\n    A = 32\nelse:\n    A = 64", "16", "32"},
		{"A = 16", "if A == 32:\n    A = 32\nelif A < 20:\n    A = 64", "16", "64"},
		{"A = 16", "for A in [1, 2]:\n    pass", "16", "?"},
		{"A = 16", "for i in B:\n    A = 1", "16", "?"},
		{"A = 16", "while B:\n    A -= 1", "16", "?"},
		{"A = 16", "try:\n    A = 32\nexcept Exception:\n    pass", "16", "?"},
		{"A = 16", "with B as A:\n    pass", "16", "?"},
		{"A = 16", "with B:\n    A = 1", "16", "?"},
		{"A = 16", "del A", "16", "?"},
		{"A = 16", "print(A := 3)", "16", "?"},
		{"A = 16", "from c import A", "16", "?"},
		{"A = 16", "import A.b", "16", "?"},
		{"A = 16", "import b as A", "16", "?"},
		{"A = 16", "*A, B = [1, 2]", "16", "?"},
		{"A = [16]", "A.append(2)", "[16]", "?"},
		{"A = [16]", "A[0] = 2", "[16]", "?"},
		{"A = [16]", "B = A.index(16)", "[16]", "[16]"},
		{"A, B = 1, 2", "A, B = B, A", "1", "2"},
		{"class C:\n    X = 4\n\nA = C.X", "C.X = 5\nA = C.X", "4", "?"},
		{"class C(B):\n    X = 4\n\nA = C.X", "class C:\n    X = 4\n    Y = X * 2\n\nA = C.Y", "?", "8"},
	} {
		f := irsyntax.Parse("import pypto.language as pl\n" + c.before + first + c.between + second)
		env := read.NewEnv(f)
		for i := range f.Chunks {
			want := map[string]string{"f": c.atF, "g": c.atG}
			w, ok := want[f.Chunks[i].Name]
			if !ok || f.Chunks[i].Kind != irsyntax.FuncChunk {
				continue
			}
			at := env.At(f.Chunks[i].Chunk)
			got, known := at.Show("A")
			if _, bound := at.Lookup("A"); bound && !known {
				got = "?"
			}
			if got != w {
				t.Errorf("%q, %q: A is %q in %s, want %q", c.before, c.between, got, f.Chunks[i].Name, w)
			}
		}
	}
}
