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

// JUnit writes one test suite a file and one test case a finding; errors are
// failures, everything else passes with its text as output. A file without
// findings is one case that passes.
func JUnit(w io.Writer, items []Item, _ Options) error {
	out := junitSuites{Name: "pypto-ls check"}
	var cur *junitSuite
	for i := range items {
		it := &items[i]
		if cur == nil || cur.Name != it.File {
			out.Suites = append(out.Suites, junitSuite{Name: it.File})
			cur = &out.Suites[len(out.Suites)-1]
		}
		c := junitCase{Name: fmt.Sprintf("%s %s:%d", it.Code, it.Function, it.Range.Start.Line), Classname: it.File, File: it.File, Line: it.Range.Start.Line}
		text := it.Message
		if it.Explanation != "" {
			text += "\n" + it.Explanation
		}
		if it.Severity == Error {
			c.Failure = &junitFailure{Message: it.Message, Type: it.Code, Text: text}
			cur.Failures++
			out.Failures++
		} else {
			c.SystemOut = it.Severity.String() + ": " + text
		}
		cur.Cases = append(cur.Cases, c)
		cur.Tests++
		out.Tests++
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
