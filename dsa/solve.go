package dsa

import (
	"cmp"
	"math"
)

// Status is the outcome of Solve.
type Status uint8

// The outcomes.
const (
	// Feasible: Result.Offsets is a placement.
	Feasible Status = iota
	// NoFit: no attempt succeeded. It is a search failure, not a proof.
	NoFit
	// Invalid: the problem, or a result, is malformed; see Result.Findings.
	Invalid
	// Stopped: Options.Stop asked to end.
	Stopped
)

// NoFitText is the diagnostic of a search that found no placement (spec 08 §7).
const NoFitText = "canonical greedy found no capacity-fitting placement"

// Incumbent stands for first-fit wherever the index of an order is given.
const Incumbent = -1

// Options of Solve.
type Options struct {
	// Stop, when not nil, is asked now and then whether to give up.
	Stop func() bool
	// EndEarly leaves out orders once none can be better than what was found, and
	// ends one that cannot become better. Stats and Failures then tell of what was
	// tried.
	EndEarly bool
	// noTables makes the greedy sort instead of using tables by unit.
	noTables bool
}

// Objective is what placements are compared by, in the order of its fields;
// smaller is better. Total and Max are in bytes.
type Objective struct{ Reuse, Total, Max uint64 }

// Compare is negative when o is better than p.
func (o Objective) Compare(p Objective) int {
	return cmp.Or(cmp.Compare(o.Reuse, p.Reuse), cmp.Compare(o.Total, p.Total), cmp.Compare(o.Max, p.Max))
}

// Stats are counts of the search.
type Stats struct {
	Orders     int
	Candidates uint64
	FirstFit   bool // first-fit found a placement
}

// Result of Solve. Offsets (in bytes) follows Problem.Buffers, Peaks (the
// highest end of a reservation or buffer, in bytes) follows Problem.Pools.
type Result struct {
	Status    Status
	Offsets   []uint64
	Peaks     []uint64
	Objective Objective
	// Selected is the index of the order that won, or Incumbent.
	Selected int
	Stats    Stats
	Findings []string
	// Failures says where each failed attempt got stuck, first-fit first.
	Failures []Failure
}

// Placed lists the placement of r by buffer ID.
func (r *Result) Placed(p *Problem) []Placed { return placed(p, r.Offsets) }

func placed(p *Problem, offsets []uint64) []Placed {
	list := make([]Placed, len(offsets))
	for i, x := range offsets {
		list[i] = Placed{p.Buffers[i].ID, x}
	}
	return list
}

// Solve runs the reference's canonical search: first-fit, then greedy in up to
// seven orders; the best placement wins, an earlier one on ties (spec 08 §5–§7).
func Solve(p *Problem, opt Options) Result {
	if f := Check(p); len(f) > 0 {
		return Result{Status: Invalid, Findings: f}
	}
	m := newModel(p)
	if opt.noTables {
		for i := range m.pools {
			m.pools[i].tables = false
		}
	}
	r := Result{Status: NoFit, Selected: Incumbent}
	var peaks []uint64
	take := func(index int, at []uint64) {
		if peaks == nil {
			peaks = make([]uint64, len(m.pools))
		}
		o := m.objective(at, peaks)
		if r.Status == Feasible && o.Compare(r.Objective) >= 0 {
			return
		}
		r.Status, r.Objective, r.Selected = Feasible, o, index
		r.Peaks, peaks = peaks, r.Peaks
		r.Offsets = append(r.Offsets[:0], at...)
	}
	bySize := m.sizeOrder()
	at, failure := m.firstFit(bySize)
	if failure == nil {
		r.Stats.FirstFit = true
		take(Incumbent, at)
	} else {
		r.Failures = append(r.Failures, *failure)
	}
	g := newGreedy(m, opt.Stop)
	orders := [][]int32{bySize}
	end := ender{m: m, on: opt.EndEarly}
	for i := 0; i < len(orders) && !end.now(&r); i++ {
		if opt.Stop != nil && opt.Stop() {
			return Result{Status: Stopped}
		}
		r.Stats.Orders++
		if opt.EndEarly && r.Status == Feasible {
			g.race.against(r.Objective)
		}
		at, failure := g.run(i, orders[i])
		switch {
		case g.race.lost:
		case at != nil:
			take(i, at)
		case failure != nil:
			r.Failures = append(r.Failures, *failure)
		default:
			return Result{Status: Stopped}
		}
		if i == 0 && !end.now(&r) {
			orders = m.orders(bySize)
		}
	}
	r.Stats.Candidates = g.candidates
	if r.Status == NoFit {
		r.Findings = []string{NoFitText}
	} else if f := validateOffsets(p, r.Offsets); len(f) > 0 {
		if r.Selected == Incumbent {
			return invalid("internal first-fit incumbent failed independent validation", f)
		}
		return invalid("canonical greedy produced a placement that failed independent validation", f)
	}
	return r
}

func invalid(first string, rest []string) Result {
	return Result{Status: Invalid, Findings: append([]string{first}, rest...)}
}

// objective evaluates a complete placement; it also gives the pools' peaks.
func (m *model) objective(at, peaks []uint64) Objective {
	var o Objective
	for k := range m.pen {
		q := &m.pen[k]
		x, y := at[q.a], at[q.b]
		if x < y+m.bufs[q.b].size && y < x+m.bufs[q.a].size {
			o.Reuse = saturate(o.Reuse, q.weight)
		}
	}
	clear(peaks)
	for i := range m.pools {
		for _, r := range m.pools[i].reserved {
			peaks[i] = max(peaks[i], r.End)
		}
	}
	for i := range m.bufs {
		b := &m.bufs[i]
		peaks[b.pool] = max(peaks[b.pool], at[i]+b.size)
	}
	for _, peak := range peaks {
		o.Total = saturate(o.Total, peak)
		o.Max = max(o.Max, peak)
	}
	return o
}

func saturate(x, y uint64) uint64 {
	if x > math.MaxUint64-y {
		return math.MaxUint64
	}
	return x + y
}
