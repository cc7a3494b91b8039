package memory

import (
	"slices"

	"pypto-ls/dsa"
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// DSAProblem is the placement problem of one function (spec 08 §3), with what
// it was made from. Buffer IDs are positions in Strict.Buffers.
type DSAProblem struct {
	Layout      *Layout
	Config      Config
	Lifetimes   *Lifetimes
	Constraints *Constraints
	// Strict keeps all separations. Pipeline lists those of them that may be
	// given up: software-pipeline stages whose lifetimes do not overlap.
	Strict   *dsa.Problem
	Pipeline []dsa.Pair
	// BufferOf is the buffer of an interval, -1 when its space is not allocated;
	// IntervalOf the interval of a buffer.
	BufferOf, IntervalOf []int32

	sizes    []uint64 // of the intervals, in bytes
	reserved *reservation
}

// separation is a pair of interval indexes, the smaller first.
type separation struct {
	a, b    int32
	reasons dsa.Reasons
}

// BuildDSA states the placement problem of an in-core function. Errors are the
// user's (two tiles live together on one declared slot) or internal ones.
func BuildDSA(l *Layout, cfg Config) (*DSAProblem, *Error) {
	p, err := stateDSA(l, cfg)
	if err != nil {
		return nil, err
	}
	if err := p.addPairs(); err != nil {
		return nil, err
	}
	return p, nil
}

// stateDSA is BuildDSA without separations and penalties, for addPairs to add.
func stateDSA(l *Layout, cfg Config) (*DSAProblem, *Error) {
	p := &DSAProblem{Layout: l, Config: cfg, Strict: &dsa.Problem{}}
	var err *Error
	if p.reserved, err = resolveReserves(l, passAllocate); err != nil {
		return nil, err
	}
	if p.Lifetimes, err = AnalyzeLifetimes(l, LifetimeOptions{Params: true}); err != nil {
		return nil, err
	}
	if p.Constraints, err = FindConstraints(p.Lifetimes, cfg, StageAllocate, "DSA-RP"); err != nil {
		return nil, err
	}
	p.findSizes()
	p.addBuffers()
	if len(p.Strict.Buffers) == 0 {
		return p, nil
	}
	p.addPools()
	if p.manyPairs() {
		return nil, p.tooLarge()
	}
	return p, nil
}

// overfull reports, before pairs are added, that the search is known to find no
// placement: it, and all that its pairs take, is left out then. A problem that
// it would refuse as invalid is not called overfull.
func (p *DSAProblem) overfull() bool {
	// Of values that are dead at number 0 two may be alive together and have a
	// penalty, the only pair the reference calls invalid.
	deadAtOnce := slices.ContainsFunc(p.Strict.Buffers, func(b dsa.Buffer) bool { return b.End <= 2 })
	return !deadAtOnce && len(dsa.Check(p.Strict)) == 0 && dsa.Overfull(p.Strict)
}

// addPairs adds the separations and penalties. The error is ours: there are
// too many.
func (p *DSAProblem) addPairs() *Error {
	if len(p.Strict.Buffers) == 0 {
		return nil
	}
	seps := p.separations()
	for _, s := range seps {
		a, b := p.BufferOf[s.a], p.BufferOf[s.b]
		if a >= 0 && b >= 0 && p.space(s.a) == p.space(s.b) {
			p.Strict.Separations = append(p.Strict.Separations, dsa.Separation{A: int(a), B: int(b), Reasons: s.reasons})
		}
	}
	p.Pipeline = dsa.PipelinePairs(p.Strict)
	if p.Config.Platform != nil && !p.addPenalties(seps) {
		return p.tooLarge()
	}
	return nil
}

func (p *DSAProblem) space(interval int32) ir.Space { return p.Lifetimes.Intervals[interval].Space }

// findSizes takes for each allocation the largest of its members' MemRefs and
// of the bytes its author declared (spec 08 §3.1).
func (p *DSAProblem) findSizes() {
	p.sizes = make([]uint64, len(p.Lifetimes.Intervals))
	for i := range p.sizes {
		iv := &p.Lifetimes.Intervals[i]
		size := iv.Size
		for _, v := range iv.Members {
			size = max(size, p.Layout.MemRefOf(v).Size)
		}
		if d, ok := p.Constraints.DeclaredOf(iv.Base); ok {
			size = max(size, d.Bytes)
		}
		p.sizes[i] = size
	}
}

// addBuffers makes a buffer of every interval in an allocated space (spec 08
// §3.3). Statement n reads at time 2n and writes at 2n+1, so a buffer last
// read by a statement and one defined by it do not overlap.
func (p *DSAProblem) addBuffers() {
	policy := p.Config.policy()
	n := len(p.Lifetimes.Intervals)
	p.BufferOf, p.IntervalOf = make([]int32, n), make([]int32, 0, n)
	p.Strict.Buffers = make([]dsa.Buffer, 0, n)
	for i := range p.Lifetimes.Intervals {
		iv := &p.Lifetimes.Intervals[i]
		if !policy.ShouldAllocate(iv.Space) {
			p.BufferOf[i] = -1
			continue
		}
		id := len(p.Strict.Buffers)
		p.BufferOf[i] = int32(id)
		p.IntervalOf = append(p.IntervalOf, int32(i))
		begin := 2*int64(iv.Def) + 1
		p.Strict.Buffers = append(p.Strict.Buffers, dsa.Buffer{
			ID: id, Pool: int(iv.Space), Size: p.sizes[i], Align: max(1, policy.Align(1, iv.Space)),
			Begin: begin, End: max(begin+1, 2*int64(iv.Last)+1),
		})
	}
}

// addPools makes a pool of every space with a buffer (spec 08 §3.4). A space
// of unknown capacity gets room for all its buffers side by side.
func (p *DSAProblem) addPools() {
	policy := p.Config.policy()
	var total [platforms.NumSpaces]uint64
	var used [platforms.NumSpaces]bool
	for _, b := range p.Strict.Buffers {
		s := ir.Space(b.Pool)
		used[s] = true
		total[s] += policy.Align(b.Size, s)
	}
	for s := range ir.Space(platforms.NumSpaces) {
		if !used[s] {
			continue
		}
		floor := p.reserved.floorOf(s)
		pool := dsa.Pool{ID: int(s), Capacity: p.Config.capacity(s)}
		if floor > 0 {
			pool.Reserved = []dsa.Range{{Begin: 0, End: floor}}
		}
		if pool.Capacity == 0 {
			pool.Capacity = floor + total[s]
		}
		p.Strict.Pools = append(p.Strict.Pools, pool)
	}
}

// addPenalties asks the recogniser for costly reuses; each counts 1. It is false
// when there are too many.
func (p *DSAProblem) addPenalties(seps []separation) bool {
	pairs, ok := recognise(p.Lifetimes, p.sizes, p.Config, seps)
	p.Strict.Penalties = make([]dsa.Penalty, 0, len(pairs))
	for _, q := range pairs {
		i, k := q.split()
		if a, b := p.BufferOf[i], p.BufferOf[k]; a >= 0 && b >= 0 {
			p.Strict.Penalties = append(p.Strict.Penalties, dsa.Penalty{A: int(a), B: int(b), Weight: 1})
		}
	}
	return ok
}
