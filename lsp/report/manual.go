package report

import "pypto-ls/analysis/rules"

// Manual is the page of docs/diagnostics about a code, in Markdown; its first
// line is the heading.
func Manual(code string) (string, bool) {
	r, ok := rules.Find(code)
	if !ok {
		return "", false
	}
	return r.Page(), true
}
