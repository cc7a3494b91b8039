package memory

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

const numSpaces = platforms.NumSpaces

// membershipAttr is the call attribute that tells software-pipeline stages.
const membershipAttr = "pipeline_membership"

// PipelineStage says that a tile belongs to one stage of one software-pipeline
// group (spec 05 §7).
type PipelineStage struct{ Group, Stage int32 }

// ParseMembership reads the value of attribute `pipeline_membership`, such as
// "0:1;3:0". Pieces that are not two integers are skipped.
func ParseMembership(s string) []PipelineStage {
	var out []PipelineStage
	for s != "" {
		var piece string
		piece, s, _ = strings.Cut(s, ";")
		g, st, ok := strings.Cut(piece, ":")
		if !ok {
			continue
		}
		group, ok1 := parseDecimal(g)
		stage, ok2 := parseDecimal(st)
		if ok1 && ok2 {
			out = append(out, PipelineStage{group, stage})
		}
	}
	return out
}

// parseDecimal reads a complete decimal integer with optional leading blanks
// and sign; larger values are cut to 32 bits.
func parseDecimal(s string) (int32, bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if strings.ContainsRune(s, '_') {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return int32(n), err == nil
}

// membershipReader reads memberships, those of neighbours, which are often the
// same, once.
type membershipReader struct {
	text string
	last []PipelineStage
}

// of is the membership a definition carries, nil when its call has
// no attribute or an empty one; load tells whether the operator loads.
func (r *membershipReader) of(a *ir.Assign) (m []PipelineStage, load bool) {
	if a == nil {
		return nil, false
	}
	c, ok := a.Value.(*ir.Call)
	if !ok || len(c.Attrs) == 0 {
		return nil, false
	}
	v, _ := c.Attr(membershipAttr)
	s, _ := v.(string)
	if s == "" {
		return nil, false
	}
	if s != r.text {
		r.text, r.last = s, ParseMembership(s)
		if r.last == nil {
			r.last = []PipelineStage{}
		}
	}
	return r.last, c.Name == "tile.load" || c.Name == "tile.read"
}
