package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"

	"pypto-ls/lsp/cli"
)

func main() {
	files := flag.Int("dumps", 1000, "files in the folder")
	lines := flag.Int("lines", 2_000_000, "lines in all of them, about")
	jobs := flag.Int("jobs", 2, "files checked at a time")
	keep := flag.String("keep", "", "make the folder here and keep it")
	cpu := flag.String("cpuprofile", "", "write a CPU profile of a check inside this process")
	mem := flag.String("memprofile", "", "write a profile of what a check inside this process allocates")
	gate := flag.Bool("gate", false, "fail when a budget is missed")
	flag.Parse()
	if err := run(*files, *lines, *jobs, *keep, *cpu, *mem, *gate); err != nil {
		fmt.Fprintln(os.Stderr, "checkbench:", err)
		os.Exit(1)
	}
}

// The budgets: lines a second and core, and the peak as a multiple of the jobs
// times the peak of the largest file alone.
const (
	minLines = 60_000
	maxRatio = 1.25
)

func run(files, lines, jobs int, keep, cpu, mem string, gate bool) error {
	tmp, err := os.MkdirTemp("", "checkbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dir := keep
	if dir == "" {
		dir = filepath.Join(tmp, "dumps")
	}
	from := shared()
	f, err := fill(dir, from, files, lines)
	if err != nil {
		return err
	}
	fmt.Printf("%d dumps, %d lines, %.0f MB; of these recorded: %d dumps, %d lines\n", f.files, f.lines, float64(f.bytes)/1e6, f.real, f.realLines)
	if from == "" {
		fmt.Println("no recorded dumps are at hand: set PYPTO_LS_SHARED to their folder")
	}
	if cpu != "" || mem != "" {
		return profile(dir, jobs, cpu, mem)
	}
	program := filepath.Join(tmp, "pypto-ls")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", program, "pypto-ls").CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, out)
	}
	all, err := measure(program, jobs, dir)
	if err != nil {
		return err
	}
	alone, err := measure(program, 1, f.largest)
	if err != nil {
		return err
	}
	core := float64(f.lines) / all.cpu.Seconds()
	fmt.Printf("all:     %6.2f s, %6.2f s of all cores (%.2f cores), %.0f lines/s/core, %.0f lines/s, peak %.0f MB\n",
		all.wall.Seconds(), all.cpu.Seconds(), all.cpu.Seconds()/all.wall.Seconds(), core, float64(f.lines)/all.wall.Seconds(), float64(all.peak)/1e6)
	fmt.Printf("largest: %6.2f s, %6.2f s of all cores, file %.1f MB, peak %.0f MB\n",
		alone.wall.Seconds(), alone.cpu.Seconds(), float64(f.largestBytes)/1e6, float64(alone.peak)/1e6)
	ratio := float64(all.peak) / float64(jobs) / float64(alone.peak)
	fmt.Printf("peak of all / (%d jobs x peak of the largest alone) = %.2f\n", jobs, ratio)
	switch {
	case gate && core < minLines:
		return fmt.Errorf("%.0f lines/s/core, the budget is %d", core, minLines)
	case gate && ratio > maxRatio:
		return fmt.Errorf("the peak is %.2f times that of the jobs' largest files, the budget is %.2f", ratio, maxRatio)
	}
	return nil
}

// used is what one run took.
type used struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

// measure runs a check; findings are no failure.
func measure(program string, jobs int, path string) (used, error) {
	cmd := exec.Command(program, "check", "--stats", "--jobs", strconv.Itoa(jobs), "--fail-level", "error", path)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	begin := time.Now()
	err := cmd.Run()
	u := used{wall: time.Since(begin)}
	st := cmd.ProcessState
	if st == nil || st.ExitCode() > 1 {
		return u, fmt.Errorf("%v: %s", err, errs.String())
	}
	os.Stdout.Write(errs.Bytes())
	u.cpu = st.UserTime() + st.SystemTime()
	u.peak = peakOf(st)
	return u, nil
}

// profile checks inside this process.
func profile(dir string, jobs int, cpu, mem string) error {
	if mem != "" {
		runtime.MemProfileRate = 64 << 10
	}
	if cpu != "" {
		w, err := os.Create(cpu)
		if err != nil {
			return err
		}
		defer w.Close()
		if err := pprof.StartCPUProfile(w); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	var out bytes.Buffer
	if code := cli.Main([]string{"check", "--stats", "--jobs", strconv.Itoa(jobs), dir}, nil, &out, os.Stdout); code > 1 {
		return fmt.Errorf("check ends with %d", code)
	}
	if mem == "" {
		return nil
	}
	w, err := os.Create(mem)
	if err != nil {
		return err
	}
	defer w.Close()
	return pprof.Lookup("allocs").WriteTo(w, 0)
}
