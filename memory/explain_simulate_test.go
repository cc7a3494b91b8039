package memory

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pypto-ls/ir"
)

// simulator runs a planned function on a memory of tagged bytes: every value
// has a tag, writing a tile tags its bytes, and reading it must find its tag.
// Branches and trip counts are random.
type simulator struct {
	*unsafeFinder
	rnd *rand.Rand
	mem map[int32][]segment
	tag []int  // by ir.Var.ID; 0 for nothing
	off []bool // by ir.Var.ID: the value is not where the variable says
	// next is the next tag; clobbered the variables that were read after their
	// bytes had been overwritten.
	next      int
	clobbered []*ir.Var
}

type segment struct {
	start, end int64
	tag        int
}

func newSimulator(p *Plan, seed uint64) *simulator {
	n := max(int(p.Layout.Fn.NumVars), len(p.Layout.Types))
	f := newUnsafeFinder(p.Layout, p.Placed, p.Config)
	return &simulator{
		unsafeFinder: f, rnd: rand.New(rand.NewPCG(seed, 3)), mem: make(map[int32][]segment),
		tag: make([]int, n), off: make([]bool, n), next: 1,
	}
}

func (s *simulator) run() {
	for _, p := range s.l.Fn.Params {
		s.fresh(p.Var)
	}
	s.block(s.l.Fn.Body)
}

func (s *simulator) write(r region, tag int) {
	var out []segment
	for _, g := range s.mem[r.where] {
		if g.start < r.start {
			out = append(out, segment{g.start, min(g.end, r.start), g.tag})
		}
		if g.end > r.end {
			out = append(out, segment{max(g.start, r.end), g.end, g.tag})
		}
	}
	out = append(out, segment{r.start, r.end, tag})
	slices.SortFunc(out, func(a, b segment) int { return int(a.start - b.start) })
	s.mem[r.where] = out
}

// holds reports whether all bytes of r bear the tag.
func (s *simulator) holds(r region, tag int) bool {
	at := r.start
	for _, g := range s.mem[r.where] {
		if g.end <= at || g.start >= r.end {
			continue
		}
		if g.start > at || g.tag != tag {
			return false
		}
		at = g.end
	}
	return at >= r.end
}

func (s *simulator) has(v *ir.Var) bool { return s.at(v) != nil }

func (s *simulator) fresh(v *ir.Var) {
	if s.has(v) {
		s.tag[v.ID], s.off[v.ID] = s.next, false
		s.write(*s.at(v), s.next)
		s.next++
	}
}

// bind makes v stand for a value that exists already.
func (s *simulator) bind(v *ir.Var, tag int, off bool) {
	if s.has(v) {
		s.tag[v.ID], s.off[v.ID] = tag, off || tag == 0 || !s.holds(*s.at(v), tag)
	}
}

func (s *simulator) value(e ir.Expr) (tag int, off bool) {
	if v, ok := e.(*ir.Var); ok && s.has(v) {
		return s.tag[v.ID], s.off[v.ID]
	}
	return 0, true
}

func (s *simulator) reads(e ir.Expr) {
	exprVars(e, func(v *ir.Var) {
		if int(v.ID) >= 0 && s.has(v) && !s.off[v.ID] && s.tag[v.ID] != 0 && !s.holds(*s.at(v), s.tag[v.ID]) {
			s.clobbered = append(s.clobbered, v)
		}
	})
}

func (s *simulator) block(b *ir.Block) (yielded []ir.Expr) {
	if b == nil {
		return nil
	}
	for _, st := range b.Stmts {
		switch x := st.(type) {
		case *ir.Assign:
			s.assign(x)
		case *ir.Yield:
			for _, e := range x.Values {
				s.reads(e)
			}
			yielded = x.Values
		case *ir.If:
			arm := x.Then
			if s.rnd.IntN(2) == 0 {
				arm = x.Else
			}
			vs := s.block(arm)
			for i, r := range x.Results {
				s.bind(r, 0, true)
				if i < len(vs) {
					s.bindExpr(r, vs[i])
				}
			}
		case *ir.For:
			s.loop(x.IterArgs, x.Results, x.Body)
		case *ir.While:
			s.loop(x.IterArgs, x.Results, x.Body)
		default:
			stmtExprs(st, s.reads)
		}
	}
	return yielded
}

func (s *simulator) bindExpr(v *ir.Var, e ir.Expr) {
	tag, off := s.value(e)
	s.bind(v, tag, off)
}

func (s *simulator) assign(a *ir.Assign) {
	s.reads(a.Value)
	if !s.has(a.Var) {
		return
	}
	var src ir.Expr
	switch x := a.Value.(type) {
	case *ir.Var:
		src = x
	case *ir.Call:
		if x.Op.IsView() {
			src = x.Args[0]
		} else if k := x.Op.ReusesInput; k >= 0 {
			src = x.Args[k]
		}
	}
	tag, off := s.value(src)
	switch {
	case src == nil:
		s.fresh(a.Var)
	case writes(a) && tag != 0:
		s.tag[a.Var.ID], s.off[a.Var.ID] = tag, off
		s.write(*s.at(a.Var), tag)
	default:
		s.bind(a.Var, tag, off)
	}
}

func (s *simulator) loop(iterArgs, results []*ir.Var, body *ir.Block) {
	tags, offs := make([]int, len(iterArgs)), make([]bool, len(iterArgs))
	for i, a := range iterArgs {
		s.reads(a.Init)
		tags[i], offs[i] = s.value(a.Init)
	}
	for range s.rnd.IntN(4) {
		for i, a := range iterArgs {
			s.bind(a, tags[i], offs[i])
		}
		for i, e := range s.block(body) {
			if i < len(tags) {
				tags[i], offs[i] = s.value(e)
			}
		}
	}
	for i, r := range results {
		s.bind(r, tags[i], offs[i])
	}
}

// Whatever a run of the planned function finds overwritten before it reads it
// has been reported.
func TestUnsafeFindsWhatRunsFind(t *testing.T) {
	for _, planner := range []Planner{PYPTO, DSARP} {
		found, reports := 0, 0
		eachGenerated(t, planner, func(t *testing.T, seed uint64, cfg Config, r *Result) {
			p := NewPlan(r, cfg)
			if p == nil || p.Lifetimes == nil || r.Err != nil {
				return
			}
			reported := make(map[*ir.Var]bool)
			for _, u := range p.Unsafe() {
				reported[u.Victim] = true
				reports++
			}
			for run := range uint64(8) {
				s := newSimulator(p, seed*100+run)
				s.run()
				for _, v := range s.clobbered {
					found++
					if !reported[v] {
						t.Errorf("run %d: %s is overwritten before it is read, not reported", run, v.Name)
						return
					}
				}
			}
		})
		t.Logf("%s: %d clobbered reads in runs, %d reports", planner, found, reports)
		if planner == PYPTO && found == 0 {
			t.Error("no run found anything: the functions are too tame")
		}
	}
}
