package prelude

import (
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// TestCastChains checks the chains of the tables in spec 11b §7.
func TestCastChains(t *testing.T) {
	for _, c := range []struct{ platform, from, to, want string }{
		{"Ascend910B", "BF16", "FP16", "FP32"},
		{"Ascend910B", "BF16", "INT8", "FP32 FP16"},
		{"Ascend910B", "FP16", "BF16", "FP32"},
		{"Ascend910B", "FP32", "INT8", "FP16"},
		{"Ascend910B", "INT16", "BF16", "FP32"},
		{"Ascend910B", "INT16", "UINT8", "FP16"},
		{"Ascend910B", "INT64", "INT8", "FP32 FP16"},
		{"Ascend910B", "INT64", "FP16", "FP32"},
		{"Ascend910B", "UINT8", "INT4", "FP16"},
		{"Ascend910B", "INT8", "FP32", "error"},
		{"Ascend910B", "INT16", "INT32", "error"},
		{"Ascend910B", "BF16", "INT64", "error"},
		{"Ascend950", "INT32", "FP16", "FP32"},
		{"Ascend950", "BF16", "INT8", "FP16"},
		{"Ascend950", "INT64", "UINT8", "INT32"},
		{"Ascend950", "UINT32", "INT8", "INT16 FP16"},
		{"Ascend950", "INT16", "UINT16", "UINT32"},
		{"Ascend950", "INT16", "HF8", "FP16"},
		{"Ascend950", "FP8E4M3FN", "UINT16", "FP32 INT32"},
		{"Ascend950", "INT8", "FP4", "FP16 FP32 BF16"},
		{"Ascend950", "FP4", "INT8", "BF16 FP16"},
		{"Ascend950", "UINT32", "FP32", "error"},
		{"Ascend950", "UINT16", "FP32", "error"},
	} {
		p, _ := platforms.Lookup(c.platform)
		from, _ := ir.ParseDType(c.from)
		to, _ := ir.ParseDType(c.to)
		got := "error"
		if hops, ok := castChain(p, from, to); ok {
			var s []string
			for _, h := range hops {
				s = append(s, h.String())
			}
			got = strings.Join(s, " ")
		}
		if got != c.want {
			t.Errorf("%s %s -> %s: %s, want %s", c.platform, c.from, c.to, got, c.want)
		}
	}
}
