package memory

import (
	"slices"

	"pypto-ls/ir"
)

// Declared is an allocation that the author declared (spec 05 §8.1).
type Declared struct {
	Base *ir.Var
	// Bytes is the extent of the whole allocation, all slots together.
	Bytes uint64
	Stmt  *ir.Assign
}

// Forbidden says that the output of Stmt must not share a buffer with Input,
// one of its operands (spec 05 §8.3).
type Forbidden struct {
	Input *ir.Var
	Stmt  *ir.Assign
	// Operand is the position of Input among the operator's arguments.
	Operand int
	// Widening is set when the reason is a cast to a wider dtype.
	Widening bool
}

// Constraints are the facts that keep allocations apart besides their
// lifetimes (spec 05 §8). They are immutable.
type Constraints struct {
	// Declared in the order of their alloc statements.
	Declared []Declared
	// Forbid lists, by interval index, what the definitions of the interval's
	// members forbid.
	Forbid [][]Forbidden
	// Hazard tells whether the load+pop guard is active (spec 05 §8.2).
	Hazard bool

	declared              []int32 // by base ID: index in Declared + 1
	loadDerived, readsPop []bool  // by ir.Var.ID, nil unless Hazard
}

// FindConstraints collects the constraints on lt's intervals and checks that
// tiles on one declared slot do not live together. consumer is the name that
// the internal error about a declaration's extent uses ("MemoryReuse",
// "DSA-RP"), pass the pass that errors belong to.
func FindConstraints(lt *Lifetimes, cfg Config, pass Stage, consumer string) (*Constraints, *Error) {
	l := lt.Layout
	c := &Constraints{Forbid: make([][]Forbidden, len(lt.Intervals))}
	if err := c.findDeclared(l, pass, consumer); err != nil {
		return nil, err
	}
	if len(c.Declared) > 0 {
		if err := c.checkCoLiveness(lt, pass); err != nil {
			return nil, err
		}
	}
	if c.Hazard = hazardActive(l.Fn, cfg); c.Hazard {
		c.findHazards(l)
	}
	c.findForbidden(lt, cfg)
	return c, nil
}

// DeclaredOf is the declaration of which base is the allocation; false for
// ordinary allocations.
func (c *Constraints) DeclaredOf(base *ir.Var) (*Declared, bool) {
	if base == nil || int(base.ID) < 0 || int(base.ID) >= len(c.declared) {
		return nil, false
	}
	if k := c.declared[base.ID]; k > 0 {
		return &c.Declared[k-1], true
	}
	return nil, false
}

// LoadDerived reports whether v is loaded, or a view of something loaded,
// while the load+pop guard is active.
func (c *Constraints) LoadDerived(v *ir.Var) bool { return flagged(c.loadDerived, v) }

// ReadsPop reports whether v's definition reads the result of a pop while the
// load+pop guard is active.
func (c *Constraints) ReadsPop(v *ir.Var) bool { return flagged(c.readsPop, v) }

func flagged(t []bool, v *ir.Var) bool {
	id := int(v.ID)
	return id >= 0 && id < len(t) && t[id]
}

func isAlloc(c *ir.Call) bool {
	return !c.IsFunc && (c.Name == "tile.alloc" || c.Name == "tensor.alloc")
}

func (c *Constraints) findDeclared(l *Layout, pass Stage, consumer string) *Error {
	if l.Fn.Body == nil {
		return nil
	}
	for _, s := range l.Fn.Body.Stmts {
		a, ok := s.(*ir.Assign)
		if !ok {
			continue
		}
		call, ok := a.Value.(*ir.Call)
		if !ok || !isAlloc(call) {
			continue
		}
		if p, _ := call.Kwarg("pinned"); p != true {
			continue
		}
		var n int64
		if len(call.Args) > 1 {
			n, _ = ir.ConstValue(call.Args[1])
		}
		if n <= 0 {
			return l.errorf(InternalError, pass.String(),
				"%s expected declared allocation '%s' to have a positive constant byte extent after InitMemRef",
				consumer, a.Var.Name).atVar(a.Var)
		}
		if c.declared == nil {
			c.declared = make([]int32, l.Fn.NumVars)
		}
		if id := int(a.Var.ID); id >= 0 && id < len(c.declared) {
			c.Declared = append(c.Declared, Declared{a.Var, uint64(n), a})
			c.declared[id] = int32(len(c.Declared))
		}
	}
	return nil
}

