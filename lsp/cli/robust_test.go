package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/lsp/report"
)

// good is a kernel without findings; bad one with a finding in line 6.
const good = `import pypto.language as pl

@pl.program
class Good:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def good(x: pl.Tensor[[64, 128], pl.FP32], out: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        a: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        s: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(a, [0, 0], out)
        return s
`

var bad = strings.ReplaceAll(good, "store(a,", "store(nowhere,")

// TestRobust: what cannot be checked is told in words, hides nothing else, and
// the exit code is 2.
func TestRobust(t *testing.T) {
	const verdict = "bad.pypto.py:8:58: error: Undefined variable 'nowhere' [name] in good\n    Check if the variable is defined before using it or is available in the enclosing scope\n"
	for _, c := range []struct {
		name  string
		setup func(t *testing.T)
		args  string
		want  string
		code  int
	}{
		{"clean", nil, "good.pypto.py", "", 0},
		{"findings", nil, "bad.pypto.py", verdict, 1},
		{"fail level", nil, "--fail-level hint good.pypto.py", "", 0},
		{"missing file among others", nil, "good.pypto.py none.py bad.pypto.py",
			"none.py:1:1: error: no such file or directory [unreadable-file]\n" + verdict, 2},
		{"pattern without a match", nil, "none*.py bad.pypto.py",
			"none*.py:1:1: warning: no file matches the pattern [no-dumps]\n" + verdict, 2},
		{"malformed pattern", nil, "[.py",
			"[.py:1:1: warning: the pattern is malformed [no-dumps]\n", 2},
		{"malformed deep pattern", nil, "**/[.py",
			"**/[.py:1:1: warning: the pattern is malformed [no-dumps]\n", 2},
		{"file named like a pattern", func(t *testing.T) { put(t, "b[a]d.pypto.py", good) }, "b[a]d.pypto.py", "", 0},
		{"pattern", nil, "*.pypto.py", verdict, 1},
		{"deep pattern", func(t *testing.T) { put(t, "a/b/c/x.py", bad); put(t, "a/.hidden/x.py", bad); put(t, "x.py", bad) }, "a/**/x.py",
			strings.ReplaceAll(verdict, "bad.pypto.py", "a/b/c/x.py"), 1},
		{"folder without dumps", func(t *testing.T) { put(t, "none/plain.py", "print(1)\n") }, "none bad.pypto.py",
			"none:1:1: warning: the folder holds no dumps (passes_dump/*.py) and no kernels (*.pypto.py) [no-dumps]\n" + verdict, 2},
		{"hidden and other folders", func(t *testing.T) {
			put(t, "d/.git/a.pypto.py", bad)
			put(t, "d/__pycache__/a.pypto.py", bad)
			put(t, "d/node_modules/a.pypto.py", bad)
			put(t, "d/a.pypto.py", good)
		}, "d", "", 0},
		{"empty file", func(t *testing.T) { put(t, "empty.pypto.py", "") }, "empty.pypto.py", "", 0},
		{"ordinary Python", func(t *testing.T) { put(t, "plain.py", "x = (1,\n") }, "plain.py", "", 0},
		{"binary file", func(t *testing.T) { put(t, "b.pypto.py", "\x7fELF\x00\x01") }, ".",
			"b.pypto.py:1:1: error: the file is binary: it has NUL bytes [unreadable-file]\n" + verdict, 2},
		{"binary after the beginning", func(t *testing.T) { put(t, "b.pypto.py", strings.Repeat("# text\n", 5000)+"\x00") }, "b.pypto.py",
			"b.pypto.py:1:1: error: the file is binary: it has NUL bytes [unreadable-file]\n", 2},
		{"UTF-16", func(t *testing.T) { put(t, "b.pypto.py", "\xff\xfei\x00m\x00") }, "b.pypto.py",
			"b.pypto.py:1:1: error: the file is UTF-16, not UTF-8 [unreadable-file]\n", 2},
		{"not UTF-8", func(t *testing.T) { put(t, "b.pypto.py", "# ok: é\n# caf\xe9\n"+good) }, "b.pypto.py",
			"b.pypto.py:1:1: error: the file is not UTF-8: byte 0xe9 in line 2 [unreadable-file]\n", 2},
		{"a file that is larger than what is checked", func(t *testing.T) { sparse(t, "large.pypto.py", 1<<30) }, ".",
			verdict + "large.pypto.py:1:1: error: the file is larger than 256 MiB [unreadable-file]\n", 2},
		{"a hole of a file", func(t *testing.T) { sparse(t, "hole.pypto.py", maxFile) }, "hole.pypto.py",
			"hole.pypto.py:1:1: error: the file is binary: it has NUL bytes [unreadable-file]\n", 2},
		{"byte order mark", func(t *testing.T) {
			put(t, "b.pypto.py", "\ufeff# pypto-ls: platform=Ascend950\n"+over950)
		}, "--fail-level hint b.pypto.py", "", 0},
		{"byte order mark before a finding", func(t *testing.T) { put(t, "b.pypto.py", "\ufeff"+oneLine) }, "b.pypto.py",
			"b.pypto.py:1:35: error: Unknown FunctionType value: Nothing [syntax] in f\n    Valid values: ", 1},
		{"the same file twice", nil, "bad.pypto.py ./bad.pypto.py .", verdict, 1},
		{"after two dashes", func(t *testing.T) { put(t, "--stats", bad) }, "-- --stats", strings.ReplaceAll(verdict, "bad.pypto.py", "--stats"), 1},
		{"a broken configuration", func(t *testing.T) { put(t, "sub/pypto-ls.toml", "platform = \n"); put(t, "sub/a.pypto.py", good) }, "sub",
			"sub/a.pypto.py:1:1: warning: pypto-ls.toml:1: ", 0},
		{"an unknown platform in a file", func(t *testing.T) { put(t, "a.pypto.py", "# pypto-ls: platform=Ascend1\n"+good) }, "a.pypto.py",
			"a.pypto.py:1:1: warning: Unknown platform 'Ascend1' (comment in the file); known: Ascend910B, Ascend950. Planned for Ascend910B instead. [configuration]\n", 0},
		{"an unknown key in a file", func(t *testing.T) { put(t, "a.pypto.py", "# pypto-ls: platfrom=Ascend950\n"+good) }, "a.pypto.py",
			"a.pypto.py:1:1: warning: Not understood: 'platfrom=Ascend950' (comment in the file); expected `# pypto-ls: platform=NAME planner=NAME` [configuration]\n", 0},
		{"commas in a file", func(t *testing.T) { put(t, "a.pypto.py", "# pypto-ls: platform=Ascend950, planner=DSA_RP\n"+good) }, "a.pypto.py", "", 0},
		{"a platform of a configuration", func(t *testing.T) {
			put(t, "sub/pypto-ls.toml", "platform = \"Half\"\n[platforms.Half]\nbase = \"Ascend910B\"\ncapacity = { Vec = 16384 }\n")
			put(t, "sub/a.pypto.py", good)
		}, "sub", "sub/a.pypto.py:6:9: error: Vec buffer usage (32768 bytes) exceeds platform limit (16384 bytes) [capacity] in good\n", 1},
		{"no saved copy", nil, "--against none good.pypto.py", "good.pypto.py:1:1: error: none: no such file or directory [against]\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			put(t, "good.pypto.py", good)
			put(t, "bad.pypto.py", bad)
			if c.setup != nil {
				c.setup(t)
			}
			for _, jobs := range []string{"1", "2", "8"} {
				code, out, errs := run("", append([]string{"check", "--jobs", jobs}, strings.Fields(c.args)...)...)
				if code != c.code || errs != "" {
					t.Errorf("--jobs %s: exit code %d, want %d; errors: %s", jobs, code, c.code, errs)
				}
				if !strings.HasPrefix(out, c.want) || (c.want == "") != (out == "") {
					t.Errorf("--jobs %s: %s", jobs, cmp.Diff(c.want, out))
				}
			}
		})
	}
}

