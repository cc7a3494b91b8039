package irsyntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every broken statement gives one error and costs one logical line.
func TestErrors(t *testing.T) {
	for _, c := range [][3]string{
		{"x = 007",
			"4-7 leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers", `(Assign ! x 007!)`},
		{"x = 1__0, 2",
			"4-8 invalid decimal literal", `(Assign ! x (Tuple ! 1__0! 2!))`},
		{"x = 0x",
			"4-6 invalid hexadecimal literal", `(Assign ! x 0x!)`},
		{"x = 0b12",
			"4-8 invalid digit '2' in binary literal", `(Assign ! x 0b12!)`},
		{"x = 12ab",
			"4-8 invalid decimal literal", `(Assign ! x 12ab!)`},
		{"x = 1e",
			"4-6 invalid decimal literal", `(Assign ! x 1e!)`},
		{"x = 'abc\ny = 1",
			"4-8 unterminated string literal", `(Assign ! x (String ! "'abc")) (Assign y 1)`},
		{"x = '''abc\ny = 1",
			"4-16 unterminated triple-quoted string literal", `(Assign ! x (String ! "'''abc\ny = 1"))`},
		{"x = (1, 2\ny = 3",
			"4-5 '(' was never closed", `(Assign ! x (Tuple () ! 1 2)) (Assign y 3)`},
		{"x = f(a, [b\ny: T = 3",
			"9-10 '[' was never closed", `(Assign ! x (Call ! f a (List ! b))) (AnnAssign y T 3)`},
		{"x = f(a, b))\ny = 1",
			"11-12 unmatched ')'", `(Assign ! x (Call ! f a b)) (ERROR ! ")") (Assign y 1)`},
		{"x = f(a, b]\ny = 1",
			"10-11 closing parenthesis ']' does not match opening parenthesis '('", `(Assign ! x (Call ! f a b)) (Assign y 1)`},
		{"x = f(a b)\ny = 1",
			"8-9 invalid syntax. Perhaps you forgot a comma?", `(Assign ! x (Call ! f a)) (ERROR ! "b)") (Assign y 1)`},
		{"x = = 1\ny = 1",
			"4-5 invalid syntax", `(Assign ! x (ERROR ! "= 1")) (Assign y 1)`},
		{"x: T[[1, ?], U] = f(a)\ny = 1",
			"9-10 invalid syntax", `(AnnAssign ! x (Subscript ! T (List ! 1)) -) (ERROR ! "?], U] = f(a)") (Assign y 1)`},
		{"x: T[[64, 64] = f(a)\ny = 1",
			"4-5 '[' was never closed", `(AnnAssign ! x (Subscript ! T (List 64 64)) (Call f a)) (Assign y 1)`},
		{"t: pl.Tile[[64, 64], pl.FP32 = pl.load(a)\nu = t",
			"10-11 '[' was never closed", `(AnnAssign ! t (Subscript ! (Attribute pl Tile) (Tuple (List 64 64) (Attribute pl FP32))) (Call (Attribute pl load) a)) (Assign u t)`},
		{"x = f(\ny = 1",
			"5-6 '(' was never closed", `(Assign ! x (Call ! f)) (Assign y 1)`},
		{"x = f(a, **)\ny = 1",
			"11-12 invalid syntax", `(Assign ! x (Call ! f a (Keyword ! - (ERROR ! ")")))) (Assign y 1)`},
		{"x = a.\ny = 1",
			"6-6 invalid syntax", `(Assign ! x (Attribute ! a (ERROR ! ""))) (Assign y 1)`},
		{"x = a[]\ny = 1",
			"6-7 invalid syntax", `(Assign ! x (Subscript ! a (ERROR ! ""))) (Assign y 1)`},
		{"x = \ny = 1",
			"4-4 invalid syntax", `(Assign ! x (ERROR ! "")) (Assign y 1)`},
		{"x 1\ny = 1",
			"2-3 invalid syntax", `(ExprStmt x) (ERROR ! "1") (Assign y 1)`},
		{"1 = x\nf() = y\nNone = z\na + b = c\n[a, 1] = d",
			"0-1 cannot assign to literal here. Maybe you meant '==' instead of '='?; 6-9 cannot assign to function call here. Maybe you meant '==' instead of '='?; 14-18 cannot assign to None; 23-28 cannot assign to expression here. Maybe you meant '==' instead of '='?; 37-38 cannot assign to literal", `(Assign ! 1 x!) (Assign ! (Call f) y!) (Assign ! None z!) (Assign ! (BinOp + a b) c!) (Assign ! (List a 1) d!)`},
		{"(a, b): T = c\n'a': T",
			"0-6 only single target (not tuple) can be annotated; 14-17 illegal target for annotation", `(AnnAssign ! (Tuple () a b) T! c) (AnnAssign ! (String "'a'") T! -)`},
		{"f() += 1\na, b += 1",
			"0-3 'function call' is an illegal expression for augmented assignment; 9-13 'tuple' is an illegal expression for augmented assignment", `(AugAssign + ! (Call f) 1!) (AugAssign + ! (Tuple a b) 1!)`},
		{"x := 1",
			"2-4 invalid syntax", `(ExprStmt ! x) (ERROR ! ":= 1")`},
		{"f(a=1, b)",
			"7-8 positional argument follows keyword argument", `(ExprStmt ! (Call ! f (Keyword a 1) b))`},
		{"f(1=2)",
			"2-4 expression cannot contain assignment, perhaps you meant \"==\"?", `(ExprStmt ! (Call ! f (Keyword ! 1 2!)))`},
		{"for i in\n    a\nb",
			"8-8 invalid syntax", `(For ! i (ERROR ! "") (Block (ExprStmt a)) -) (ExprStmt b)`},
		{"for in x:\n    a\nb",
			"4-6 invalid syntax", `(For ! (ERROR ! "in x:") (ERROR ! "") (Block (ExprStmt a)) -) (ExprStmt b)`},
		{"for i in x\n    a\nb",
			"10-10 expected ':'", `(For ! i x (Block (ExprStmt a)) -) (ExprStmt b)`},
		{"for i in x:\nb",
			"11-11 expected an indented block after 'for' statement", `(For i x (Block) -) (ExprStmt b)`},
		{"if a\n    b\nelse\n    c\nd",
			"4-4 expected ':'; 15-15 expected ':'", `(If ! a (Block (ExprStmt b)) (Block (ExprStmt c))) (ExprStmt d)`},
		{"else:\n    a\nb",
			"0-4 invalid syntax", `(ExprStmt ! (ERROR ! "else:")) (ExprStmt a) (ExprStmt b)`},
		{"if a:\n    b\n  c\n    d\ne",
			"14-15 unindent does not match any outer indentation level", `(If a (Block (ExprStmt b) (ExprStmt c) (ExprStmt d)) -) (ExprStmt e)`},
		{"a\n    b\n    c\nd",
			"6-7 unexpected indent", `(ExprStmt a) (ExprStmt b) (ExprStmt c) (ExprStmt d)`},
		{"if a:\n    b\n      c\n    d",
			"18-19 unexpected indent", `(If a (Block (ExprStmt b) (ExprStmt c) (ExprStmt d)) -)`},
		{"if a:\n\tb\n        c",
			"17-18 inconsistent use of tabs and spaces in indentation", `(If a (Block (ExprStmt b) (ExprStmt c)) -)`},
		{"while :\n    a",
			"6-7 invalid syntax", `(While ! (ERROR ! ":") (Block (ExprStmt a)) -)`},
		{"with :\n    a",
			"5-6 invalid syntax", `(With ! (WithItem ! (ERROR ! ":") -) (Block (ExprStmt a)))`},
		{"try:\n    a\nb",
			"0-3 expected 'except' or 'finally' block", `(Opaque try (Block (ExprStmt a))) (ExprStmt b)`},
		{"def f(:\n    a\nb",
			"5-6 '(' was never closed", `(FuncDef ! f (Params ! (Param ! (ERROR ! ":\n    a\nb") - -)) - (Block))`},
		{"def (a):\n    a\nb",
			"4-5 invalid syntax", `(FuncDef ! - (Params !) - (Block (ExprStmt a))) (ExprStmt b)`},
		{"def f(a, a b):\n    c",
			"11-12 invalid syntax. Perhaps you forgot a comma?", `(FuncDef ! f (Params (Param a - -) (Param a - -)) - (Block (ExprStmt c)))`},
		{"def f\n    a",
			"5-5 expected '('", `(FuncDef ! f (Params !) - (Block (ExprStmt a)))`},
		{"def f(a=1, b): pass",
			"11-12 non-default argument follows default argument", `(FuncDef ! f (Params ! (Param a - 1) (Param b - -)) - (Block ! (Pass !)))`},
		{"class :\n    a",
			"6-7 invalid syntax", `(ClassDef ! - - (Block (ExprStmt a)))`},
		{"@a b\ndef f(): pass",
			"3-4 invalid syntax", `(FuncDef (Decorator a) f (Params) - (Block (Pass)))`},
		{"import\nx",
			"6-6 invalid syntax", `(Import ! ! -) (ExprStmt x)`},
		{"from a import\nx",
			"13-13 invalid syntax", `(ImportFrom ! a) (ExprStmt x)`},
		{"x = a if b\ny",
			"10-10 expected 'else' after 'if' expression", `(Assign ! x (IfExp ! a b (ERROR ! ""))) (ExprStmt y)`},
		{"x = a not b",
			"10-11 invalid syntax", `(Assign ! x (Compare not in ! a (ERROR ! "b")))`},
		{"x = 1 +\ny",
			"7-7 invalid syntax", `(Assign ! x (BinOp + ! 1 (ERROR ! ""))) (ExprStmt y)`},
		{"x = *a",
			"4-6 can't use starred expression here", `(Assign ! x (Star a))`},
		{"$",
			"0-1 invalid syntax", `(ExprStmt ! (ERROR ! "$"))`},
		{"x = \x00",
			"4-5 source code cannot contain null bytes", `(Assign ! x (ERROR ! "\x00"))`},
		{"x = \xff",
			"4-5 (unicode error) invalid UTF-8", `(Assign ! x (ERROR ! "\xff"))`},
		{"x = “a”",
			"4-7 invalid character '“' (U+201C)", `(Assign ! x (ERROR ! "“a”"))`},
		{"x = \\ y",
			"4-5 unexpected character after line continuation character", `(Assign ! x (ERROR ! "\\ y"))`},
		{"x = 1 \\",
			"6-7 unexpected EOF while parsing", `(Assign ! x 1!)`},
		{"return return",
			"7-13 invalid syntax", `(Return ! (ERROR ! "return"))`},
		{"if a: if b: c",
			"6-8 invalid syntax", `(If a (Block ! (ERROR ! "if b: c")) -)`},
		{"x = {1: 2, 3}",
			"11-12 invalid syntax", `(Assign ! x (Dict ! (DictItem 1 2) 3))`},
		{"x = {1, 2: 3}",
			"8-12 invalid syntax", `(Assign ! x (Set ! 1 (DictItem 2 3)))`},
		{"x = b'a' 'b'",
			"4-12 cannot mix bytes and nonbytes literals", `(Assign ! x (String b ! "b'a' 'b'"))`},
		{"async x",
			"6-7 invalid syntax", `(ERROR ! "x")`},
		{"match x:\ny",
			"0-5 expected an indented block after 'match' statement", `(Opaque match x) (ExprStmt y)`},
		{"x = [a for b]",
			"12-13 invalid syntax", `(Assign ! x (Comp ! a b)) (ERROR ! "]")`},
		{"x = lambda a b: c",
			"13-14 expected ':'", `(Assign ! x (Lambda ! (Params (Param a - -)) (ERROR ! "b: c")))`},
	} {
		tree := module(c[0])
		if got := errorList(tree); got != c[1] {
			t.Errorf("%q\n got %s\nwant %s", c[0], got, c[1])
		}
		if got := body(tree); got != c[2] {
			t.Errorf("%q\n got %s\nwant %s", c[0], got, c[2])
		}
		if err := checkTree(tree); err != nil {
			t.Errorf("%q: %v", c[0], err)
		}
	}
}

