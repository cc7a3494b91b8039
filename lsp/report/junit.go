package report

import (
	"encoding/xml"
	"fmt"
	"io"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitFailure `xml:"failure,omitempty"`
	SystemOut string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes one test suite a file and one test case a finding: those from
// the fail level on are failures, the others pass with their text as output. A
// file without findings is one case that passes.
func JUnit(w io.Writer, items []Item, opt Options) error {
	out := junitSuites{Name: "pypto-ls check"}
	at := map[string]int{}
	suite := func(file string) *junitSuite {
		name := opt.Place(file)
		i, ok := at[name]
		if !ok {
			i = len(out.Suites)
			at[name] = i
			out.Suites = append(out.Suites, junitSuite{Name: name})
		}
		return &out.Suites[i]
	}
	for _, f := range opt.Files {
		suite(f)
	}
	for i := range items {
		it := &items[i]
		s := suite(it.File)
		c := it.junit(s.Name, opt.FailLevel)
		if c.Failure != nil {
			s.Failures++
			out.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	for i := range out.Suites {
		s := &out.Suites[i]
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Name: "no findings", Classname: s.Name, File: s.Name}}
		}
		s.Tests = len(s.Cases)
		out.Tests += s.Tests
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (it *Item) junit(file string, limit Level) junitCase {
	name := it.Code
	if it.Function != "" {
		name += " in " + it.Function
	}
	name = fmt.Sprintf("%s, line %d", name, it.Range.Start.Line)
	if it.Platform != "" {
		name += " (" + it.Platform + ", " + it.Planner + ")"
	}
	c := junitCase{Name: name, Classname: file, File: file, Line: it.Range.Start.Line}
	text := it.Message
	if it.Explanation != "" {
		text += "\n" + it.Explanation
	}
	if it.Severity <= limit {
		c.Failure = &junitFailure{Message: it.Message, Type: it.Code, Text: text}
	} else {
		c.SystemOut = it.Severity.String() + ": " + text
	}
	return c
}
