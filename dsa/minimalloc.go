package dsa

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// ReadMiniMalloc reads an instance of the public MiniMalloc benchmark (Moffitt,
// ASPLOS 2023): a CSV table whose header names the columns id (or buffer),
// lower (begin, start) and upper, size and, optionally, alignment; a column
// named end instead of upper holds the last moment of life, not the one after.
// Other columns are ignored, except gaps, which this model cannot express.
// Buffers are numbered by line; the pool has the given capacity in bytes.
func ReadMiniMalloc(text string, capacity uint64) (*Problem, error) {
	p := &Problem{Pools: []Pool{{Capacity: capacity}}}
	var columns map[string]int
	inclusive := false
	for n, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, ",")
		if columns == nil {
			columns, inclusive = make(map[string]int), strings.Contains(","+line+",", ",end,")
			for i, f := range fields {
				columns[miniColumn(strings.TrimSpace(f))] = i
			}
			for _, need := range []string{"id", "lower", "upper", "size"} {
				if _, ok := columns[need]; !ok {
					return nil, fmt.Errorf("line %d: no column %q", n+1, need)
				}
			}
			continue
		}
		b, err := miniBuffer(fields, columns)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		b.ID = len(p.Buffers)
		if inclusive {
			b.End++
		}
		p.Buffers = append(p.Buffers, b)
	}
	if columns == nil {
		return nil, fmt.Errorf("line 1: no header")
	}
	return p, nil
}

func miniColumn(name string) string {
	switch name {
	case "buffer", "buffer_id":
		return "id"
	case "begin", "start":
		return "lower"
	case "end":
		return "upper"
	}
	return name
}

func miniBuffer(fields []string, columns map[string]int) (Buffer, error) {
	b := Buffer{Align: 1}
	var err error
	number := func(column string, bits int) uint64 {
		i := columns[column]
		if i >= len(fields) {
			err = fmt.Errorf("no field %q", column)
			return 0
		}
		v, e := strconv.ParseUint(strings.TrimSpace(fields[i]), 10, bits)
		if e != nil {
			err = fmt.Errorf("%s: %w", column, e)
		}
		return v
	}
	b.Begin, b.End = int64(number("lower", 62)), int64(number("upper", 62))
	b.Size = number("size", 64)
	if _, ok := columns["alignment"]; ok {
		b.Align = number("alignment", 64)
	}
	if i, ok := columns["gaps"]; ok && i < len(fields) && strings.TrimSpace(fields[i]) != "" {
		err = fmt.Errorf("lifetimes with gaps are not supported")
	}
	return b, err
}

// WriteMiniMalloc writes the buffers of p in the same format, with an offset
// column when offsets are given.
func WriteMiniMalloc(p *Problem, offsets []uint64) string {
	var w strings.Builder
	w.WriteString("id,lower,upper,size")
	aligned := false
	for i := range p.Buffers {
		aligned = aligned || p.Buffers[i].Align > 1
	}
	if aligned {
		w.WriteString(",alignment")
	}
	if offsets != nil {
		w.WriteString(",offset")
	}
	w.WriteByte('\n')
	for i := range p.Buffers {
		b := &p.Buffers[i]
		fmt.Fprintf(&w, "%d,%d,%d,%d", b.ID, b.Begin, b.End, b.Size)
		if aligned {
			fmt.Fprintf(&w, ",%d", b.Align)
		}
		if offsets != nil {
			fmt.Fprintf(&w, ",%d", offsets[i])
		}
		w.WriteByte('\n')
	}
	return w.String()
}

// block is a rectangle in time and memory.
type block struct{ begin, end, low, high int64 }

func (b block) area() int64 { return (b.end - b.begin) * (b.high - b.low) }

// MiniMallocCapacity is the capacity of the public instances in bytes; their
// file names end in ".<capacity>.csv".
const MiniMallocCapacity = 1 << 20

// GenerateMiniMalloc makes an instance shaped like the public challenging
// ones: about the given number of buffers tile the whole rectangle of time and
// memory, so that a perfect placement exists and hardly any other. Sizes and
// times are multiples of 1 KiB. It starts from one block for everything and
// keeps cutting blocks in two, in time or in memory, larger ones first.
func GenerateMiniMalloc(buffers int, seed uint64) *Problem {
	const unit, units = 1024, MiniMallocCapacity / 1024
	r := rand.New(rand.NewPCG(seed, 0x6d696e69))
	blocks := []block{{0, units, 0, units}}
	for range 200 * buffers {
		if len(blocks) >= buffers {
			break
		}
		// Of three random blocks the largest is cut, so that sizes stay mixed.
		k := r.IntN(len(blocks))
		for range 2 {
			if j := r.IntN(len(blocks)); blocks[j].area() > blocks[k].area() {
				k = j
			}
		}
		b := blocks[k]
		c := b
		if r.IntN(2) == 0 {
			if b.end-b.begin < 2 {
				continue
			}
			cut := b.begin + 1 + r.Int64N(b.end-b.begin-1)
			b.end, c.begin = cut, cut
		} else {
			if b.high-b.low < 2 {
				continue
			}
			cut := b.low + 1 + r.Int64N(b.high-b.low-1)
			b.high, c.low = cut, cut
		}
		blocks[k] = b
		blocks = append(blocks, c)
	}
	p := &Problem{Pools: []Pool{{Capacity: MiniMallocCapacity}}}
	r.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	for i, b := range blocks {
		p.Buffers = append(p.Buffers, Buffer{ID: i, Size: uint64(b.high-b.low) * unit, Align: 1, Begin: b.begin * unit, End: b.end * unit})
	}
	return p
}