// fileErrors lists the errors of a file as "line:column message" (both from 1).
func fileErrors(f *File) []string {
	var out []string
	text := f.Text()
	for _, e := range f.Errors {
		line := f.Line(int(e.Start))
		out = append(out, fmt.Sprintf("%d:%d:%s", line+1, int(e.Start)-f.LineStart(line)+1, e.Msg))
		if int(e.End) > len(text) {
			out = append(out, "error past the end")
		}
	}
	return out
}

// A broken function harms no other: every function that is not broken has the
// same tree as in the sound program, and the errors are where the text was
// broken.
func TestRecovery(t *testing.T) {
	const head = "import pypto.language as pl\n\n@pl.program\nclass P:\n"
	const f = "    @pl.function(type=pl.FunctionType.AIV)\n    def f(a: pl.Tensor[[4], pl.FP32]):\n        x = pl.tile.load(a)\n        y = pl.tile.exp(x)\n        return y\n"
	const g = "    @pl.function\n    def g(self, b: T):\n        for i in pl.range(4):\n            c = f(b, [i])\n        return c\n"
	sound := Parse(head + f + g)
	if errs := fileErrors(sound); len(errs) > 0 || len(sound.Chunks) != 4 {
		t.Fatal(errs, outline(sound))
	}
	wantG := sexpr(sound.Chunks[3].Tree().Root())
	for _, c := range []struct{ old, new, errs, body string }{
		{"load(a)", "load(a", "7:25:'(' was never closed", "x y return"},
		{"load(a)", "load(a, [1, (", "7:33:'(' was never closed", "x y return"},
		{"load(a)", "load(a))", "7:28:unmatched ')'", "x ERROR y return"},
		{"load(a)", "load(a,\n", "7:25:'(' was never closed", "x y return"},
		{"load(a)", "load(a, 'b", "7:29:unterminated string literal", "x y return"},
		{"load(a)", "", "7:21:invalid syntax", "x y return"},
		{"x = ", "x == = ", "7:14:invalid syntax", "? y return"},
		{"x = pl", "x: pl.Tile[[4, 4 = pl", "7:20:'[' was never closed", "x y return"},
		{"        x = pl.tile.load(a)\n", "", "", "y return"},
		{"        x = ", "    x = ", "7:5:expected an indented block after function definition", "x y return"},
		{"        y = ", "    y = ", "8:5:unindent does not match any outer indentation level", "x y return"},
		{"        y = ", "y = ", "8:1:unindent does not match any outer indentation level", "x y return"},
		{"        y = ", "            y = ", "8:13:unexpected indent", "x y return"},
		{"        y = ", "        if x\n            y = ", "8:13:expected ':'", "x if return"},
		{"        y = ", "        if x:\n        y = ", "8:14:expected an indented block after 'if' statement", "x if y return"},
		{"        y = ", "        else:\n            z = 1\n        y = ", "8:9:invalid syntax", "x ? z y return"},
		{"def f(a: pl.Tensor[[4], pl.FP32]):", "def f(a: pl.Tensor[[4], pl.FP32)]:", "6:36:closing parenthesis ')' does not match opening parenthesis '['", "x y return"},
		{"FP32]):", "FP32])", "6:38:expected ':'", "x y return"},
		{"def f(", "def 1f(", "6:9:invalid decimal literal", "x y return"},
		{"AIV)", "AIV", "5:17:'(' was never closed", "x y return"},
	} {
		broken := Parse(head + strings.Replace(f, c.old, c.new, 1) + g)
		got := strings.Join(fileErrors(broken), "; ")
		if got != c.errs {
			t.Errorf("%q for %q:\n got %s\nwant %s", c.new, c.old, got, c.errs)
		}
		if len(broken.Chunks) != 4 {
			t.Errorf("%q for %q:\n%s", c.new, c.old, outline(broken))
			continue
		}
		if d := cmp.Diff(wantG, sexpr(broken.Chunks[3].Tree().Root())); d != "" {
			t.Errorf("%q for %q harms g:\n%s", c.new, c.old, d)
		}
		if got := statementNames(broken.Chunks[2].Tree()); got != c.body {
			t.Errorf("%q for %q: statements %s, want %s", c.new, c.old, got, c.body)
		}
	}
}

