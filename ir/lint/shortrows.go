package lint

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// Body is one function of a program with the current types of its variables;
// a nil TypeOf means the types they were read with.
type Body struct {
	Fn     *ir.Function
	TypeOf func(*ir.Var) ir.Type
}

func (b *Body) typeOf(v *ir.Var) ir.Type {
	if b.TypeOf == nil {
		return v.Type
	}
	return b.TypeOf(v)
}

// InnermostRows is the check TileInnermostDimGranularity, PH001 (spec 10
// §7.3), of the functions that one source function became by the end of the
// pipeline, whatever their kinds: tiles loaded or stored whose innermost row is
// shorter than the platform recommends. Findings with a position are merged
// where everything they print agrees and come in the order of position,
// operator and text, after those without one.
//
// The last Simplify removes what can never run, so loops without a turn and
// branches that loop bounds decide are not looked at.
func InnermostRows(bodies []Body, p *platforms.Platform) []Finding {
	if p == nil || p.InnermostBytes <= 0 {
		return nil
	}
	var loose []Finding
	merged := map[rowKey]*rowCount{}
	var order []*rowCount
	for i := range bodies {
		b := &bodies[i]
		live(b.Fn.Body, func(s ir.Stmt) {
			eachTransfer(s, func(c *ir.Call, result *ir.Var) {
				f, short := b.shortRow(c, result, p)
				switch {
				case !short:
				case !c.Span.Valid():
					loose = append(loose, f)
				default:
					k := rowKey{c.Span.Start, c.Name, f.Message}
					if merged[k] == nil {
						merged[k] = &rowCount{rowKey: k, first: f}
						order = append(order, merged[k])
					}
					merged[k].n++
				}
			})
		})
	}
	slices.SortStableFunc(order, func(a, b *rowCount) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.op, b.op), cmp.Compare(a.text, b.text))
	})
	for _, r := range order {
		if r.n > 1 {
			r.first.Message += fmt.Sprintf(" (%d occurrences at this source location)", r.n)
		}
		loose = append(loose, r.first)
	}
	return loose
}

// rowKey is what findings that are shown as one agree in; the text holds every
// printed figure.
type rowKey struct {
	start    int32
	op, text string
}

type rowCount struct {
	rowKey
	first Finding
	n     int
}

// eachTransfer visits the loads and stores of a statement; result is the
// variable that takes the call's value, nil when none does directly.
func eachTransfer(s ir.Stmt, visit func(c *ir.Call, result *ir.Var)) {
	if a, ok := s.(*ir.Assign); ok {
		if c, ok := a.Value.(*ir.Call); ok && isTransfer(c) {
			visit(c, a.Var)
			return
		}
	}
	calls(s, func(c *ir.Call) {
		if isTransfer(c) {
			visit(c, nil)
		}
	})
}

func isTransfer(c *ir.Call) bool { return c.Name == "tile.load" || c.Name == "tile.store" }

// shortRow is the finding about the tile that c moves; short is false when its
// rows are long enough or not known.
func (b *Body) shortRow(c *ir.Call, result *ir.Var, p *platforms.Platform) (f Finding, short bool) {
	t := b.moved(c, result)
	if t == nil || len(t.Shape) == 0 {
		return f, false
	}
	last, ok := ir.ConstValue(t.Shape[len(t.Shape)-1])
	if !ok || last <= 0 {
		return f, false
	}
	want := int64(p.InnermostBytes)
	row, ok := rowBytes(last, t.DType)
	if !ok || row >= want {
		return f, false
	}
	space := "unknown"
	if t.Space != platforms.NoSpace {
		space = t.Space.String()
	}
	text := fmt.Sprintf("%s has innermost dim = %dB (tile %s[%d], target_memory=%s)%s; recommended >= %dB for backend %s (L2 cache line = %dB). Consider increasing tile shape on the innermost axis.",
		c.Name, row, t.DType.Lower(), last, space, volume(t), want, p.Arch, p.L2LineBytes)
	bits := int64(t.DType.Bits())
	return Finding{ShortRows, b.Fn.Name, text, c.Span, fmt.Sprintf("%d B are %d elements of %s.", want, (want*8+bits-1)/bits, t.DType.Lower())}, true
}

// moved is the tile that a load makes or a store takes, nil when unknown.
func (b *Body) moved(c *ir.Call, result *ir.Var) *ir.TileType {
	var t ir.Type = c.Type
	switch {
	case c.Name == "tile.store":
		if len(c.Args) == 0 {
			return nil
		}
		switch x := c.Args[0].(type) {
		case *ir.Var:
			t = b.typeOf(x)
		case *ir.Call:
			t = x.Type
		default:
			return nil
		}
	case result != nil:
		t = b.typeOf(result)
	}
	tile, _ := t.(*ir.TileType)
	return tile
}

// rowBytes is ceil(n * bits / 8); ok is false for a dtype without a width and
// on overflow.
func rowBytes(n int64, d ir.DType) (int64, bool) {
	bits := int64(d.Bits())
	if bits == 0 || n > (math.MaxInt64-7)/bits {
		return 0, false
	}
	return (n*bits + 7) / 8, true
}

// volume is the clause about the bytes that are really moved, "" when an
// extent of the valid shape is not a positive constant.
func volume(t *ir.TileType) string {
	valid := ir.ValidShape(t)
	rows, row := int64(1), int64(0)
	for i, e := range valid {
		n, ok := ir.ConstValue(e)
		if !ok || n <= 0 {
			return ""
		}
		if i == len(valid)-1 {
			if row, ok = rowBytes(n, t.DType); !ok {
				return ""
			}
			continue
		}
		if rows > math.MaxInt64/n {
			return ""
		}
		rows *= n
	}
	if row == 0 || rows > math.MaxInt64/row {
		return ""
	}
	return fmt.Sprintf("; moves %dB as %d x %dB rows", rows*row, rows, row)
}
