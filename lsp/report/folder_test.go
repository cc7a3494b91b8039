package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
)

// folder has rows and findings with everything that a page may trip over.
func folder(t *testing.T) *Folder {
	f := &Folder{Title: "A <b>title</b> | `x` *y*", Target: "Ascend910B, PYPTO", Files: 2, Findings: nasty(t), Rows: []Row{
		{File: "a|b.py", Function: "half", Space: "Vec", Line: 3, Used: 50, Limit: 100, PeakLine: 9},
		{File: "z.py", Function: "full", Space: "Vec", Line: 3, Used: 100, Limit: 100},
		{File: "<i>.py", Function: "over", Space: "Vec", Line: 3, Used: 1500, Limit: 1000, Map: "maps/0001_%3Ci%3E.py.html"},
		{File: "a.py", Function: "full", Space: "Vec", Line: 3, Used: 10, Limit: 10, Approximate: "because | of <that>"},
		{File: "a.py", Function: "full", Space: "Acc", Line: 3, Used: 10, Limit: 10},
		{File: "a.py", Function: "free", Space: "DDR", Line: 3, Used: 1 << 40},
	}}
	f.Sort()
	return f
}

// TestSort: closest to the limit first, then by name; without a limit last.
func TestSort(t *testing.T) {
	var got []string
	for _, r := range folder(t).Rows {
		got = append(got, r.File+" "+r.Function+" "+r.Space)
	}
	want := "<i>.py over Vec, a.py full Acc, a.py full Vec, z.py full Vec, a|b.py half Vec, a.py free DDR"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// TestMarkdown: a table has as many cells in every row, and nothing is read as
// markup that is none.
func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := folder(t).Markdown(&b); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	rows := 0
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "| ") {
			rows++
			if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != 7 {
				t.Errorf("%d bars in %q", n, line)
			}
		}
	}
	if rows != 7 { // with the heading
		t.Errorf("%d rows", rows)
	}
	for _, want := range []string{
		"### A &lt;b>title&lt;/b> \\| 'x' \\*y\\*\n",
		"Ascend910B, PYPTO, 2 files, 6 spaces in use: **1 over the limit**",
		"| [`over`](maps/0001_%3Ci%3E.py.html)<br>&lt;i>.py:3 | Vec | 1,500 B **over by 500 B** | 1,000 B | 150.0 % |  |",
		"| `half`<br>a\\|b.py:3 | Vec | 50 B | 100 B | 50.0 % | line 9 |",
		"| `free`<br>a.py:3 | DDR | 1,099,511,627,776 B | none |  |  |",
		"10 B (approximate)",
		"<details><summary>4 errors</summary>",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	many := &Folder{Title: "t", Rows: make([]Row, maxMarkdownRows+3)}
	b.Reset()
	if err := many.Markdown(&b); err != nil || !strings.Contains(b.String(), "… and 3 more that are less full.") || !strings.Contains(b.String(), "everything fits") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestHTML: the page needs nothing else, is well formed but for what HTML alone
// allows, and shows names as they are.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := folder(t).HTML(&b); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, bad := range []string{"http:", "https:", "<b>title", "<i>.py", "src=", "ZgotmplZ", "<b>&amp;</b>"} {
		if strings.Contains(out, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{`<a href="maps/0001_%3Ci%3E.py.html">`, "&lt;i&gt;.py:3", "500 B over", "1 over the limit.", "approximate: because | of &lt;that&gt;"} {
		if !strings.Contains(out, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	body := regexp.MustCompile(`(?s)<body>.*<script>`).FindString(out)
	body = strings.TrimSuffix(strings.TrimPrefix(body, "<body>"), "<script>")
	dec := xml.NewDecoder(strings.NewReader("<x>" + body + "</x>"))
	dec.Strict = true
	dec.Entity = xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
