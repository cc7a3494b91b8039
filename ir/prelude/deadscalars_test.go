package prelude

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pypto-ls/ir"
)

// TestDropDead: counting uses removes what removing round by round does.
func TestDropDead(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	for round := range 3000 {
		g := &deadGen{r: r}
		for range 3 {
			g.fresh() // parameters
		}
		b := g.block(3, 1+r.IntN(12))
		if got, want := blockText(dropDead(b)), blockText(dropByRounds(b)); got != want {
			t.Fatalf("seed %d, round %d: of\n%s\nremains\n%s\nwant\n%s", seed, round, blockText(b), got, want)
		}
	}
}

// TestDropDeadChain: a chain of 200,000 dead values, each read by the next one
// only, is removed without a round for each.
func TestDropDeadChain(t *testing.T) {
	g := &deadGen{}
	v := g.fresh()
	b := &ir.Block{}
	for range 200000 {
		next := g.fresh()
		b.Stmts = append(b.Stmts, &ir.Assign{Var: next, Value: &ir.Binary{Op: ir.Add, X: v, Y: v}})
		v = next
	}
	b.Stmts = append(b.Stmts, &ir.Return{})
	if n := dropDead(b); len(n.Stmts) != 1 {
		t.Errorf("%d statements remain", len(n.Stmts))
	}
}

// dropByRounds is the rule as it is written: remove what nobody reads until
// nothing changes.
func dropByRounds(b *ir.Block) *ir.Block {
	for {
		uses := newVarTable[int](0)
		see := func(v *ir.Var) { *uses.at(v)++ }
		ir.EachStmt(b, func(st ir.Stmt) {
			stmtUses(st, see)
			ir.EachDef(st, func(v *ir.Var) { typeVars(v.Type, see) })
		})
		n, changed := dropUnused(b, uses)
		if !changed {
			return b
		}
		b = n
	}
}

// deadGen makes random blocks of scalar assignments, branches and loops.
type deadGen struct {
	r    *rand.Rand
	vars []*ir.Var
}

func (g *deadGen) fresh() *ir.Var {
	v := &ir.Var{Name: fmt.Sprintf("v%d", len(g.vars)), ID: int32(len(g.vars)), Type: &ir.ScalarType{}}
	g.vars = append(g.vars, v)
	return v
}

// target is a new variable, or sometimes one that is assigned again.
func (g *deadGen) target() *ir.Var {
	if g.r.IntN(12) == 0 {
		return g.any()
	}
	return g.fresh()
}

func (g *deadGen) any() *ir.Var { return g.vars[g.r.IntN(len(g.vars))] }

func (g *deadGen) expr() ir.Expr {
	if g.r.IntN(3) == 0 {
		return g.any()
	}
	return &ir.Binary{Op: ir.Add, X: g.any(), Y: &ir.ConstInt{Value: 1}}
}

func (g *deadGen) block(depth, n int) *ir.Block {
	b := &ir.Block{}
	for range n {
		switch k := g.r.IntN(10); {
		case k < 7 || depth == 0:
			b.Stmts = append(b.Stmts, &ir.Assign{Var: g.target(), Value: g.expr()})
		case k < 9:
			b.Stmts = append(b.Stmts, g.branch(depth-1))
		default:
			b.Stmts = append(b.Stmts, &ir.For{Var: g.fresh(), Start: g.expr(), Stop: g.expr(), Step: g.expr(), Body: g.block(depth-1, g.r.IntN(3))})
		}
	}
	if g.r.IntN(2) == 0 {
		b.Stmts = append(b.Stmts, &ir.Eval{X: g.expr()})
	}
	return b
}

func (g *deadGen) branch(depth int) ir.Stmt {
	st := &ir.If{Cond: g.expr(), Then: g.block(depth, g.r.IntN(4)), Else: g.block(depth, g.r.IntN(4))}
	n := g.r.IntN(3)
	for _, b := range []*ir.Block{st.Then, st.Else} {
		y := &ir.Yield{}
		for range n + g.r.IntN(6)/5 { // now and then one value too many
			y.Values = append(y.Values, g.expr())
		}
		if len(y.Values) > 0 {
			b.Stmts = append(b.Stmts, y)
		}
	}
	for range n {
		st.Results = append(st.Results, g.target())
	}
	return st
}

func blockText(b *ir.Block) string {
	var w strings.Builder
	var block func(in string, b *ir.Block)
	text := func(e ir.Expr) string {
		var names []string
		exprVars(e, func(v *ir.Var) { names = append(names, v.Name) })
		return strings.Join(names, "+")
	}
	block = func(in string, b *ir.Block) {
		for _, st := range b.Stmts {
			switch st := st.(type) {
			case *ir.Assign:
				fmt.Fprintf(&w, "%s%s = %s\n", in, st.Var.Name, text(st.Value))
			case *ir.Eval:
				fmt.Fprintf(&w, "%s%s\n", in, text(st.X))
			case *ir.Yield:
				fmt.Fprintf(&w, "%syield", in)
				for _, e := range st.Values {
					fmt.Fprintf(&w, " %s", text(e))
				}
				fmt.Fprintln(&w)
			case *ir.For:
				fmt.Fprintf(&w, "%sfor %s %s %s %s\n", in, st.Var.Name, text(st.Start), text(st.Stop), text(st.Step))
				block(in+"  ", st.Body)
			case *ir.If:
				fmt.Fprintf(&w, "%sif %s ->", in, text(st.Cond))
				for _, v := range st.Results {
					fmt.Fprintf(&w, " %s", v.Name)
				}
				fmt.Fprintln(&w)
				block(in+"  ", st.Then)
				fmt.Fprintf(&w, "%selse\n", in)
				block(in+"  ", st.Else)
			}
		}
	}
	block("", b)
	return w.String()
}
