package report

import (
	"encoding/json"
	"io"
)

// gitlabIssue is one entry of GitLab's code quality report, which is a subset
// of the Code Climate format.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// GitLab writes a code quality report.
func GitLab(w io.Writer, items []Item, opt Options) error {
	sev := map[Level]string{Error: "major", Warning: "minor", Information: "info", Hint: "info"}
	out := []gitlabIssue{}
	prints := fingerprints(items, opt)
	for i := range items {
		it := &items[i]
		text := it.Message
		if it.Platform != "" {
			text += " (" + it.Platform + ", " + it.Planner + ")"
		}
		out = append(out, gitlabIssue{text, it.Code, prints[i], sev[it.Severity],
			gitlabLocation{opt.Place(it.File), gitlabLines{it.Range.Start.Line, it.Range.End.Line}}})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
