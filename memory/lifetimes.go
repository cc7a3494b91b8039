package memory

import "pypto-ls/ir"

// Live is a stretch of a function's time, in statement numbers (spec 05 §4.1):
// from the statement that defines a value to the last one that reads it.
type Live struct{ Def, Last int32 }

// Overlaps reports whether two lives overlap. Lives that only touch do not: a
// statement reads its inputs before it writes its output (spec 06 §5.1).
func (a Live) Overlaps(b Live) bool { return a.Last > b.Def && b.Last > a.Def }

// Interval is one sharing group: all tracked variables of one base (spec 05
// §6).
type Interval struct {
	// Rep is the member defined first; Base the base all members share.
	Rep, Base *ir.Var
	// Members in definition order, Rep first.
	Members []*ir.Var
	// Live is the hull of the members' lives.
	Live
	// Size is the byte size of Rep's MemRef, not the largest member's.
	Size uint64
	// Membership are the pipeline stages of the group, LoadTile whether the
	// member that carries them is loaded (spec 05 §7.2).
	Membership []PipelineStage
	LoadTile   bool
	Space      ir.Space

	// inFamily is set when a member belongs to a phi family.
	inFamily bool
}

// Lifetimes is the result of lifetime analysis of one layout (spec 05 §3). It
// is immutable.
type Lifetimes struct {
	Layout *Layout
	// Intervals in the order of their first definition.
	Intervals []Interval
	// Stmts are the numbered statements: Stmts[n] took number n.
	Stmts []ir.Stmt

	params bool      // the tile parameters are tracked, defined at number 0
	vars   []varLife // by ir.Var.ID
	loops  []loopRange
	phis   []phiLife // of the few variables that have to do with branches or loops
}

// varLife is what is known of one variable. Statement numbers and indexes are
// -1 for "none". Every analysis makes one for every variable: keep it small and
// without pointers.
type varLife struct {
	def, last int32
	// interval is the one v is a member of; ofBase the one of which v is the base.
	interval, ofBase int32
	// phi is the one of Lifetimes.phis that belongs to v.
	phi int32
}

// phiLife is what branches and loops say of one variable: families are phi
// family ids, ascending; sources the IDs of the local sources of a phi; alias is
// the ID of the initial value that a loop result stands for, -1 for none.
type phiLife struct {
	families, sources []int32
	alias             int32
}

// familiesOf are the phi families of r's variable.
func (lt *Lifetimes) familiesOf(r *varLife) []int32 {
	if r.phi < 0 {
		return nil
	}
	return lt.phis[r.phi].families
}

// sourcesOf are the local sources of r's variable, nil unless it is a phi.
func (lt *Lifetimes) sourcesOf(r *varLife) []int32 {
	if r.phi < 0 {
		return nil
	}
	return lt.phis[r.phi].sources
}

// phiOf is the record of r's variable, made when there is none.
func (lt *Lifetimes) phiOf(r *varLife) *phiLife {
	if r.phi < 0 {
		r.phi = int32(len(lt.phis))
		lt.phis = append(lt.phis, phiLife{alias: -1})
	}
	return &lt.phis[r.phi]
}

type loopRange struct{ start, end, parent int32 }

// LifetimeOptions selects a variant of lifetime analysis.
type LifetimeOptions struct {
	// Params tracks the tile parameters too, defined at number 0 (spec 05 §4.6,
	// used under DSA_RP).
	Params bool
}

// AnalyzeLifetimes numbers the statements of l and finds the life of every
// tile variable and allocation. The error is internal: a tile with MemRef but
// without memory space.
func AnalyzeLifetimes(l *Layout, opt LifetimeOptions) (*Lifetimes, *Error) {
	w := newLifeWalker(l)
	if opt.Params {
		w.pass, w.lt.params = StageAllocate.String(), true
		for _, p := range l.Fn.Params {
			if t := l.Tile(p.Var); t != nil && t.MemRef != nil {
				w.track(p.Var, 0)
			}
		}
	}
	w.block(l.Fn.Body)
	w.extend()
	if err := w.group(); err != nil {
		return nil, err
	}
	return w.lt, nil
}

// life finds the record of v; nil for variables outside the table.
func (lt *Lifetimes) life(v *ir.Var) *varLife {
	if id := int(v.ID); id >= 0 && id < len(lt.vars) {
		return &lt.vars[id]
	}
	return nil
}

// LiveOf is the life of a tracked variable, with its effective last use; false
// for variables that are not tracked (spec 05 §4.2).
func (lt *Lifetimes) LiveOf(v *ir.Var) (Live, bool) {
	if r := lt.life(v); r != nil && r.def >= 0 {
		return Live{r.def, r.last}, true
	}
	return Live{}, false
}

