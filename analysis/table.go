package analysis

// PlanFunction is one function of `plan --format json` and of the placement
// table. Lines are 1-based; addresses and sizes are bytes.
type PlanFunction struct {
	Name        string      `json:"name"`
	Type        string      `json:"type"`
	Approximate []string    `json:"approximate"`
	Tiles       []PlanTile  `json:"tiles"`
	Spaces      []PlanSpace `json:"spaces"`
}

// PlanTile is one row of the placement.
type PlanTile struct {
	Name    string `json:"name"`
	Line    int    `json:"line"`
	Space   string `json:"space"`
	Address *int64 `json:"address"`
	// Dynamic is the address expression of a slot chosen at run time.
	Dynamic    string `json:"dynamicAddress,omitempty"`
	Size       uint64 `json:"size"`
	BufferSize uint64 `json:"bufferSize"`
	Buffer     string `json:"buffer"`
	Live       [2]int `json:"live"`
	Shares     Shares `json:"shares"`
}

// PlanSpace is the usage of one space.
type PlanSpace struct {
	Space    string `json:"space"`
	Used     uint64 `json:"used"`
	Limit    uint64 `json:"limit"`
	Reserved uint64 `json:"reserved"`
	PeakLine int    `json:"peakLine"`
	// Live is how many bytes are alive there at most; what is left to tell when
	// no addresses are given.
	Live uint64 `json:"-"`
}

// PlanTable is the placement of all functions of the document, in text order,
// mixed kernels as their halves.
func (d *Document) PlanTable() []PlanFunction {
	out := []PlanFunction{}
	for _, i := range d.FuncChunks() {
		f := d.Func(i)
		if len(f.Planned) == 0 && len(f.Approximate) > 0 && f.Approximate[0].Pass == "" {
			// No plan, and no error says why.
			out = append(out, d.planFunction(i, f, &Planned{Name: f.Name, Kind: f.Kind}))
		}
		for n := range f.Planned {
			p := &f.Planned[n]
			// Without tiles there is nothing to tell, unless it is unknown which tiles
			// the compiler makes.
			if len(p.Tiles) == 0 && len(p.Spaces) == 0 && len(f.Approximate) == 0 {
				continue
			}
			out = append(out, d.planFunction(i, f, p))
		}
	}
	return out
}

// doubts are the reasons why a placement is approximate, each one once.
func (f *Func) doubts(l *liner) []string {
	var out []string
	seen := map[string]bool{}
	for i := range f.Approximate {
		if text := render(f.Approximate[i].brief(), l.line); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

func (d *Document) planFunction(chunk int, f *Func, p *Planned) PlanFunction {
	l := d.liner(chunk)
	pf := PlanFunction{Name: p.Name, Type: p.Kind.String(), Approximate: []string{}, Tiles: []PlanTile{}, Spaces: []PlanSpace{}}
	pf.Approximate = append(pf.Approximate, f.doubts(l)...)
	shares := p.sharing()
	for i := range p.Tiles {
		t := &p.Tiles[i]
		row := PlanTile{Name: t.Name, Space: t.Space.String(), Dynamic: t.Dynamic, Size: t.Size, BufferSize: t.BufferSize, Buffer: t.Buffer, Shares: Shares{shares, i}}
		if t.Span.Valid() {
			row.Line = l.line(t.Span.Start)
		}
		if p.Placed && !t.Popped && t.Addr >= 0 {
			a := t.Addr
			row.Address = &a
		}
		for k, s := range t.Live {
			if s.Valid() {
				row.Live[k] = l.line(s.Start)
			}
		}
		pf.Tiles = append(pf.Tiles, row)
	}
	for _, s := range p.Spaces {
		ps := PlanSpace{Space: s.Space.String(), Used: s.Used, Limit: s.Limit, Reserved: s.Reserved, Live: s.Peak}
		if s.PeakAt.Valid() {
			ps.PeakLine = l.line(s.PeakAt.Start)
		}
		pf.Spaces = append(pf.Spaces, ps)
	}
	return pf
}
