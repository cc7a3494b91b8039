package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// GitHub writes workflow commands, which GitHub Actions shows as annotations:
// `::error file=F,line=L,col=C,endLine=E,endColumn=D,title=T::message`.
func GitHub(w io.Writer, items []Item, _ Options) error {
	kinds := map[Level]string{Error: "error", Warning: "warning", Information: "notice", Hint: "notice"}
	for i := range items {
		it := &items[i]
		msg := it.Message
		if it.Explanation != "" {
			msg += "\n" + it.Explanation
		}
		_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,endLine=%d,endColumn=%d,title=%s::%s\n", kinds[it.Severity],
			githubProperty(filepath.ToSlash(it.File)), it.Range.Start.Line, it.Range.Start.Character, it.Range.End.Line, it.Range.End.Character,
			githubProperty("pypto-ls "+it.Code), githubData(msg))
		if err != nil {
			return err
		}
	}
	return nil
}

// githubData escapes the message of a workflow command.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes a property value, in which `:` and `,` are special
// too.
func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

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
func GitLab(w io.Writer, items []Item, _ Options) error {
	sev := map[Level]string{Error: "major", Warning: "minor", Information: "info", Hint: "info"}
	out := []gitlabIssue{}
	seen := map[string]int{}
	for i := range items {
		it := &items[i]
		fp := fmt.Sprintf("%016x", it.Fingerprint())
		if n := seen[fp]; n > 0 {
			fp += fmt.Sprintf("-%d", n)
		}
		seen[fmt.Sprintf("%016x", it.Fingerprint())]++
		out = append(out, gitlabIssue{it.Message, it.Code, fp, sev[it.Severity],
			gitlabLocation{relative(it.File), gitlabLines{it.Range.Start.Line, it.Range.End.Line}}})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// relative is a file name as formats for repositories want it: with slashes
// and without `./`.
func relative(file string) string {
	return strings.TrimPrefix(filepath.ToSlash(filepath.Clean(file)), "./")
}
