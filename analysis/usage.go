package analysis

import "pypto-ls/ir"

// Usage is how full one space of one planned function is. NameSpan is the
// function's name in the document.
type Usage struct {
	Func     string
	NameSpan ir.Span
	Space    ir.Space
	Used     uint64
	Limit    uint64
	PeakLine int
	Live     uint64 // bytes alive at most; what is left to tell when Used is 0: no addresses
}

// Usages lists the usage of every planned function and space, in text order.
func (d *Document) Usages() []Usage {
	var out []Usage
	for _, i := range d.FuncChunks() {
		f := d.Func(i)
		l := d.liner(i)
		for n := range f.Planned {
			p := &f.Planned[n]
			for _, s := range p.Spaces {
				u := Usage{Func: p.Name, NameSpan: d.Abs(i, f.NameSpan), Space: s.Space, Used: s.Used, Limit: s.Limit, Live: s.Peak}
				if s.PeakAt.Valid() {
					u.PeakLine = l.line(s.PeakAt.Start)
				}
				out = append(out, u)
			}
		}
	}
	return out
}
