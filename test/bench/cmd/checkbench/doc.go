// Checkbench measures `pypto-ls check` on a folder of many dumps: lines a second
// and core, and the memory at the peak.
//
//	go run ./test/bench/cmd/checkbench [-dumps 1000] [-lines 2000000] [-jobs 2]
//
// The folder is made anew in a temporary place: recorded dumps of real kernels
// where they are at hand (PYPTO_LS_SHARED, or ../shared beside the module), the
// rest is generated, the same every time. The program is built and run as its
// users run it; time is what the process used on all cores, so that other work
// on the machine counts little, and the memory is what the system says of the
// process. A second run checks the largest file alone: with J jobs the peak of
// the first may not be far beyond J times that.
//
// With -cpuprofile FILE or -memprofile FILE the check runs inside this process.
package main
