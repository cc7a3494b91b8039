// Package analysis answers an ideal editor's questions about kernel IR, in
// byte offsets and strings: findings, hints, hover, symbols, plans, IR after
// a pass. It knows no LSP and does no IO.
//
// An Engine holds a bounded memo. A Document is one immutable version of a
// text under one configuration; its queries compute what they need, function
// by function, and take from the memo whatever an edit did not change. Values
// in the memo are free of positions: they count from the start of their
// function's text.
package analysis