// over950 fits Vec of Ascend950 (245,760 B), not that of Ascend910B: 2 x 114,688 B.
var over950 = strings.NewReplacer("[64, 128]", "[128, 224]", "store(a,", "store(c,").Replace(strings.Replace(good, "        s:", `        b: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        c: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(a, b)
        s:`, 1))

// oneLine has its finding in the first line.
const oneLine = "@pl.function(type=pl.FunctionType.Nothing)\ndef f(x: pl.Tensor[[64, 128], pl.FP32]):\n    return x\n"

func sparse(t *testing.T, name string, size int64) {
	t.Helper()
	put(t, name, "")
	if err := os.Truncate(name, size); err != nil {
		t.Fatal(err)
	}
}

// TestLinks: links that lead nowhere or in circles end, and are told of.
func TestLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "d/a.pypto.py", good)
	put(t, "elsewhere/b.pypto.py", bad)
	for link, to := range map[string]string{
		"d/self.pypto.py":  "self.pypto.py",
		"d/gone.pypto.py":  "nothing",
		"d/also.pypto.py":  filepath.Join("..", "elsewhere", "b.pypto.py"),
		"d/loop":           "..",
		"d/dir.pypto.py":   "..",
		"link":             "d",
		"endless.pypto.py": "endless.pypto.py",
	} {
		if err := os.Symlink(to, filepath.FromSlash(link)); err != nil {
			t.Skipf("links cannot be made here: %v", err)
		}
	}
	loop := "too many levels of symbolic links"
	if runtime.GOOS != "linux" {
		_, err := os.Stat("endless.pypto.py")
		loop = reasonOf(err)
	}
	for _, c := range []struct{ args, want string }{
		{"d", "d/gone.pypto.py:1:1: error: no such file or directory [unreadable-file]\nd/self.pypto.py:1:1: error: " + loop + " [unreadable-file]\nd/also.pypto.py:8:58: error: Undefined variable 'nowhere' [name] in good\n"},
		{"link", "link/gone.pypto.py:1:1: error: no such file or directory [unreadable-file]\nlink/self.pypto.py:1:1: error: " + loop + " [unreadable-file]\nlink/also.pypto.py:8:58: error: Undefined variable 'nowhere' [name] in good\n"},
		{"endless.pypto.py", "endless.pypto.py:1:1: error: " + loop + " [unreadable-file]\n"},
	} {
		code, out, errs := run("", "check", c.args)
		if code != 2 || errs != "" || !strings.HasPrefix(out, c.want) {
			t.Errorf("%s: exit code %d, errors %q: %s", c.args, code, errs, cmp.Diff(c.want, out))
		}
	}
}