// statementNames names the statements of a function's body by their target.
func statementNames(t *Tree) string {
	var out []string
	block := t.Root().Child(t.Root().NumChildren() - 1)
	for s := block.First(); s.Ok(); s = s.Next() {
		switch s.Kind() {
		case Assign, AnnAssign:
			out = append(out, s.First().Text())
		case Return:
			out = append(out, "return")
		case If:
			out = append(out, "if")
		case ErrorNode:
			out = append(out, "ERROR")
		default:
			out = append(out, "?")
		}
	}
	return strings.Join(out, " ")
}

// Errors that a chunk's own text does not show.
func TestChunkErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"class A:\n\nx = 1\n", "1:9:expected an indented block after class definition"},
		{"class A:\n    def f(self): pass\n", ""},
		{"class A:\n    x = 1\n     \n    def f(self): pass\n  def g(self): pass\n", "5:3:unindent does not match any outer indentation level"},
		{"class A:\n    def f(self): pass\n      x = 1\n", "3:7:unexpected indent"},
		{"  x = 1\n", "1:3:unexpected indent"},
		{"@a\nx = 1\n", "1:1:invalid syntax"},
		{"def f():\nx = 1\n", "1:9:expected an indented block after function definition"},
		{"def f(): # later\n", ""},
		{"def f():\n    # later\n", ""},
	} {
		if got := strings.Join(fileErrors(Parse(c[0])), "; "); got != c[1] {
			t.Errorf("%q: got %s, want %s", c[0], got, c[1])
		}
	}
}
