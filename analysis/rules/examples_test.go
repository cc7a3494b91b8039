package rules_test

import (
	"strings"
	"testing"

	"pypto-ls/analysis"
	"pypto-ls/analysis/rules"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// withoutExample are the codes that no text of a page can show, with the reason.
var withoutExample = map[string]string{
	"internal-error":    "it is a mistake of ours",
	"document-too-long": "it takes a text beyond the limit",
	"dsa-too-large":     "it takes thousands of tiles",
	"semantic-aliases":  "no text is known on which this pass alone fails",
}

func findings(name, text string) []analysis.Finding {
	text = strings.TrimSpace(text) + "\n"
	s := analysis.Resolve(platforms.Builtin(), analysis.FileLayer(text))
	return analysis.NewEngine(1<<20).NewDocument(name, irsyntax.Parse(text), s, analysis.Options{}, nil).Findings()
}

// TestExamples: the example of a page gives the page's diagnostic, with the
// severity that the page says; a page has an example or a reason to have none.
func TestExamples(t *testing.T) {
	for _, r := range rules.All() {
		reason := withoutExample[r.Code]
		if (r.Example == "" && r.Shell == "") != (reason != "") || r.Example != "" && r.Shell != "" {
			t.Errorf("%s: an example, commands or a reason to have none", r.Code)
		}
		if r.Example == "" {
			continue
		}
		name := r.File
		if name == "" {
			name = "example.pypto.py"
		}
		found := false
		var others []string
		for _, f := range findings(name, r.Example) {
			if f.Code == r.Code && f.Severity.String() == r.Severity {
				found = true
			}
			if f.Code != r.Code && f.Severity == analysis.Error {
				others = append(others, f.Code+": "+f.Message)
			}
		}
		if !found {
			t.Errorf("%s: the example does not give it; other findings: %q", r.Code, others)
		}
		// What else is wrong with an example would only confuse; consequences are
		// known.
		for _, o := range others {
			if code, _, _ := strings.Cut(o, ":"); !(r.Code == "reuse-fallback" || r.Code == "capacity-here") || code != "capacity" {
				t.Errorf("%s: the example also gives %s", r.Code, o)
			}
		}
	}
}

// TestRemedies: what the pages advise helps: the example changed in that way has
// no error and no finding of its code.
func TestRemedies(t *testing.T) {
	for _, c := range []struct{ code, old, new string }{
		{"unsafe-reuse", "    t = pl.load(x, [0, 0], [64, 64])", "    kept = pl.move(o2, target_memory=pl.Mem.Vec)\n    t = pl.load(x, [0, 0], [64, 64])"},
		{"unsafe-reuse", "    t = ", "    t: pl.Tile[[64, 64], pl.FP32, pl.MemRef(\"keep\"), pl.Mem.Vec] = "},
		{"accumulator-merge", "    c2 = pl.matmul(l, r)\n    if n < 1:\n        c = pl.yield_(c1)\n    else:\n        c = pl.yield_(c2)\n    c3 = pl.matmul_acc(c2, l, r)",
			"    if n < 1:\n        c4 = pl.matmul_acc(c1, l, r)\n        c = pl.yield_(c4)\n    else:\n        c5 = pl.matmul_acc(c1, r, l)\n        c = pl.yield_(c5)\n    c3 = c"},
		{"cast", "pl.cast(a, target_type=pl.FP32)", "pl.cast(pl.cast(a, target_type=pl.FP16), target_type=pl.FP32)"},
		{"slice", "    big = pl.matmul(pl.move(m, target_memory=pl.Mem.Left), r)\n    half = pl.slice(big, [32, 64], [0, 0])",
			"    big = pl.tile.create([32, 128], dtype=pl.FP32, target_memory=pl.Mem.Acc)\n    half = pl.slice(big, [32, 64], [0, 64])"},
		{"declared-overlap", "pl.MemRef(\"buf\"), pl.Mem.Vec] = pl.load(x, [64", "pl.MemRef(\"other\"), pl.Mem.Vec] = pl.load(x, [64"},
		{"dsa-internal", "planner=DSA_RP", "planner=PYPTO"},
		{"dsa-no-fit", "[128, 256]", "[64, 256]"},
		{"capacity", "[128, 256]", "[64, 256]"},
		{"ring-too-large", "size=262144", "size=131072"},
		{"reserve-buffer", "base=2048", "base=-1"},
		{"unroll", "pl.unroll", "pl.range"},
		{"PH-MR-001", "stage=2", "stage=1"},
		{"PH001", "[32, 64]", "[8, 256]"},
		{"memory-space", "t: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec],", "x: pl.Tensor[[64, 64], pl.FP32],"},
	} {
		r, ok := rules.Find(c.code)
		text := strings.ReplaceAll(r.Example, c.old, c.new)
		if c.code == "unsafe-reuse" && strings.Contains(c.new, "kept") {
			text = strings.ReplaceAll(text, "pl.add(t, o2)", "pl.add(t, kept)")
		}
		if c.code == "memory-space" {
			text = strings.ReplaceAll(text, "    b = ", "    t = pl.load(x, [0, 0], [64, 64])\n    b = ")
		}
		if c.code == "PH001" {
			text = strings.ReplaceAll(text, "[[256, 64]", "[[64, 256]")
		}
		if !ok || text == r.Example {
			t.Errorf("%s: %q is not there", c.code, c.old)
		}
		for _, f := range findings("example.pypto.py", text) {
			if f.Severity == analysis.Error || f.Code == c.code {
				t.Errorf("%s, with %q: %s: %s", c.code, c.new, f.Code, f.Message)
			}
		}
	}
}
