package analysis

import (
	"fmt"
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// Pieces of kernels: a dump before the memory passes, and a hand-written one.
const (
	hostileDump  = "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)\n    def %s(x: pl.Tensor[[2048, 512], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[2048, 512], pl.FP32]]) -> pl.Tensor[[2048, 512], pl.FP32]:\n"
	hostileHand  = "    @pl.function(type=pl.FunctionType.InCore)\n    def %s(self, x: pl.Tensor[[2048, 512], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[2048, 512], pl.FP32]]) -> pl.Tensor[[2048, 512], pl.FP32]:\n"
	hostileTile  = "pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec]"
	hostileLoad  = "pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)"
	hostileModel = "import pypto.language as pl\n"
)

func hostileDocument(text, planner string) *Document {
	set := Resolve(platforms.Builtin(), Layer{Planner: planner, From: "test"})
	return NewEngine(256<<20).NewDocument("k.pypto.py", irsyntax.Parse(text), set, Options{}, nil)
}

// hostileLines joins n lines of a function's body.
func hostileLines(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("        " + line(i) + "\n")
	}
	return b.String()
}

// TestHostile: texts that a naive reader, lowering or planner would keep busy for
// minutes, or take gigabytes for, are answered: with the finding named, without a
// failure of our own, and with the findings of the function after them.
func TestHostile(t *testing.T) {
	load := func(i int) string { return fmt.Sprintf("t%d: %s = %s", i, hostileTile, hostileLoad) }
	for _, c := range []struct {
		name, planner string
		head          string // the module's names and the function's signature
		body          string
		code          string // a finding in the function, "" for none asked
	}{
		{"3,000 tiles alive together", "DSA_RP", hostileDump, hostileLines(3000, load) +
			hostileLines(3000, func(i int) string {
				return fmt.Sprintf("s%d: pl.Tensor[[2048, 512], pl.FP32] = pl.tile.store(t%d, [0, 0], out)", i, i)
			}), "dsa-too-large"},
		{"3,000 stages of a pipeline", "DSA_RP", hostileDump, hostileLines(3000, func(i int) string {
			return fmt.Sprintf(`t%d: %s = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec, attrs={"pipeline_membership": "0:%d"})`, i, hostileTile, i)
		}), "dsa-too-large"},
		{"2,200 declared allocations", "DSA_RP", hostileDump, hostileLines(2200, func(i int) string {
			return fmt.Sprintf(`t%d: pl.Tile[[8, 16], pl.FP32, pl.MemRef("b%d"), pl.Mem.Vec] = %s`, i, i, hostileLoad)
		}), "dsa-too-large"},
		{"3,000 tiles, each loaded, computed and stored", "DSA_RP", hostileDump, hostileLines(3000, func(i int) string {
			return fmt.Sprintf("t%d: %s = %s\n        u%d: %s = pl.tile.neg(t%d)\n        s%d: pl.Tensor[[2048, 512], pl.FP32] = pl.tile.store(u%d, [0, 0], out)", i, hostileTile, hostileLoad, i, hostileTile, i, i, i)
		}), "dsa-too-large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := hostileModel + "\n@pl.program\nclass P:\n" + fmt.Sprintf(c.head, "bomb") + c.body + "        return out\n\n" +
				fmt.Sprintf(hostileHand, "after") + "        return nowhere\n"
			d := hostileDocument(text, c.planner)
			d.engine.OnPanic = func(v any, stack []byte) { t.Errorf("panic: %v\n%s", v, stack) }
			found, after := c.code == "", false
			var codes []string
			for _, f := range d.Findings() {
				found = found || f.Func == "bomb" && f.Code == c.code
				after = after || f.Func == "after" && f.Code == "name"
				if len(codes) < 10 {
					codes = append(codes, f.Code+": "+f.Message)
				}
			}
			if !found || !after {
				t.Errorf("no %q (%v), or nothing of the function after it (%v): %q", c.code, found, after, codes)
			}
		})
	}
}

// TestHostileNames: 4,000 functions that each call one that does not exist are
// told the names of 500; listing all takes half a gigabyte.
func TestHostileNames(t *testing.T) {
	var b strings.Builder
	b.WriteString(hostileModel + "\n@pl.program\nclass P:\n")
	const n = 4000
	for i := range n {
		fmt.Fprintf(&b, "    @pl.function\n    def f%d(self, x: pl.Tensor[[8, 16], pl.FP32]):\n        y = self.g%d(x)\n        return x\n", i, i)
	}
	found, bytes := 0, 0
	for _, f := range hostileDocument(b.String(), "").Findings() {
		if f.Code == "name" && strings.HasSuffix(f.Help, "'f499', ... 3500 more]") {
			found++
		}
		bytes += len(f.Help)
	}
	if found != n || bytes > n*6000 {
		t.Errorf("%d findings with %d bytes of help", found, bytes)
	}
}
