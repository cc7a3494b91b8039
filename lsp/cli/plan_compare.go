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
	for _, n := range names {
		t := o.target
		t.platform = n
		doc, err := e.documentOf(eng, &t, path, name, irsyntax.Parse(text), text)
		if err != nil {
			return e.fail("%v", err)
		}
		if o.format == "table" {
			fmt.Fprintln(e.out, doc.CompareText())
			continue
		}
		ct := comparedTarget{Platform: doc.Settings.Name, Functions: []analysis.Comparison{}}
		for _, i := range doc.FuncChunks() {
			for _, c := range doc.Compare(i) {
				if o.only == "" || c.Function == o.only {
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
	return exitOK
}
