package memory

import (
	"fmt"
	"strings"

	"pypto-ls/dsa"
	"pypto-ls/ir"
)

// Beyond answers what the reference leaves open when DSA_RP finds no
// placement: whether there is none, or its search missed it. The answer is
// ours; a placement behind it is never the compiler's.
type Beyond struct {
	Verdict dsa.Verdict
	// Space is the one that makes placement impossible, or undecided.
	Space ir.Space
	// Limit is Space's capacity and Need, when not 0, what any placement needs
	// of it, in bytes, because of Live (and Apart, which must not share bytes
	// with those although they live at other times), at statement At.
	Limit, Need uint64
	At          ir.Stmt
	Live, Apart []BeyondBuffer
	// Exhausted is set when a complete search proved impossibility where sums
	// alone do not.
	Exhausted bool
	// Peaks of a placement that exists, in bytes, in the order of Spaces.
	Spaces []ir.Space
	Peaks  []uint64
	// Blocked tells what the compiler's search stumbled over last.
	Blocked *Blocked
	// Nodes is the amount of search done.
	Nodes int64
}

// BeyondBuffer is an allocation with its first tile, by definition order.
type BeyondBuffer struct {
	Base, Tile *ir.Var
	Size       uint64 // bytes
	Live
}

// Blocked describes the attempt of the canonical search that came furthest.
type Blocked struct {
	// Buffer found no room after Placed of Total buffers had their places.
	Buffer        BeyondBuffer
	Placed, Total int
	Space         ir.Space
	// Gap is the largest free range it could have had, in bytes, at GapAt;
	// Blockers are the buffers in its way, by address.
	Gap, GapAt uint64
	Blockers   []BeyondBuffer
	// Attempts is the number of attempts, all of which failed.
	Attempts int
}

// Beyond decides, within the given budget, what a failed search means. It is
// nil when the search did not end with no fit. It takes up to seconds: off the
// keystroke path, cancel with opt.Stop.
func (s *DSASolution) Beyond(opt dsa.SearchOptions) *Beyond {
	if s.Result.Status != dsa.NoFit || s.Solved == nil {
		return nil
	}
	a := dsa.Decide(s.Solved, opt)
	b := &Beyond{Verdict: a.Verdict, Exhausted: a.Exhausted, Nodes: a.Nodes, Blocked: s.blocked()}
	for _, p := range s.Solved.Pools {
		if a.Verdict == dsa.Exists {
			b.Spaces = append(b.Spaces, ir.Space(p.ID))
		} else if p.ID == a.Pool {
			b.Space, b.Limit = ir.Space(p.ID), p.Capacity
		}
	}
	b.Peaks = a.Peaks
	if a.Bound != nil {
		b.Need = a.Bound.Bytes
		b.At = s.stmtAt(a.Bound.Time)
		b.Live, b.Apart = s.buffers(a.Bound.Live), s.buffers(a.Bound.Apart)
	}
	return b
}

// stmtAt is the statement whose results exist from the given lifetime on.
func (s *DSASolution) stmtAt(time int64) ir.Stmt {
	if n := time / 2; n >= 0 && n < int64(len(s.Lifetimes.Stmts)) {
		return s.Lifetimes.Stmts[n]
	}
	return nil
}

func (s *DSASolution) buffer(id int) BeyondBuffer {
	i := s.IntervalOf[id]
	iv := &s.Lifetimes.Intervals[i]
	return BeyondBuffer{Base: iv.Base, Tile: iv.Rep, Size: s.sizes[i], Live: iv.Live}
}

func (s *DSASolution) buffers(ids []int) []BeyondBuffer {
	var list []BeyondBuffer
	for _, id := range ids {
		list = append(list, s.buffer(id))
	}
	return list
}

// blocked describes the failure that came furthest, the earlier one on ties.
func (s *DSASolution) blocked() *Blocked {
	var best *dsa.Failure
	for i := range s.Result.Failures {
		if f := &s.Result.Failures[i]; best == nil || f.Placed > best.Placed {
			best = f
		}
	}
	if best == nil {
		return nil
	}
	return &Blocked{
		Buffer: s.buffer(best.Buffer), Placed: best.Placed, Total: len(s.Solved.Buffers),
		Space: ir.Space(s.Solved.Buffers[best.Buffer].Pool), Gap: best.LargestGap, GapAt: best.GapAt,
		Blockers: s.buffers(best.Blockers), Attempts: len(s.Result.Failures),
	}
}

// Explain says in plain words what a no-fit means.
func (b *Beyond) Explain() string {
	var sb strings.Builder
	switch {
	case b.Verdict == dsa.Impossible && b.Need > 0:
		fmt.Fprintf(&sb, "No placement exists: %s needs at least %d bytes, %d more than its %d, for %d buffers that live at one time",
			b.Space, b.Need, b.Need-b.Limit, b.Limit, len(b.Live))
		if len(b.Apart) > 0 {
			fmt.Fprintf(&sb, " and %d kept apart from all of them", len(b.Apart))
		}
		fmt.Fprintf(&sb, " (largest: %s). Shrink or shorten the life of one of them.", tileNames(b.Live, 3))
		return sb.String()
	case b.Verdict == dsa.Impossible:
		fmt.Fprintf(&sb, "No placement exists: a complete search over %s (%d bytes) found none, although the sums of what lives together would fit.", b.Space, b.Limit)
	case b.Verdict == dsa.Exists:
		sb.WriteString("A placement exists that the compiler's bounded search does not find (peak")
		for i, space := range b.Spaces {
			fmt.Fprintf(&sb, " %s %d", space, b.Peaks[i])
		}
		sb.WriteString(" bytes). The compiler still refuses this function: its addresses are not ours to choose.")
	default:
		fmt.Fprintf(&sb, "Whether a placement exists for %s is not known: the search was ended after %d steps.", b.Space, b.Nodes)
	}
	if k := b.Blocked; k != nil {
		fmt.Fprintf(&sb, " Of the compiler's %d attempts the best one placed %d of %d buffers, then found no room for '%s' (%d bytes in %s): the largest gap was %d bytes",
			k.Attempts, k.Placed, k.Total, k.Buffer.Tile.Name, k.Buffer.Size, k.Space, k.Gap)
		if len(k.Blockers) > 0 {
			fmt.Fprintf(&sb, ", between %s", tileNames(k.Blockers, 3))
		}
		sb.WriteByte('.')
	}
	return sb.String()
}

// tileNames lists the tiles of the largest buffers, at most n of them.
func tileNames(list []BeyondBuffer, n int) string {
	var parts []string
	for _, b := range largest(list, n) {
		parts = append(parts, fmt.Sprintf("'%s' %d bytes", b.Tile.Name, b.Size))
	}
	return strings.Join(parts, ", ")
}

// largest are the n largest buffers, in their order on ties.
func largest(list []BeyondBuffer, n int) []BeyondBuffer {
	var out []BeyondBuffer
	taken := make([]bool, len(list))
	for range min(n, len(list)) {
		best := -1
		for i := range list {
			if !taken[i] && (best < 0 || list[i].Size > list[best].Size) {
				best = i
			}
		}
		taken[best] = true
		out = append(out, list[best])
	}
	return out
}
