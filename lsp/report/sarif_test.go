package report

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// object is what the published JSON schema of SARIF 2.1.0 (OASIS, errata 01)
// says of one kind of object, as far as we write it: names that it must have
// (of anyOf one is enough), and all that it may have with what their values are:
// the name of another object, `[name]` for a list, or one of the basic kinds
// below. Other names are not allowed; the schema closes all of its objects but
// property bags.
type object struct {
	required, anyOf []string
	properties      map[string]string
}

var sarifSchema = map[string]object{
	"log":           {required: []string{"version", "runs"}, properties: map[string]string{"$schema": "uri", "version": "version", "runs": "[run]"}},
	"run":           {required: []string{"tool"}, properties: map[string]string{"tool": "tool", "invocations": "[invocation]", "columnKind": "columnKind", "results": "[result]"}},
	"tool":          {required: []string{"driver"}, properties: map[string]string{"driver": "component"}},
	"component":     {required: []string{"name"}, properties: map[string]string{"name": "string", "version": "string", "rules": "[descriptor] unique"}},
	"descriptor":    {required: []string{"id"}, properties: map[string]string{"id": "string", "shortDescription": "multiformat", "fullDescription": "multiformat", "help": "multiformat", "defaultConfiguration": "configuration"}},
	"multiformat":   {required: []string{"text"}, properties: map[string]string{"text": "string", "markdown": "string"}},
	"configuration": {properties: map[string]string{"level": "level"}},
	"invocation":    {required: []string{"executionSuccessful"}, properties: map[string]string{"executionSuccessful": "boolean"}},
	"result":        {required: []string{"message"}, properties: map[string]string{"ruleId": "string", "ruleIndex": "index", "level": "level", "message": "message", "locations": "[location]", "relatedLocations": "[location] unique", "partialFingerprints": "strings", "properties": "bag"}},
	"message":       {anyOf: []string{"text", "id"}, properties: map[string]string{"text": "string", "id": "string"}},
	"location":      {properties: map[string]string{"id": "index", "physicalLocation": "physical", "logicalLocations": "[logical] unique", "message": "message"}},
	"logical":       {properties: map[string]string{"name": "string", "kind": "string"}},
	"physical":      {anyOf: []string{"artifactLocation", "address"}, properties: map[string]string{"artifactLocation": "artifact", "region": "region"}},
	"artifact":      {properties: map[string]string{"uri": "uri", "uriBaseId": "string"}},
	"region":        {anyOf: []string{"startLine", "charOffset", "byteOffset"}, properties: map[string]string{"startLine": "one", "startColumn": "one", "endLine": "one", "endColumn": "one"}},
}

// sarifEnums are the closed sets of values.
var sarifEnums = map[string][]string{
	"version":    {"2.1.0"},
	"columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
	"level":      {"none", "note", "warning", "error"},
}

// sarifProblems checks a value of the named kind; at says where it is.
func sarifProblems(kind, at string, v any) []string {
	if list, ok := strings.CutPrefix(kind, "["); ok {
		item, unique, _ := strings.Cut(list, "]")
		return sarifList(item, unique != "", at, v)
	}
	if o, ok := sarifSchema[kind]; ok {
		return o.problems(kind, at, v)
	}
	ok := false
	switch x := v.(type) {
	case string:
		ok = kind == "string" || slices.Contains(sarifEnums[kind], x)
		if kind == "uri" {
			u, err := url.Parse(x)
			ok = err == nil && x == u.String() && !strings.ContainsAny(x, " \\<>\"{}|^`")
		}
	case float64: // indexes from -1, lines and columns from 1
		ok = x == math.Trunc(x) && (kind == "index" && x >= -1 || kind == "one" && x >= 1)
	case bool:
		ok = kind == "boolean"
	case map[string]any:
		ok = kind == "bag" || kind == "strings"
		for _, y := range x {
			if _, isText := y.(string); kind == "strings" && !isText {
				ok = false
			}
		}
	}
	if !ok {
		return []string{fmt.Sprintf("%s is no %s: %v", at, kind, v)}
	}
	return nil
}

func (o object) problems(kind, at string, v any) (out []string) {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{at + " is no " + kind}
	}
	for _, r := range o.required {
		if _, ok := m[r]; !ok {
			out = append(out, at+" lacks "+r)
		}
	}
	if len(o.anyOf) > 0 && !slices.ContainsFunc(o.anyOf, func(n string) bool { _, ok := m[n]; return ok }) {
		out = append(out, fmt.Sprintf("%s has none of %v", at, o.anyOf))
	}
	for n, x := range m {
		if k, ok := o.properties[n]; ok {
			out = append(out, sarifProblems(k, at+"."+n, x)...)
		} else {
			out = append(out, at+" may not have "+n)
		}
	}
	return out
}

