package platforms

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Problem is a finding in a configuration file. Start and End are byte
// offsets of the text it is about.
type Problem struct {
	Start, End int
	Message    string
}

// Decode reads the `[platforms.NAME]` tables of a pypto-ls.toml and returns
// the shipped targets with the workspace's changes and additions, in order.
// Tables:
//
//	[platforms.Ascend910B]              # changes a shipped target
//	capacity = { Vec = 196608 }         # bytes, or "192 KiB"; 0 is no limit
//	align = 64                          # bytes, or { Vec = 64, Mat = 512 }
//	skip = ["DDR", "Bias"]              # spaces without addresses
//	order = "natural"                   # of MemRef names; "name" is bytewise
//
//	[platforms.Lab]                     # a new target
//	base = "Ascend950"                  # what it starts from
//	arch = "a5"
//	acc_row_multiple = { INT32 = 16, other = 16 }
//	innermost_bytes = 128
//	routes = { Acc = ["Mat", "DDR"] }   # direct transfers, by source
//
// The settings `platform` and `planner` are left to the caller; any other key
// is reported. A file that is not TOML changes nothing; a wrong entry is
// reported and ignored, the others hold.
func Decode(data []byte) (Set, []Problem) {
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		return Builtin(), []Problem{syntaxProblem(data, err)}
	}
	d := &decoder{set: Builtin()}
	d.read(data)
	for _, t := range d.tables {
		d.apply(t)
	}
	return d.set, d.problems
}

func syntaxProblem(data []byte, err error) Problem {
	p := Problem{End: len(data), Message: err.Error()}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		row, col := de.Position()
		rest := data
		for ; row > 1; row-- {
			_, after, found := strings.Cut(string(rest), "\n")
			if !found {
				break
			}
			rest = rest[len(rest)-len(after):]
		}
		p.Start = min(len(data)-len(rest)+max(col-1, 0), len(data))
		p.End = min(p.Start+1, len(data))
	}
	return p
}

// table is one platform's entries, in file order.
type table struct {
	name    string
	start   int // of the first mention of the name
	entries []entry
}

// entry is one key (path below the platform's table) with its value.
type entry struct {
	path       []string
	start, end int // of the key
	value      value
}

type value struct {
	kind       unstable.Kind
	text       string // of a scalar
	list       []value
	start, end int
}

type decoder struct {
	set      Set
	tables   []*table
	problems []Problem
}

func (d *decoder) problem(start, end int, format string, args ...any) {
	d.problems = append(d.problems, Problem{start, end, fmt.Sprintf(format, args...)})
}

type key struct {
	text       string
	start, end int
}

func keys(it unstable.Iterator) []key {
	var l []key
	for it.Next() {
		n := it.Node()
		l = append(l, key{string(n.Data), int(n.Raw.Offset), int(n.Raw.Offset + n.Raw.Length)})
	}
	return l
}

// read collects the entries below `platforms`.
func (d *decoder) read(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	var prefix []key
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			prefix = keys(e.Key())
			if len(prefix) == 0 || !d.known(prefix[0]) || prefix[0].text != "platforms" {
				continue
			}
			if e.Kind == unstable.ArrayTable {
				d.problem(prefix[0].start, prefix[len(prefix)-1].end, "platforms are tables, [platforms.NAME], not arrays of tables")
				prefix = []key{{}} // what follows belongs to nothing
				continue
			}
			if len(prefix) > 1 {
				d.table(prefix[1])
			}
		case unstable.KeyValue:
			d.collect(append(prefix[:len(prefix):len(prefix)], keys(e.Key())...), e.Value())
		}
	}
}

// known reports a key at the top of the file that means nothing.
func (d *decoder) known(k key) bool {
	switch k.text {
	case "platform", "planner", "platforms":
		return true
	}
	d.problem(k.start, k.end, "unknown key '%s'; a pypto-ls.toml has platform, planner and tables [platforms.NAME]", k.text)
	return false
}

// collect flattens a value into entries of its platform.
func (d *decoder) collect(path []key, n *unstable.Node) {
	if path[0].text != "platforms" {
		if len(path) == 1 {
			d.known(path[0])
		}
		return
	}
	if n.Kind == unstable.InlineTable {
		it := n.Children()
		for it.Next() {
			kv := it.Node()
			d.collect(append(path[:len(path):len(path)], keys(kv.Key())...), kv.Value())
		}
		return
	}
	last := path[len(path)-1]
	if len(path) < 3 {
		d.problem(path[0].start, last.end, "expected tables [platforms.NAME]")
		return
	}
	e := entry{start: last.start, end: last.end, value: convert(n, last)}
	for _, k := range path[2:] {
		e.path = append(e.path, k.text)
	}
	t := d.table(path[1])
	t.entries = append(t.entries, e)
}

func (d *decoder) table(k key) *table {
	for _, t := range d.tables {
		if t.name == k.text {
			return t
		}
	}
	t := &table{name: k.text, start: k.start}
	d.tables = append(d.tables, t)
	return t
}

func convert(n *unstable.Node, at key) value {
	v := value{kind: n.Kind, text: string(n.Data), start: int(n.Raw.Offset), end: int(n.Raw.Offset + n.Raw.Length)}
	if v.end <= v.start {
		v.start, v.end = at.start, at.end
	}
	if n.Kind == unstable.Array {
		it := n.Children()
		for it.Next() {
			v.list = append(v.list, convert(it.Node(), at))
		}
	}
	return v
}

// bytes reads a size: a number of bytes, or text such as "192 KiB".
func (v value) bytes() (uint64, bool) {
	switch v.kind {
	case unstable.Integer:
		n, err := strconv.ParseUint(strings.TrimPrefix(v.text, "+"), 0, 63)
		return n, err == nil
	case unstable.String:
		text, unit := strings.TrimSpace(v.text), uint64(1)
		for _, u := range [...]struct {
			suffix string
			factor uint64
		}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"B", 1}} {
			if t, ok := strings.CutSuffix(text, u.suffix); ok {
				text, unit = strings.TrimSpace(t), u.factor
				break
			}
		}
		n, err := strconv.ParseUint(text, 10, 63)
		return n * unit, err == nil && n <= (1<<62)/unit
	}
	return 0, false
}
