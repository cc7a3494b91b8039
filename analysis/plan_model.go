package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/memory"
)

// PlanModel is the plan of one function as the memory map draws it. Lines are
// 1-based lines of the document, sizes and addresses are bytes.
type PlanModel struct {
	Name, Kind          string
	FirstLine, LastLine int
	Approximate, Notes  []string
	Spaces              []PlanModelSpace
	Source              []string // the text of the function's lines, on request
}

// PlanModelSpace is one memory space with what the function keeps in it.
type PlanModelSpace struct {
	Name        string
	Used, Limit uint64 // Limit is 0 when it is unknown
	Reserved    uint64 // bytes at the bottom that rings take
	ReservedBy  string // the rings' names
	PeakLine    int
	LowerBound  uint64
	Boxes       []PlanModelBox
}

// PlanModelBox is one buffer.
type PlanModelBox struct {
	Buffer              string
	Address             int64 // -1 when the planner gives none
	Size                uint64
	FirstLine, LastLine int
	FirstStmt, LastStmt int
	Tiles               []PlanModelTile
	Reasons             []string
	Overflow            bool
}

// PlanModelTile is one value that lies in a box.
type PlanModelTile struct {
	Name   string
	Line   int
	Size   uint64
	Offset uint64 // from the box's address
	Live   [2]int
	Type   string
}

// PlanOptions chooses what PlanModels tells.
type PlanOptions struct {
	// Function is the name of the only function wanted, "" for all.
	Function string
	// Source adds the functions' lines.
	Source bool
}

// manyTiles is how many tiles a document may have for the reasons of all its
// buffers to be told: finding them takes a new plan of each function.
const manyTiles = 400

// PlanModels are the plans of the document's functions that use on-chip memory
// or failed, in text order, mixed kernels as their halves.
func (d *Document) PlanModels(opt PlanOptions) []PlanModel {
	out := []PlanModel{}
	var chunks []int
	tiles := 0
	for _, i := range d.FuncChunks() {
		f := d.Func(i)
		for n := range f.Planned {
			tiles += len(f.Planned[n].Tiles)
		}
		if opt.Function == "" || f.Name == opt.Function || f.hasHalf(opt.Function) {
			chunks = append(chunks, i)
		}
	}
	for _, i := range chunks {
		m := &modeller{d: d, chunk: i, f: d.Func(i), l: d.liner(i), opt: opt}
		if tiles <= manyTiles || opt.Function != "" {
			m.det = d.Detail(i)
		}
		out = append(out, m.models()...)
	}
	return out
}

func (f *Func) hasHalf(name string) bool {
	for n := range f.Planned {
		if f.Planned[n].Name == name {
			return true
		}
	}
	return false
}

// modeller makes the models of one function of the text.
type modeller struct {
	d     *Document
	chunk int
	f     *Func
	det   *Detail // nil when reasons are not asked for
	l     *liner
	opt   PlanOptions
}

func (m *modeller) models() []PlanModel {
	base := PlanModel{Name: m.f.Name, Kind: m.f.Kind.String(), FirstLine: m.l.line(m.f.NameSpan.Start), Notes: m.notes()}
	text := strings.TrimRight(m.l.text, " \t\r\n")
	base.LastLine = max(m.l.line(int32(len(text))), base.FirstLine)
	base.Approximate = append(base.Approximate, m.f.doubts(m.l)...)
	if m.opt.Source {
		base.Source = m.source(base.FirstLine, base.LastLine)
	}
	var out []PlanModel
	for n := range m.f.Planned {
		p := &m.f.Planned[n]
		if len(p.Spaces) == 0 || m.opt.Function != "" && m.opt.Function != p.Name && m.opt.Function != m.f.Name {
			continue
		}
		one := base
		one.Name, one.Kind = p.Name, p.Kind.String()
		var plan *memory.Plan
		if m.det != nil && n < len(m.det.Plans) {
			plan = m.det.Plans[n].Plan
		}
		for _, s := range p.Spaces {
			one.Spaces = append(one.Spaces, m.space(p, plan, s))
		}
		out = append(out, one)
	}
	if len(out) == 0 && len(base.Notes) > 0 {
		base.Spaces = []PlanModelSpace{}
		out = append(out, base)
	}
	return out
}

// notes are the errors and warnings of the function in words.
func (m *modeller) notes() []string {
	var out []string
	for i := range m.f.Findings {
		f := m.f.Findings[i]
		if f.Severity > Warning {
			continue
		}
		m.f.explainBeyond(&f)
		f.render(m.l.line)
		text := f.Message
		if f.Code == "dsa-no-fit" && f.Explain != "" {
			text += " " + f.Explain
		}
		out = append(out, text)
	}
	return out
}

