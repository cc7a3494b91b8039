package memory

import (
	"fmt"
	"slices"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/platforms"
)

const propertySeeds = 400

// eachGenerated plans generated functions under all platforms. A function that
// the reference would refuse is passed with the error.
func eachGenerated(t *testing.T, planner Planner, f func(t *testing.T, seed uint64, cfg Config, r *Result)) {
	t.Helper()
	for seed := range uint64(propertySeeds) {
		cfg := Config{Planner: planner}
		if k := seed % 5; k < 2 {
			cfg.Platform = platform(t, "Ascend910B")
		} else if k < 4 {
			cfg.Platform = platform(t, "Ascend950")
		}
		fn := generate(seed, "v", 3+int(seed%24))
		f(t, seed, cfg, Run(fn, cfg, StageInput))
		if t.Failed() {
			t.Fatalf("seed %d, platform %s", seed, cfg.Platform.NameOf())
		}
	}
}

// shares is the sharing predicate of spec 06 §5 written out pair by pair.
func shares(p *reusePlan, sp *packing, a, b int32) bool {
	x, y := &p.lt.Intervals[a], &p.lt.Intervals[b]
	if !(x.Last <= y.Def || y.Last <= x.Def) {
		family := false
		for _, m := range x.Members {
			for _, n := range y.Members {
				lm, _ := p.lt.LiveOf(m)
				ln, _ := p.lt.LiveOf(n)
				if p.lt.Related(m, n) {
					family = true
				} else if !(lm.Last <= ln.Def || ln.Last <= lm.Def) {
					return false
				}
			}
		}
		if !family {
			return false
		}
	}
	for _, o := range [2][2]*Interval{{x, y}, {y, x}} {
		w, m := o[0], o[1]
		if w.Def == m.Last && p.c.ReadsPop(w.Rep) && p.c.LoadDerived(m.Rep) {
			return false
		}
		k := p.lt.IntervalOf(w.Rep)
		for _, f := range p.c.Forbid[k] {
			if p.lt.Layout.BaseOf(f.Input) == m.Base {
				return false
			}
		}
	}
	for _, m := range x.Membership {
		for _, n := range y.Membership {
			if m.Group != n.Group {
				continue
			}
			if sp.legacy {
				if !sp.space.IsL0() && m.Stage != n.Stage && (x.LoadTile || y.LoadTile) {
					return false
				}
				continue
			}
			g := sp.groupOf(m.Group)
			if slices.Index(g.stages, m.Stage)%g.depth != slices.Index(g.stages, n.Stage)%g.depth {
				return false
			}
		}
	}
	return true
}

// The packer equals first fit by the written-out predicate, for the depths it
// ended with.
func TestPackerEqualsNaive(t *testing.T) {
	eachGenerated(t, PYPTO, func(t *testing.T, seed uint64, cfg Config, r *Result) {
		l := r.Layouts[StageSemanticAliases]
		if l == nil {
			return
		}
		p, err := planReuse(l, cfg)
		if err != nil {
			return
		}
		for _, sp := range p.spaces {
			if sp == nil {
				continue
			}
			var naive [][]int32
			for _, i := range sp.order {
				_, pinned := p.c.DeclaredOf(p.lt.Intervals[i].Base)
				k := slices.IndexFunc(naive, func(b []int32) bool {
					_, taken := p.c.DeclaredOf(p.lt.Intervals[b[0]].Base)
					return !pinned && !taken && !slices.ContainsFunc(b, func(m int32) bool { return !shares(p, sp, i, m) })
				})
				if k < 0 {
					naive = append(naive, nil)
					k = len(naive) - 1
				}
				naive[k] = append(naive[k], i)
			}
			for k, b := range sp.buffers {
				if k >= len(naive) || !slices.Equal(b.members, naive[k]) {
					t.Errorf("%s: buffer %d differs", sp.space, k)
					return
				}
			}
		}
	})
}

// No two tiles that live together by spec 05 have bytes in common unless they
// are in one group by construction or one value on exclusive paths; every
// address is inside its space or planning failed.
func TestNoLiveOverlap(t *testing.T) {
	for _, planner := range []Planner{PYPTO, DSARP} {
		placed := 0
		eachGenerated(t, planner, func(t *testing.T, seed uint64, cfg Config, r *Result) {
			if r.Layouts[StageAllocate] == nil || !r.Fn.Kind.IsInCore() {
				return
			}
			placed++
			checkPlacement(t, cfg, r)
		})
		if placed < propertySeeds/3 {
			t.Errorf("%s: only %d of %d functions could be placed", planner, placed, propertySeeds)
		}
	}
}