// slotUse is a producer of a declared slot.
type slotUse struct {
	base   int32 // index in Declared
	offset int64
	v      *ir.Var
	Live
}

// checkCoLiveness reports two tiles that are live together on one slot of a
// declared allocation (spec 05 §8.1). Slots are visited by the position of
// their alloc statement, then by offset.
func (c *Constraints) checkCoLiveness(lt *Lifetimes, pass Stage) *Error {
	var uses []slotUse
	ir.WalkStmts(lt.Layout.Fn.Body, func(s ir.Stmt) bool {
		if a, ok := s.(*ir.Assign); ok {
			if u, ok := c.slotUse(lt, a); ok {
				uses = append(uses, u)
			}
		}
		return true
	})
	slices.SortStableFunc(uses, func(x, y slotUse) int {
		if x.base != y.base {
			return int(x.base) - int(y.base)
		}
		if x.offset != y.offset {
			return sign(x.offset < y.offset)
		}
		return int(x.Def) - int(y.Def)
	})
	for i := 1; i < len(uses); i++ {
		p, n := uses[i-1], uses[i]
		if p.base != n.base || p.offset != n.offset || p.Last <= n.Def {
			continue
		}
		const text = "Tiles '%s' and '%s' are both bound to the same slot of the declared allocation '%s' but are live " +
			"at the same time (%s: [%d, %d], %s: [%d, %d]). Sharing one slot would overwrite data that is still needed — " +
			"put them on different slots, declare separate allocations, or bind only tiles whose lifetimes do not overlap."
		return lt.Layout.errorf(UserError, pass.String(), text, p.v.Name, n.v.Name, c.Declared[n.base].Base.Name,
			p.v.Name, p.Def, p.Last, n.v.Name, n.Def, n.Last).atVar(n.v)
	}
	return nil
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

func (c *Constraints) slotUse(lt *Lifetimes, a *ir.Assign) (u slotUse, ok bool) {
	m := lt.Layout.MemRefOf(a.Var)
	if m == nil {
		return u, false
	}
	d, ok := c.DeclaredOf(m.Base)
	if !ok {
		return u, false
	}
	switch x := a.Value.(type) {
	case *ir.Var:
		return u, false
	case *ir.Call:
		if x.Op != nil && x.Op.LandsInSource() {
			return u, false
		}
	}
	live, tracked := lt.LiveOf(a.Var)
	off, constant := ir.ConstValue(m.Offset)
	if !tracked || !constant {
		return u, false
	}
	return slotUse{c.declared[d.Base.ID] - 1, off, a.Var, live}, true
}

// hazardActive tells whether spec 05 §8.2 applies to fn.
func hazardActive(fn *ir.Function, cfg Config) bool {
	if fn.Kind != ir.AIV || cfg.Platform == nil || !cfg.Platform.Flags.SplitLoadTpopWorkaround {
		return false
	}
	if v, _ := fn.Attr("split_aiv"); v == true {
		return true
	}
	split, ok := fn.Attr("split")
	return ok && split != int64(0) && split != ir.Enum("pl.SplitMode.NONE")
}

var loadViews = map[string]bool{
	"tile.reshape": true, "tile.extract": true, "tile.slice": true, "tile.fillpad": true, "tile.fillpad_inplace": true,
	"tile.transpose_view": true, "tile.reinterpret_view": true, "tensor.slice": true,
}

func (c *Constraints) findHazards(l *Layout) {
	n := l.Fn.NumVars
	c.loadDerived, c.readsPop = make([]bool, n), make([]bool, n)
	pops := make([]bool, n)
	ir.WalkStmts(l.Fn.Body, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if !ok {
			return true
		}
		call, ok := a.Value.(*ir.Call)
		id := int(a.Var.ID)
		if t := l.Tile(a.Var); !ok || t == nil || t.MemRef == nil || id < 0 || id >= len(pops) {
			return true
		}
		pops[id] = call.Name == "tile.tpop_from_aic"
		c.loadDerived[id] = call.Name == "tile.load"
		for _, arg := range call.Args {
			v, ok := arg.(*ir.Var)
			if !ok || !v.IsPlain() {
				continue
			}
			c.readsPop[id] = c.readsPop[id] || flagged(pops, v)
			if loadViews[call.Name] && flagged(c.loadDerived, v) {
				c.loadDerived[id] = true
			}
		}
		return true
	})
}

