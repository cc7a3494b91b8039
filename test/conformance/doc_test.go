// Package conformance measures the memory pipeline against recorded runs of
// the reference compiler and prints one table: for every stage and planner
// how many cases are equal, byte for byte.
//
// The shipped selection (../testdata/corpus) always runs. The full corpus and
// the kernels of real models run when they are at hand: in the folder named by
// PYPTO_LS_SHARED, or in ../shared beside the repository.
//
// PYPTO_LS_CASES=text runs only the cases whose name contains text;
// PYPTO_LS_FAILURES=n prints the first n failures of each row (default 3).
package conformance
