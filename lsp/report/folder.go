package report

import (
	"fmt"
	"html/template"
	"io"
	"sort"
	"strings"

	"pypto-ls/analysis"
)

// Row is how full one space of one function of one file is, in bytes.
type Row struct {
	File, Function, Space string
	Line                  int
	Used, Limit           uint64
	// Live is how many bytes are alive at most; shown when none is used because
	// the planner gives no addresses.
	Live uint64
	// PeakLine is where most bytes are live; 0 when it is not known.
	PeakLine int
	// Approximate is why the figure may differ from the compiler's, or "".
	Approximate string
	// Map is the address of the memory map, relative to the report, or "".
	Map string
}

// Share is the used part of the space in percent; 0 without a limit.
func (r Row) Share() float64 {
	if r.Limit == 0 {
		return 0
	}
	return float64(r.Used) * 100 / float64(r.Limit)
}

// unplaced tells that there are tiles but no addresses.
func (r Row) unplaced() bool { return r.Used == 0 && r.Live > 0 }

// Over tells that the space overflows.
func (r Row) Over() bool { return r.Limit > 0 && r.Used > r.Limit }

// Folder is the report of a set of files.
type Folder struct {
	Title string
	// Target names platform and planner.
	Target string
	Files  int
	Rows   []Row
	// Findings are those of all files, in the order of the files.
	Findings []Item
}

// Rows are the rows of one document.
func Rows(file string, d *analysis.Document) []Row {
	var out []Row
	approx := map[string]string{}
	for _, f := range d.PlanTable() {
		if len(f.Approximate) > 0 {
			approx[f.Name] = strings.Join(f.Approximate, "; ")
		}
	}
	for _, u := range d.Usages() {
		line, _ := d.LineText(int(u.NameSpan.Start))
		out = append(out, Row{File: file, Function: strings.Clone(u.Func), Space: u.Space.String(), Line: line,
			Used: u.Used, Limit: u.Limit, PeakLine: u.PeakLine, Live: u.Live, Approximate: approx[u.Func]})
	}
	return out
}

// Sort orders the rows by closeness to the limit, fullest first; equally full
// ones by file, function and space.
func (f *Folder) Sort() {
	sort.SliceStable(f.Rows, func(i, j int) bool {
		a, b := f.Rows[i], f.Rows[j]
		if x, y := a.Share(), b.Share(); x != y {
			return x > y
		}
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Function != b.Function {
			return a.Function < b.Function
		}
		return a.Space < b.Space
	})
}

// Over counts the rows that overflow.
func (f *Folder) Over() int {
	n := 0
	for _, r := range f.Rows {
		if r.Over() {
			n++
		}
	}
	return n
}

// Errors counts findings of severity error.
func (f *Folder) Errors() int {
	n := 0
	for _, it := range f.Findings {
		if it.Severity == Error {
			n++
		}
	}
	return n
}

// maxMarkdownRows keeps a comment readable and below the size that code hosts
// accept.
const maxMarkdownRows = 40

// Markdown writes the report for a comment on a pull request.
func (f *Folder) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", markdown(f.Title))
	fmt.Fprintf(&b, "%s: %s\n\n", f.Header(), f.verdict())
	if len(f.Rows) > 0 {
		b.WriteString("| function | space | used | limit | share | most live at |\n|---|---|---:|---:|---:|---|\n")
		for i, r := range f.Rows {
			if i == maxMarkdownRows {
				break
			}
			mark := ""
			if r.Over() {
				mark = fmt.Sprintf(" **over by %s B**", analysis.Thousands(r.Used-r.Limit))
			}
			if r.Approximate != "" {
				mark += " (approximate)"
			}
			name := "`" + r.Function + "`"
			if r.Map != "" {
				name = "[" + name + "](" + r.Map + ")"
			}
			fmt.Fprintf(&b, "| %s<br>%s:%d | %s | %s%s | %s | %s | %s |\n", name, markdown(r.File), r.Line, r.Space,
				usedText(r), mark, limitText(r), shareText(r), lineText(r))
		}
		if n := len(f.Rows) - maxMarkdownRows; n > 0 {
			fmt.Fprintf(&b, "\n… and %d more that are less full.\n", n)
		}
	}
	if n := f.Errors(); n > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", Count(n, "error"))
		shown := 0
		for _, it := range f.Findings {
			if it.Severity != Error {
				continue
			}
			if shown++; shown > maxMarkdownRows {
				fmt.Fprintf(&b, "- … and %d more\n", n-maxMarkdownRows)
				break
			}
			fmt.Fprintf(&b, "- `%s:%d` %s [%s]\n", strings.NewReplacer("`", "'", "\n", " ").Replace(it.File), it.Range.Start.Line, markdown(it.Message), it.Code)
		}
		b.WriteString("\n</details>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Folder) verdict() string {
	switch {
	case f.Over() > 0:
		return fmt.Sprintf("**%d over the limit**", f.Over())
	case f.Errors() > 0:
		return fmt.Sprintf("**%s**", Count(f.Errors(), "error"))
	}
	return f.Fits()
}

