package analysis

import (
	"slices"

	"pypto-ls/ir/read"
)

// mayFollow are the findings that a value which is not known brings about when
// it stands where the compiler finds a number: a trip count, an extent,
// the size of a ring.
var mayFollow = map[string]bool{"unroll": true, "dynamic-shape": true, "reserve-buffer": true}

// doubted splits what the passes found in a function into what is true whatever
// the unknown values are, and, as approximations, the values that make the rest
// uncertain. Extents of tensors only count when something failed: they seldom
// change a placement.
func doubted(fn *read.Function, found []Finding) ([]Finding, []Approximation) {
	if len(fn.Doubts) == 0 {
		return found, nil
	}
	sure := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Severity == Error && mayFollow[f.Code] })
	failed := len(sure) < len(found)
	var out []Approximation
	for _, d := range fn.Doubts {
		if failed || !d.Extent {
			out = append(out, Approximation{Reason: d.Reason, Span: d.Span})
		}
	}
	return sure, out
}

// because is why a placement is approximate, in the middle of a sentence.
func (a *Approximation) because() string {
	if a.Pass == "" {
		return a.Reason
	}
	return a.Pass + " is not modelled here: " + a.Reason
}

// brief is because for tables.
func (a *Approximation) brief() string {
	if a.Pass == "" {
		return a.Reason
	}
	return a.Pass + ": " + a.Reason
}
