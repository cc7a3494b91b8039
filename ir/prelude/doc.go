// Package prelude lowers hand-written kernels, and dumps of early passes, to
// the functions that memory planning starts from (spec 11, 11b): one file a
// pass. It is exact where the specification is; everywhere else it leaves a
// Note, because a wrong address without a mark is worse than none.
package prelude
