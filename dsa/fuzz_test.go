package dsa

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// encode writes a problem as the bytes FuzzSolve reads.
func encode(p *Problem) []byte {
	var b []byte
	u := func(x uint64) { b = binary.AppendUvarint(b, x) }
	u(uint64(len(p.Pools)))
	for _, q := range p.Pools {
		u(uint64(q.ID))
		u(q.Capacity)
		u(uint64(len(q.Reserved)))
		for _, r := range q.Reserved {
			u(r.Begin)
			u(r.End)
		}
	}
	u(uint64(len(p.Buffers)))
	for _, x := range p.Buffers {
		for _, v := range []uint64{uint64(x.ID), uint64(x.Pool), x.Size, x.Align, uint64(x.Begin), uint64(x.End)} {
			u(v)
		}
	}
	u(uint64(len(p.Separations)))
	for _, s := range p.Separations {
		u(uint64(s.A))
		u(uint64(s.B))
		u(uint64(s.Reasons))
	}
	u(uint64(len(p.Penalties)))
	for _, q := range p.Penalties {
		u(uint64(q.A))
		u(uint64(q.B))
		u(q.Weight)
	}
	return b
}

// decode reads any bytes as a problem, well-formed or not.
func decode(b []byte) *Problem {
	u := func() uint64 {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 0
		}
		b = b[n:]
		return x
	}
	count := func(most uint64) int { return int(min(u(), most, uint64(len(b)))) }
	p := &Problem{}
	for range count(4) {
		q := Pool{ID: int(u()), Capacity: u()}
		for range count(4) {
			q.Reserved = append(q.Reserved, Range{u(), u()})
		}
		p.Pools = append(p.Pools, q)
	}
	for range count(20) {
		p.Buffers = append(p.Buffers, Buffer{int(u()), int(u()), u(), u(), int64(u()), int64(u())})
	}
	for range count(40) {
		p.Separations = append(p.Separations, Separation{int(u()), int(u()), Reasons(u())})
	}
	for range count(80) {
		p.Penalties = append(p.Penalties, Penalty{int(u()), int(u()), u()})
	}
	return p
}

func TestEncode(t *testing.T) {
	p := example112()
	p.Separations = []Separation{{0, 3, PipelineStage}}
	p.Pools[0].Reserved = []Range{{0, 32}}
	if d := cmp.Diff(p, decode(encode(p))); d != "" {
		t.Error(d)
	}
}

// FuzzSolve: whatever the problem, nothing panics; malformed ones are called
// invalid with Check's findings; both forms of the greedy agree; placements
// are valid, not below the bound, and not contradicted by Decide.
func FuzzSolve(f *testing.F) {
	for _, p := range []*Problem{
		example112(), example113(), example114(128), example114(192), {},
		{Pools: []Pool{{1, 64, []Range{{0, 96}}}}, Buffers: []Buffer{{0, 1, 32, 32, 1, 2}}},
		{Pools: []Pool{{1, math.MaxUint64, nil}}, Buffers: []Buffer{{0, 1, math.MaxUint64, 1 << 63, 0, math.MaxInt64}, {1, 1, 1, math.MaxUint64, 0, 1}}},
		{Pools: []Pool{{1, math.MaxUint64, []Range{{1, math.MaxUint64 - 5}}}}, Buffers: []Buffer{{0, 1, 3, 7, 0, 2}, {1, 1, 5, 11, 1, 2}, {2, 1, 1 << 40, 1 << 20, 3, 4}},
			Penalties: []Penalty{{0, 2, math.MaxUint64}}},
		Generate(KernelShape(12), 1),
	} {
		f.Add(encode(p))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := decode(data)
		r := Solve(p, Options{})
		if d := cmp.Diff(Solve(p, Options{noTables: true}), r); d != "" {
			t.Fatalf("%+v\nthe two forms of the greedy differ:\n%s", p, d)
		}
		if findings := Check(p); len(findings) > 0 {
			if r.Status != Invalid || cmp.Diff(findings, r.Findings) != "" {
				t.Fatalf("%+v\n%v, but Check says %v", p, r, findings)
			}
			return
		}
		if r.Status == Invalid {
			t.Fatalf("%+v\n%v", p, r.Findings)
		}
		bounds := LowerBounds(p)
		a := Decide(p, SearchOptions{Nodes: 2000})
		if a.Findings != nil {
			t.Fatalf("%+v\nDecide: %v", p, a.Findings)
		}
		if r.Status != Feasible {
			return
		}
		if f := Validate(p, r.Placed(p)); f != nil {
			t.Fatalf("%+v\n%v", p, f)
		}
		for i := range bounds {
			if r.Peaks[i] < bounds[i].Bytes {
				t.Fatalf("%+v\npeak %d below the bound %+v", p, r.Peaks[i], bounds[i])
			}
		}
		if a.Verdict == Impossible {
			t.Fatalf("%+v\nplaced, but called impossible: %+v", p, a)
		}
	})
}
