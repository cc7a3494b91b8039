package read_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// callsOf lists the operator calls of a function in the order in which
// FlattenCallExpr would define their results, each printed with its variables
// replaced by `_` and with its type.
func callsOf(f *ir.Function) []string {
	var out []string
	var expr func(e ir.Expr)
	expr = func(e ir.Expr) {
		switch e := e.(type) {
		case *ir.Call:
			for _, a := range e.Args {
				expr(a)
			}
			out = append(out, printedCall(e))
		case *ir.MakeTuple:
			for _, x := range e.Elems {
				expr(x)
			}
		case *ir.Binary:
			expr(e.X)
			expr(e.Y)
		case *ir.Unary:
			expr(e.X)
		}
	}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		if b == nil {
			return
		}
		for _, s := range b.Stmts {
			switch s := s.(type) {
			case *ir.Assign:
				expr(s.Value)
			case *ir.Eval:
				expr(s.X)
			case *ir.For:
				block(s.Body)
			case *ir.While:
				block(s.Body)
			case *ir.If:
				block(s.Then)
				block(s.Else)
			}
		}
	}
	block(f.Body)
	return out
}

func blank(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.MakeTuple:
		t := &ir.MakeTuple{}
		for _, x := range e.Elems {
			t.Elems = append(t.Elems, blank(x))
		}
		return t
	case *ir.ConstInt, *ir.ConstFloat, *ir.ConstBool:
		return e
	}
	return &ir.Raw{Text: "_"}
}

var (
	brackets   = regexp.MustCompile(`\[[^\]]*\]`)
	lowerName  = regexp.MustCompile(`\b[a-z_]\w*\b`)
	memRefPart = regexp.MustCompile(`pl\.MemRef\([^)]*\)(\[[^\]]*\])?, `)
	rank3      = regexp.MustCompile(`, \[\d+, \d+, \d+\]`)
	shortLoop  = regexp.MustCompile(`pl\.range\((0, )?[01][,)]`)
)

// printedCall leaves out what Dump keeps from the annotation (a MemRef) and
// the names of dimensions.
func printedCall(c *ir.Call) string {
	b := *c
	b.Args = nil
	for _, a := range c.Args {
		b.Args = append(b.Args, blank(a))
	}
	typ := memRefPart.ReplaceAllString(printer.Type(nil, c.Type, printer.Options{}), "")
	typ = brackets.ReplaceAllStringFunc(typ, func(dims string) string { return lowerName.ReplaceAllString(dims, "_") })
	return printer.Expr(&b) + " : " + typ
}

// straight reports kernels that no pass before InitMemRef rewrites: nothing is
// replicated, unrolled, outlined, flattened or repaired, no loop vanishes.
func straight(front, after string) bool {
	for _, word := range []string{"pl.pipeline", "pl.unroll", "pl.at", "transpose(", "tile.sin", "tile.cos", "tile.slice(", "Mem.Mat", "scatter_update", "FunctionType.Opaque"} {
		if strings.Contains(front, word) {
			return false
		}
	}
	// Column vectors are repaired, casts legalised, tiles of rank 3 flattened.
	for _, word := range []string{"__rm_a", "row_major_tmp", "__cast"} {
		if strings.Contains(after, word) {
			return false
		}
	}
	return !shortLoop.MatchString(front) && !rank3.MatchString(front)
}

// TestOperatorSequence compares the operators read from a hand-written kernel
// with those of the compiler's IR before InitMemRef, where no pass changes
// them.
func TestOperatorSequence(t *testing.T) {
	s := sharedDir(t)
	if s == "" {
		t.Skip("shared recordings not found")
	}
	kernels, bad := 0, 0
	for _, family := range []string{"vec", "declared", "tight", "loop", "branch", "decl", "edge", "views", "ops", "carries", "soup", "big", "front"} {
		paths, _ := filepath.Glob(filepath.Join(s, "corpus", family+"_*.Ascend910B.PYPTO.txtar"))
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			var front, after string
			for _, file := range txtar.Parse(data).Files {
				switch file.Name {
				case "frontend.py":
					front = string(file.Data)
				case "after_MaterializeTensorStrides.py":
					after = string(file.Data)
				}
			}
			if after == "" || !straight(front, after) {
				continue
			}
			got := map[string][]string{}
			for _, prog := range read.File(irsyntax.Parse(front), read.Options{Policy: read.Reference}) {
				for _, f := range prog.Functions {
					got[f.IR.Name] = callsOf(f.IR)
				}
			}
			for _, prog := range read.File(irsyntax.Parse(after), read.Options{}) {
				for _, f := range prog.Functions {
					kernels++
					want := strings.Join(withoutMoves(callsOf(f.IR)), "\n")
					have := strings.Join(withoutMoves(got[f.IR.Name]), "\n")
					if want != have {
						if bad++; bad < 40 {
							t.Errorf("%s %s: %s", filepath.Base(p), f.IR.Name, firstDiff(want, have))
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d kernels agree", kernels-bad, kernels)
}

// withoutMoves leaves out what InferTileMemorySpace inserts.
func withoutMoves(calls []string) []string {
	out := calls[:0:0]
	for _, c := range calls {
		if !strings.HasPrefix(c, "pl.tile.move(") {
			out = append(out, c)
		}
	}
	return out
}
