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

	"github.com/google/go-cmp/cmp"

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
	if testing.Short() {
		t.Log("only the corpus of the repository: the run is to be short")
		files = nil
	} else if len(files) == 0 {
		t.Log("only the corpus of the repository: the whole one is not at hand")
	}
	if len(files) == 0 {
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
	slotText    = regexp.MustCompile(`cross_core_slot\(slot_num=\d+\)`)
	attrText    = regexp.MustCompile(`"slot_num": \d+`)
)

// withDepth writes a depth into a text with regular expressions: into the
// halves of an expanded dump, else into the attributes of function k. It knows
// nothing of the rule.
func withDepth(text, k string, n int) string {
	if m := pipeText.FindStringSubmatch(text); m != nil {
		size, _ := strconv.Atoi(m[2])
		s := reserveText.ReplaceAllString(text, fmt.Sprintf(`reserve_buffer(name='${1}_${2}_slot_buffer', size=%d`, size*n))
		return pipeText.ReplaceAllString(s, fmt.Sprintf(`${1}${2}${3}%d`, n))
	}
	if attrText.MatchString(text) {
		return attrText.ReplaceAllString(text, fmt.Sprintf(`"slot_num": %d`, n))
	}
	if slotText.MatchString(text) {
		return slotText.ReplaceAllString(text, fmt.Sprintf("cross_core_slot(slot_num=%d)", n))
	}
	if hint := "name_hint=\"" + k + "\""; strings.Contains(text, hint) {
		return strings.ReplaceAll(text, hint, hint+fmt.Sprintf(", optimizations=[pl.cross_core_slot(slot_num=%d)]", n))
	}
	i := strings.Index(text, "def "+k+"(")
	i += strings.Index(text[i:], ":\n") + 2
	indent := text[i : i+len(text[i:])-len(strings.TrimLeft(text[i:], " "))]
	return text[:i] + indent + fmt.Sprintf("pl.func_attr({\"slot_num\": %d})\n", n) + text[i:]
}

// depthIn is the depth that a text states, 2 when it states none.
func depthIn(text string) int {
	n := 2
	if m := pipeText.FindStringSubmatch(text); m != nil {
		n, _ = strconv.Atoi(m[4])
	} else if m := attrText.FindString(text); m != "" {
		n, _ = strconv.Atoi(strings.TrimPrefix(m, `"slot_num": `))
	} else if m := slotText.FindString(text); m != "" {
		n, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(m, "cross_core_slot(slot_num="), ")"))
	}
	return n
}

// bruteForce finds the largest depth below the present one at which the two
// halves of kernel k fit, by reading the whole changed text each time; 0 when
// there is none.
func bruteForce(make func(text string) *Document, text, k string) int {
	for n := depthIn(text) - 1; n >= 1; n-- {
		clean := true
		for _, f := range overflowing(make(withDepth(text, k, n))) {
			clean = clean && f != k+"_aic" && f != k+"_aiv"
		}
		if clean {
			return n
		}
	}
	return 0
}

// ringTally counts what was looked at.
type ringTally struct{ overflows, rings, offered, placed, none int }

func (n *ringTally) String() string {
	return fmt.Sprintf("%d overflows: %d with a ring that pays (%d with a depth that fits, of these %d with addresses), %d without",
		n.overflows, n.rings, n.offered, n.placed, n.none)
}

// check holds the ring fixes of all overflows of a text against brute force.
// For a text with addresses before is the text of the stage before them, from
// which the depths are tried.
func (n *ringTally) check(t *testing.T, where, text, before string, make, unplaced func(text string) *Document) {
	t.Helper()
	d := make(text)
	for _, f := range d.Findings() {
		if !overflow(&f) || f.Code == "capacity-here" {
			continue
		}
		n.overflows++
		at := where + " " + f.Func + ": "
		kernel, _, half := kernelOf(f.Func)
		written := pipeText.MatchString(text)
		ring := half && (!written && (strings.Contains(text, "def "+kernel+"(") || strings.Contains(text, `name_hint="`+kernel+`"`)) || strings.Contains(text, "'"+kernel+"_c2v_slot_buffer'") || strings.Contains(text, "'"+kernel+"_v2c_slot_buffer'"))
		pays := ring && (f.Code != "capacity" || strings.Contains(f.Message, "cross-core pipe ring"))
		var fixes []Fix
		for _, x := range d.Fixes(&f, nil) {
			if strings.HasPrefix(x.ID, "ring:") {
				fixes = append(fixes, x)
			}
		}
		if !pays {
			n.none++
			if len(fixes) > 0 {
				t.Errorf("%s offered %q without a ring that pays", at, fixes[0].Title)
			}
			continue
		}
		n.rings++
		want := bruteForce(unplaced, before, kernel)
		switch {
		case want == 0 && len(fixes) > 0:
			t.Errorf("%s offered %q, but no depth fits", at, fixes[0].Title)
		case want > 0 && len(fixes) == 0:
			t.Errorf("%s nothing is offered, but depth %d fits", at, want)
		case want > 0:
			n.offered++
			checkRingFix(t, make, text, at, kernel, want, fixes)
			if before != text {
				n.placed++
				checkPlacement(t, unplaced, text, before, at, kernel, fixes)
			}
		}
	}
}

