package analysis

import (
	"fmt"
	"strings"
	"testing"
)

func TestCallHierarchy(t *testing.T) {
	f := loadFixture(t, "testdata/calls.txtar")
	show := func(edges []CallEdge) string {
		var out []string
		for _, e := range edges {
			var from []string
			for _, s := range e.From {
				line, _ := e.Item.Doc.LineText(int(s.Start))
				from = append(from, fmt.Sprint(line))
			}
			out = append(out, e.Item.Name+"("+e.Item.Detail+")"+strings.Join(from, ","))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ query, at, want string }{
		{"items", "call", "cube(AIC · P)"},
		{"items", "cube", "cube(AIC · P)"},
		{"items", "imported", "helper(Inline)"},
		{"items", "var", ""},
		{"from", "main", "vec(AIV · P)16 cube(AIC · P)17,18 helper(Inline)19"},
		{"from", "cube", ""},
		{"to", "cube", "main(Orchestration · P)17,18"}, // peer_func is no call
		{"to", "helper", "main(Orchestration · P)19 user(InCore)4"},
		{"to", "main", ""},
	} {
		d, off := f.at(t, c.at)
		var got string
		switch c.query {
		case "items":
			for _, i := range d.CallItems(off, f.docs) {
				got += i.Name + "(" + i.Detail + ")"
			}
		case "from":
			got = show(d.CallsFrom(off, f.docs))
		case "to":
			got = show(d.CallsTo(off, f.docs))
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.query, c.at, got, c.want)
		}
	}
}
