package dsa

import "math/bits"

// mt is the 64-bit Mersenne Twister MT19937-64 with its standard parameters.
type mt struct {
	state [312]uint64
	next  int
}

func newMT(seed uint64) *mt {
	g := &mt{next: len(mt{}.state)}
	g.state[0] = seed
	for i := 1; i < len(g.state); i++ {
		prev := g.state[i-1]
		g.state[i] = 6364136223846793005*(prev^prev>>62) + uint64(i)
	}
	return g
}

func (g *mt) refill() {
	const n, m = len(mt{}.state), 156
	for i := range n {
		x := g.state[i]&0xffffffff80000000 | g.state[(i+1)%n]&0x7fffffff
		y := g.state[(i+m)%n] ^ x>>1
		if x&1 != 0 {
			y ^= 0xb5026f5aa96619e9
		}
		g.state[i] = y
	}
	g.next = 0
}

// seeded is the generator as each solve begins with it, its first numbers made.
var seeded = func() mt {
	g := newMT(seed)
	g.refill()
	return *g
}()

// draw returns the next 64 random bits.
func (g *mt) draw() uint64 {
	if g.next == len(g.state) {
		g.refill()
	}
	x := g.state[g.next]
	g.next++
	x ^= x >> 29 & 0x5555555555555555
	x ^= x << 17 & 0x71d67fffeda60000
	x ^= x << 37 & 0xfff7eee000000000
	return x ^ x>>43
}

// below draws a uniform integer in [0, m) by Lemire's multiply-shift method;
// m must not be 0.
func (g *mt) below(m uint64) uint64 {
	hi, low := bits.Mul64(g.draw(), m)
	if low < m {
		for t := -m % m; low < t; {
			hi, low = bits.Mul64(g.draw(), m)
		}
	}
	return hi
}

// shuffle permutes a as std::shuffle of the GNU C++ library does from GCC 11
// on: Fisher–Yates forward, two positions per draw (spec 08 §6.1).
func shuffle(a []int32, g *mt) {
	n := len(a)
	if n < 2 {
		return
	}
	i := 1
	if n%2 == 0 {
		d := g.below(2)
		a[1], a[d] = a[d], a[1]
		i = 2
	}
	for ; i < n; i += 2 {
		k := uint64(i) + 1
		x := g.below(k * (k + 1))
		p, q := x/(k+1), x%(k+1)
		a[i], a[p] = a[p], a[i]
		a[i+1], a[q] = a[q], a[i+1]
	}
}
