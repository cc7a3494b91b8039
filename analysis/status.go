package analysis

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Status is what applies to a document, for a status line.
type Status struct {
	Platform, Planner string
	// Source says in words where platform and planner come from.
	Source      string
	Approximate bool
	// Function uses most of any space, relative to what there is; "" for none.
	Function string
	Spaces   []StatusSpace
}

// StatusSpace is the function that uses most of one space, in bytes.
type StatusSpace struct {
	Space       string
	Function    string
	Used, Limit uint64
}

// Source says where platform and planner come from.
func (s *Settings) Source() string {
	if s.PlatformFrom == s.PlannerFrom {
		return s.PlatformFrom
	}
	return "platform: " + s.PlatformFrom + ", planner: " + s.PlannerFrom
}

// Status tells what applies to the document and how full its functions get.
func (d *Document) Status() Status {
	s := Status{Platform: d.Settings.Name, Planner: d.Settings.Planner.String(), Source: d.Settings.Source(), Spaces: []StatusSpace{}}
	if !d.IsKernel() {
		return s
	}
	var most [platforms.NumSpaces]Space
	var who [platforms.NumSpaces]string
	full := -1.0
	for _, i := range d.FuncChunks() {
		f := d.Func(i)
		s.Approximate = s.Approximate || len(f.Approximate) > 0
		for n := range f.Planned {
			p := &f.Planned[n]
			for _, u := range p.Spaces {
				if who[u.Space] == "" || u.Used > most[u.Space].Used {
					most[u.Space], who[u.Space] = u, p.Name
				}
				if u.fill() > full {
					full, s.Function = u.fill(), p.Name
				}
			}
		}
	}
	for k, u := range most {
		if who[k] != "" {
			s.Spaces = append(s.Spaces, StatusSpace{ir.Space(k).String(), who[k], u.Used, u.Limit})
		}
	}
	return s
}
