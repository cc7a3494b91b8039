package dsa

import (
	"cmp"
	"math"
	"slices"
)

// model is a checked problem in the form the searches walk: buffers by
// position, pools by position, adjacency in compressed rows.
type model struct {
	bufs  []mbuf
	pools []mpool
	// hard lists, for each buffer, the positions of the buffers it must not
	// meet in address. A pair that overlaps in time and is separated as well
	// occurs twice, which changes nothing.
	hard rows
	// soft lists the partners of penalties that can become active; softWeight
	// is parallel to soft.list.
	soft       rows
	softWeight []uint64
	// incident is the sum of softWeight for each buffer.
	incident []uint64
	// pen are the problem's penalties by position.
	pen []mpen
	// birth is the order of the buffers by begin, then ID.
	birth []int32
}

type mbuf struct {
	size, align uint64
	begin, end  int64
	id          int
	pool        int32
}

type mpool struct {
	capacity uint64
	reserved []Range // ascending
	// unit divides every offset that occurs in the pool; tables tells whether the
	// greedy may use tables by unit.
	unit   uint64
	tables bool
}

type mpen struct {
	a, b   int32
	weight uint64
}

// rows is a list of lists: row i is list[start[i]:start[i+1]].
type rows struct {
	start []int32
	list  []int32
}

func (r *rows) row(i int32) []int32 { return r.list[r.start[i]:r.start[i+1]] }

// maxUnits bounds the tables by unit of a pool; buffers placed higher are
// looked after by sorting.
const maxUnits = 1 << 18

// newModel builds the model of a problem that Check found clean.
func newModel(p *Problem) *model {
	m := &model{bufs: make([]mbuf, len(p.Buffers)), pools: make([]mpool, len(p.Pools))}
	for i, q := range p.Pools {
		m.pools[i] = mpool{capacity: q.Capacity, reserved: slices.Clone(q.Reserved)}
		slices.SortFunc(m.pools[i].reserved, compareRange)
	}
	dense := true
	for i := range p.Buffers {
		b := &p.Buffers[i]
		m.bufs[i] = mbuf{b.Size, b.Align, b.Begin, b.End, b.ID, p.poolAt(b.Pool)}
		dense = dense && b.ID == i
	}
	at := func(id int) int32 { return int32(id) }
	if !dense {
		where := make(map[int]int32, len(p.Buffers))
		for i := range p.Buffers {
			where[p.Buffers[i].ID] = int32(i)
		}
		at = func(id int) int32 { return where[id] }
	}
	m.units()
	m.limitTables(p)
	m.birth = m.birthOrder()
	m.buildHard(p.Separations, at)
	m.buildSoft(p, at)
	return m
}

// poolAt is the position of a pool that exists. Pools are few.
func (p *Problem) poolAt(id int) int32 {
	i := 0
	for p.Pools[i].ID != id {
		i++
	}
	return int32(i)
}

func compareRange(x, y Range) int {
	if c := cmp.Compare(x.Begin, y.Begin); c != 0 {
		return c
	}
	return cmp.Compare(x.End, y.End)
}

// units finds each pool's unit: the greatest common divisor of all sizes,
// reserved bounds and alignments. Where all buffers have the same alignment it
// may be coarser: without the alignment when that divides it, and the alignment
// itself otherwise, in spite of odd sizes, because every end that matters is
// rounded up to it.
func (m *model) units() {
	for pi := range m.pools {
		pool := &m.pools[pi]
		var all, align, coarsest uint64
		uniform := true
		for i := range m.bufs {
			b := &m.bufs[i]
			if int(b.pool) != pi {
				continue
			}
			uniform = uniform && (align == 0 || align == b.align)
			align = gcd(align, b.align)
			coarsest = max(coarsest, b.align)
			all = gcd(all, b.size)
		}
		for _, r := range pool.reserved {
			all = gcd(gcd(all, r.Begin), r.End)
		}
		if align == 0 {
			continue // no buffers
		}
		switch {
		case !uniform:
			pool.unit = gcd(all, align)
		case all%align == 0:
			pool.unit = all
		default:
			pool.unit = align
		}
		pool.tables = coarsest/pool.unit < maxUnits
		for _, r := range pool.reserved {
			if r.Begin%pool.unit != 0 || r.End/pool.unit >= maxUnits {
				pool.tables = false
			}
		}
	}
}