func sarifList(item string, unique bool, at string, v any) (out []string) {
	list, ok := v.([]any)
	if !ok {
		return []string{at + " is no list"}
	}
	seen := map[string]bool{}
	for i, x := range list {
		out = append(out, sarifProblems(item, fmt.Sprintf("%s[%d]", at, i), x)...)
		text, _ := json.Marshal(x)
		if unique && seen[string(text)] {
			out = append(out, fmt.Sprintf("%s[%d] is there twice", at, i))
		}
		seen[string(text)] = true
	}
	return out
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSARIFSchema: what we write is valid, with and without findings.
func TestSARIFSchema(t *testing.T) {
	for name, items := range map[string][]Item{"empty": nil, "nasty": nasty(t)} {
		for _, p := range sarifProblems("log", "log", decode(t, write(t, "sarif", items, nastyOptions))) {
			t.Errorf("%s: %s", name, p)
		}
	}
}

// TestSARIFSchemaCanFail: the checker finds what is wrong.
func TestSARIFSchemaCanFail(t *testing.T) {
	good := write(t, "sarif", nasty(t), nastyOptions)
	for _, c := range [][3]string{
		{`"version": "2.1.0"`, `"version": "2.0.0"`, "log.version is no version: 2.0.0"},
		{`"unicodeCodePoints"`, `"bytes"`, "log.runs[0].columnKind is no columnKind: bytes"},
		{`"startLine": 3`, `"startLine": 0`, ".region.startLine is no one: 0"},
		{`"level": "note"`, `"level": "hint"`, "is no level: hint"},
		{`"executionSuccessful": true`, `"exitCode": 1`, "log.runs[0].invocations[0] lacks executionSuccessful"},
		{`"ruleIndex": 0`, `"ruleIndex": 0.5`, ".ruleIndex is no index: 0.5"},
		{`"results": [`, `"resultz": [`, "log.runs[0] may not have resultz"},
		{`"uri": "none.py"`, `"uri": "no ne.py"`, "is no uri: no ne.py"},
		{`"` + lineHash + `": "`, `"` + lineHash + `": 5, "x": "`, "is no strings: map["},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if bad == good {
			t.Fatalf("%s is not there", c[0])
		}
		if got := strings.Join(sarifProblems("log", "log", decode(t, bad)), "\n"); !strings.Contains(got, c[2]) {
			t.Errorf("%s: got %q, want %q", c[1], got, c[2])
		}
	}
}

// TestSARIFMeaning: what the schema cannot say: indexes, ends after starts, what
// code hosts ask for.
func TestSARIFMeaning(t *testing.T) {
	items := nasty(t)
	var log sarifLog
	if err := json.Unmarshal([]byte(write(t, "sarif", items, nastyOptions)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if !run.Invocations[0].ExecutionSuccessful || len(run.Results) != len(items) {
		t.Errorf("%d results of %d findings", len(run.Results), len(items))
	}
	rules := run.Tool.Driver.Rules
	for _, r := range rules {
		if r.ID == "no-page-of-this" {
			continue
		}
		if r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" || len(r.FullDescription.Text) > 1024 || !strings.HasPrefix(r.Help.Markdown, "# "+r.ID+": ") {
			t.Errorf("rule %s: %+v", r.ID, r)
		}
	}
	prints := map[string]bool{}
	for i, r := range run.Results {
		if rules[r.RuleIndex].ID != r.RuleID || r.RuleID != items[i].Code {
			t.Errorf("result %d has rule %d, which is %s, not %s", i, r.RuleIndex, rules[r.RuleIndex].ID, r.RuleID)
		}
		if r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("result %d: %+v", i, r)
		}
		p := r.PartialFingerprints[lineHash]
		if p == "" || prints[p] {
			t.Errorf("result %d: fingerprint %q", i, p)
		}
		prints[p] = true
		for _, l := range append(r.Locations, r.RelatedLocations...) {
			g := l.Physical.Region
			if g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn < g.StartColumn {
				t.Errorf("result %d ends before it starts: %+v", i, g)
			}
		}
	}
	var uris []string
	for _, r := range run.Results[len(run.Results)-6:] {
		a := r.Locations[0].Physical.Artifact
		uris = append(uris, a.URIBaseID+" "+a.URI)
	}
	want := []string{"%SRCROOT% a%20b/%C3%BC,100%25:x.py", "%SRCROOT% a%20b/%C3%BC,100%25:x.py", " file:///elsewhere/k.py", "%SRCROOT% k.py", "%SRCROOT% none.py", "%SRCROOT% none.py"}
	if !slices.Equal(uris, want) {
		t.Errorf("got %q, want %q", uris, want)
	}
	if o := (Options{Incomplete: true}); !strings.Contains(write(t, "sarif", nil, o), `"executionSuccessful": false`) {
		t.Error("an incomplete run counts as successful")
	}
	if u := (Options{}).artifact("a:b.py").URI; u != "./a:b.py" { // without the dot, `a` would be a scheme
		t.Errorf("got %s", u)
	}
}
