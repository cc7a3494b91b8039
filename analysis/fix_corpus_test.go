package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// recordedCase is one recorded run of the reference.
type recordedCase struct {
	name              string
	platform, planner string
	sections          []recordedSection
}

type recordedSection struct{ name, text string }

var sectionMark = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func readCase(path string) (*recordedCase, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := string(data)
	c := &recordedCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
	marks := sectionMark.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 {
		return nil, fmt.Errorf("%s: no sections", path)
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		c.sections = append(c.sections, recordedSection{text[m[2]:m[3]], text[m[1]:end]})
	}
	for _, line := range strings.Split(text[:marks[0][0]], "\n") {
		switch key, value, _ := strings.Cut(line, " "); key {
		case "backend":
			c.platform = value
		case "planner":
			c.planner = value
		}
	}
	return c, nil
}

// recordedCases are the recorded runs at hand: the whole corpus and the real
// kernels where they are, else the part of the corpus that the repository has.
func recordedCases(t testing.TB) []string {
	root := os.Getenv("PYPTO_LS_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	var files []string
	for _, dir := range []string{"corpus", "real"} {
		found, _ := filepath.Glob(filepath.Join(root, dir, "*.txtar"))
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Log("only the corpus of the repository: the whole one is not at hand")
		files, _ = filepath.Glob(filepath.Join("..", "test", "testdata", "corpus", "*.txtar"))
	}
	sort.Strings(files)
	if len(files) == 0 {
		t.Fatal("no recorded runs")
	}
	return files
}

func recordedDocument(e *Engine, name, text, platform, planner string) *Document {
	s := Resolve(platforms.Builtin(), Layer{Platform: platform, Planner: planner, From: "test"})
	return e.NewDocument(name, irsyntax.Parse(text), s, Options{}, nil)
}

func overflowing(d *Document) (funcs []string) {
	for _, i := range d.FuncChunks() {
		for _, f := range d.Func(i).Findings {
			if overflow(&f) && f.Code != "capacity-here" {
				funcs = append(funcs, f.Func)
			}
		}
	}
	return funcs
}

var (
	reserveText = regexp.MustCompile(`reserve_buffer\(name='(\w+?)_(c2v|v2c)_slot_buffer', size=\d+`)
	pipeText    = regexp.MustCompile(`(initialize_pipe\(.*slot_size=)(\d+)(, slot_num=)(\d+)`)
)

// bruteForce finds the largest depth below the present one at which the two
// halves of kernel k fit, by changing the text with regular expressions and
// reading all of it again; 0 when there is none. It knows nothing of the rule.
func bruteForce(e *Engine, d *Document, text, k string) int {
	size, depth := 0, 0
	for _, m := range pipeText.FindAllStringSubmatch(text, -1) {
		size, _ = strconv.Atoi(m[2])
		depth, _ = strconv.Atoi(m[4])
	}
	for n := depth - 1; n >= 1; n-- {
		s := reserveText.ReplaceAllString(text, fmt.Sprintf(`reserve_buffer(name='${1}_${2}_slot_buffer', size=%d`, size*n))
		s = pipeText.ReplaceAllString(s, fmt.Sprintf(`${1}${2}${3}%d`, n))
		clean := true
		for _, f := range overflowing(recordedDocument(e, d.Name, s, d.Settings.Name, d.Settings.Planner.String())) {
			clean = clean && f != k+"_aic" && f != k+"_aiv"
		}
		if clean {
			return n
		}
	}
	return 0
}

// TestRingFixesOfRecordings: for every overflow of the recordings, at every
// stage, the offered depth is the largest that fits by brute force; applying
// it clears the overflow; applying it again changes nothing; the rest still
// reads. Where no automatic ring pays nothing is offered.
func TestRingFixesOfRecordings(t *testing.T) {
	overflows, rings, offered, none := 0, 0, 0, 0
	for _, path := range recordedCases(t) {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.sections {
			if !strings.HasSuffix(s.name, ".py") {
				continue
			}
			name := s.name
			if name == "frontend.py" {
				name = "00_frontend.py"
			}
			e := NewEngine(16 << 20)
			d := recordedDocument(e, name, s.text, c.platform, c.planner)
			for _, f := range d.Findings() {
				if !overflow(&f) || f.Code == "capacity-here" {
					continue
				}
				overflows++
				where := c.name + " " + s.name + " " + f.Func + ": "
				kernel, _, half := kernelOf(f.Func)
				ring := half && (strings.Contains(s.text, "'"+kernel+"_c2v_slot_buffer'") || strings.Contains(s.text, "'"+kernel+"_v2c_slot_buffer'") || name == "00_frontend.py")
				pays := ring && (f.Code != "capacity" || strings.Contains(f.Message, "cross-core pipe ring"))
				var fixes []Fix
				for _, x := range d.Fixes(&f, nil) {
					if strings.HasPrefix(x.ID, "ring:") {
						fixes = append(fixes, x)
					}
				}
				if !pays {
					if len(fixes) > 0 {
						t.Errorf("%s offered %q without a ring that pays", where, fixes[0].Title)
					}
					none++
					continue
				}
				rings++
				want := 0
				if name != "00_frontend.py" {
					want = bruteForce(e, d, s.text, kernel)
				} else if len(fixes) > 0 {
					want = int(depthOf(fixes[0]))
				}
				if want == 0 {
					if len(fixes) > 0 {
						t.Errorf("%s offered %q, but no depth fits", where, fixes[0].Title)
					}
					continue
				}
				if len(fixes) == 0 {
					t.Errorf("%s nothing is offered, but depth %d fits", where, want)
					continue
				}
				offered++
				checkRingFix(t, e, d, s.text, where, kernel, want, fixes)
			}
		}
	}
	t.Logf("%d overflows, %d with a ring that pays (%d with a depth that fits), %d without", overflows, rings, offered, none)
}

func checkRingFix(t *testing.T, e *Engine, d *Document, text, where, kernel string, want int, fixes []Fix) {
	t.Helper()
	if !fixes[0].Preferred || !strings.HasPrefix(fixes[0].Title, fmt.Sprintf("Set cross_core_slot(slot_num=%d): ", want)) {
		t.Errorf("%s %q, want depth %d preferred", where, fixes[0].Title, want)
	}
	for _, x := range fixes {
		after := ApplyEdits(text, x.Edits)
		d2 := recordedDocument(e, d.Name, after, d.Settings.Name, d.Settings.Planner.String())
		for _, g := range overflowing(d2) {
			if g == kernel+"_aic" || g == kernel+"_aiv" {
				t.Errorf("%s %q does not clear the overflow of %s", where, x.Title, g)
			}
		}
		if d2.errors() > d.errors() {
			t.Errorf("%s %q brings new errors", where, x.Title)
		}
		// Applying it twice: the same depth asked for again changes nothing.
		for _, f := range d2.FuncChunks() {
			if r := d2.ringOf(f, kernel+"_aic"); r != nil {
				n := depthOf(x)
				if r.depth != n {
					t.Errorf("%s %q leaves depth %d", where, x.Title, r.depth)
				}
				if edits, ok := d2.ringEdits(r, n); !ok || len(edits) > 0 {
					t.Errorf("%s %q applied twice changes the text again", where, x.Title)
				}
			}
		}
	}
}

// depthOf is the depth that a fix gives a ring.
func depthOf(x Fix) int64 {
	n, _ := strconv.ParseInt(strings.Split(x.ID, ":")[2], 10, 64)
	return n
}