// TestNoRights: what may not be read is told, and the rest checked.
func TestNoRights(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("the administrator may read everything: run the tests as another user")
	}
	t.Chdir(t.TempDir())
	put(t, "d/closed/a.pypto.py", good)
	put(t, "d/closed.pypto.py", good)
	put(t, "d/z.pypto.py", bad)
	for name, mode := range map[string]os.FileMode{"d/closed": 0, "d/closed.pypto.py": 0} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod("d/closed", 0o755) })
	want := "d/closed:1:1: error: permission denied [unreadable-file]\nd/closed.pypto.py:1:1: error: permission denied [unreadable-file]\nd/z.pypto.py:8:58: error: "
	if code, out, _ := run("", "check", "d"); code != 2 || !strings.HasPrefix(out, want) {
		t.Errorf("exit code %d: %s", code, cmp.Diff(want, out))
	}
}

// TestDevices: a device would never end.
func TestDevices(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero")
	}
	if code, out, _ := run("", "check", "/dev/zero"); code != 2 || out != "/dev/zero:1:1: error: is a device [unreadable-file]\n" {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestLineEnds: places and fingerprints do not depend on the line ends.
func TestLineEnds(t *testing.T) {
	unpack(t, filepath.Join("testdata", "kernels.txtar"))
	var first []report.Item
	for _, ends := range []string{"\n", "\r\n", "\r"} {
		for _, f := range []string{"over", "text"} {
			b, err := os.ReadFile("kernels/" + f + ".pypto.py")
			if err != nil {
				t.Fatal(err)
			}
			put(t, f+".pypto.py", strings.ReplaceAll(string(b), "\n", ends))
		}
		_, out, _ := run("", "check", "--format", "json", "over.pypto.py", "text.pypto.py")
		var items []report.Item
		if err := json.Unmarshal([]byte(out), &items); err != nil {
			t.Fatal(err)
		}
		if ends == "\n" {
			first = items
			if len(items) != 7 {
				t.Errorf("%d findings", len(items))
			}
		}
		if d := cmp.Diff(first, items, cmp.Transformer("json", func(i report.Item) string { b, _ := json.Marshal(i); return string(b) })); d != "" {
			t.Errorf("line ends %q: %s", ends, d)
		}
	}
}

// TestStdin: the text has the name that is given, and that name's place.
func TestStdin(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "sub/pypto-ls.toml", "platform = \"Ascend950\"\n")
	for _, c := range []struct {
		args, text, want string
		code             int
	}{
		{"-", good, "", 0},
		{"-", bad, "-:8:58: error: ", 1},
		{"--stdin-filename sub/x.py -", bad, "sub/x.py:8:58: error: ", 1},
		{"--stdin-filename x.py -", over950, "x.py:6:9: error: Vec buffer usage (229376 bytes) exceeds platform limit (188416 bytes)", 1},
		{"--stdin-filename sub/x.py -", over950, "", 0}, // by sub/pypto-ls.toml
		{"- -", bad, "-:8:58: error: ", 1},
		{"-", "\x00", "-:1:1: error: the file is binary: it has NUL bytes [unreadable-file]\n", 2},
		{"-", "", "", 0},
		{"--stdin-filename 35_after_AllocateMemoryAddr.py -", good, "35_after_AllocateMemoryAddr.py:7:9: error: TileType variable 'a' has no MemRef initialized [memref-missing]", 1},
	} {
		code, out, errs := run(c.text, append([]string{"check"}, strings.Fields(c.args)...)...)
		if code != c.code || errs != "" || !strings.HasPrefix(out, c.want) || (out == "") != (c.want == "") {
			t.Errorf("%s: exit code %d, want %d; got %q, errors %q", c.args, code, c.code, out, errs)
		}
	}
}
