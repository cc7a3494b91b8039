// Package dsa is dynamic storage allocation with reuse penalties as pure
// mathematics (spec 08 §5–§7, §10): buffers with lifetimes are given byte
// offsets inside pools of fixed capacity so that no two conflicting buffers
// overlap, and among what a bounded search finds the recognised costly reuses,
// then the summed peaks, then the largest peak are smallest.
//
// Solve reproduces the reference compiler's canonical search decision by
// decision. Decide goes beyond it: it tells whether a placement exists at all.
// Check and Validate are the independent judge of both; they share no code
// with either search.
//
// The package knows nothing of kernels or IR. Everything is deterministic and
// nothing is kept between calls.
package dsa
