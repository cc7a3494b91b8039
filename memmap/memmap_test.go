package memmap

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func page() Page {
	return Page{Title: "k.pypto.py", URI: "file:///k.pypto.py", Version: 3, Plans: []Plan{{
		Planner: "PYPTO", Platform: "Ascend910B",
		Functions: []Function{{
			Name: "main", Kind: "AIV", FirstLine: 5, LastLine: 20,
			Notes: []string{`a "note" with </script><b> in it`},
			Spaces: []Space{{
				Name: "Vec", Used: 196608, Limit: 188416, PeakLine: 9, LowerBound: 16384,
				Reserved: []Range{{Name: "ring", Address: 0, Size: 65536}},
				Boxes: []Box{{
					Buffer: "mem_vec_1", Address: 65536, Size: 131072, FirstLine: 7, LastLine: 12, FirstStmt: 1, LastStmt: 6, Overflow: true,
					Tiles:   []Tile{{Name: "t1", Line: 7, Size: 131072, Live: [2]int{7, 9}, Type: "[256, 128] FP32"}},
					Reasons: []string{"t1 is alone"},
				}},
			}},
		}},
	}}}
}

func render(t *testing.T, p Page, nonce string) string {
	t.Helper()
	b, err := Render(p, nonce)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTheModelComesBackFromThePage(t *testing.T) {
	html := render(t, page(), "")
	m := regexp.MustCompile(`(?s)<script type="application/json" id="model">(.*?)</script>`).FindStringSubmatch(html)
	if m == nil {
		t.Fatal("no model in the page")
	}
	var got Page
	if err := json.Unmarshal([]byte(m[1]), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page(), got); diff != "" {
		t.Error(diff)
	}
}

func TestThePageIsSelfContained(t *testing.T) {
	html := render(t, page(), "")
	for _, bad := range []string{"http://", "https://", "src=", "href=", "@import", "<link", " style=\"", "onclick", "eval("} {
		if i := strings.Index(html, bad); i >= 0 {
			t.Errorf("the page has %q: …%s…", bad, html[max(0, i-30):i+40])
		}
	}
	if strings.Count(html, "</script>") != 2 {
		t.Errorf("%d ends of scripts, want 2: the model or the script breaks out of its element", strings.Count(html, "</script>"))
	}
}

// The policy must admit exactly the style and script in the page: a browser computes the hash over the
// element's text, so it is taken from the page here.
func TestThePolicyAdmitsWhatThePageHolds(t *testing.T) {
	html := render(t, page(), "")
	policy := regexp.MustCompile(`content="(default-src[^"]*)"`).FindStringSubmatch(html)[1]
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src &#39;none&#39;;") {
		t.Errorf("policy %s", policy)
	}
	for _, e := range []string{`(?s)<style>(.*?)</style>`, `(?s)<script>(.*)</script>`} {
		text := regexp.MustCompile(e).FindStringSubmatch(html)[1]
		if !strings.Contains(policy, hashOf(text)) {
			t.Errorf("the policy does not admit %s", e)
		}
	}
	nonced := render(t, page(), "abc123")
	if strings.Count(nonced, ` nonce="abc123"`) != 3 || strings.Contains(nonced, "sha256-") {
		t.Error("with a nonce: want it at style, model and script, and no hash")
	}
}

func TestTitleIsEscaped(t *testing.T) {
	p := page()
	p.Title = `<img onerror=x> {{model}} "`
	if html := render(t, p, ""); strings.Contains(html, "<img") || strings.Count(html, `"plans"`) != 1 {
		t.Error("the title is taken as markup or as a template")
	}
}

func TestSamePageSameBytes(t *testing.T) {
	if a, b := render(t, page(), ""), render(t, page(), ""); a != b {
		t.Error("two renderings differ")
	}
}

func BenchmarkRender(b *testing.B) {
	p := page()
	f := &p.Plans[0].Functions[0]
	f.Spaces[0].Boxes = slices.Repeat(f.Spaces[0].Boxes, 500)
	for b.Loop() {
		if out, err := Render(p, ""); err != nil || !bytes.Contains(out, []byte("mem_vec_1")) {
			b.Fatal(err)
		}
	}
}
