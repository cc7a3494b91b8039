package memory

import (
	"pypto-ls/dsa"
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Planner is the way tiles get their addresses (spec 07 §1).
type Planner uint8

// The planners.
const (
	PYPTO Planner = iota
	DSARP
	PTOAS
)

var plannerNames = [...]string{"PYPTO", "DSA_RP", "PTOAS"}

// String is the planner's name as users write it ("DSA_RP").
func (p Planner) String() string {
	if int(p) >= len(plannerNames) {
		return "?"
	}
	return plannerNames[p]
}

// ParsePlanner finds the planner with the given name.
func ParsePlanner(name string) (Planner, bool) {
	for i, n := range plannerNames {
		if n == name {
			return Planner(i), true
		}
	}
	return PYPTO, false
}

// Config is what planning depends on besides the function.
type Config struct {
	// Platform is the target; nil means that no backend is configured, hence no
	// capacities.
	Platform *platforms.Platform
	Planner  Planner
	// Policy overrides the platform's allocator policy; nil means the
	// platform's own, or the default policy without a platform.
	Policy platforms.Policy
	// Solve, when not nil, stands for dsa.SolveRelaxing and must do the same; it
	// may know the result already. Neither side changes what the other was given.
	Solve func(p *dsa.Problem, pairs []dsa.Pair, opt dsa.Options) (dsa.Result, *dsa.Problem)
}

// Stage numbers the states of a function on its way through the pipeline:
// a Layout of stage s is what the text calls after_<s>.py.
type Stage uint8

// The stages.
const (
	// StageInput is before InitMemRef (after_MaterializeTensorStrides.py).
	StageInput Stage = iota
	StageInitMemRef
	StageSemanticAliases
	StageMemoryReuse
	StageAllocate
	NumStages
)

var stageNames = [...]string{"MaterializeTensorStrides", "InitMemRef", "MaterializeSemanticAliases", "MemoryReuse", "AllocateMemoryAddr"}

// String is the name of the pass that produces the stage.
func (s Stage) String() string {
	if int(s) >= len(stageNames) {
		return "?"
	}
	return stageNames[s]
}

// ParseStage finds the stage with the given pass name.
func ParseStage(name string) (Stage, bool) {
	for i, n := range stageNames {
		if n == name {
			return Stage(i), true
		}
	}
	return StageInput, false
}

// Passes are the stages that planner p runs through after StageInput, in
// order (spec 07 §1).
func (p Planner) Passes() []Stage {
	switch p {
	case DSARP:
		return []Stage{StageInitMemRef, StageSemanticAliases, StageAllocate}
	case PTOAS:
		return []Stage{StageInitMemRef, StageSemanticAliases}
	}
	return []Stage{StageInitMemRef, StageSemanticAliases, StageMemoryReuse, StageAllocate}
}

// Result is what planning one function gave.
type Result struct {
	Fn *ir.Function
	// Layouts holds the layout of each stage that was reached; entries of stages
	// before the start, after a failure, or not run by the planner are nil.
	Layouts [NumStages]*Layout
	// Diags are the findings in the order they were made.
	Diags []Diagnostic
	// Err is the failure that ended planning, nil when there was none; Failed is
	// its stage.
	Err    *Error
	Failed Stage
	// Usage is how full each space is, as far as addresses were assigned by
	// AllocateMemoryAddr, in the order the reference checks the spaces: Err tells
	// only about the first one that is Over.
	Usage []Usage
	// Verify are the findings of the verifier after the last pass (spec 07 §9.2).
	Verify []*Error

	// reuse is what MemoryReuse decided, kept for explanations.
	reuse *reusePlan
	// tooFull is the placement that AllocateMemoryAddr refused for want of space
	// only.
	tooFull *sequential
	// placing are the lifetimes, with tile parameters, that DSA_RP placed by:
	// those of the layout before; nil where it came to none.
	placing *Lifetimes
}

// Last is the layout of the last stage reached, nil when none was.
func (r *Result) Last() *Layout {
	for s := NumStages; s > 0; s-- {
		if l := r.Layouts[s-1]; l != nil {
			return l
		}
	}
	return nil
}

// Run takes fn, whose text is in state from, through the remaining passes of
// cfg.Planner. It never panics on a well-formed function and never changes
// fn.
func Run(fn *ir.Function, cfg Config, from Stage) *Result {
	return RunTo(fn, cfg, from, NumStages-1)
}

// RunTo is Run that ends with stage to.
func RunTo(fn *ir.Function, cfg Config, from, to Stage) *Result {
	r := &Result{Fn: fn}
	var l *Layout
	if from > StageInput {
		l = NewLayout(fn)
		l.remember(l.facts())
		l = adoptWhileResults(l, from)
		r.Layouts[from] = l
	}
	for _, s := range cfg.Planner.Passes() {
		if s <= from || s > to {
			continue
		}
		var err *Error
		l, err = r.step(s, l, cfg)
		if err != nil {
			r.Err, r.Failed = err, s
			return r
		}
		r.Layouts[s] = l
	}
	if cfg.Planner.Places() && to == StageAllocate && l != nil {
		r.Verify = VerifyAddresses(l, cfg)
	}
	return r
}

func (r *Result) step(s Stage, l *Layout, cfg Config) (*Layout, *Error) {
	var diags []Diagnostic
	var err *Error
	switch s {
	case StageInitMemRef:
		l, err = InitMemRef(r.Fn, cfg)
	case StageSemanticAliases:
		l, err = MaterializeSemanticAliases(l, cfg)
	case StageMemoryReuse:
		l, r.reuse, diags, err = memoryReuse(l, cfg)
	case StageAllocate:
		if cfg.Planner == DSARP {
			l, diags, r.placing, err = placeDSARP(l, cfg)
		} else {
			l, err = r.placeSequential(l, cfg)
		}
	}
	r.Diags = append(r.Diags, diags...)
	return l, err
}

// placeSequential is AllocateMemoryAddr that keeps what it learns.
func (r *Result) placeSequential(l *Layout, cfg Config) (*Layout, *Error) {
	a, err := allocateSequential(l, cfg)
	if a != nil {
		r.Usage = a.usage
	}
	if err == nil {
		return a.place(), nil
	}
	if a != nil && a.full {
		r.tooFull = a
	}
	return nil, err
}
