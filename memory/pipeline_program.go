package memory

import (
	"cmp"
	"slices"
)

// ProgramOutcome is what planning all functions of a program amounts to in
// the reference, which runs one pass over the whole program after the other
// and stops at the first failure.
type ProgramOutcome struct {
	// Err is the failure of the earliest pass, and of this pass the first in
	// name order; nil when every function was planned.
	Err *Error
	// Failed is the stage of Err.
	Failed Stage
	// Verify are the findings of the verifier after the last pass, which runs
	// only without Err.
	Verify []*Error
	// Diags are the findings the reference comes to make, in its order.
	Diags []Diagnostic
}

// Outcome combines the results of all functions of one program.
func Outcome(results []*Result) ProgramOutcome {
	byName := slices.Clone(results)
	slices.SortStableFunc(byName, func(a, b *Result) int { return cmp.Compare(a.Fn.Name, b.Fn.Name) })
	var out ProgramOutcome
	for s := StageInitMemRef; s < NumStages; s++ {
		for _, r := range byName {
			for _, d := range r.Diags {
				if d.Pass == s.String() {
					out.Diags = append(out.Diags, d)
				}
			}
			if r.Err != nil && r.Failed == s {
				out.Err, out.Failed = r.Err, s
				return out
			}
		}
	}
	for _, r := range byName {
		out.Verify = append(out.Verify, r.Verify...)
	}
	return out
}
