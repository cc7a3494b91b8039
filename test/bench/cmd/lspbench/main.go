// Command lspbench measures this language server and its peers, those that are
// installed, on generated files of the same shape, and prints one table.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"pypto-ls/test/bench"
)

// programs are the servers that are looked for; ours comes first.
func programs(ours string) []bench.Program {
	return []bench.Program{
		{Name: "pypto-ls PYPTO", Command: []string{ours, "serve"}, Language: "pypto-ir", Head: "# pypto-ls: planner=PYPTO", Hints: true},
		{Name: "pypto-ls DSA_RP", Command: []string{ours, "serve"}, Language: "pypto-ir", Head: "# pypto-ls: planner=DSA_RP", Hints: true},
		{Name: "mlir-lsp-server", Command: []string{newest("mlir-lsp-server")}, Language: "mlir"},
		{Name: "gopls", Command: []string{newest("gopls")}, Language: "go"},
		{Name: "clangd", Command: []string{newest("clangd"), "--log=error"}, Language: "cpp"},
		{Name: "pyright", Command: []string{"pyright-langserver", "--stdio"}, Language: "python"},
	}
}

// newest finds a program under its name, or with a version behind it as Debian
// installs it.
func newest(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for v := 30; v > 10; v-- {
		if path, err := exec.LookPath(fmt.Sprintf("%s-%d", name, v)); err == nil {
			return path
		}
	}
	return name
}

func main() {
	server := flag.String("server", "pypto-ls", "our server")
	only := flag.String("only", "", "measure only servers whose name contains this")
	sizes := flag.String("lines", "1000,10000,100000", "sizes of the file")
	keys := flag.Int("keys", 100, "keystrokes")
	opens := flag.Int("opens", 3, "how often the file is opened")
	rhythms := flag.String("rhythm", "50ms", "times between two keystrokes; one row each")
	worst := flag.Bool("worst", true, "measure the worst edits")
	flag.Parse()
	between := durations(*rhythms)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "server\tlines\trhythm\tstart\topen p50\tmax\tkey p50\tp95\tp99\tmax\t+hints p50\tp95\tworst edit p50\tmax\tCPU/key\tresident\t× text\t")
	failed := false
	for _, p := range programs(*server) {
		if !strings.Contains(p.Name, *only) {
			continue
		}
		if _, err := exec.LookPath(p.Command[0]); err != nil {
			fmt.Fprintf(os.Stderr, "%s is not installed\n", p.Name)
			continue
		}
		for _, size := range strings.Split(*sizes, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(size))
			if err != nil || n < 100 {
				fmt.Fprintf(os.Stderr, "not a size: %q\n", size)
				os.Exit(2)
			}
			for _, rhythm := range between {
				row, err := bench.Measure(p, bench.Plan{Lines: n, Keys: *keys, Opens: *opens, Rhythm: rhythm, Worst: *worst})
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s, %d lines: %v\n", p.Name, n, err)
					failed = true
				}
				if row != nil { // what was measured until then
					print(w, row, rhythm)
				}
			}
			_ = w.Flush()
		}
	}
	if failed {
		os.Exit(1)
	}
}

// durations reads a list like 10ms,50ms.
func durations(list string) (out []time.Duration) {
	for _, text := range strings.Split(list, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(text))
		if err != nil || d < 0 {
			fmt.Fprintf(os.Stderr, "not a time: %q\n", text)
			os.Exit(2)
		}
		out = append(out, d)
	}
	return out
}

func print(w *tabwriter.Writer, r *bench.Row, rhythm time.Duration) {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	hints, hints95 := "-", "-"
	if len(r.Hints) > 0 {
		hints, hints95 = ms(r.Hints.P(50)), ms(r.Hints.P(95))
	}
	worst, worstMax := "-", "-"
	if len(r.WorstEdits) > 0 {
		worst, worstMax = ms(r.WorstEdits.P(50)), ms(r.WorstEdits.P(100))
	}
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d MB\t%.1f\t\n", r.Program.Name, r.Lines, rhythm, ms(r.Start), ms(r.Open.P(50)), ms(r.Open.P(100)),
		ms(r.Key.P(50)), ms(r.Key.P(95)), ms(r.Key.P(99)), ms(r.Key.P(100)), hints, hints95, worst, worstMax, ms(r.CPUPerKey), r.Resident>>20,
		float64(r.Resident)/float64(r.Bytes))
}
