package analysis

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSharesJSON: what is written is JSON for any name, and reads back.
func TestSharesJSON(t *testing.T) {
	var tiles []Tile
	names := []string{"plain", `quo"ted\`, "tab\tline\n", "漢😀", "\x00\x7f", "bad\xff", ""}
	for _, n := range names {
		tiles = append(tiles, Tile{Name: n, Buffer: "mem_vec_0"})
	}
	p := &Planned{Tiles: tiles}
	s := Shares{p.sharing(), len(names) - 1}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"plain", `quo"ted\`, "tab\tline\n", "漢😀", "\x00\x7f", "bad�"}
	var got []string
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
