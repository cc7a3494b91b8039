package report

import (
	"bufio"
	"encoding/json"
	"io"

	"pypto-ls/analysis"
)

// PlanJSON writes placements as `plan --format json`, what json.Encoder makes of
// {"functions": funcs} with two blanks of indentation, but one tile at a time:
// the shares of thousands of tiles that lie in one place are gigabytes.
func PlanJSON(w io.Writer, funcs []analysis.PlanFunction) {
	p := &planWriter{w: bufio.NewWriter(w)}
	p.text("{\n  \"functions\": ")
	list(p, "  ", funcs, p.function)
	p.text("\n}\n")
	_ = p.w.Flush()
}

type planWriter struct{ w *bufio.Writer }

func (p *planWriter) text(s string) { _, _ = p.w.WriteString(s) }

// value writes a value whose lines after the first one are indented by prefix.
func (p *planWriter) value(prefix string, v any) {
	b, err := json.MarshalIndent(v, prefix, "  ")
	if err != nil {
		b = []byte("null")
	}
	_, _ = p.w.Write(b)
}

// list writes a list whose closing bracket is indented by prefix.
func list[T any](p *planWriter, prefix string, items []T, one func(prefix string, item T)) {
	if len(items) == 0 {
		p.text("[]")
		return
	}
	p.text("[")
	for i, item := range items {
		if i > 0 {
			p.text(",")
		}
		p.text("\n" + prefix + "  ")
		one(prefix+"  ", item)
	}
	p.text("\n" + prefix + "]")
}

func (p *planWriter) function(prefix string, f analysis.PlanFunction) {
	in := prefix + "  "
	p.text("{\n" + in + `"name": `)
	p.value(in, f.Name)
	p.text(",\n" + in + `"type": `)
	p.value(in, f.Type)
	p.text(",\n" + in + `"approximate": `)
	p.value(in, f.Approximate)
	p.text(",\n" + in + `"tiles": `)
	list(p, in, f.Tiles, func(prefix string, t analysis.PlanTile) { p.value(prefix, t) })
	p.text(",\n" + in + `"spaces": `)
	p.value(in, f.Spaces)
	p.text("\n" + prefix + "}")
}
