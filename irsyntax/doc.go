// Package irsyntax turns kernel IR text into syntax and back. Parse is total:
// any bytes give a File with a list of errors. Every byte is kept, positions
// inside a chunk are relative to the chunk's start, and Reparse keeps every
// chunk that an edit does not touch (spec 01 §2–§4, §13–§14).
package irsyntax
