package cli

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixable has a safe fix (old spelling) and an error with a preferred fix: 8
// slots of 65536 B and 8192 B beside them do not fit in Mat, 7 do.
const fixable = `import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker, attrs={"slot_num": 8})
    def k_aic(w: pl.Tensor[[64, 64], pl.BF16]):
        k_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_v2c_slot_buffer', size=524288, base=-1)
        pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), k_v2c_slot_buffer, dir_mask=2, slot_size=65536, slot_num=8)
        b: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        c: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b, target_memory=pl.Mem.Right)
`

const fixedPatch = `--- a/k.pypto.py
+++ b/k.pypto.py
@@ -2,9 +2,10 @@
 
 @pl.program
 class P:
-    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker, attrs={"slot_num": 8})
+    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
     def k_aic(w: pl.Tensor[[64, 64], pl.BF16]):
-        k_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_v2c_slot_buffer', size=524288, base=-1)
-        pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), k_v2c_slot_buffer, dir_mask=2, slot_size=65536, slot_num=8)
+        pl.func_attr({"slot_num": 7})
+        k_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='k_v2c_slot_buffer', size=458752, base=-1)
+        pl.system.aic_initialize_pipe(pl.const(0, pl.INT32), k_v2c_slot_buffer, dir_mask=2, slot_size=65536, slot_num=7)
         b: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
         c: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b, target_memory=pl.Mem.Right)
`

// TestFix: --diff prints what --fix does and changes nothing; --fix keeps the
// file's mode, and what it leaves is clean.
func TestFix(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "k.pypto.py", fixable)
	put(t, "good.pypto.py", good)
	if err := os.Chmod("k.pypto.py", 0o640); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run("", "check", "--diff", ".")
	if code != exitFindings || errs != "" || out != fixedPatch {
		t.Errorf("exit code %d, errors %q: %s", code, errs, cmp.Diff(fixedPatch, out))
	}
	if data, _ := os.ReadFile("k.pypto.py"); string(data) != fixable {
		t.Error("--diff changed the file")
	}
	code, out, errs = run("", "check", "--fix", ".")
	if code != exitOK || errs != "" || strings.Contains(out, "error") {
		t.Errorf("exit code %d, errors %q, output %s", code, errs, out)
	}
	st, err := os.Stat("k.pypto.py")
	if err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	if left, _ := filepath.Glob(".pypto-ls-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if code, out, errs = run("", "check", "--diff", "."); code != exitOK || out != "" || errs != "" {
		t.Errorf("again: exit code %d, %s%s", code, out, errs)
	}
	if data, _ := os.ReadFile("good.pypto.py"); string(data) != good {
		t.Error("a clean file was changed")
	}
}

// TestFixOddFiles: standard input can be previewed only; what cannot be read
// is told once; a link stays a link.
func TestFixOddFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "d/k.pypto.py", fixable)
	if err := os.Symlink(filepath.Join("d", "k.pypto.py"), "link.pypto.py"); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := run(fixable, "check", "--diff", "--stdin-filename", "k.pypto.py", "-"); code != exitFindings || out != fixedPatch {
		t.Errorf("exit code %d: %s", code, cmp.Diff(fixedPatch, out))
	}
	if code, _, errs := run(fixable, "check", "--fix", "-"); code != exitUsage || errs != "pypto-ls: --fix changes files; use --diff for standard input\n" {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, out, _ := run("", "check", "--fix", "none.py"); code != exitUsage || strings.Count(out, "no such file") != 1 {
		t.Errorf("exit code %d: %s", code, out)
	}
	if code, _, errs := run("", "check", "--fix", "link.pypto.py"); code != exitOK || errs != "" {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if st, err := os.Lstat("link.pypto.py"); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if data, _ := os.ReadFile("d/k.pypto.py"); !strings.Contains(string(data), "slot_num=7") {
		t.Error("the file behind the link was not fixed")
	}
}

// TestPatch: patches are what `patch` makes the new text with, whatever
// changes, also without a line end at the end.
func TestPatch(t *testing.T) {
	tool, err := exec.LookPath("patch")
	if err != nil {
		t.Log("patch is not installed: patches are taken by the reader below alone")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		before := randomText(rng, 12)
		after := before
		for range 1 + rng.IntN(4) {
			after = changeText(rng, after)
		}
		diff := unifiedDiff("f.txt", before, after)
		if (diff == "") != (before == after) {
			t.Fatalf("%q → %q: %q", before, after, diff)
		}
		if got := takePatch(t, before, diff); got != after {
			t.Fatalf("%q → %q by\n%s\ngives %q", before, after, diff, got)
		}
		if tool == "" || before == after || before == "" || after == "" {
			continue
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "f.txt")
		if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(tool, "-p1", "-s", "-d", dir)
		cmd.Stdin = strings.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v %s\n%s", err, out, diff)
		}
		if got, _ := os.ReadFile(file); string(got) != after {
			t.Fatalf("%q → %q by\n%s\ngives %q", before, after, diff, got)
		}
	}
}

func randomText(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range rng.IntN(n + 1) {
		b.WriteString(strings.Repeat("x", rng.IntN(3)) + string(rune('a'+rng.IntN(3))) + "\n")
	}
	s := b.String()
	if rng.IntN(4) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func changeText(rng *rand.Rand, s string) string {
	lines := strings.SplitAfter(s, "\n")
	i := rng.IntN(len(lines))
	switch rng.IntN(3) {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] = "new\n" + lines[i]
	default:
		lines[i] = "other\n"
	}
	return strings.Join(lines, "")
}

// takePatch applies a patch strictly.
func takePatch(t *testing.T, before, diff string) string {
	t.Helper()
	if diff == "" {
		return before
	}
	old := linesOf(before)
	if before == "" {
		old = nil
	}
	var out strings.Builder
	at := 0
	lines := strings.SplitAfter(diff, "\n")
	for i := 2; i < len(lines); i++ {
		l := lines[i]
		end := false
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
			end = true
		}
		text := ""
		if l != "" {
			text = l[1:]
		}
		if end {
			text = strings.TrimSuffix(text, "\n")
		}
		switch {
		case l == "" || l[0] == '\\':
		case l[0] == '@':
			var from int
			spec := strings.TrimPrefix(strings.Fields(l)[1], "-")
			first, count, has := strings.Cut(spec, ",")
			for _, c := range first {
				from = from*10 + int(c-'0')
			}
			if !has || count != "0" {
				from--
			}
			for at < from {
				out.WriteString(old[at])
				at++
			}
		case l[0] == '+':
			out.WriteString(text)
		default:
			if at >= len(old) || old[at] != text {
				t.Fatalf("line %d of the old text is not %q\n%s", at+1, text, diff)
			}
			if l[0] == ' ' {
				out.WriteString(text)
			}
			at++
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}
