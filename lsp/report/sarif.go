package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"sort"
	"strings"

	"pypto-ls/analysis/rules"
)

// The parts of SARIF 2.1.0 that check writes.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool `json:"executionSuccessful"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	ShortDescription *sarifMessage  `json:"shortDescription,omitempty"`
	FullDescription  *sarifMessage  `json:"fullDescription,omitempty"`
	Help             *sarifHelp     `json:"help,omitempty"`
	Default          sarifRuleLevel `json:"defaultConfiguration"`
}

type sarifRuleLevel struct {
	Level string `json:"level"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             sarifMessage      `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Properties          map[string]any    `json:"properties,omitempty"`
}

type sarifLocation struct {
	ID       *int          `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
	Logical  []sarifName   `json:"logicalLocations,omitempty"`
}

type sarifName struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

var sarifLevels = map[Level]string{Error: "error", Warning: "warning", Information: "note", Hint: "note"}

// lineHash is the only partial fingerprint that code hosts look at.
const lineHash = "primaryLocationLineHash"

// SARIF writes a SARIF 2.1.0 log: rules with help from the manual pages,
// partial fingerprints that survive moved lines, relative URIs.
func SARIF(w io.Writer, items []Item, opt Options) error {
	index := map[string]int{}
	var codes []string
	worst := map[string]Level{}
	for i := range items {
		c := items[i].Code
		if l, ok := worst[c]; !ok || items[i].Severity < l {
			worst[c] = items[i].Severity
		}
		if _, ok := index[c]; !ok {
			index[c] = 0
			codes = append(codes, c)
		}
	}
	sort.Strings(codes)
	described := []sarifRule{}
	for n, c := range codes {
		index[c] = n
		described = append(described, ruleOf(c, worst[c]))
	}
	results := []sarifResult{}
	prints := fingerprints(items, opt)
	for i := range items {
		it := &items[i]
		text := it.Message
		if it.Explanation != "" {
			text += "\n\n" + it.Explanation
		}
		at := opt.artifact(it.File)
		r := sarifResult{RuleID: it.Code, RuleIndex: index[it.Code], Level: sarifLevels[it.Severity], Message: sarifMessage{text},
			Locations: []sarifLocation{locationOf(at, it.Range, it.Function, "")}, PartialFingerprints: map[string]string{lineHash: prints[i]}}
		for n, rel := range it.Related {
			l := locationOf(at, rel.Range, "", rel.Message)
			id := n
			l.ID = &id
			r.RelatedLocations = append(r.RelatedLocations, l)
		}
		r.Properties = properties(it)
		results = append(results, r)
	}
	log := sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{Invocations: []sarifInvocation{{!opt.Incomplete}}, ColumnKind: "unicodeCodePoints", Results: results,
			Tool: sarifTool{sarifDriver{Name: "pypto-ls", Version: opt.Version, Rules: described}}}},
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(log)
}

func ruleOf(code string, level Level) sarifRule {
	r := sarifRule{ID: code, Default: sarifRuleLevel{sarifLevels[level]}}
	if page, ok := rules.Find(code); ok {
		r.ShortDescription, r.FullDescription = &sarifMessage{page.Title}, &sarifMessage{page.Short()}
		_, body, _ := strings.Cut(page.Page(), "\n")
		r.Help = &sarifHelp{Text: strings.TrimSpace(body), Markdown: page.Page()}
	}
	return r
}

func properties(it *Item) map[string]any {
	p := map[string]any{}
	if it.Space != "" {
		p["space"] = it.Space
		if it.Limit > 0 {
			p["used"], p["limit"] = it.Used, it.Limit
		}
	}
	if it.Platform != "" {
		p["platform"], p["planner"] = it.Platform, it.Planner
	}
	if len(p) == 0 {
		return nil
	}
	return p
}

func locationOf(at sarifArtifact, r Range, fn, msg string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{at, sarifRegion{r.Start.Line, r.Start.Character, r.End.Line, r.End.Character}}}
	if fn != "" {
		l.Logical = []sarifName{{fn, "function"}}
	}
	if msg != "" {
		l.Message = &sarifMessage{msg}
	}
	return l
}

// artifact is a relative, percent-encoded URI, or an absolute file URI for a
// file outside of the root.
func (o Options) artifact(file string) sarifArtifact {
	slash := o.Place(file)
	if !filepath.IsAbs(slash) {
		return sarifArtifact{URI: (&url.URL{Path: slash}).String(), URIBaseID: "%SRCROOT%"}
	}
	if !strings.HasPrefix(slash, "/") { // a drive
		slash = "/" + slash
	}
	return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: slash}).String()}
}
