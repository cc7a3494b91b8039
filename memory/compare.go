package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pypto-ls/dsa"
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// CompareInput is one function as read for one target, in the given stage.
// The target may change the types that are read, so there is one input for
// each target.
type CompareInput struct {
	Platform *platforms.Platform
	Fn       *ir.Function
	From     Stage
}

// SpacePeak is how full one space gets, in bytes: Peak is the end of the
// highest buffer, Limit the capacity (0 for none), Reserved the window below.
type SpacePeak struct {
	Space                 ir.Space
	Peak, Limit, Reserved uint64
}

// Over reports whether the space is too full.
func (p SpacePeak) Over() bool { return p.Limit != 0 && p.Peak > p.Limit }

// PlannerPeaks is what one planner makes of a function on one target.
type PlannerPeaks struct {
	Platform *platforms.Platform
	Planner  Planner
	// Spaces ascending. Empty when planning failed before any placement.
	Spaces []SpacePeak
	// Err is why the function was refused; under PYPTO the peaks are what it
	// would have taken. Hints counts the performance hints.
	Err   *Error
	Hints int
}

// Comparison sets the two planners side by side.
type Comparison struct {
	Func string
	// Columns in the order of the inputs, PYPTO before DSA_RP.
	Columns []PlannerPeaks
	// Reason tells why nothing is compared, "" when something is.
	Reason string
}

// Compare plans a function with PYPTO and DSA_RP on every given target and
// collects the peaks of each space. Planning has to start before the planners
// part ways, which they do after InitMemRef.
func Compare(inputs []CompareInput, policy platforms.Policy) *Comparison {
	c := &Comparison{}
	for _, in := range inputs {
		c.Func = in.Fn.Name
		if !in.Fn.Kind.IsInCore() {
			c.Reason = fmt.Sprintf("'%s' is not an in-core function: no addresses are assigned", in.Fn.Name)
			return c
		}
		if in.From > StageInitMemRef {
			c.Reason = fmt.Sprintf("the text is past %s, where the planners have already parted ways", StageInitMemRef)
			return c
		}
	}
	for _, in := range inputs {
		cfg := Config{Platform: in.Platform, Policy: policy}
		c.Columns = append(c.Columns, comparePYPTO(in, cfg), compareDSA(in, cfg))
	}
	return c
}

func comparePYPTO(in CompareInput, cfg Config) PlannerPeaks {
	cfg.Planner = PYPTO
	r := Run(in.Fn, cfg, in.From)
	out := PlannerPeaks{Platform: in.Platform, Planner: PYPTO, Err: r.Err, Hints: len(r.Diags)}
	for _, u := range r.Usage {
		out.Spaces = append(out.Spaces, SpacePeak{u.Space, u.Used, u.Limit, u.Reserved})
	}
	slices.SortFunc(out.Spaces, func(x, y SpacePeak) int { return cmp.Compare(x.Space, y.Space) })
	return out
}

func compareDSA(in CompareInput, cfg Config) PlannerPeaks {
	cfg.Planner = DSARP
	out := PlannerPeaks{Platform: in.Platform, Planner: DSARP}
	r := RunTo(in.Fn, cfg, in.From, StageSemanticAliases)
	if out.Err = r.Err; out.Err != nil {
		return out
	}
	s, err := SolveDSA(r.Last(), cfg, nil)
	if err == nil {
		_, err = s.writeBack()
		out.Hints = len(s.diagnostics())
	}
	if out.Err = err; s == nil || s.Result.Status != dsa.Feasible {
		return out
	}
	for i, p := range s.Strict.Pools {
		if i < len(s.Result.Peaks) {
			space := ir.Space(p.ID)
			out.Spaces = append(out.Spaces, SpacePeak{space, s.Result.Peaks[i], cfg.capacity(space), s.reserved.floorOf(space)})
		}
	}
	return out
}

// Peak is the peak of a space in a column; false when nothing was placed
// there.
func (c *PlannerPeaks) Peak(s ir.Space) (SpacePeak, bool) {
	for _, p := range c.Spaces {
		if p.Space == s {
			return p, true
		}
	}
	return SpacePeak{}, false
}

// String is a table with a line for each space and a column for each target
// and planner, in bytes; "!" marks a space that is too full, "refused" a
// column without placement. Refusals are listed below.
func (c *Comparison) String() string {
	if c.Reason != "" {
		return c.Func + ": " + c.Reason + "\n"
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "%-12s", c.Func)
	var used [platforms.NumSpaces]bool
	for i := range c.Columns {
		fmt.Fprintf(&sb, " %18s", c.Columns[i].title())
		for _, p := range c.Columns[i].Spaces {
			used[p.Space] = true
		}
	}
	sb.WriteByte('\n')
	for s := range ir.Space(platforms.NumSpaces) {
		if !used[s] {
			continue
		}
		fmt.Fprintf(&sb, "%-12s", s)
		for i := range c.Columns {
			fmt.Fprintf(&sb, " %18s", c.Columns[i].cell(s))
		}
		sb.WriteByte('\n')
	}
	for i := range c.Columns {
		if e := c.Columns[i].Err; e != nil {
			fmt.Fprintf(&sb, "%s: %s\n", c.Columns[i].title(), e.Message)
		}
	}
	return sb.String()
}

func (c *PlannerPeaks) title() string { return c.Platform.NameOf() + " " + c.Planner.String() }

func (c *PlannerPeaks) cell(s ir.Space) string {
	p, ok := c.Peak(s)
	switch {
	case !ok && c.Err != nil && len(c.Spaces) == 0:
		return "refused"
	case !ok:
		return "-"
	case p.Over():
		return "! " + peakOf(p)
	}
	return peakOf(p)
}

func peakOf(p SpacePeak) string {
	if p.Limit == 0 {
		return utoa(p.Peak)
	}
	return utoa(p.Peak) + "/" + utoa(p.Limit)
}
