package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pypto-ls/memory"
)

// required are the rows that have to be complete. A stage that is not built
// yet is measured like any other but not required.
var required = [numRows]bool{
	rowSyntax: true, rowPrint: true, rowInit: true, rowAliases: true, rowReuse: true,
	rowAllocate: true, rowDiagnostics: true, rowResult: true,
}

// TestShipped measures the selection that comes with the repository.
func TestShipped(t *testing.T) {
	paths := casePaths(t, filepath.Join("..", "testdata", "corpus"))
	if len(paths) < 60 && os.Getenv("PYPTO_LS_CASES") == "" {
		t.Fatalf("only %d cases", len(paths))
	}
	run(t, "shipped cases", paths)
}

// TestShared measures everything that was recorded.
func TestShared(t *testing.T) {
	dir := shared()
	if dir == "" {
		t.Skip("the full corpus is not at hand: set PYPTO_LS_SHARED to its folder")
	}
	if testing.Short() {
		t.Skip("-short: the shipped selection only")
	}
	run(t, "corpus", casePaths(t, filepath.Join(dir, "corpus")))
	run(t, "real kernels", casePaths(t, filepath.Join(dir, "real")))
}

// cell counts the comparisons of one row for one planner.
type cell struct {
	equal, total int
	failures     []string
}

type table [numRows][2][2]cell // row, chain, planner

func (t *table) add(c *recorded, s score) {
	chain, planner := 0, 0
	if s.chain {
		chain = 1
	}
	if c.cfg.Planner == memory.DSARP {
		planner = 1
	}
	x := &t[s.row][chain][planner]
	x.total++
	if s.equal {
		x.equal++
	} else {
		x.failures = append(x.failures, c.name+": "+s.detail)
	}
}

// run measures cases with two workers and prints the table.
func run(t *testing.T, title string, paths []string) {
	results := make([][]score, len(paths))
	cases := make([]*recorded, len(paths))
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range next {
				c, err := load(paths[i])
				if err != nil {
					t.Error(err)
					continue
				}
				cases[i] = &recorded{name: c.name, cfg: c.cfg}
				results[i] = measure(c)
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	wg.Wait()
	var tab table
	for i, scores := range results {
		for _, s := range scores {
			tab.add(cases[i], s)
		}
	}
	t.Log(tab.format(fmt.Sprintf("%s (%d)", title, len(paths))))
	for row := range tab {
		for chain := range tab[row] {
			for planner := range tab[row][chain] {
				x := &tab[row][chain][planner]
				if required[row] && x.equal < x.total {
					t.Errorf("%s: %s: %d of %d equal", title, rowNames[row], x.equal, x.total)
				}
			}
		}
	}
}

// format is the table followed by the first failures of each row.
func (t *table) format(title string) string {
	limit := 3
	if n, err := strconv.Atoi(os.Getenv("PYPTO_LS_FAILURES")); err == nil {
		limit = n
	}
	var sb, fails strings.Builder
	fmt.Fprintf(&sb, "\n%-28s %23s %23s\n%-28s %11s %11s %11s %11s\n", title, "isolated", "chain", "", "PYPTO", "DSA_RP", "PYPTO", "DSA_RP")
	for row := range t {
		fmt.Fprintf(&sb, "%-28s", rowNames[row])
		n := 0
		for chain := range t[row] {
			for planner := range t[row][chain] {
				x := &t[row][chain][planner]
				s := "-"
				if x.total > 0 {
					s = fmt.Sprintf("%d/%d", x.equal, x.total)
				}
				fmt.Fprintf(&sb, " %11s", s)
				for _, f := range x.failures {
					if n++; n <= limit {
						fmt.Fprintf(&fails, "%s %s %s: %s\n", rowNames[row], []string{"PYPTO", "DSA_RP"}[planner], []string{"isolated", "chain"}[chain], f)
					}
				}
			}
		}
		sb.WriteByte('\n')
	}
	return sb.String() + fails.String()
}
