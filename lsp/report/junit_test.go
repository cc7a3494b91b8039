package report

import (
	"encoding/xml"
	"io"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// What readers of JUnit take: the elements and attributes that they know, all
// with a name, and counts that are right.
type strictSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Suites   []strictSuite `xml:"testsuite"`
	strictRest
}

type strictSuite struct {
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Cases    []strictCase `xml:"testcase"`
	strictRest
}

type strictCase struct {
	Name      string `xml:"name,attr"`
	Classname string `xml:"classname,attr"`
	File      string `xml:"file,attr"`
	Line      string `xml:"line,attr"`
	Failure   *struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
		strictRest
	} `xml:"failure"`
	SystemOut string `xml:"system-out"`
	strictRest
}

// strictRest is what nobody expects.
type strictRest struct {
	Elements []struct{ XMLName xml.Name } `xml:",any"`
	Attrs    []xml.Attr                   `xml:",any,attr"`
}

func (r strictRest) none(t *testing.T, where string) {
	t.Helper()
	if len(r.Elements)+len(r.Attrs) > 0 {
		t.Errorf("%s has more: %+v", where, r)
	}
}

func parseJUnit(t *testing.T, text string) strictSuites {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	dec.Strict = true
	var s strictSuites
	if err := dec.Decode(&s); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		if c, ok := mustToken(dec, err).(xml.CharData); !ok || strings.TrimSpace(string(c)) != "" {
			t.Errorf("something follows the document")
		}
	}
	return s
}

func mustToken(dec *xml.Decoder, err error) xml.Token {
	if err != nil {
		return nil
	}
	tok, err := dec.Token()
	if err == io.EOF {
		return xml.CharData(nil)
	}
	return tok
}

// TestJUnit: files are suites, findings cases; clean files pass.
func TestJUnit(t *testing.T) {
	items := nasty(t)
	text := write(t, "junit", items, nastyOptions)
	if !strings.HasPrefix(text, xml.Header) || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x01\x1b") {
		t.Errorf("characters that XML does not have: %q", text)
	}
	s := parseJUnit(t, text)
	s.none(t, "testsuites")
	var names []string
	tests, failures := 0, 0
	for _, suite := range s.Suites {
		suite.none(t, "testsuite")
		names = append(names, suite.Name)
		failed := 0
		for _, c := range suite.Cases {
			c.none(t, "testcase")
			if c.Name == "" || c.Classname != suite.Name || c.File != suite.Name {
				t.Errorf("case %+v", c)
			}
			if c.Failure != nil {
				c.Failure.none(t, "failure")
				failed++
			}
		}
		if suite.Tests != len(suite.Cases) || suite.Failures != failed || suite.Tests == 0 {
			t.Errorf("suite %s counts %d and %d; it has %d and %d", suite.Name, suite.Tests, suite.Failures, len(suite.Cases), failed)
		}
		tests, failures = tests+suite.Tests, failures+failed
	}
	if s.Tests != tests || s.Failures != failures || tests != len(items)+1 { // clean.py is the one without a finding
		t.Errorf("counts %d and %d; there are %d and %d", s.Tests, s.Failures, tests, failures)
	}
	want := "clean.py kernels/over.py a b/ü,100%:x.py k.py /elsewhere/k.py none.py"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("suites %s, want %s", got, want)
	}
	bad := s.Suites[2].Cases[0]
	// A carriage return and what XML cannot carry are replaced; the rest is there word for word.
	if !strings.Contains(bad.Failure.Message, `::error file=x::this, that: <b>&amp;</b> ]]> "quoted" 'q'`) || !strings.HasSuffix(bad.Failure.Text, "line one\nline two") {
		t.Errorf("got %+v", bad.Failure)
	}
}

// TestJUnitFailLevel: what fails the run fails the case.
func TestJUnitFailLevel(t *testing.T) {
	items := nasty(t)
	for level, want := range map[Level]int{Error: 0, Warning: 0, Information: 0, Hint: 0} {
		for i := range items {
			if items[i].Severity <= level {
				want++
			}
		}
		if s := parseJUnit(t, write(t, "junit", items, Options{FailLevel: level})); s.Failures != want || want == 0 {
			t.Errorf("%v: %d failures, want %d", level, s.Failures, want)
		}
	}
}

// TestJUnitElsewhere: a second reader, where there is one.
func TestJUnitElsewhere(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to read it with")
	}
	cmd := exec.Command(python, "-c", "import sys, xml.etree.ElementTree as e; r = e.fromstring(sys.stdin.buffer.read()); print(r.tag, r.get('tests'), len(r.findall('./testsuite/testcase')))")
	cmd.Stdin = strings.NewReader(write(t, "junit", nasty(t), nastyOptions))
	out, err := cmd.CombinedOutput()
	f := strings.Fields(string(out))
	if err != nil || len(f) != 3 || f[0] != "testsuites" || f[1] != f[2] {
		t.Errorf("%v: %s", err, out)
	}
}
