package analysis

import (
	"strings"

	"pypto-ls/irsyntax"
)

// stageCodes are the findings that fewer stages of a software pipeline may
// clear.
var stageCodes = []string{"PH-MR-001", "PH-DSA-001", "capacity", "dsa-no-fit", "reuse-fallback"}

// stageFixes offers, for each pipelined loop in the text, the largest `stage=`
// with which the finding is gone.
func stageFixes(q *fixQuery) []Fix {
	if !q.fn.Start.Lower {
		return nil // dumps past the prelude have no pipelined loops any more
	}
	nodes := stageNodes(q.tree())
	var out []Fix
	for _, v := range nodes {
		stages, _ := nodeInt(v)
		for n := stages - 1; n >= 1; n-- {
			f, ok := q.stageFix(v, n, len(nodes) > 1)
			if !ok {
				continue
			}
			out = append(out, f)
			break
		}
	}
	if len(out) == 0 {
		return nil
	}
	switch q.f.Code {
	case "PH-MR-001":
		k := min(q.rankAmongAlike(), len(out)-1) // the others are loops of hints like this one
		out = out[k : k+1]
		out[0].Preferred = true
	case "PH-DSA-001":
		out[0].Preferred = true
	}
	return out
}

// rankAmongAlike is which of the hints of its kind the finding is: groups are
// numbered in the order of their loops.
func (q *fixQuery) rankAmongAlike() int {
	n := 0
	for i := range q.fn.Findings {
		g := &q.fn.Findings[i]
		if g == q.f {
			break
		}
		if alike(g, q.f) {
			n++
		}
	}
	return n
}

// alike: two hints ask for the same depth in the same space.
func alike(g, f *Finding) bool {
	if g.Code != f.Code || g.Func != f.Func {
		return false
	}
	a, _, _ := strings.Cut(g.Message, " for pipeline group ")
	b, _, _ := strings.Cut(f.Message, " for pipeline group ")
	return f.Code == "PH-DSA-001" || a == b && hintSpace(g.Message) == hintSpace(f.Message)
}

// stageNodes are the literals of `stage=` in pipelined loops, in text order.
func stageNodes(t *irsyntax.Tree) []irsyntax.Ref {
	var out []irsyntax.Ref
	eachNode(t.Root(), func(r irsyntax.Ref) {
		if r.Kind() != irsyntax.For || calleeName(r.Child(1)) != "pipeline" {
			return
		}
		if n, ok := nodeInt(keywordArg(r.Child(1), "stage")); ok && n > 1 && n <= 64 {
			out = append(out, keywordArg(r.Child(1), "stage"))
		}
	})
	return out
}

func (q *fixQuery) stageFix(v irsyntax.Ref, n int64, several bool) (Fix, bool) {
	edits := q.d.inDocument(q.chunk, []TextEdit{replaceNode(v, decimal(n))})
	t, ok := q.d.try(edits, q.chunk)
	if !ok || !q.stageClears(t) {
		return Fix{}, false
	}
	title := "Set stage=" + decimal(n)
	if several {
		title += " at line " + decimal(int64(q.d.Line(q.chunk, v.Start())))
	}
	if s := t.space(q.f.Func, q.spaceName()); s != nil {
		title += ": " + usageText(s.Space.String(), s.Used, s.Limit)
	}
	return Fix{
		ID: "stage" + fixSeparatorID + decimal(int64(v.Start())) + fixSeparatorID + decimal(n), Title: title, Kind: QuickFix, Edits: edits,
		Note: "Fewer stages overlap less: the loop may run slower.",
	}, true
}

// stageClears: an overflow has to be gone; of hints about depth there must be
// fewer like this one, and no more in all.
func (q *fixQuery) stageClears(t *tried) bool {
	if overflow(q.f) {
		return t.clean(func(f *Finding) bool { return overflow(f) && f.Func == q.f.Func })
	}
	if !t.clean(nil) {
		return false
	}
	like, total := depthHints(q.fn, q.f)
	likeNow, totalNow := depthHints(t.after.Func(q.chunk), q.f)
	return likeNow < like && totalNow < total
}

// depthHints counts the hints about depth, and those like f.
func depthHints(fn *Func, f *Finding) (like, total int) {
	for i := range fn.Findings {
		g := &fn.Findings[i]
		switch g.Code {
		case "PH-MR-001", "PH-DSA-001", "reuse-fallback":
			total++
			if alike(g, f) {
				like++
			}
		}
	}
	return like, total
}

// hintSpace is the memory space that PH-MR-001 or the fallback warning names.
func hintSpace(message string) string {
	if _, rest, ok := strings.Cut(message, "could not fit memory space "); ok {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	_, rest, ok := strings.Cut(message, " for pipeline group ")
	if !ok {
		return ""
	}
	_, rest, _ = strings.Cut(rest, " in ")
	name, _, _ := strings.Cut(rest, ",")
	return name
}

// spaceName is the memory space that the finding is about, "" when it names
// none.
func (q *fixQuery) spaceName() string {
	if q.f.Space != "" {
		return q.f.Space
	}
	return hintSpace(q.f.Message)
}
