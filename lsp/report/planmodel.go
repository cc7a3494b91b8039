package report

import (
	"pypto-ls/analysis"
	"pypto-ls/memmap"
)

// PlanModels are plans in the form of the memory map and of `pypto/plan`;
// never nil.
func PlanModels(in []analysis.PlanModel) []memmap.Function {
	out := make([]memmap.Function, 0, len(in))
	for i := range in {
		m := &in[i]
		f := memmap.Function{
			Name: m.Name, Kind: m.Kind, FirstLine: m.FirstLine, LastLine: m.LastLine,
			Approximate: m.Approximate, Notes: m.Notes, Source: m.Source, Spaces: make([]memmap.Space, 0, len(m.Spaces)),
		}
		for k := range m.Spaces {
			f.Spaces = append(f.Spaces, modelSpace(&m.Spaces[k]))
		}
		out = append(out, f)
	}
	return out
}

func modelSpace(s *analysis.PlanModelSpace) memmap.Space {
	out := memmap.Space{Name: s.Name, Used: int64(s.Used), Limit: int64(s.Limit), PeakLine: s.PeakLine, LowerBound: int64(s.LowerBound), Boxes: make([]memmap.Box, 0, len(s.Boxes))}
	if s.Reserved > 0 {
		out.Reserved = []memmap.Range{{Name: s.ReservedBy, Size: int64(s.Reserved)}}
	}
	for i := range s.Boxes {
		b := &s.Boxes[i]
		box := memmap.Box{
			Buffer: b.Buffer, Address: b.Address, Size: int64(b.Size), FirstLine: b.FirstLine, LastLine: b.LastLine,
			FirstStmt: b.FirstStmt, LastStmt: b.LastStmt, Reasons: b.Reasons, Overflow: b.Overflow, Tiles: make([]memmap.Tile, 0, len(b.Tiles)),
		}
		for _, t := range b.Tiles {
			box.Tiles = append(box.Tiles, memmap.Tile{Name: t.Name, Line: t.Line, Size: int64(t.Size), Offset: int64(t.Offset), Live: t.Live, Type: t.Type})
		}
		out.Boxes = append(out.Boxes, box)
	}
	return out
}
