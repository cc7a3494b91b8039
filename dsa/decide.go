package dsa

// Verdict answers whether a placement exists at all.
type Verdict uint8

// The verdicts.
const (
	// Unknown: the budget was used up.
	Unknown Verdict = iota
	// Impossible: no placement exists; see Answer.Bound and Answer.Exhausted.
	Impossible
	// Exists: Answer.Offsets is one.
	Exists
)

var verdictNames = [...]string{"unknown", "impossible", "exists"}

// String is the verdict in one word.
func (v Verdict) String() string {
	if int(v) >= len(verdictNames) {
		return "?"
	}
	return verdictNames[v]
}

// DefaultNodes is the budget of Decide in search nodes; one takes some
// microseconds for a hundred buffers.
const DefaultNodes = 200_000

// SearchOptions bound a search. The same number of nodes gives the same answer
// on every machine; Stop ends it at any moment with Unknown.
type SearchOptions struct {
	// Nodes is the budget for each pool, 0 for DefaultNodes.
	Nodes int64
	// Stop, when not nil, is asked now and then whether to give up.
	Stop func() bool
}

// Answer of Decide.
type Answer struct {
	Verdict Verdict
	// Pool is the ID of the pool that makes the problem impossible or unknown.
	Pool int
	// Bound, for an impossible problem, needs more bytes than the pool has.
	Bound *Bound
	// Exhausted is set when, instead, a complete search found that no placement
	// exists although the bound would allow one.
	Exhausted bool
	// Offsets and Peaks, in bytes, are those of an existing placement, in the
	// order of the problem's buffers and pools.
	Offsets, Peaks []uint64
	// Nodes counts the nodes searched in all pools.
	Nodes int64
	// Findings tells what is wrong with the problem, which then is Unknown.
	Findings []string
}

// Placed lists the placement of an answer by buffer ID.
func (a *Answer) Placed(p *Problem) []Placed { return placed(p, a.Offsets) }

// Decide tells whether the buffers of a problem can be placed, penalties set
// aside. It is much stronger than the canonical search: by bounds first, then
// by a complete search within a budget. Pools are independent of each other;
// one that is impossible decides.
func Decide(p *Problem, opt SearchOptions) Answer {
	if f := Check(p); len(f) > 0 {
		return Answer{Findings: f}
	}
	m := newModel(p)
	for i := range m.pools {
		if b := m.bound(int32(i)); b.Bytes > m.pools[i].capacity {
			b.Pool = p.Pools[i].ID
			return Answer{Verdict: Impossible, Pool: b.Pool, Bound: &b}
		}
	}
	if at, failure := m.firstFit(m.sizeOrder()); failure == nil {
		peaks := make([]uint64, len(m.pools))
		m.objective(at, peaks)
		return Answer{Verdict: Exists, Offsets: at, Peaks: peaks}
	}
	a := Answer{Verdict: Exists, Offsets: make([]uint64, len(m.bufs))}
	for i := range m.pools {
		s := newSearch(m, int32(i), m.pools[i].capacity)
		verdict := s.run(opt)
		a.Nodes += s.nodes
		switch {
		case verdict == Impossible:
			return Answer{Verdict: Impossible, Pool: p.Pools[i].ID, Exhausted: true, Nodes: a.Nodes}
		case verdict == Unknown && a.Verdict == Exists:
			a.Verdict, a.Pool = Unknown, p.Pools[i].ID
		case verdict == Exists:
			s.offsets(a.Offsets)
		}
	}
	if a.Verdict != Exists {
		a.Offsets = nil
		return a
	}
	if f := Validate(p, a.Placed(p)); len(f) > 0 {
		return Answer{Findings: f, Nodes: a.Nodes} // a defect of the search: claim nothing
	}
	a.Peaks = make([]uint64, len(m.pools))
	m.objective(a.Offsets, a.Peaks)
	return a
}

// Peak is what MinPeak found for one pool, in bytes.
type Peak struct {
	// Lower is proved: no placement has a smaller peak. Best is the smallest peak
	// found, 0 when none was; they are equal when Best is optimal.
	Lower, Best uint64
	Offsets     []uint64 // of a placement with peak Best; of this pool's buffers only
	Nodes       int64
}

// MinPeak looks for a placement of one pool (by position) with the smallest
// peak, whatever its capacity: first at the lower bound, then by halving the
// distance between what is proved and what is found. upper is the peak of a
// known placement, or 0. Each attempt has the budget of opt. The problem must
// be without findings.
func MinPeak(p *Problem, pool int, upper uint64, opt SearchOptions) Peak {
	m := newModel(p)
	var room uint64
	for i := range m.bufs {
		if int(m.bufs[i].pool) == pool {
			up, _ := alignUp(m.bufs[i].size, m.bufs[i].align)
			room = saturate(room, up)
		}
	}
	for _, r := range m.pools[pool].reserved {
		room = saturate(room, r.End)
	}
	if upper == 0 || upper > room {
		upper = room
	}
	best := Peak{Lower: m.bound(int32(pool)).Bytes}
	grain := m.grain(int32(pool))
	// Nothing below floor is tried any more, nothing from upper on is wanted.
	floor, target := best.Lower, best.Lower
	for floor < upper {
		s := newSearch(m, int32(pool), target)
		verdict := s.run(opt)
		best.Nodes += s.nodes
		if verdict == Exists {
			best.Offsets = make([]uint64, len(m.bufs))
			s.offsets(best.Offsets)
			best.Best = s.peak()
			upper = best.Best
		} else {
			floor = target + 1
			if verdict == Impossible {
				best.Lower = max(best.Lower, floor)
			}
		}
		target = floor + (upper-floor)/2
		target -= min(target-floor, target%grain)
	}
	return best
}
