package platforms

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	set, problems := Decode([]byte(`
platform = "Lab"          # not ours to read

[platforms.Ascend910B]
capacity = { Vec = "192 KiB", Mat = 0x40000 }
align = 64
skip = ["DDR", "Bias"]
order = "natural"

[platforms.Lab]
arch = "lab"
align.Mat = 512
base = "Ascend950"
acc_row_multiple = { INT32 = 8 }
innermost_bytes = 64

[platforms.Lab.routes]
Acc = ["DDR"]
`))
	if problems != nil {
		t.Fatalf("problems: %+v", problems)
	}
	if diff := cmp.Diff([]string{"Ascend910B", "Ascend950", "Lab"}, set.Names()); diff != "" {
		t.Fatal(diff)
	}
	p, _ := set.Lookup("Ascend910B")
	// 192 KiB = 196608; the other spaces keep their sizes.
	if p.Capacity(Vec) != 196608 || p.Capacity(Mat) != 262144 || p.Capacity(Acc) != 131072 {
		t.Errorf("capacities %d %d %d", p.Capacity(Vec), p.Capacity(Mat), p.Capacity(Acc))
	}
	pol := p.Policy()
	if pol.Align(1, Vec) != 64 || pol.ShouldAllocate(Bias) || !pol.ShouldAllocate(Vec) || !pol.Less("m2", "m10") {
		t.Error("the policy is not what the file says")
	}
	lab, _ := set.Lookup("Lab")
	if lab.Arch != "lab" || lab.Policy().Align(1, Mat) != 512 || lab.Policy().Align(1, Vec) != 32 || lab.AccRowMultiple("INT32") != 8 ||
		lab.AccRowMultiple("FP32") != 16 || lab.InnermostBytes != 64 {
		t.Errorf("Lab is %+v", lab)
	}
	if lab.Transfer(Acc, DDR) != PipeFI || lab.HasRoute(Acc, Vec) || !lab.HasRoute(Vec, Mat) {
		t.Error("Lab's routes are not what the file says")
	}
	// The shipped values stay as they are.
	if p, _ := Lookup("Ascend910B"); p.Capacity(Vec) != 188416 || p.Policy().Align(1, Vec) != 32 {
		t.Error("decoding changed a shipped target")
	}
}

func TestDecodeProblems(t *testing.T) {
	for _, c := range []struct{ text, at, message string }{
		{"[platforms.A\n", "\n", "toml: "},
		{"[platforms.New]\narch = 'x'\n", "New", "platform 'New' is new and needs a base, for example base = \"Ascend910B\""},
		{"[platforms.New]\nbase = 'Old'\n", "'Old'", "unknown platform 'Old'; known are Ascend910B, Ascend950"},
		{"[platforms.Ascend950]\ncapacity = { UB = 1 }\n", "UB", "unknown memory space 'UB'"},
		{"[platforms.Ascend950]\ncapacity.Vec = 1.5\n", "1.5", "expected a number of bytes such as 196608 or \"192 KiB\""},
		{"[platforms.Ascend950]\ncapacity.Vec = -1\n", "-1", "expected a number of bytes such as 196608 or \"192 KiB\""},
		{"[platforms.Ascend950]\nalign = 0\n", "0", "an alignment is at least 1 byte"},
		{"[platforms.Ascend950]\nskip = ['Vec', 'UB']\n", "'UB'", "unknown memory space 'UB'"},
		{"[platforms.Ascend950]\nskip = 'Vec'\n", "'Vec'", "expected a list of memory spaces"},
		{"[platforms.Ascend950]\norder = 'size'\n", "'size'", "order is \"name\" or \"natural\""},
		{"[platforms.Ascend950]\ncolour = 'red'\n", "colour", "unknown key 'colour'; a platform has base, "},
		{"[platforms.Ascend950]\ncapacity = 5\n", "capacity", "expected capacity = { Vec = 196608 }"},
		{"[platforms.Ascend950]\nacc_row_multiple.INT32 = 0\n", "0", "a row multiple is between 1 and 1048576"},
		{"[[platforms.Ascend950]]\nalign = 64\n", "platforms.Ascend950", "platforms are tables, [platforms.NAME], not arrays of tables"},
		{"plannr = 'DSA_RP'\n", "plannr", "unknown key 'plannr'; a pypto-ls.toml has platform, planner and tables [platforms.NAME]"},
		{"[platform]\nVec = 5\n[diagnostics.x]\na = 5\n", "diagnostics", "unknown key 'diagnostics'; "},
		{"platforms = 5\n", "platforms", "expected tables [platforms.NAME]"},
	} {
		set, problems := Decode([]byte(c.text))
		if len(problems) != 1 {
			t.Errorf("%q: problems %+v", c.text, problems)
			continue
		}
		p := problems[0]
		if got := c.text[p.Start:p.End]; got != c.at || !strings.HasPrefix(p.Message, c.message) {
			t.Errorf("%q: at %q %q, want at %q %q", c.text, got, p.Message, c.at, c.message)
		}
		if len(set.Names()) < 2 {
			t.Errorf("%q: lost the shipped targets", c.text)
		}
	}
}

// FuzzDecode: any bytes give a set with the shipped targets, and problems lie
// inside the text.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("[platforms.Ascend910B]\ncapacity = { Vec = 196608 }\nalign.Mat = 64\n"))
	f.Add([]byte("platforms.X.base = 'Ascend950'\nplatforms.X.skip = ['DDR']\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, problems := Decode(data)
		if len(set.Names()) < 2 {
			t.Fatal("lost the shipped targets")
		}
		for _, p := range problems {
			if p.Start < 0 || p.End < p.Start || p.End > len(data) {
				t.Fatalf("problem outside of the text: %+v", p)
			}
		}
	})
}
