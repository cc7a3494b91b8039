package memory

import (
	"fmt"

	"pypto-ls/ir"
)

// ErrorKind tells a mistake of the kernel's author from a broken invariant
// (spec 10 §4).
type ErrorKind uint8

// The kinds of errors.
const (
	// UserError is the reference's ValueError.
	UserError ErrorKind = iota
	// InternalError is the reference's InternalError: it blames itself, but the
	// kernel's author has to change something all the same.
	InternalError
	// VerifyError is a finding of a property verifier (spec 07 §9.2).
	VerifyError
)

var errorClasses = [...]string{"builtins.ValueError", "pypto.InternalError", "pypto.Error"}

// Class is the name of the reference's exception class.
func (k ErrorKind) Class() string {
	if int(k) >= len(errorClasses) {
		return "?"
	}
	return errorClasses[k]
}

// Error is why a pass refused a function. Message is the reference's text
// alone, without class, location and trailer.
type Error struct {
	Kind ErrorKind
	// Pass is the pass that failed ("AllocateMemoryAddr").
	Pass string
	// Func is the function it failed in.
	Func    string
	Message string
	// Code is the error code of a VerifyError.
	Code int
	// Span is where the reference points, the zero Span when nowhere.
	Span ir.Span
	// SpanVar is the variable the message is about, nil when there is none; Span
	// is then its definition.
	SpanVar *ir.Var
}

// String is "<Pass>: <message>".
func (e *Error) String() string {
	if e == nil {
		return "ok"
	}
	return e.Pass + ": " + e.Message
}

// errorf makes an error of a pass over l without position.
func (l *Layout) errorf(kind ErrorKind, pass, format string, args ...any) *Error {
	return &Error{Kind: kind, Pass: pass, Func: l.Fn.Name, Message: fmt.Sprintf(format, args...)}
}

// at sets the position of e.
func (e *Error) at(s ir.Span) *Error {
	e.Span = s
	return e
}

// atVar makes e point at the definition of v.
func (e *Error) atVar(v *ir.Var) *Error {
	e.Span, e.SpanVar = v.Span, v
	return e
}

// Severity of a Diagnostic.
type Severity uint8

// The severities of the advisory channel (spec 10 §3).
const (
	Warning Severity = iota
	PerfHint
)

// Diagnostic is a finding a pass makes without failing (spec 10 §6.2).
type Diagnostic struct {
	Severity Severity
	// Pass made the finding; Rule is the name it is reported under.
	Pass, Rule string
	// Code is the hint code ("PH-MR-001"), "" for warnings.
	Code string
	// Func is the function it is about.
	Func string
	// Text is the reference's text alone.
	Text string
	// Span is where it points; all findings of the memory passes point at their
	// function (ir.Function.Span).
	Span ir.Span
}

// Line is the finding as the reference prints it, without its location (spec
// 10 §6.4).
func (d Diagnostic) Line() string {
	if d.Severity == Warning {
		return fmt.Sprintf("[warning] [%s] (%s) %s", d.Rule, d.Pass, d.Text)
	}
	return fmt.Sprintf("[perf_hint %s] %s: %s", d.Code, d.Rule, d.Text)
}