// Fits is the verdict on files without errors.
func (f *Folder) Fits() string {
	for _, r := range f.Rows {
		if r.unplaced() {
			return "no addresses given"
		}
	}
	if f.Files == 0 && len(f.Rows) == 0 {
		return "nothing to report"
	}
	return "everything fits"
}

// Header is the line below the title: target, files, spaces.
func (f *Folder) Header() string {
	text := Count(f.Files, "file") + ", " + Count(len(f.Rows), "space in use")
	if f.Target != "" {
		text = f.Target + ", " + text
	}
	return text
}

// Count is a number with what is counted, which is put in the plural:
// `1 file`, `2 files`, `3 spaces in use`.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	noun, rest, _ := strings.Cut(what, " in ")
	if rest != "" {
		rest = " in " + rest
	}
	return fmt.Sprintf("%d %ss%s", n, noun, rest)
}

func usedText(r Row) string {
	if r.unplaced() {
		return analysis.Thousands(r.Live) + " B live"
	}
	return analysis.Thousands(r.Used) + " B"
}

func limitText(r Row) string {
	if r.Limit == 0 {
		return "none"
	}
	return analysis.Thousands(r.Limit) + " B"
}

func shareText(r Row) string {
	if r.Limit == 0 || r.unplaced() {
		return ""
	}
	return fmt.Sprintf("%.1f %%", r.Share())
}

func lineText(r Row) string {
	if r.PeakLine == 0 {
		return ""
	}
	return fmt.Sprintf("line %d", r.PeakLine)
}

// markdown protects what a table or a heading would take for its own.
func markdown(s string) string {
	return strings.NewReplacer("|", `\|`, "&", "&amp;", "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "`", "'").Replace(plain(s))
}

// HTML writes the report as one page that needs nothing else.
func (f *Folder) HTML(w io.Writer) error { return page.Execute(w, f) }

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"thousands": analysis.Thousands,
	"limit":     limitText,
	"used":      usedText,
	"share":     shareText,
	"line":      lineText,
	"count":     Count,
	"plain":     plain,
	"sentence":  func(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." },
	"over":      func(r Row) uint64 { return r.Used - r.Limit },
	"bar":       func(r Row) float64 { return min(r.Share(), 100) },
	"level": func(r Row) string {
		switch {
		case r.Over():
			return "over"
		case r.Share() >= 90:
			return "near"
		}
		return "fits"
	},
}).Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{.Title}}</title>
<style>
:root{color-scheme:light dark;--line:#8884;--fits:#2a7d46;--near:#a86400;--over:#c22f2f}
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code{font-family:ui-monospace,monospace}
.bar{display:block;height:.5rem;width:9rem;background:var(--line);border-radius:2px}
.bar i{display:block;height:100%;border-radius:2px;background:var(--fits)}
.near .bar i{background:var(--near)}.over .bar i{background:var(--over)}
.over td.n b{color:var(--over)}
small{opacity:.75}
input{font:inherit;padding:.25rem .5rem;width:18rem;max-width:100%}
</style></head><body>
<h1>{{.Title}}</h1>
<p>{{.Header}}. {{if .Over}}<b>{{.Over}} over the limit.</b>{{else if .Errors}}<b>{{count .Errors "error"}}.</b>{{else}}{{sentence .Fits}}{{end}}</p>
{{if .Rows}}<p><label>Show <input id="filter" placeholder="function, file or space"/></label></p>
<table><thead><tr><th>function</th><th>space</th><th class="n">used</th><th class="n">limit</th><th class="n">share</th><th></th><th>most live at</th></tr></thead><tbody>
{{range .Rows}}<tr class="{{level .}}"><td>{{if .Map}}<a href="{{.Map}}"><code>{{.Function}}</code></a>{{else}}<code>{{.Function}}</code>{{end}}<br/><small>{{.File}}:{{.Line}}{{if .Approximate}}<br/>approximate: {{.Approximate}}{{end}}</small></td><td>{{.Space}}</td><td class="n">{{used .}}{{if .Over}}<br/><b>{{thousands (over .)}} B over</b>{{end}}</td><td class="n">{{limit .}}</td><td class="n">{{share .}}</td><td>{{if .Limit}}<span class="bar"><i style="width:{{bar .}}%"></i></span>{{end}}</td><td>{{line .}}</td></tr>
{{end}}</tbody></table>{{end}}
{{if .Findings}}<h2>Findings</h2>
<table><thead><tr><th>place</th><th>severity</th><th>message</th></tr></thead><tbody>
{{range .Findings}}<tr><td><code>{{.File}}:{{.Range.Start.Line}}</code>{{if .Function}}<br/><small>{{.Function}}</small>{{end}}</td><td>{{.Severity}}</td><td>{{plain .Message}} <small>[{{.Code}}]</small>{{if .Explanation}}<br/><small>{{plain .Explanation}}</small>{{end}}</td></tr>
{{end}}</tbody></table>{{end}}
<script>
const filter=document.getElementById("filter");
if(filter)filter.oninput=()=>{const t=filter.value.toLowerCase();
for(const r of document.querySelectorAll("tbody")[0].rows)r.hidden=!r.textContent.toLowerCase().includes(t)};
</script>
</body></html>
`))
