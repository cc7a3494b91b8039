package dsa

import (
	"fmt"
	"math/bits"
	"slices"
)

// Check lists what is wrong with a problem, in the order and with the texts of
// spec 08 §10; an empty list means the problem can be solved.
func Check(p *Problem) []string {
	c := checker{p: p}
	c.pools()
	c.buffers()
	c.pairs()
	return c.findings
}

type checker struct {
	p        *Problem
	findings []string
	poolIDs  []int // each once
	// where finds the position of a buffer ID; the first of duplicates counts.
	where map[int]int
	// dense is set when every buffer's ID is its position: no map is needed.
	dense bool
}

func (c *checker) add(format string, args ...any) {
	c.findings = append(c.findings, fmt.Sprintf(format, args...))
}

func (c *checker) pools() {
	c.poolIDs = make([]int, 0, len(c.p.Pools))
	for _, pool := range c.p.Pools {
		if slices.Contains(c.poolIDs, pool.ID) {
			c.add("duplicate pool id %d", pool.ID)
		} else {
			c.poolIDs = append(c.poolIDs, pool.ID)
		}
		if pool.Capacity == 0 {
			c.add("pool %d must have a positive fixed capacity", pool.ID)
		}
		for _, r := range pool.Reserved {
			if r.Begin >= r.End {
				c.add("pool %d has an empty or reversed reserved range", pool.ID)
			}
			if r.End > pool.Capacity {
				c.add("pool %d has a reserved range beyond capacity", pool.ID)
			}
		}
	}
}

func (c *checker) buffers() {
	c.dense = true
	for i := range c.p.Buffers {
		c.dense = c.dense && c.p.Buffers[i].ID == i
	}
	if !c.dense {
		c.where = make(map[int]int, len(c.p.Buffers))
	}
	for i := range c.p.Buffers {
		b := &c.p.Buffers[i]
		if !c.dense {
			if _, dup := c.where[b.ID]; dup {
				c.add("duplicate buffer id %d", b.ID)
			} else {
				c.where[b.ID] = i
			}
		}
		if b.Size == 0 {
			c.add("buffer %d has zero size", b.ID)
		}
		if b.Align == 0 {
			c.add("buffer %d has zero alignment", b.ID)
		}
		if b.Begin < 0 || b.Begin >= b.End {
			c.add("buffer %d has an invalid half-open lifetime", b.ID)
		}
		if !slices.Contains(c.poolIDs, b.Pool) {
			c.add("buffer %d references unknown pool %d", b.ID, b.Pool)
		}
	}
}

func (c *checker) find(id int) *Buffer {
	if c.dense {
		if id < 0 || id >= len(c.p.Buffers) {
			return nil
		}
		return &c.p.Buffers[id]
	}
	if i, ok := c.where[id]; ok {
		return &c.p.Buffers[i]
	}
	return nil
}

// endpoints makes the checks that separations and penalties share. It returns
// nil, nil when one of the endpoints is unknown.
func (c *checker) endpoints(kind string, a, b int) (x, y *Buffer) {
	if a == b {
		c.add("%s has identical endpoints %d", kind, a)
	}
	x, y = c.find(a), c.find(b)
	if x == nil || y == nil {
		c.add("%s references an unknown buffer", kind)
		return nil, nil
	}
	if x.Pool != y.Pool {
		c.add("%s spans different fixed pools", kind)
	}
	return x, y
}

func (c *checker) pairs() {
	for _, s := range c.p.Separations {
		c.endpoints("separation", s.A, s.B)
	}
	var total, carry uint64
	overflow := false
	for _, q := range c.p.Penalties {
		x, y := c.endpoints("reuse penalty", q.A, q.B)
		if x != nil && q.A != q.B && x.Begin < y.End && y.Begin < x.End {
			c.add("reuse penalty endpoints must have lifetime-compatible buffers")
		}
		total, carry = bits.Add64(total, q.Weight, 0)
		overflow = overflow || carry != 0
	}
	if overflow {
		c.add("total reuse-penalty weight exceeds uint64")
	}
}
