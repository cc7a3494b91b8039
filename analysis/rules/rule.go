// Package rules holds the manual page of every diagnostic code: what it
// means, why it happens and what to do. The pages under docs/diagnostics are
// generated from it, and so are the help texts of SARIF reports and the
// answers of `explain`.
package rules

import (
	"sort"
	"strings"
)

// Rule is the manual page of one diagnostic code. In the texts, code is
// written between ‹ and ›.
type Rule struct {
	// Code is what diagnostics show between brackets.
	Code string
	// Severity is the usual severity: error, warning, information or hint.
	Severity string
	// Title is one line without a full stop.
	Title string
	// Origin says whose verdict it is.
	Origin Origin
	// Meaning says what the diagnostic states; Cause why it happens; Action
	// what to do about it, most useful first.
	Meaning, Cause string
	Action         []string
	// Example is a small text of which checking gives the diagnostic, or "". File
	// is its name where that tells the pass after which it stands.
	Example, File string
	// Shell shows the commands of those that only the command line reports.
	Shell string
}

// Origin tells the reference compiler's verdicts from ours.
type Origin int

// The origins.
const (
	// Reference marks messages of the compiler, repeated word for word.
	Reference Origin = iota
	// Own marks what only pypto-ls reports.
	Own
)

// All are the rules in the order of their codes.
func All() []Rule {
	var out []Rule
	for _, family := range [][]Rule{capacityRules, dsaRules, sharingRules, declaredRules, passRules, textRules, frontRules, lintRules, checkRules, editRules} {
		out = append(out, family...)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Code < out[j].Code })
	return out
}

// Find is the rule of a code; capitals do not matter.
func Find(code string) (Rule, bool) {
	for _, r := range All() {
		if strings.EqualFold(r.Code, code) {
			return r, true
		}
	}
	return Rule{}, false
}

// Nearest are the codes that contain the text or begin like it, for a
// misspelt code.
func Nearest(code string) []string {
	var out []string
	low := strings.ToLower(code)
	for _, r := range All() {
		c := strings.ToLower(r.Code)
		if low != "" && (strings.Contains(c, low) || strings.Contains(low, c) || len(low) >= 4 && strings.HasPrefix(c, low[:4])) {
			out = append(out, r.Code)
		}
	}
	return out
}

// Page is the manual page in Markdown; its first line is the heading.
func (r Rule) Page() string {
	var b strings.Builder
	b.WriteString("# " + r.Code + ": " + r.Title + "\n\n")
	who := "the reference compiler; its message is shown word for word"
	if r.Origin == Own {
		who = "pypto-ls; the compiler does not report it"
	}
	b.WriteString("Usual severity: " + r.Severity + ". Reported by " + who + ".\n\n")
	b.WriteString(r.Meaning + "\n\n")
	b.WriteString("## Why it happens\n\n" + r.Cause + "\n\n")
	b.WriteString("## What to do\n\n")
	for _, a := range r.Action {
		b.WriteString("- " + a + "\n")
	}
	if r.Example != "" {
		b.WriteString("\n## Example\n\n")
		if r.File != "" {
			b.WriteString("In ‹" + r.File + "›:\n\n")
		}
		b.WriteString("```python\n" + strings.TrimSpace(r.Example) + "\n```\n")
	}
	if r.Shell != "" {
		b.WriteString("\n## Example\n\n```sh\n" + strings.TrimSpace(r.Shell) + "\n```\n")
	}
	return strings.NewReplacer("‹", "`", "›", "`").Replace(b.String())
}

// Short is the meaning alone as plain text, for places without Markdown.
func (r Rule) Short() string {
	return strings.NewReplacer("‹", "'", "›", "'").Replace(r.Meaning)
}

// Index is the table of all rules in Markdown.
func Index() string {
	var b strings.Builder
	b.WriteString("# Diagnostics\n\nEvery code that editors and `pypto-ls check` show. `pypto-ls explain CODE` prints a page.\n\n")
	b.WriteString("| code | severity | reported by | meaning |\n|---|---|---|---|\n")
	for _, r := range All() {
		who := "compiler"
		if r.Origin == Own {
			who = "pypto-ls"
		}
		b.WriteString("| [" + r.Code + "](" + r.Code + ".md) | " + r.Severity + " | " + who + " | " + r.Title + " |\n")
	}
	return b.String()
}
