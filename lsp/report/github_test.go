package report

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// workflowCommand is how GitHub's runner reads a line: `::NAME KEY=VALUE,…::TEXT`,
// `%25 %0D %0A` in values and text, in values `%3A %2C` too.
type workflowCommand struct {
	name, text string
	properties map[string]string
}

func parseWorkflowCommand(t *testing.T, line string) workflowCommand {
	t.Helper()
	m := regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::(.*)$`).FindStringSubmatch(line)
	if m == nil || strings.ContainsAny(line, "\r\n") {
		t.Fatalf("no workflow command: %q", line)
	}
	unescape := func(s string, codes ...string) string {
		for _, p := range regexp.MustCompile(`%..`).FindAllString(s, -1) {
			if !slices.Contains(codes, p) {
				t.Fatalf("%q is not escaped in %q", "%", s)
			}
		}
		return strings.NewReplacer("%3A", ":", "%2C", ",", "%0D", "\r", "%0A", "\n", "%25", "%").Replace(s)
	}
	c := workflowCommand{name: m[1], properties: map[string]string{}, text: unescape(m[3], "%25", "%0D", "%0A")}
	for _, p := range strings.Split(m[2], ",") {
		k, v, ok := strings.Cut(p, "=")
		if _, twice := c.properties[k]; !ok || twice {
			t.Fatalf("no property: %q in %q", p, line)
		}
		c.properties[k] = unescape(v, "%25", "%0D", "%0A", "%3A", "%2C")
	}
	return c
}

// TestGitHub: one command a finding, from which everything can be read back.
func TestGitHub(t *testing.T) {
	items := nasty(t)
	lines := strings.Split(strings.TrimSuffix(write(t, "github", items, nastyOptions), "\n"), "\n")
	if len(lines) != len(items) {
		t.Fatalf("%d lines of %d findings", len(lines), len(items))
	}
	kinds := map[Level]string{Error: "error", Warning: "warning", Information: "notice", Hint: "notice"}
	for i, line := range lines {
		it := &items[i]
		c := parseWorkflowCommand(t, line)
		number := func(name string) int {
			n, err := strconv.Atoi(c.properties[name])
			if err != nil || n < 1 {
				t.Errorf("%s is %q in %q", name, c.properties[name], line)
			}
			return n
		}
		r := it.Range
		if c.name != kinds[it.Severity] || c.properties["file"] != nastyOptions.Place(it.File) || number("line") != r.Start.Line || number("endLine") != r.End.Line || c.properties["title"] != "pypto-ls "+it.Code {
			t.Errorf("%+v of %+v", c, it)
		}
		// Columns are only taken within one line.
		if r.Start.Line != r.End.Line {
			if c.properties["col"] != "" || c.properties["endColumn"] != "" {
				t.Errorf("columns over two lines: %q", line)
			}
		} else if number("col") != r.Start.Character || number("endColumn") != r.End.Character {
			t.Errorf("columns of %q", line)
		}
		want := it.Message
		if it.Platform != "" {
			want += " (Ascend950, DSA_RP)"
		}
		if it.Explanation != "" {
			want += "\n" + it.Explanation
		}
		if c.text != want {
			t.Errorf("got %q, want %q", c.text, want)
		}
	}
	if got := write(t, "github", nil, Options{}); got != "" {
		t.Errorf("without findings: %q", got)
	}
}