// checkRingFix: the preferred depth is the wanted one; each fix clears the
// overflow, brings no error, and made twice changes nothing.
func checkRingFix(t *testing.T, make func(text string) *Document, text, where, kernel string, want int, fixes []Fix) {
	t.Helper()
	d := make(text)
	if !fixes[0].Preferred || !strings.HasPrefix(fixes[0].Title, fmt.Sprintf("Set cross_core_slot(slot_num=%d): ", want)) {
		t.Errorf("%s %q, want depth %d preferred", where, fixes[0].Title, want)
	}
	for _, x := range fixes {
		after := make(ApplyEdits(text, x.Edits))
		for _, g := range overflowing(after) {
			if g == kernel+"_aic" || g == kernel+"_aiv" {
				t.Errorf("%s %q does not clear the overflow of %s", where, x.Title, g)
			}
		}
		if after.errors() > d.errors() {
			t.Errorf("%s %q brings new errors", where, x.Title)
		}
		rings := 0
		for _, c := range after.FuncChunks() {
			r := after.ringOf(c, kernel+"_aic")
			if r == nil {
				r = after.ringOf(c, kernel+"_aiv")
			}
			if r == nil {
				continue
			}
			rings++
			n := depthOf(x)
			if r.depth != n {
				t.Errorf("%s %q leaves depth %d", where, x.Title, r.depth)
			}
			if edits, ok := after.ringEdits(r, n); !ok || len(edits) > 0 {
				t.Errorf("%s %q made twice changes the text again", where, x.Title)
			}
		}
		if rings == 0 {
			t.Errorf("%s %q leaves no ring", where, x.Title)
		}
	}
}

// checkPlacement: in a text with addresses each fix leaves, byte for byte, what
// AllocateMemoryAddr makes of the text before it at that depth.
func checkPlacement(t *testing.T, unplaced func(text string) *Document, text, before, where, kernel string, fixes []Fix) {
	t.Helper()
	for _, x := range fixes {
		n := int(depthOf(x))
		changed := attrText.ReplaceAllString(withDepth(before, kernel, n), fmt.Sprintf(`"slot_num": %d`, n))
		sections, err := unplaced(changed).IRAfter()
		if err != nil {
			t.Errorf("%s %v", where, err)
			continue
		}
		for _, s := range sections {
			if s.Pass != "AllocateMemoryAddr" {
				continue
			}
			if got := ApplyEdits(text, x.Edits); got != s.Text {
				t.Errorf("%s %q: %s", where, x.Title, cmp.Diff(s.Text, got))
			}
		}
	}
}

// depthOf is the depth that a fix gives a ring.
func depthOf(x Fix) int64 {
	n, _ := strconv.ParseInt(strings.Split(x.ID, ":")[2], 10, 64)
	return n
}

func stageName(section string) string {
	if section == "frontend.py" {
		return "00_frontend.py"
	}
	return section
}

// checkRecording checks all texts of a recording; under DSA_RP those with
// addresses are left out: without the marks of the pipeline stages, which are
// gone there, other placements are found.
func (n *ringTally) checkRecording(t *testing.T, c *recordedCase, where string, settings Settings) {
	t.Helper()
	for _, s := range c.sections {
		if !strings.HasSuffix(s.name, ".py") || len(s.text) > 100000 {
			continue
		}
		e := NewEngine(16 << 20)
		as := func(name string) func(text string) *Document {
			return func(text string) *Document {
				return e.NewDocument(stageName(name), irsyntax.Parse(text), settings, Options{}, nil)
			}
		}
		before := s.name
		if s.name == "after_AllocateMemoryAddr.py" {
			if before = "after_MemoryReuse.py"; c.planner != "PYPTO" {
				continue
			}
		}
		n.check(t, c.name+" "+s.name+where, s.text, c.text(before), as(s.name), as(before))
	}
}

// TestRingFixesOfRecordings: for every overflow of the recordings, at every
// stage, the offered depth is the largest that fits by brute force; making it
// clears the overflow; made again it changes nothing; the rest still reads.
// Where no automatic ring pays nothing is offered.
func TestRingFixesOfRecordings(t *testing.T) {
	var n ringTally
	for _, path := range recordedCases(t) {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		n.checkRecording(t, c, "", Resolve(platforms.Builtin(), Layer{Platform: c.platform, Planner: c.planner, From: "test"}))
	}
	t.Log(n.String())
}

// TestRingFixesOfTightTargets: the same on targets whose Vec or Mat is too
// small for a recorded kernel with a ring, by 32 bytes and by a quarter.
func TestRingFixesOfTightTargets(t *testing.T) {
	var n ringTally
	for _, path := range recordedCases(t) {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		input := c.text("after_MaterializeTensorStrides.py")
		if !pipeText.MatchString(input) || len(input) > 60000 {
			continue
		}
		full := map[string]uint64{}
		for _, u := range recordedDocument(NewEngine(1<<20), "after_MaterializeTensorStrides.py", input, c.platform, c.planner).Usages() {
			full[u.Space.String()] = max(full[u.Space.String()], u.Used)
		}
		for _, space := range []string{"Vec", "Mat"} {
			if full[space] < 128 {
				continue
			}
			for _, limit := range []uint64{full[space] - 32, full[space] / 4 * 3 / 32 * 32} {
				cfg := ReadConfig([]byte(fmt.Sprintf("[platforms.Tight]\nbase = %q\ncapacity = { %s = %d }\n", c.platform, space, limit)))
				if len(cfg.Problems) > 0 {
					t.Fatal(cfg.Problems)
				}
				n.checkRecording(t, c, fmt.Sprintf(" with %s = %d", space, limit), Resolve(cfg, Layer{Platform: "Tight", Planner: c.planner, From: "test"}))
			}
		}
	}
	t.Log(n.String())
	if n.offered == 0 {
		t.Error("no depth was offered anywhere")
	}
}

func (c *recordedCase) text(section string) string {
	for _, s := range c.sections {
		if s.name == section {
			return s.text
		}
	}
	return ""
}
