package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// With is the document under another planner. It shares the memo and is made
// once.
func (d *Document) With(planner memory.Planner) *Document {
	if planner == d.Settings.Planner {
		return d
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if o := d.others[planner]; o != nil {
		return o
	}
	s := d.Settings
	s.Planner, s.PlannerFrom = planner, "comparison"
	o := &Document{engine: d.engine, Name: d.Name, File: d.File, Settings: s, start: d.start, fixed: d.fixed}
	if d.others == nil {
		d.others = map[memory.Planner]*Document{}
	}
	d.others[planner] = o
	return o
}

// compared are the planners that are set side by side.
var compared = []memory.Planner{memory.PYPTO, memory.DSARP}

// Peak is how full a space gets under one planner, in bytes. Refused tells that
// the planner gave no placement.
type Peak struct {
	Used    uint64 `json:"used"`
	Refused bool   `json:"refused"`
	Absent  bool   `json:"absent"` // the function has nothing there
}

// ComparedSpace is one space of one function under each planner.
type ComparedSpace struct {
	Space string `json:"space"`
	Limit uint64 `json:"limit"` // 0 when it is unknown
	Peaks []Peak `json:"peaks"` // in the order PYPTO, DSA_RP
}

// Comparison is one function under each planner.
type Comparison struct {
	Function string          `json:"function"`
	Spaces   []ComparedSpace `json:"spaces"`
	// Reason tells why nothing is compared, "" when something is.
	Reason string `json:"reason"`
	// Errors are the planners' refusals, "" for none, in the order of the planners.
	Errors []string `json:"errors"`
}

// Compare sets the planners side by side for the function at a chunk, its
// halves one by one.
func (d *Document) Compare(chunk int) []Comparison {
	f := d.Func(chunk)
	if f == nil || f.Opaque {
		return nil
	}
	if f.Start.Stage > memory.StageInitMemRef {
		return []Comparison{{Function: f.Name, Reason: "the text stands after " + f.Start.Stage.String() + ", where the planners have parted ways already"}}
	}
	var under []*Func
	for _, p := range compared {
		under = append(under, d.With(p).Func(chunk))
	}
	var out []Comparison
	for n := range under[0].Planned {
		c := Comparison{Function: under[0].Planned[n].Name}
		for s := range platforms.Space(platforms.NumSpaces) {
			if row, ok := compareSpace(under, n, s); ok {
				c.Spaces = append(c.Spaces, row)
			}
		}
		if len(c.Spaces) == 0 {
			continue
		}
		for _, u := range under {
			c.Errors = append(c.Errors, refusal(u, c.Function))
		}
		out = append(out, c)
	}
	if len(out) == 0 && len(f.Approximate) > 0 {
		out = append(out, Comparison{Function: f.Name, Reason: "its tiles are not known: " + f.doubts(d.liner(chunk))[0]})
	}
	return out
}

func compareSpace(under []*Func, n int, s platforms.Space) (ComparedSpace, bool) {
	row := ComparedSpace{Space: s.String()}
	some := false
	for _, f := range under {
		p := Peak{Absent: true}
		if n < len(f.Planned) {
			for _, u := range f.Planned[n].Spaces {
				if u.Space == s {
					p = Peak{Used: u.Used, Refused: !f.Planned[n].Placed}
					row.Limit, some = u.Limit, true
				}
			}
		}
		row.Peaks = append(row.Peaks, p)
	}
	return row, some
}

// refusal is the first error about a function.
func refusal(f *Func, name string) string {
	for i := range f.Findings {
		if f.Findings[i].Severity == Error && f.Findings[i].Func == name {
			return f.Findings[i].Message
		}
	}
	return ""
}

// CompareText is the comparison of all functions, or of those named, as a table.
func (d *Document) CompareText(only map[string]bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "platform %s, peak bytes by planner\n", d.Settings.Name)
	some := false
	for _, i := range d.FuncChunks() {
		for _, c := range d.Compare(i) {
			if only == nil || only[c.Function] {
				some = true
				c.write(&b)
			}
		}
	}
	if !some {
		b.WriteString("\nno function with on-chip tiles\n")
	}
	return b.String()
}

func (c *Comparison) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n", c.Function)
	if c.Reason != "" {
		fmt.Fprintf(b, "  %s\n", c.Reason)
		return
	}
	fmt.Fprintf(b, "  %-12s %14s", "space", "limit")
	for _, p := range compared {
		fmt.Fprintf(b, " %14s", p)
	}
	fmt.Fprintf(b, " %14s\n", "difference")
	for _, s := range c.Spaces {
		limit := "unknown"
		if s.Limit > 0 {
			limit = Thousands(s.Limit)
		}
		fmt.Fprintf(b, "  %-12s %14s", s.Space, limit)
		for _, p := range s.Peaks {
			fmt.Fprintf(b, " %14s", p.text(s.Limit))
		}
		if diff := difference(s.Peaks[0], s.Peaks[1]); diff != "" {
			fmt.Fprintf(b, " %14s", diff)
		}
		b.WriteString("\n")
	}
	for i, e := range c.Errors {
		if e != "" {
			fmt.Fprintf(b, "  %s: %s\n", compared[i], e)
		}
	}
}

func (p Peak) text(limit uint64) string {
	switch {
	case p.Absent:
		return "-"
	case p.Refused:
		return "refused"
	case limit > 0 && p.Used > limit:
		return "! " + Thousands(p.Used)
	}
	return Thousands(p.Used)
}

// difference is what the second planner takes more, `-12,288`.
func difference(a, b Peak) string {
	switch {
	case a.Absent || b.Absent || a.Refused || b.Refused:
		return ""
	case b.Used >= a.Used:
		return "+" + Thousands(b.Used-a.Used)
	}
	return "-" + Thousands(a.Used-b.Used)
}
