// Package lint holds the checks that the reference makes beside its passes:
// the registered checks of its advisory channel (spec 10 §6.1, §7.3) and the
// verifiers a kernel author meets that belong to no pass of ours (spec 02 §12,
// 03 §4). One file a rule. The checks look at functions and change nothing;
// which of them hold for a text, and at which stage, is the caller's business
// and said at each.
package lint

import "pypto-ls/ir"

// Severity of a rule's findings (spec 10 §3).
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	PerfHint
)

// Rule identifies a check as the reference does.
type Rule struct {
	// Name is the reference's rule name, "UnusedVariableCheck".
	Name string
	// Number is its error code, 0 where the specification gives none.
	Number   int
	Severity Severity
	// Code is the hint code ("PH001"), or our own name of the rule in kebab-case.
	Code string
}

// Finding is what a check has to say. Message is the reference's text alone.
// Span is where it points, relative to the source function; the zero Span when
// the IR has no position.
type Finding struct {
	Rule    *Rule
	Func    string
	Message string
	Span    ir.Span
	// Note is a remark of ours with this finding's figures, "" for none.
	Note string
}

// The rules of this package.
var (
	UnusedVariable = &Rule{"UnusedVariableCheck", 1001, Warning, "unused-variable"}
	UnusedResult   = &Rule{"UnusedControlFlowResultCheck", 1002, Warning, "unused-result"}
	OutParam       = &Rule{"OutParamWriteDropped", 1003, Warning, "out-param-write-dropped"}
	ShortRows      = &Rule{"TileInnermostDimGranularity", 1, PerfHint, "PH001"}
	AccStore       = &Rule{"AccToGmStoreValid", 0, Error, "acc-store"}
	AtomicAdd      = &Rule{"AtomicAddDtypeValid", 0, Error, "atomic-add"}
	ValidShape     = &Rule{"ValidShapeBounds", 0, Error, "valid-shape"}
	YieldPosition  = &Rule{"NormalizedStmtStructure", 0, Error, "yield-position"}
)