// source are the lines first…last of the document.
func (m *modeller) source(first, last int) []string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(m.l.text), "\n")
	from := min(max(first-m.l.base, 0), len(lines))
	return lines[from:min(max(last-m.l.base+1, from), len(lines))]
}

func (m *modeller) space(p *Planned, plan *memory.Plan, s Space) PlanModelSpace {
	out := PlanModelSpace{Name: s.Space.String(), Used: s.Used, Limit: s.Limit, Reserved: s.Reserved, LowerBound: s.Bound, Boxes: []PlanModelBox{}}
	if s.PeakAt.Valid() {
		out.PeakLine = m.l.line(s.PeakAt.Start)
	}
	if s.Reserved > 0 {
		out.ReservedBy = ringNames(plan)
	}
	index := map[string]int{}
	for k := range p.Tiles {
		t := &p.Tiles[k]
		if t.Space != s.Space || t.Popped {
			continue
		}
		at, ok := index[t.Buffer]
		if !ok {
			at = len(out.Boxes)
			index[t.Buffer] = at
			out.Boxes = append(out.Boxes, PlanModelBox{Buffer: t.Buffer, Address: -1})
		}
		m.add(&out.Boxes[at], p, t, s.Limit)
	}
	if plan != nil {
		for i := range out.Boxes {
			out.Boxes[i].Reasons = boxReasons(plan, s.Space, out.Boxes[i].Buffer, m.l)
		}
	}
	return out
}

// add puts a tile into its box.
func (m *modeller) add(b *PlanModelBox, p *Planned, t *Tile, limit uint64) {
	b.Size = max(b.Size, t.BufferSize)
	if p.Placed {
		b.Address = int64(t.RegionStart)
		b.Size = max(b.Size, t.RegionEnd-t.RegionStart)
		b.Overflow = limit > 0 && t.RegionStart+b.Size > limit
	}
	tile := PlanModelTile{Name: t.Name, Size: t.Size, Type: t.Type}
	if t.Span.Valid() {
		tile.Line = m.l.line(t.Span.Start)
	}
	if p.Placed && t.Addr >= 0 && uint64(t.Addr) > t.RegionStart {
		tile.Offset = uint64(t.Addr) - t.RegionStart
	}
	tile.Live[0], tile.Live[1] = lifeLines(t, m.l)
	first := len(b.Tiles) == 0
	b.Tiles = append(b.Tiles, tile)
	if tile.Live[0] > 0 && (b.FirstLine == 0 || tile.Live[0] < b.FirstLine) {
		b.FirstLine = tile.Live[0]
	}
	b.LastLine = max(b.LastLine, tile.Live[1])
	if t.LiveNo[0] >= 0 && (first || int(t.LiveNo[0]) < b.FirstStmt) {
		b.FirstStmt = int(t.LiveNo[0])
	}
	b.LastStmt = max(b.LastStmt, int(t.LiveNo[1]))
}

// ringNames are the names of the rings that take the reserved window.
func ringNames(plan *memory.Plan) string {
	var names []string
	if plan != nil {
		walkCalls(plan.Layout.Fn.Body, func(c *ir.Call) {
			if name, ok := c.Kwarg("name"); ok && c.Name == "system.reserve_buffer" {
				names = append(names, fmt.Sprint(name))
			}
		})
	}
	if len(names) == 0 {
		return "reserved"
	}
	return strings.Join(names, ", ")
}

// boxReasons says why a buffer is shared or not: by how many tiles, and what
// keeps it apart from those buffers of its space that live at other times.
func boxReasons(plan *memory.Plan, space ir.Space, base string, l *liner) []string {
	var mine *memory.Buffer
	for i := range plan.Buffers {
		if b := &plan.Buffers[i]; b.Space == space && b.Base.Name == base {
			mine = b
			break
		}
	}
	if mine == nil || len(mine.Members) == 0 {
		return nil
	}
	var out []string
	if n := len(mine.Members); n > 1 {
		out = append(out, fmt.Sprintf("%d tiles use it one after another or as views", n))
	}
	const most = 3
	found := 0
	for i := range plan.Buffers {
		o := &plan.Buffers[i]
		if o == mine || o.Space != space || len(o.Members) == 0 || o.Live.Overlaps(mine.Live) {
			continue
		}
		r := plan.WhyNotShare(mine.Members[0].Var, o.Members[0].Var)
		if r.Kind == memory.Shared || r.Kind == memory.Undecided {
			continue
		}
		out = append(out, render(r.Words(where), l.line))
		if found++; found == most {
			break
		}
	}
	return out
}
