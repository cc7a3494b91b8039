package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// recorded is one recorded run.
type recorded struct {
	name     string
	cfg      memory.Config
	noted    bool // recorded in memory: compare placements, not bytes
	sections []section
}

type section struct{ name, text string }

// text is the section with the given name.
func (c *recorded) text(name string) (string, bool) {
	for _, s := range c.sections {
		if s.name == name {
			return s.text, true
		}
	}
	return "", false
}

// after is the recorded IR after a stage.
func (c *recorded) after(s memory.Stage) (string, bool) {
	return c.text("after_" + s.String() + ".py")
}

var marker = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func load(path string) (*recorded, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := string(data)
	c := &recorded{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
	marks := marker.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 {
		return nil, fmt.Errorf("%s: no sections", path)
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		c.sections = append(c.sections, section{text[m[2]:m[3]], text[m[1]:end]})
	}
	for _, line := range strings.Split(strings.TrimSpace(text[:marks[0][0]]), "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "backend":
			if c.cfg.Platform, _ = platforms.Lookup(value); c.cfg.Platform == nil {
				return nil, fmt.Errorf("%s: unknown backend %q", path, value)
			}
		case "planner":
			var ok bool
			if c.cfg.Planner, ok = memory.ParsePlanner(value); !ok {
				return nil, fmt.Errorf("%s: unknown planner %q", path, value)
			}
		case "note":
			c.noted = true
		}
	}
	return c, nil
}

// shared is the folder with the full corpus, "" when it is not at hand.
func shared() string {
	dir := os.Getenv("PYPTO_LS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "corpus")); err != nil {
		return ""
	}
	return dir
}

// casePaths lists the recorded runs in dirs in name order.
func casePaths(t *testing.T, dirs ...string) []string {
	t.Helper()
	var out []string
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			if strings.Contains(filepath.Base(p), os.Getenv("PYPTO_LS_CASES")) {
				out = append(out, p)
			}
		}
	}
	return out
}
