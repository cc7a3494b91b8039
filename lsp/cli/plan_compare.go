package cli

import (
	"encoding/json"
	"fmt"

	"pypto-ls/analysis"
	"pypto-ls/irsyntax"
	"pypto-ls/platforms"
)

// comparedTarget is `plan --compare --format json` for one platform.
type comparedTarget struct {
	Platform  string                `json:"platform"`
	Functions []analysis.Comparison `json:"functions"`
}

// comparePlans prints the peak of each space under PYPTO and DSA_RP side by
// side: on the platform given, or on all that are shipped.
func (e *env) comparePlans(o *planOptions, path string) int {
	text, err := e.read(path)
	if err != nil {
		return e.fail("%v", err)
	}
	names := platforms.Names()
	if o.platform != "" {
		names = []string{o.platform}
	}
	name := path
	if path == "-" {
		name = o.stdinName
	}
	eng := analysis.NewEngine(64 << 20)
	out := []comparedTarget{}
	code := exitOK
	for i, n := range names {
		t := o.target
		t.platform = n
		doc, err := e.documentOf(eng, &t, path, name, irsyntax.Parse(text), text)
		if err != nil {
			return e.fail("%v", err)
		}
		only, err := functions(doc, o.only)
		if err != nil {
			return e.fail("%v", err)
		}
		if i == 0 && e.notCompared(&o.target, path, doc) {
			code = exitFindings
		}
		if o.format == "table" {
			if i > 0 {
				fmt.Fprintln(e.out)
			}
			fmt.Fprint(e.out, doc.CompareText(only))
			continue
		}
		ct := comparedTarget{Platform: doc.Settings.Name, Functions: []analysis.Comparison{}}
		for _, i := range doc.FuncChunks() {
			for _, c := range doc.Compare(i) {
				if only == nil || only[c.Function] {
					ct.Functions = append(ct.Functions, c)
				}
			}
		}
		out = append(out, ct)
	}
	if o.format == "json" {
		enc := json.NewEncoder(e.out)
		enc.SetIndent("", "  ")
		_ = enc.Encode(out)
	}
	return code
}

// notCompared tells why functions are missing from the comparison: what is
// wrong with them before any planner has a say.
func (e *env) notCompared(t *target, path string, doc *analysis.Document) bool {
	missing := make(map[string]bool)
	for _, i := range doc.FuncChunks() {
		if len(doc.Compare(i)) == 0 {
			missing[doc.Func(i).Name] = true
		}
	}
	some := false
	for _, f := range doc.Findings() {
		if f.Severity == analysis.Error && (f.Func == "" || missing[f.Func]) {
			e.tell(t, path, doc, f)
			some = true
		}
	}
	return some
}
