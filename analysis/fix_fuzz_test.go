package analysis

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/irsyntax"
)

// FuzzFixes: whatever the text, a fix that is offered leaves a text that
// parses, without its finding and without a new error; all safe fixes together
// bring no error. The texts are those of the fixtures and of the corpus with
// lines removed, doubled and swapped, and numbers and names exchanged, as
// somebody who edits leaves them.
func FuzzFixes(f *testing.F) {
	var texts []string
	for _, path := range fuzzFixtures(f) {
		for _, c := range fixCases(f, path) {
			text, _ := takeCarets(c.before)
			texts = append(texts, text, c.after)
		}
	}
	cases, _ := filepath.Glob(filepath.Join("..", "test", "testdata", "corpus", "*.txtar"))
	for _, path := range cases {
		c, err := readCase(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range c.sections {
			if strings.HasSuffix(s.name, ".py") && len(s.text) < 12000 {
				texts = append(texts, s.text)
			}
		}
	}
	for i := range texts {
		f.Add(uint16(i), uint8(i), []byte{})
		f.Add(uint16(i), uint8(i/2), []byte{byte(i), byte(i * 7), byte(i * 31), byte(i * 3), byte(i * 5), byte(i * 11)})
	}
	f.Fuzz(func(t *testing.T, base uint16, target uint8, ops []byte) {
		text := edited(texts[int(base)%len(texts)], ops[:min(len(ops), 60)])
		platform, planner := "Ascend910B", "PYPTO"
		if target&1 != 0 {
			platform = "Ascend950"
		}
		if target&6 == 6 {
			planner = "DSA_RP"
		}
		checkAllFixes(t, text, platform, planner)
	})
}

var wordText = regexp.MustCompile(`\d+|[A-Za-z_]\w*|[()\[\],=]`)

// edited makes edits that ops choose: three bytes each.
func edited(text string, ops []byte) string {
	for ; len(ops) >= 3; ops = ops[3:] {
		lines := strings.SplitAfter(text, "\n")
		i := (int(ops[1])<<8 | int(ops[2])) % len(lines)
		k := (i + int(ops[2])) % len(lines)
		switch ops[0] % 8 {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[i]
		case 2:
			lines[i], lines[k] = lines[k], lines[i]
		case 3, 4, 5: // another number or name of the text
			lines[i] = exchanged(lines[i], lines[k], int(ops[1]))
		case 6: // a number doubled, halved or negated
			lines[i] = renumber(lines[i], int(ops[2]))
		case 7: // cut off
			lines[i] = lines[i][:int(ops[1])%(len(lines[i])+1)]
		}
		text = strings.Join(lines, "")
	}
	return text
}

func exchanged(line, from string, n int) string {
	a, b := wordText.FindAllStringIndex(line, -1), wordText.FindAllString(from, -1)
	if len(a) == 0 || len(b) == 0 {
		return line
	}
	at := a[n%len(a)]
	return line[:at[0]] + b[(n*7)%len(b)] + line[at[1]:]
}

func renumber(line string, n int) string {
	a := regexp.MustCompile(`\d+`).FindAllStringIndex(line, -1)
	if len(a) == 0 {
		return line
	}
	at := a[n%len(a)]
	v, _ := strconv.Atoi(line[at[0]:at[1]])
	return line[:at[0]] + []string{strconv.Itoa(v * 2), strconv.Itoa(v / 2), "-" + line[at[0]:at[1]], strconv.Itoa(v + 1)}[n/8%4] + line[at[1]:]
}

func fuzzFixtures(t testing.TB) []string {
	files, _ := filepath.Glob("testdata/fixes/*.txtar")
	if len(files) == 0 {
		t.Fatal("no fixtures")
	}
	return files
}

func checkAllFixes(t *testing.T, text, platform, planner string) {
	e := NewEngine(16 << 20)
	d := recordedDocument(e, "fuzz.py", text, platform, planner)
	findings := d.Findings()
	for i := range findings {
		f := &findings[i]
		for _, x := range d.Fixes(f, nil) {
			changed := ApplyEdits(text, x.Edits)
			if changed == text {
				t.Errorf("%q changes nothing", x.Title)
				continue
			}
			after := recordedDocument(e, "fuzz.py", changed, platform, planner)
			if a, b := syntaxErrors(after), syntaxErrors(d); a > b {
				t.Errorf("%q: %d syntax errors, %d before\n%s", x.Title, a, b, changed)
			}
			if after.errors() > d.errors() {
				t.Errorf("%q brings an error: %v\n%s", x.Title, after.Findings(), changed)
			}
			if count(after, f) >= count(d, f) {
				t.Errorf("%q leaves %s: %s\n%s", x.Title, f.Code, f.Message, changed)
			}
		}
	}
	edits := d.SafeFixes()
	safe := ApplyEdits(text, edits)
	after := recordedDocument(e, "fuzz.py", safe, platform, planner)
	if after.errors() > d.errors() {
		t.Errorf("the safe fixes bring an error\n%s", safe)
	}
	for _, x := range d.RewritesAt(0, len(text)) {
		changed := ApplyEdits(text, x.Edits)
		after := recordedDocument(e, "fuzz.py", changed, platform, planner)
		if changed == text || after.errors() > d.errors() {
			t.Errorf("%q brings an error or changes nothing\n%s", x.Title, changed)
		}
	}
}

func syntaxErrors(d *Document) int {
	n := 0
	d.File.Errors(func(int, irsyntax.Error) bool { n++; return true })
	return n
}

// count is how many findings of the document are like f.
func count(d *Document, f *Finding) int {
	n := 0
	for _, i := range d.FuncChunks() {
		for k := range d.Func(i).Findings {
			g := &d.Func(i).Findings[k]
			switch {
			case strings.HasPrefix(f.Code, "PH-") && alike(g, f): // the numbers of groups change with their loops
				n++
			case g.Code == f.Code && g.Func == f.Func && g.Space == f.Space && (g.Message == f.Message || overflow(f)):
				n++
			}
		}
	}
	return n
}

// TestFixesOfCorpus: the fuzz property holds for every text of the corpus, and
// the safe fixes leave nothing safe to do.
func TestFixesOfCorpus(t *testing.T) {
	cases, _ := filepath.Glob(filepath.Join("..", "test", "testdata", "corpus", "*.txtar"))
	if len(cases) == 0 {
		t.Fatal("no corpus")
	}
	for _, path := range cases {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.sections {
			if strings.HasSuffix(s.name, ".py") && len(s.text) < 60000 {
				checkAllFixes(t, s.text, c.platform, c.planner)
			}
		}
	}
}
