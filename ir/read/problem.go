package read

import "pypto-ls/ir"

// Class is the reference's class of a parser diagnostic (spec 01 §12.6).
type Class uint8

// The diagnostic classes.
const (
	Syntax    Class = iota // E0xx
	TypeErr                // E1xx
	NameErr                // E2xx
	Operation              // E3xx
	// Function is "Failed to parse function …": the reference reports it at
	// the function, Span says where we found it.
	Function_
	// Own is a finding of ours that the reference does not report.
	Own
)

// Problem is one finding while reading. Message is the reference's text, Help
// its hint; both without location. Explain is ours.
type Problem struct {
	Class   Class
	Span    ir.Span
	Message string
	Help    string
	Explain string
	// Warning is set for findings that do not stop the reference.
	Warning bool
	// Related points to another place, "Previous definition was here:".
	Related ir.Span
}
