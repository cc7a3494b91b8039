package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"pypto-ls/lsp/report"
)

// baseline counts the findings of an earlier run. Lines do not count: a
// finding that only moved, or whose numbers changed, is known.
type baseline map[string]int

// loadBaseline reads the output of `check --format json` or jsonl.
func loadBaseline(path string) (baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var items []report.Item
	if err := json.Unmarshal(data, &items); err != nil {
		items = nil
		dec := json.NewDecoder(bytesReader(data))
		for dec.More() {
			var it report.Item
			if err := dec.Decode(&it); err != nil {
				return nil, fmt.Errorf("%s is not the output of check --format json: %v", path, err)
			}
			items = append(items, it)
		}
	}
	b := baseline{}
	for i := range items {
		b[baselineKey(&items[i])]++
	}
	return b, nil
}

func baselineKey(it *report.Item) string {
	return filepath.ToSlash(filepath.Clean(it.File)) + "\x00" + it.Function + "\x00" + it.Code + "\x00" + report.WithoutNumbers(it.Message) + "\x00" + it.Platform + "\x00" + it.Planner
}

// filter leaves the findings that the baseline does not have.
func (b baseline) filter(items []report.Item) []report.Item {
	left := baseline{}
	for k, n := range b {
		left[k] = n
	}
	out := []report.Item{}
	for i := range items {
		k := baselineKey(&items[i])
		if left[k] > 0 {
			left[k]--
			continue
		}
		out = append(out, items[i])
	}
	return out
}