// limitTables leaves out the tables where sums of weights may be too large for
// them. The sum of all is no more than 64 bits: Check sees to it.
func (m *model) limitTables(p *Problem) {
	var total uint64
	for i := range p.Penalties {
		total += p.Penalties[i].Weight
	}
	if total <= math.MaxUint32 {
		return
	}
	for i := range m.pools {
		m.pools[i].tables = false
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// buildHard finds the pairs that overlap in time by a sweep over the begins
// and adds the separations.
func (m *model) buildHard(seps []Separation, at func(int) int32) {
	n := len(m.bufs)
	degree := make([]int32, n+1)
	pairs := make([]int32, 0, 4*n+2*len(seps))
	add := func(i, j int32) {
		pairs = append(pairs, i, j)
		degree[i]++
		degree[j]++
	}
	active := make([]int32, 0, 16)
	for _, i := range m.birth {
		b := &m.bufs[i]
		kept := active[:0]
		for _, j := range active {
			if m.bufs[j].end <= b.begin {
				continue
			}
			kept = append(kept, j)
			if m.bufs[j].pool == b.pool {
				add(i, j)
			}
		}
		active = append(kept, i)
	}
	for _, s := range seps {
		add(at(s.A), at(s.B))
	}
	m.hard = makeRows(degree)
	fill := slices.Clone(m.hard.start)
	for k := 0; k < len(pairs); k += 2 {
		i, j := pairs[k], pairs[k+1]
		m.hard.list[fill[i]] = j
		m.hard.list[fill[j]] = i
		fill[i]++
		fill[j]++
	}
}

// makeRows makes empty rows of the given lengths; degree has one spare element.
func makeRows(degree []int32) rows {
	r := rows{start: make([]int32, len(degree))}
	var sum int32
	for i, d := range degree {
		r.start[i] = sum
		sum += d
	}
	r.list = make([]int32, sum)
	return r
}

// makeApart lists, ascending, for each of n buffers the later ones it is separated
// from; nothing when there are no penalties to look them up for.
func makeApart(p *Problem, n int, at func(int) int32) rows {
	degree := make([]int32, n+1)
	if len(p.Penalties) == 0 || len(p.Separations) == 0 {
		return makeRows(degree)
	}
	for _, s := range p.Separations {
		degree[min(at(s.A), at(s.B))]++
	}
	r := makeRows(degree)
	fill := slices.Clone(r.start)
	for _, s := range p.Separations {
		a, b := at(s.A), at(s.B)
		r.list[fill[min(a, b)]] = max(a, b)
		fill[min(a, b)]++
	}
	for i := range int32(n) {
		if row := r.row(i); !slices.IsSorted(row) {
			slices.Sort(row)
		}
	}
	return r
}

// has reports whether j is in row i, which is ascending.
func (r *rows) has(i, j int32) bool {
	_, found := slices.BinarySearch(r.row(i), j)
	return found
}

func (m *model) buildSoft(p *Problem, at func(int) int32) {
	n := len(m.bufs)
	apart := makeApart(p, n, at)
	m.incident = make([]uint64, n)
	degree := make([]int32, n+1)
	room := make([]mpen, 2*len(p.Penalties))
	m.pen = room[:len(p.Penalties):len(p.Penalties)]
	live := room[len(p.Penalties):len(p.Penalties)]
	for k, q := range p.Penalties {
		a, b := at(q.A), at(q.B)
		m.pen[k] = mpen{a, b, q.Weight}
		if q.Weight == 0 || apart.has(min(a, b), max(a, b)) {
			continue
		}
		live = append(live, m.pen[k])
		m.incident[a] += q.Weight
		m.incident[b] += q.Weight
		degree[a]++
		degree[b]++
	}
	m.soft = makeRows(degree)
	m.softWeight = make([]uint64, len(m.soft.list))
	fill := slices.Clone(m.soft.start)
	for _, q := range live {
		m.soft.list[fill[q.a]], m.softWeight[fill[q.a]] = q.b, q.weight
		m.soft.list[fill[q.b]], m.softWeight[fill[q.b]] = q.a, q.weight
		fill[q.a]++
		fill[q.b]++
	}
}

// alignUp rounds x up to a multiple of align; ok is false on overflow.
func alignUp(x, align uint64) (up uint64, ok bool) {
	r := x % align
	if r == 0 {
		return x, true
	}
	up = x + (align - r)
	return up, up >= x
}

// fits reports whether [x, x+size) lies within capacity.
func fits(x, size, capacity uint64) bool { return size <= capacity && x <= capacity-size }