func checkPlacement(t *testing.T, cfg Config, r *Result) {
	l := r.Layouts[StageAllocate]
	moved := movedAfterPacking(t, cfg, r)
	lt, err := AnalyzeLifetimes(r.Layouts[StageSemanticAliases], LifetimeOptions{Params: cfg.Planner == DSARP})
	if err != nil {
		t.Fatal(err)
	}
	var vs []*ir.Var
	for i := range lt.Intervals {
		vs = append(vs, lt.Intervals[i].Members...)
	}
	at := func(v *ir.Var) (ir.Space, int64, int64, bool) {
		m := l.MemRefOf(v)
		o, ok := ir.ConstValue(m.Offset)
		return l.SpaceOf(v), o, o + int64(m.Size), ok
	}
	for i, x := range vs {
		sx, from, to, ok := at(x)
		if !ok || sx == platforms.DDR {
			continue
		}
		if limit := cfg.Platform.Capacity(sx); from < 0 || limit > 0 && uint64(to) > limit {
			t.Errorf("%s at [%d, %d) is outside %s", x.Name, from, to, sx)
		}
		for _, y := range vs[:i] {
			sy, f2, t2, ok := at(y)
			if !ok || sx != sy || from >= t2 || f2 >= to || lt.IntervalOf(x) == lt.IntervalOf(y) || lt.Related(x, y) || moved[x] || moved[y] {
				continue
			}
			lx, _ := lt.LiveOf(x)
			ly, _ := lt.LiveOf(y)
			if lx.Overlaps(ly) {
				t.Errorf("%s %v and %s %v overlap in %s", x.Name, lx, y.Name, ly, sx)
			}
		}
	}
}

// movedAfterPacking are the tiles that the steps after the packing re-type:
// copies, in-place updates of copies and accumulators, each one value with
// what lies in the buffer it moves to.
func movedAfterPacking(t *testing.T, cfg Config, r *Result) map[*ir.Var]bool {
	out := make(map[*ir.Var]bool)
	if cfg.Planner != PYPTO {
		return out
	}
	before, after := r.Layouts[StageSemanticAliases], r.Layouts[StageMemoryReuse]
	p, err := planReuse(before, cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := newRewrite(before, cfg, passReuse)
	if _, err := p.apply(w); err != nil {
		t.Fatal(err)
	}
	for i := range p.lt.Intervals {
		for _, v := range p.lt.Intervals[i].Members {
			if w.BaseOf(v) == after.BaseOf(v) {
				continue
			}
			out[v] = true
			a := p.lt.DefOf(v)
			_, isCopy := a.Value.(*ir.Var)
			c, isCall := a.Value.(*ir.Call)
			if !isCopy && !(isCall && c.Op.LandsInSource()) && after.SpaceOf(v) != platforms.Acc {
				t.Errorf("%s was moved after packing", v.Name)
			}
		}
	}
	return out
}

// planText is all that planning gives, as the user would see it.
func planText(r *Result) string {
	s := fmt.Sprintln(r.Err, r.Diags)
	for _, l := range r.Layouts {
		if l != nil {
			s += printer.Function(l.Fn, 0, printer.Options{TypeOf: func(_ *ir.Function, v *ir.Var) ir.Type { return l.TypeOf(v) }})
		}
	}
	return s
}

// Planning twice gives the same bytes; another spelling of the variables
// changes no address.
func TestPlanningIsDeterministic(t *testing.T) {
	for _, planner := range []Planner{PYPTO, DSARP} {
		eachGenerated(t, planner, func(t *testing.T, seed uint64, cfg Config, r *Result) {
			if planText(r) != planText(Run(r.Fn, cfg, StageInput)) {
				t.Error("planning twice gives different results")
			}
			renamed := Run(generate(seed, "a_very_different_name_", 3+int(seed%24)), cfg, StageInput)
			a, b := r.Last(), renamed.Last()
			if (a == nil) != (b == nil) || r.Failed != renamed.Failed || (r.Err == nil) != (renamed.Err == nil) {
				t.Fatal("renaming changes whether planning succeeds")
			}
			if a == nil {
				return
			}
			va, vb := mentions(a.Fn), mentions(b.Fn)
			if len(va) != len(vb) {
				t.Fatal("renaming changes the number of variables")
			}
			for i := range va {
				if x, y := ref(a, va[i]), ref(b, vb[i]); x != y && !dynamic(a, va[i]) {
					t.Errorf("%s: %s, renamed %s", va[i].Name, x, y)
				}
			}
		})
	}
}

func dynamic(l *Layout, v *ir.Var) bool {
	m := l.MemRefOf(v)
	if m == nil {
		return false
	}
	_, ok := ir.ConstValue(m.Offset)
	return !ok
}

// The plan of any function can be built and explained, whatever became of it.
func TestExplainProperties(t *testing.T) {
	for _, planner := range []Planner{PYPTO, DSARP, PTOAS} {
		eachGenerated(t, planner, func(t *testing.T, seed uint64, cfg Config, r *Result) {
			p := NewPlan(r, cfg)
			if p == nil || p.Lifetimes == nil {
				return
			}
			for _, u := range p.Spaces {
				// DSA_RP makes room for parameters that nobody reads, too.
				if p.Placed && u.Used < u.Bound && r.Err == nil && planner == PYPTO {
					t.Errorf("%s: used %d is below the bound %d", u.Space, u.Used, u.Bound)
				}
			}
			var vs []*ir.Var
			for i := range p.Buffers {
				for _, m := range p.Buffers[i].Members {
					vs = append(vs, m.Var)
				}
			}
			vs = vs[:min(len(vs), 40)]
			for _, x := range vs {
				for _, y := range vs {
					a, b := p.WhyNotShare(x, y), p.WhyNotShare(y, x)
					if a.Kind != b.Kind && a.Kind != ByMember && a.Kind != OlderBuffer || a.Words(line) == "" {
						t.Errorf("%s, %s: %v and %v", x.Name, y.Name, a.Words(line), b.Words(line))
					}
					if planner == PYPTO && p.BufferOf(x) != p.BufferOf(y) && a.Kind == Shared {
						t.Errorf("%s and %s share bytes", x.Name, y.Name)
					}
				}
			}
		})
	}
}
