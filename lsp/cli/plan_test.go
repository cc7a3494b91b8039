package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlan: errors are told as check tells them, also when nothing is compared;
// planner PTOAS gives no addresses, and nothing is said to fit; no line ends
// with blanks.
func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.pypto.py", good)
	put(t, "b.pypto.py", strings.Replace(good, "def good(", "def good((", 1))
	for _, c := range []struct {
		args, out, errs string
		code            int
	}{
		{"plan --planner PTOAS a.pypto.py", `platform Ascend910B, planner PTOAS

good (AIV)
  tile       space  address  size    live  buffer     shares with
  a__ssa_v0  Vec    -        32,768  7–8   mem_vec_2
  Vec 32,768 B live, no addresses, limit 188,416 B, most live at line 7
`, "", 0},
		{"plan --compare --platform Ascend950 --function good a.pypto.py", `platform Ascend950, peak bytes by planner

good
  space                 limit          PYPTO         DSA_RP     difference
  Vec                 245,760         32,768         32,768             +0
`, "", 0},
		{"report --format markdown --planner PTOAS a.pypto.py", `### On-chip memory

Ascend910B, PTOAS, 1 file, 1 space in use: no addresses given

| function | space | used | limit | share | most live at |
|---|---|---:|---:|---:|---|
| ` + "`good`" + `<br>a.pypto.py:6 | Vec | 32,768 B live | 188,416 B |  | line 7 |
`, "", 0},
	} {
		code, out, errs := run("", strings.Fields(c.args)...)
		if d := cmp.Diff(c.out, out); d != "" || errs != c.errs || code != c.code {
			t.Errorf("%s: exit code %d, errors %q\n%s", c.args, code, errs, d)
		}
	}
	for _, args := range []string{"plan b.pypto.py", "plan --compare b.pypto.py"} {
		code, _, errs := run("", strings.Fields(args)...)
		if code != exitFindings || !strings.HasPrefix(errs, "b.pypto.py:6:") || !strings.Contains(errs, " error: ") {
			t.Errorf("%s: exit code %d, errors %q", args, code, errs)
		}
	}
}
