// Package infer gives calls of operators their types (spec 02 §2–5): one file
// per operator family, each rule with its checks in the reference's order. It
// also answers the pipe query of the DSA-RP recogniser (§10.1) and classifies
// calls by core (§10.4).
//
// Error texts are written in the notation of ops.json ({op}, {shape}, …); a
// test holds every one of them against that file.
package infer
