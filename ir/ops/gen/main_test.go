package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestUpToDate generates the data again and compares them with what the
// repository has.
func TestUpToDate(t *testing.T) {
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "spec", "ops.json"))
	if err != nil {
		t.Skipf("no specification to compare with (set PYPTO_LS_SHARED): %v", err)
	}
	files, err := generate(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes; run go generate in ir/ops", name)
		}
	}
}

func TestCondition(t *testing.T) {
	for _, c := range [...]struct{ op, spelling, when, want string }{
		{"tile.add", "pl.add", "both operands are Tiles", "Lhs: ClassTile, Rhs: ClassTile, "},
		{"tile.adds", "pl.add", "lhs is a Tile, rhs a scalar or literal", "Lhs: ClassTile, Rhs: ClassScalar, "},
		{"tensor.maximum", "pl.maximum", "lhs is a Tensor, rhs a Tensor, scalar or literal", "Lhs: ClassTensor, Rhs: ClassTensorOrScalar, "},
		{"tensor.gather_mask", "pl.gather", "with mask_pattern=", "Keyword: \"mask_pattern\", "},
		{"tile.mrgsort_format2", "pl.tile.mrgsort", "no block_len; src1 and tmp= given", "Without: \"block_len\", "},
		{"tile.load", "pl.tile.load", "always", ""},
	} {
		if got := condition(c.op, c.spelling, c.when); got != c.want {
			t.Errorf("condition(%q) = %q, want %q", c.when, got, c.want)
		}
	}
}
