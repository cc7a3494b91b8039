// Package ir gives meaning to the syntax of kernel IR: typed functions with
// resolved names, the canonical printer and the reader with its two policies.
//
// Values of this package are immutable once built. Positions are byte offsets
// relative to the source function's text, so that an edit elsewhere in the
// file changes nothing here.
package ir
