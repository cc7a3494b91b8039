package infer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pypto-ls/ir"
	"pypto-ls/ir/infer"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
)

// sharedDir is the folder with the recorded runs; the test is skipped without.
func sharedDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "corpus")); err != nil {
		t.Skipf("no recorded runs to compare with (set PYPTO_LS_SHARED): %v", err)
	}
	return dir
}

// tally counts the calls of one operator. Excused calls differ for a reason
// that lies in a later pass of the reference; see excuse.
type tally struct {
	calls, equal, degraded, excused int
	first                           []string // the first differences
}

// TestCorpus infers the type of every operator call in the recorded IR after
// InitMemRef and compares it with the annotation. The reference read that IR
// from text before it printed it, so annotations without a view show what its
// own inference gave (spec 01 §6.7).
func TestCorpus(t *testing.T) {
	dir := sharedDir(t)
	byOp := map[string]*tally{}
	for _, sub := range []string{"corpus", "real"} {
		paths, err := filepath.Glob(filepath.Join(dir, sub, "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no cases in %s: %v", sub, err)
		}
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			a := txtar.Parse(data)
			noted := strings.Contains("\n"+string(a.Comment), "\nnote ")
			for _, f := range a.Files {
				if f.Name == "after_InitMemRef.py" {
					checkText(byOp, filepath.Base(p), string(f.Data), noted)
				}
			}
		}
	}
	report(t, byOp)
}

func checkText(byOp map[string]*tally, where, text string, noted bool) {
	for _, p := range read.File(irsyntax.Parse(text), read.Options{Policy: read.Dump}) {
		for _, fn := range p.Functions {
			block(fn.IR.Body, func(a *ir.Assign) { checkAssign(byOp, where, fn.IR, a, noted) })
		}
	}
}

// block visits every assignment.
func block(b *ir.Block, visit func(*ir.Assign)) {
	ir.EachStmt(b, func(s ir.Stmt) {
		if a, ok := s.(*ir.Assign); ok {
			visit(a)
		}
	})
}

// excuse says why an annotation legitimately differs from what the operator's
// rule gives, "" when it must not.
func excuse(c *ir.Call, annotated, inferred ir.Type, noted bool) string {
	switch a := annotated.(type) {
	case *ir.TileType:
		// FlattenTileNdTo2D rewrites the annotation, not the window (spec 01 §6.7).
		if b, ok := inferred.(*ir.TileType); ok && c.Name == "tile.load" && len(b.Shape) > 2 && len(a.Shape) == 2 {
			return "flattened to two dimensions"
		}
		// The second vector lane of a kernel that is not split gets empty tiles.
		if a.View != nil && len(a.View.ValidShape) == 2 {
			r, okR := ir.ConstValue(a.View.ValidShape[0])
			k, okK := ir.ConstValue(a.View.ValidShape[1])
			if okR && okK && r == 0 && k == 0 {
				return "emptied for the second vector lane"
			}
		}
	}
	if c.Name == "tile.matmul_acc" {
		// AutoTileMatmulL0 names its pieces `…_l0_…` and gives them the types of the
		// product it tiles, without inferring them again.
		if v, ok := c.Args[1].(*ir.Var); ok && strings.Contains(v.Name, "_l0_a") {
			return "typed by the L0 tiler"
		}
	}
	if noted {
		return "the reference's own reader refuses this text"
	}
	return ""
}

func checkAssign(byOp map[string]*tally, where string, f *ir.Function, a *ir.Assign, noted bool) {
	c, ok := a.Value.(*ir.Call)
	if !ok || c.Op == nil {
		return
	}
	n := byOp[c.Name]
	if n == nil {
		n = &tally{}
		byOp[c.Name] = n
	}
	n.calls++
	got, problem := infer.Infer(c.Op, c.Args, c.Kwargs, infer.Env{})
	switch {
	case problem != nil && problem.Kind == infer.Degraded, problem == nil && got == ir.Type(ir.Unknown):
		n.degraded++
		return
	case problem == nil && ir.TypeEqual(got, a.Var.Type):
		n.equal++
		return
	case excuse(c, a.Var.Type, got, noted) != "":
		n.excused++
		return
	}
	if len(n.first) < 3 {
		text := fmt.Sprintf("%s %s: %s\n\t\tannotated %s", where, f.Name, printer.Expr(c), printer.Type(f, a.Var.Type, printer.Options{}))
		if problem != nil {
			text += "\n\t\tproblem   " + problem.Text
		} else {
			text += "\n\t\tinferred  " + printer.Type(f, got, printer.Options{})
		}
		n.first = append(n.first, text)
	}
}

// report prints one line an operator and fails for those that differ.
func report(t *testing.T, byOp map[string]*tally) {
	names := make([]string, 0, len(byOp))
	for name := range byOp {
		names = append(names, name)
	}
	sort.Strings(names)
	var all tally
	for _, name := range names {
		n := byOp[name]
		all.calls, all.equal, all.degraded, all.excused = all.calls+n.calls, all.equal+n.equal, all.degraded+n.degraded, all.excused+n.excused
		if bad := n.calls - n.equal - n.degraded - n.excused; bad > 0 {
			t.Errorf("%s: %d of %d calls differ from their annotation\n\t%s", name, bad, n.calls, strings.Join(n.first, "\n\t"))
		}
		if n.degraded > 0 {
			t.Logf("%s: %d of %d calls keep their annotation", name, n.degraded, n.calls)
		}
	}
	t.Logf("%d calls: %d equal, %d keep their annotation, %d changed by later passes", all.calls, all.equal, all.degraded, all.excused)
}
