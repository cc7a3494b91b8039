// Package memory is the memory planner: the reference compiler's passes from
// InitMemRef to AllocateMemoryAddr, each a pure function of the previous
// one's Layout (spec parts 03 to 09), and the pipeline that runs them.
//
// A pass never changes an ir value. It returns a new Layout: a function (the
// same one unless its statements changed) and the current type of every
// variable. All byte quantities are in bytes.
package memory
