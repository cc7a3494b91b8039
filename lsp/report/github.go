package report

import (
	"fmt"
	"io"
	"strings"
)

// GitHub writes workflow commands, which GitHub Actions shows as annotations:
// `::error file=F,line=L,endLine=E,col=C,endColumn=D,title=T::message`. Columns
// are only understood where both lines are the same.
func GitHub(w io.Writer, items []Item, opt Options) error {
	kinds := map[Level]string{Error: "error", Warning: "warning", Information: "notice", Hint: "notice"}
	for i := range items {
		it := &items[i]
		msg := it.Message
		if it.Platform != "" {
			msg += " (" + it.Platform + ", " + it.Planner + ")"
		}
		if it.Explanation != "" {
			msg += "\n" + it.Explanation
		}
		columns := ""
		if r := it.Range; r.Start.Line == r.End.Line {
			columns = fmt.Sprintf(",col=%d,endColumn=%d", r.Start.Character, r.End.Character)
		}
		_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,endLine=%d%s,title=%s::%s\n", kinds[it.Severity],
			githubProperty(opt.Place(it.File)), it.Range.Start.Line, it.Range.End.Line, columns,
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
