package irsyntax

import (
	"fmt"
	"strings"
	"testing"
)

// module parses text as one block.
func module(src string) *Tree { return parseChunk(newChunk(src, piece{kind: ModuleChunk})) }

// body writes the statements of a tree's root block.
func body(t *Tree) string {
	var out []string
	for c := t.Root().First(); c.Ok(); c = c.Next() {
		out = append(out, sexpr(c))
	}
	return strings.Join(out, " ")
}

// errorList writes a tree's errors as "start-end message".
func errorList(t *Tree) string {
	var out []string
	for _, e := range t.Errors {
		out = append(out, fmt.Sprintf("%d-%d %s", e.Start, e.End, e.Msg))
	}
	return strings.Join(out, "; ")
}

func checkStatements(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		tree := module(c[0])
		if got := body(tree); got != c[1] || len(tree.Errors) > 0 {
			t.Errorf("%s\n got %s\nwant %s\n%s", c[0], got, c[1], errorList(tree))
		}
		if err := checkTree(tree); err != nil {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}

func TestSimpleStatements(t *testing.T) {
	checkStatements(t, [][2]string{
		{`x = 1`, `(Assign x 1)`},
		{`x: pl.Tile[[64, M], pl.FP32, pl.MemRef(m, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a, [0, i * 32], target_memory=pl.Mem.Vec)`, `(AnnAssign x (Subscript (Attribute pl Tile) (Tuple (List 64 M) (Attribute pl FP32) (Call (Attribute pl MemRef) m (Call (Attribute pl const) 0 (Attribute pl INT64)) 16384) (Attribute (Attribute pl Mem) Vec))) (Call (Attribute (Attribute pl tile) load) a (List 0 (BinOp * i 32)) (Keyword target_memory (Attribute (Attribute pl Mem) Vec))))`},
		{`x: T`, `(AnnAssign x T -)`},
		{`a = b = c, d`, `(Assign a b (Tuple c d))`},
		{`(a, b) = f()`, `(Assign (Tuple () a b) (Call f))`},
		{`a, b = pl.yield_(c, d)`, `(Assign (Tuple a b) (Call (Attribute pl yield_) c d))`},
		{`x += 1`, `(AugAssign + x 1)`},
		{`x //= y`, `(AugAssign // x y)`},
		{`t[i:j, k] = s`, `(Assign (Subscript t (Tuple (Slice i j -) k)) s)`},
		{`t[:, ::2, 1:] = s`, `(Assign (Subscript t (Tuple (Slice - - -) (Slice - - 2) (Slice 1 - -))) s)`},
		{`b[pl.MemRef("n", slots=2)[k]]`, `(ExprStmt (Subscript b (Subscript (Call (Attribute pl MemRef) (String "\"n\"") (Keyword slots 2)) k)))`},
		{`*a, b = c`, `(Assign (Tuple (Star a) b) c)`},
		{`return`, `(Return -)`},
		{`return a, b`, `(Return (Tuple a b))`},
		{`return (a)`, `(Return (Name () "a"))`},
		{`pass`, `(Pass)`},
		{`break; continue`, `(Break) (Continue)`},
		{`import a.b as c, d`, `(Import a.b c d -)`},
		{`from .a import b as c, d`, `(ImportFrom .a b c d -)`},
		{`from . import *`, `(ImportFrom . * -)`},
		{`from a import (b, c)`, `(ImportFrom a b - c -)`},
		{`del a, b[0]`, `(Opaque del (Tuple a (Subscript b 0)))`},
		{`assert x, "m"`, `(Opaque assert x (String "\"m\""))`},
		{`raise E from f`, `(Opaque raise E f)`},
		{`raise`, `(Opaque raise)`},
		{`global a, b`, `(Opaque global a b)`},
		{`nonlocal c`, `(Opaque nonlocal c)`},
		{`x = -1 + ~y ** -z`, `(Assign x (BinOp + (UnaryOp - 1) (UnaryOp ~ (BinOp ** y (UnaryOp - z)))))`},
		{`x = (a + b) * c - d // e % f @ g`, `(Assign x (BinOp - (BinOp * (BinOp + () a b) c) (BinOp @ (BinOp % (BinOp // d e) f) g)))`},
		{`x = a << 1 | b & c ^ d >> 2`, `(Assign x (BinOp | (BinOp << a 1) (BinOp ^ (BinOp & b c) (BinOp >> d 2))))`},
		{`x = a < b`, `(Assign x (Compare < a b))`},
		{`x = a < b <= c != d`, `(Assign x (Compare < chained a b c d))`},
		{`x = not a in b and c not in d or e is not f`, `(Assign x (BoolOp or (BoolOp and (UnaryOp not (Compare in a b)) (Compare not in c d)) (Compare is not e f)))`},
		{`x = a if b else c`, `(Assign x (IfExp a b c))`},
		{`x = lambda a, *b, c=1, **d: a`, `(Assign x (Lambda (Params (Param a - -) (Param * b - -) (Param c - 1) (Param ** d - -)) a))`},
		{`x = lambda: 0`, `(Assign x (Lambda (Params) 0))`},
		{`x = {}`, `(Assign x (Dict))`},
		{`x = {1: a, **b}`, `(Assign x (Dict (DictItem 1 a) (DictItem - b)))`},
		{`x = {1, 2}`, `(Assign x (Set 1 2))`},
		{`x = [a for b in c if d if e for f in g]`, `(Assign x (Comp a b c d e f g))`},
		{`x = {k: v for k, v in m}`, `(Assign x (Comp (DictItem k v) (Tuple k v) m))`},
		{`x = (i for i in y)`, `(Assign x (Comp () i i y))`},
		{`f(i for i in y)`, `(ExprStmt (Call f (Comp i i y)))`},
		{`f(*a, b, k=1, **c)`, `(ExprStmt (Call f (Star a) b (Keyword k 1) (Keyword - c)))`},
		{`x = (y := 1)`, `(Assign x (Walrus () y 1))`},
		{`x = a[b := 1]`, `(Assign x (Subscript a (Walrus b 1)))`},
		{`x = await f()`, `(Assign x (Await (Call f)))`},
		{`x = yield`, `(Assign x (YieldExpr -))`},
		{`x = yield a, b`, `(Assign x (YieldExpr (Tuple a b)))`},
		{`yield from x`, `(ExprStmt (YieldExpr x))`},
		{`x = "a" 'b' f"{c}"`, `(Assign x (String f "\"a\" 'b' f\"{c}\""))`},
		{`x = b"a"`, `(Assign x (String b "b\"a\""))`},
		{`x = f"{d["k"]!r:>{w}}"`, `(Assign x (String f "f\"{d[\"k\"]!r:>{w}}\""))`},
		{`x = f'{{' + rf"{a}"`, `(Assign x (BinOp + (String f "f'{{'") (String f "rf\"{a}\"")))`},
		{`x = 1_000, 0x1F, 0o17, 0b11, 1.5e-3, .5, 1., 2j, 00`, `(Assign x (Tuple 1_000 0x1F 0o17 0b11 1.5e-3 .5 1. 2j 00))`},
		{`x = ...`, `(Assign x Ellipsis)`},
		{`x = None, True, False`, `(Assign x (Tuple None True False))`},
		{`x = ()`, `(Assign x (Tuple ()))`},
		{`x = (a,)`, `(Assign x (Tuple () a))`},
		{`x = [],`, `(Assign x (Tuple (List)))`},
		{`x = a.b.c(d)(e)[f].g`, `(Assign x (Attribute (Subscript (Call (Call (Attribute (Attribute a b) c) d) e) f) g))`},
		{`x = a[...]`, `(Assign x (Subscript a Ellipsis))`},
		{`x = a[1:2, *b]`, `(Assign x (Subscript a (Tuple (Slice 1 2 -) (Star b))))`},
		{`print(x, file=y)`, `(ExprStmt (Call print x (Keyword file y)))`},
		{`x = 1if a else 2`, `(Assign x (IfExp 1 a 2))`},
		{`m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64, pinned=True)`, `(AnnAssign m (Attribute pl Ptr) (Call (Attribute (Attribute pl tile) alloc) (Attribute (Attribute pl Mem) Vec) 64 (Keyword pinned True)))`},
		{`x = y = yield`, `(Assign x y (YieldExpr -))`},
		{`type X = int`, `(Opaque type X int)`},
		{`match = 1`, `(Assign match 1)`},
		{`match(x)`, `(ExprStmt (Call match x))`},
		{`type(x)`, `(ExprStmt (Call type x))`},
		{`case = 3`, `(Assign case 3)`},
		{`x: Tile[[64, 64], FP32, memref=mem_vec_2] = tile.add(a, ...)`, `(AnnAssign x (Subscript Tile (Tuple (List 64 64) FP32 (Keyword memref mem_vec_2))) (Call (Attribute tile add) a Ellipsis))`},
		{`x: Tile[..., MemRef(m, 0, 2048)] = ...`, `(AnnAssign x (Subscript Tile (Tuple Ellipsis (Call MemRef m 0 2048))) Ellipsis)`},
		{`p: Tensor[[4], FP32, MemRef(space=DDR, addr=-1, id=0)]`, `(AnnAssign p (Subscript Tensor (Tuple (List 4) FP32 (Call MemRef (Keyword space DDR) (Keyword addr (UnaryOp - 1)) (Keyword id 0)))) -)`},
		{`m: MemRefType = tile.alloc(MemorySpace::Vec, -1, 16384, 2)`, `(AnnAssign m MemRefType (Call (Attribute tile alloc) (Attribute MemorySpace Vec) (UnaryOp - 1) 16384 2))`},
		{`m = tile.alloc(MemorySpace::.Vec, 64)`, `(Assign m (Call (Attribute tile alloc) (Attribute MemorySpace Vec) 64))`},
	})
}

func TestCompoundStatements(t *testing.T) {
	checkStatements(t, [][2]string{
		{"if a:\n  b\nelif c:\n  d\nelse:\n  e", "(If a (Block (ExprStmt b)) (If elif c (Block (ExprStmt d)) (Block (ExprStmt e))))"},
		{"if a: b; c\nd", "(If a (Block (ExprStmt b) (ExprStmt c)) -) (ExprStmt d)"},
		{"if (x := a): pass", "(If (Walrus () x a) (Block (Pass)) -)"},
		{"for i, (a,) in pl.range(4, init_values=(b,)):\n  c = pl.yield_(a)\nelse:\n  d",
			"(For (Tuple i (Tuple () a)) (Call (Attribute pl range) 4 (Keyword init_values (Tuple () b))) (Block (Assign c (Call (Attribute pl yield_) a))) (Block (ExprStmt d)))"},
		{"for (i, (a, b)) in x: pass", "(For (Tuple () i (Tuple () a b)) x (Block (Pass)) -)"},
		{"for x in *a, b: pass", "(For x (Tuple (Star a) b) (Block (Pass)) -)"},
		{"for x[i], y.z in w: pass", "(For (Tuple (Subscript x i) (Attribute y z)) w (Block (Pass)) -)"},
		{"while a:\n  break\nelse:\n  pass", "(While a (Block (Break)) (Block (Pass)))"},
		{"with a as b, c:\n  pass", "(With (WithItem a b) (WithItem c -) (Block (Pass)))"},
		{"with (a as b, c,):\n  pass", "(With (WithItem a b) (WithItem c -) (Block (Pass)))"},
		{"with (a, b) as c:\n  pass", "(With (WithItem (Tuple () a b) c) (Block (Pass)))"},
		{"with (a).b(c) + d as e, f:\n  pass", "(With (WithItem (BinOp + (Call (Attribute (Name () \"a\") b) c) d) e) (WithItem f -) (Block (Pass)))"},
		{"with pl.at(level=pl.Level.CORE_GROUP) as tid: pass",
			"(With (WithItem (Call (Attribute pl at) (Keyword level (Attribute (Attribute pl Level) CORE_GROUP))) tid) (Block (Pass)))"},
		{"try:\n  a\nexcept (B, C) as d:\n  e\nexcept:\n  f\nelse:\n  g\nfinally:\n  h",
			"(Opaque try (Block (ExprStmt a)) (Tuple () B C) d (Block (ExprStmt e)) (Block (ExprStmt f)) (Block (ExprStmt g)) (Block (ExprStmt h)))"},
		{"try: a\nexcept* B: c", "(Opaque try (Block (ExprStmt a)) B (Block (ExprStmt c)))"},
		{"match a, b:\n  case {\"k\": v, **r} if v: c\n  case [1, *_] | A(x=1) as y:\n    d\ne",
			"(Opaque match (Tuple a b) (Block (ExprStmt c)) (Block (ExprStmt d))) (ExprStmt e)"},
		{"async def f(): pass\nasync for a in b: pass\nasync with c: pass",
			"(FuncDef async f (Params) - (Block (Pass))) (For async a b (Block (Pass)) -) (With async (WithItem c -) (Block (Pass)))"},
		{"@pl.function(type=pl.FunctionType.AIV)\n@b\n\n# c\ndef f(self, a: T, /, b: pl.Out[T] = 1, *c: D, d, e=2, **g) -> tuple[T, U]: ...",
			"(FuncDef (Decorator (Call (Attribute pl function) (Keyword type (Attribute (Attribute pl FunctionType) AIV)))) (Decorator b) f (Params (Param self - -) (Param a T -) (Param / - - -) (Param b (Subscript (Attribute pl Out) T) 1) (Param * c D -) (Param d - -) (Param e - 2) (Param ** g - -)) (Subscript tuple (Tuple T U)) (Block (ExprStmt Ellipsis)))"},
		{"def f(a, *, b): pass", "(FuncDef f (Params (Param a - -) (Param * - - -) (Param b - -)) - (Block (Pass)))"},
		{"def f[T: int, *U](a: T) -> U: pass", "(FuncDef f (Params (Param a T -)) U (Block (Pass)))"},
		{"class A(B, metaclass=C):\n  x: int = 1\n  def f(self): pass", "(ClassDef A (Tuple () B (Keyword metaclass C)) (Block (AnnAssign x int 1) (FuncDef f (Params (Param self - -)) - (Block (Pass)))))"},
		{"@d\nclass A: pass", "(ClassDef (Decorator d) A - (Block (Pass)))"},
		{"if a:\n\tb\n\tif c:\n\t\td\n\te", "(If a (Block (ExprStmt b) (If c (Block (ExprStmt d)) -) (ExprStmt e)) -)"},
		{"x = f(a, # one\n  # two\n\n  b)\ny = 1 + \\\n  2", "(Assign x (Call f a b)) (Assign y (BinOp + 1 2))"},
		{"x = '''a\nb''' ; y = 1;\n", "(Assign x (String \"'''a\\nb'''\")) (Assign y 1)"},
		{"\ufeffx = é.漢字", "(Assign x (Attribute é 漢字))"},
		{"x = 1\r\ny = 2\rz = 3", "(Assign x 1) (Assign y 2) (Assign z 3)"},
		{"if a:\n  b\n # odd comment\n  c", "(If a (Block (ExprStmt b) (ExprStmt c)) -)"},
	})
}

func TestPath(t *testing.T) {
	tree := module("x = f(ab, c)\n")
	for _, c := range []struct {
		at   int32
		want string
	}{
		{0, "Block Assign Name"}, {2, "Block Assign"}, {4, "Block Assign Call Name"}, {6, "Block Assign Call Name"},
		{8, "Block Assign Call Name"}, {9, "Block Assign Call"}, {11, "Block Assign Call Name"}, {13, "Block"},
	} {
		var got []string
		for _, r := range tree.Path(c.at) {
			got = append(got, kindNames[r.Kind()])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("Path(%d) = %s, want %s", c.at, s, c.want)
		}
	}
}

// The tree is built once, and again after it was released.
func TestLazyTree(t *testing.T) {
	c := Parse("def f(): pass\n").Chunks[0]
	tree := c.Tree()
	if c.Tree() != tree {
		t.Error("the tree is not kept")
	}
	c.Release()
	if again := c.Tree(); again == tree || sexpr(again.Root()) != sexpr(tree.Root()) {
		t.Error("the tree is not built again")
	}
}