// findForbidden collects the operands that outputs must not share with (spec
// 05 §8.3).
func (c *Constraints) findForbidden(lt *Lifetimes, cfg Config) {
	var tuples map[*ir.Var][]Forbidden
	var room ir.Slices[Forbidden]
	var found []Forbidden // scratch
	add := func(v *ir.Var, list []Forbidden) {
		if k := lt.IntervalOf(v); k >= 0 && c.Forbid[k] == nil {
			c.Forbid[k] = list
		} else if k >= 0 {
			c.Forbid[k] = append(c.Forbid[k], list...)
		}
	}
	ir.WalkStmts(lt.Layout.Fn.Body, func(s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if !ok {
			return true
		}
		switch x := a.Value.(type) {
		case *ir.Call:
			if x.Op == nil {
				break
			}
			_, isTuple := lt.Layout.TypeOf(a.Var).(*ir.TupleType)
			if !isTuple && lt.IntervalOf(a.Var) < 0 {
				break
			}
			found = appendForbidden(found[:0], lt.Layout, a, x, cfg)
			list := room.Make(len(found))
			copy(list, found)
			if !isTuple {
				add(a.Var, list)
			} else if list != nil {
				if tuples == nil {
					tuples = make(map[*ir.Var][]Forbidden)
				}
				tuples[a.Var] = list
			}
		case *ir.TupleGet:
			if v, ok := x.Tuple.(*ir.Var); ok && lt.Layout.Tile(a.Var) != nil {
				add(a.Var, tuples[v])
			}
		}
		return true
	})
}

// appendForbidden adds the operands that the output of a must not share with.
func appendForbidden(list []Forbidden, l *Layout, a *ir.Assign, c *ir.Call, cfg Config) []Forbidden {
	rule, replaced := cfg.Platform.OutputAlias(c.Name)
	for i, arg := range c.Args {
		v, ok := arg.(*ir.Var)
		if !ok || v == nil {
			continue
		}
		if replaced && slices.Contains(rule, i) || !replaced && c.Op.ForbidsAlias(i) {
			list = append(list, Forbidden{Input: v, Stmt: a, Operand: i})
		} else if i == 0 && c.Name == "tile.cast" && widens(l, a.Var, v) {
			list = append(list, Forbidden{Input: v, Stmt: a, Operand: i, Widening: true})
		}
	}
	return list
}

// widens reports whether the elements of tile out have more bits than those
// of tile in.
func widens(l *Layout, out, in *ir.Var) bool {
	o, i := l.Tile(out), l.Tile(in)
	return o != nil && i != nil && o.DType.Bits() > i.DType.Bits()
}

// forbidsAlias reports whether the output of c must not share bytes with
// operand i on the target: Table A of spec 03, where the target has no rule of
// its own.
func forbidsAlias(c *ir.Call, i int, cfg Config) bool {
	if forbid, ok := cfg.Platform.OutputAlias(c.Name); ok {
		return slices.Contains(forbid, i)
	}
	return c.Op.ForbidsAlias(i)
}
