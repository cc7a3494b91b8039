package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pypto-ls/memmap"
)

// Two tiles of 64·64·4 = 16384 B that are live together: the second lies above the first.
const twoTiles = `import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def main(x: pl.Tensor[[64, 128], pl.FP32], y: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 64], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        ya: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(a, [0, 0], y)
        yb: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(b, [0, 64], ya)
        return yb
`

func drawn(t *testing.T, args ...string) memmap.Page {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "31_after_MaterializeTensorStrides.py"), filepath.Join(dir, "map.html")
	if err := os.WriteFile(in, []byte(twoTiles), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := Main(append([]string{"map", in, "-o", out}, args...), strings.NewReader(""), &stdout, &stderr); code != exitOK || stdout.Len() > 0 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
	html, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)<script type="application/json" id="model">(.*?)</script>`).FindSubmatch(html)
	var p memmap.Page
	if err := json.Unmarshal(m[1], &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMapHasThePlan(t *testing.T) {
	p := drawn(t)
	if len(p.Plans) != 1 || p.Plans[0].Planner != "PYPTO" || len(p.Plans[0].Functions) != 1 {
		t.Fatalf("%+v", p)
	}
	f := p.Plans[0].Functions[0]
	if len(f.Source) != f.LastLine-f.FirstLine+1 || !strings.Contains(f.Source[0], "def main") {
		t.Errorf("the source is not that of lines %d to %d: %q", f.FirstLine, f.LastLine, f.Source)
	}
	boxes := f.Spaces[0].Boxes
	if len(boxes) != 2 || boxes[0].Address != 0 || boxes[1].Address != 16384 || boxes[1].Tiles[0].Name != "b" || boxes[1].Tiles[0].Line != 8 {
		t.Errorf("boxes %+v", boxes)
	}
}

func TestMapCompares(t *testing.T) {
	p := drawn(t, "--compare")
	if len(p.Plans) != 2 || p.Plans[0].Planner != "PYPTO" || p.Plans[1].Planner != "DSA_RP" {
		t.Fatalf("plans %+v", p.Plans)
	}
}

func TestMapWithoutFileIsAUsageError(t *testing.T) {
	var out, err bytes.Buffer
	if code := Main([]string{"map"}, strings.NewReader(""), &out, &err); code != exitUsage || !strings.Contains(err.String(), "one file") {
		t.Errorf("exit code %d, %q", code, err.String())
	}
}
