package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pypto-ls/analysis"
)

// maxReasons keeps a function on the screen.
const maxReasons = 3

// Table prints placements as people read them, under a line that says what
// they are for.
func Table(w io.Writer, d *analysis.Document, funcs []analysis.PlanFunction) {
	fmt.Fprintf(w, "platform %s, planner %s\n", d.Settings.Name, d.Settings.Planner)
	if len(funcs) == 0 {
		fmt.Fprintln(w, "no function with on-chip tiles")
	}
	for _, f := range funcs {
		fmt.Fprintf(w, "\n%s (%s)\n", f.Name, f.Type)
		for i, a := range f.Approximate {
			if more := len(f.Approximate) - i; i == maxReasons && more > 1 {
				fmt.Fprintf(w, "  approximate: … and %d more reasons\n", more)
				break
			}
			fmt.Fprintf(w, "  approximate: %s\n", a)
		}
		if len(f.Tiles) == 0 {
			continue
		}
		var rows strings.Builder
		tw := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  tile\tspace\taddress\tsize\tlive\tbuffer\tshares with")
		for _, t := range f.Tiles {
			addr := "-"
			switch {
			case t.Dynamic != "":
				addr = t.Dynamic
			case t.Address != nil:
				addr = fmt.Sprintf("0x%05x", *t.Address)
			}
			live := ""
			if t.Live[0] > 0 {
				live = fmt.Sprintf("%d–%d", t.Live[0], t.Live[1])
			}
			buf := t.Buffer
			if buf == "" {
				buf = "(ring slot)"
			}
			fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Space, addr, analysis.Thousands(t.Size), live, buf, short(t.Shares))
		}
		tw.Flush()
		for row := range strings.Lines(rows.String()) {
			fmt.Fprintln(w, strings.TrimRight(row, " \n")) // the last column may be empty
		}
		for _, s := range f.Spaces {
			fmt.Fprintf(w, "  %s\n", UsageText(s))
		}
	}
}

func short(s analysis.Shares) string {
	names, more := s.First(4)
	out := strings.Join(names, ", ")
	if more > 0 {
		out += fmt.Sprintf(" +%d", more)
	}
	return out
}

// UsageText is one space's usage: `Vec 143,872 / 188,416 B (76 %)`.
func UsageText(s analysis.PlanSpace) string {
	out := fmt.Sprintf("%s %s", s.Space, analysis.Thousands(s.Used))
	switch {
	case s.Used == 0 && s.Live > 0:
		out = fmt.Sprintf("%s %s B live, no addresses", s.Space, analysis.Thousands(s.Live))
		if s.Limit > 0 {
			out += fmt.Sprintf(", limit %s B", analysis.Thousands(s.Limit))
		}
	case s.Limit > 0:
		out += fmt.Sprintf(" / %s B (%d %%)", analysis.Thousands(s.Limit), (s.Used*100+s.Limit/2)/s.Limit)
		if s.Used > s.Limit {
			out += fmt.Sprintf(", %s B over", analysis.Thousands(s.Used-s.Limit))
		}
	default:
		out += " B"
	}
	if s.Reserved > 0 {
		out += fmt.Sprintf(", %s B reserved", analysis.Thousands(s.Reserved))
	}
	if s.PeakLine > 0 {
		out += fmt.Sprintf(", most live at line %d", s.PeakLine)
	}
	return out
}
