package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"pypto-ls/lsp/report"
)

// baseline counts the findings of an earlier run. Lines do not count: a
// finding that only moved, or whose numbers changed, is known.
type baseline map[string]int

// loadBaseline reads the output of `check --format json` or jsonl; an empty
// file is that of a run without findings.
func loadBaseline(path string) (baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &readError{path, reasonOf(err)}
	}
	items, err := decodeItems(data)
	if err != nil {
		return nil, &readError{path, "not the output of check --format json: " + err.Error()}
	}
	b := baseline{}
	for i := range items {
		b[baselineKey(&items[i])]++
	}
	return b, nil
}

func decodeItems(data []byte) (items []report.Item, err error) {
	data = bytes.TrimSpace(data)
	if bytes.HasPrefix(data, []byte("[")) {
		err = json.Unmarshal(data, &items)
	} else {
		dec := json.NewDecoder(bytes.NewReader(data))
		for err == nil && dec.More() {
			var it report.Item
			if err = dec.Decode(&it); err == nil {
				items = append(items, it)
			}
		}
	}
	for i := range items {
		if err == nil && (items[i].File == "" || items[i].Code == "") {
			err = fmt.Errorf("entry %d has no file and code", i+1)
		}
	}
	return items, err
}

func baselineKey(it *report.Item) string {
	return places().Place(it.File) + "\x00" + it.Function + "\x00" + it.Code + "\x00" + report.WithoutNumbers(it.Message) + "\x00" + it.Platform + "\x00" + it.Planner
}

// places names files relative to the working folder.
func places() report.Options {
	wd, err := os.Getwd()
	if err != nil {
		return report.Options{}
	}
	return report.Options{Root: wd}
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