// IntervalOf is the index of the interval v is a member of, -1 when of none.
func (lt *Lifetimes) IntervalOf(v *ir.Var) int {
	if r := lt.life(v); r != nil {
		return int(r.interval)
	}
	return -1
}

// IntervalOfBase is the index of the interval of the allocation base, -1 when
// no tracked variable is in it. nil has none.
func (lt *Lifetimes) IntervalOfBase(base *ir.Var) int {
	if base == nil {
		return -1
	}
	if r := lt.life(base); r != nil {
		return int(r.ofBase)
	}
	return -1
}

// DefOf is the assignment that defines a tracked variable; nil for parameters
// and variables that are not tracked.
func (lt *Lifetimes) DefOf(v *ir.Var) *ir.Assign {
	if r := lt.life(v); r != nil {
		return lt.defOf(v, r)
	}
	return nil
}

func (lt *Lifetimes) defOf(v *ir.Var, r *varLife) *ir.Assign {
	if r.def < 0 || int(r.def) >= len(lt.Stmts) || r.def == 0 && lt.params && v.Kind == ir.ParamVar {
		return nil
	}
	if a, ok := lt.Stmts[r.def].(*ir.Assign); ok && a.Var == v {
		return a
	}
	return nil
}

// Related reports whether x and y belong to a common phi family: they are the
// same value on exclusive paths (spec 05 §5).
func (lt *Lifetimes) Related(x, y *ir.Var) bool {
	a, b := lt.life(x), lt.life(y)
	return a != nil && b != nil && sortedIntersect(lt.familiesOf(a), lt.familiesOf(b))
}

// Loops lists the number ranges [start, end] of the loops in the order they
// are entered; an empty body gives end = start-1.
func (lt *Lifetimes) Loops() []Live {
	out := make([]Live, len(lt.loops))
	for i, l := range lt.loops {
		out[i] = Live{l.start, l.end}
	}
	return out
}

func sortedIntersect(a, b []int32) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// extend turns last uses, as they were met, into effective ones (spec 05 §4.5).
// Of the loops that start after a definition only those around the last use can
// prolong a life, so it is enough to climb from there.
func (w *lifeWalker) extend() {
	lt := w.lt
	for i := range lt.vars {
		r := &lt.vars[i]
		if r.def < 0 {
			continue
		}
		use := r.last
		if use < 0 {
			r.last = r.def
		}
		if use < 0 || int(use) >= len(w.loopAt) {
			continue
		}
		for k := w.loopAt[use]; k >= 0 && lt.loops[k].start > r.def; k = lt.loops[k].parent {
			r.last = max(r.last, lt.loops[k].end)
		}
	}
}

// group forms the intervals (spec 05 §6).
func (w *lifeWalker) group() *Error {
	lt, l := w.lt, w.lt.Layout
	counts := make([]int32, 0, len(w.order))
	total := 0
	for _, v := range w.order {
		r := lt.life(v)
		base := l.BaseOf(v)
		if base == nil {
			continue
		}
		b := lt.life(base)
		if b == nil {
			continue
		}
		if b.ofBase < 0 {
			b.ofBase = int32(len(counts))
			counts = append(counts, 0)
		}
		r.interval = b.ofBase
		counts[r.interval]++
		total++
	}
	lt.Intervals = make([]Interval, len(counts))
	members := make([]*ir.Var, total)
	var stages membershipReader
	for _, v := range w.order {
		r := lt.life(v)
		if r.interval < 0 {
			continue
		}
		iv := &lt.Intervals[r.interval]
		if iv.Rep == nil {
			n := counts[r.interval]
			iv.Members, members = members[:0:n], members[n:]
			if err := w.open(iv, v, r); err != nil {
				return err
			}
		}
		iv.Members = append(iv.Members, v)
		iv.Def, iv.Last = min(iv.Def, r.def), max(iv.Last, r.last)
		iv.inFamily = iv.inFamily || r.phi >= 0 && len(lt.phis[r.phi].families) > 0
		if iv.Membership == nil {
			iv.Membership, iv.LoadTile = stages.of(lt.defOf(v, r))
		}
	}
	return nil
}

// open starts the interval of which v is the first-defined member.
func (w *lifeWalker) open(iv *Interval, v *ir.Var, r *varLife) *Error {
	t := w.lt.Layout.Tile(v)
	if t.Space < 0 || t.Space >= numSpaces {
		return w.lt.Layout.errorf(InternalError, w.pass,
			"TileType with MemRef must have memory_space for reuse analysis").atVar(v)
	}
	iv.Rep, iv.Base = v, t.MemRef.Base
	iv.Space, iv.Size = t.Space, t.MemRef.Size
	iv.Live = Live{r.def, r.last}
	return nil
}
