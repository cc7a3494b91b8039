package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// Pipe is the hardware pipe of a call (spec 02 §10.1, 08 §4.1): result is the
// call's own type, args the types of its operands. NoPipe means that it cannot
// be told. Without a target (nil) no transfer has a pipe.
func Pipe(op *ops.Op, result ir.Type, args []ir.Type, p *platforms.Platform) platforms.Pipe {
	if op != nil && op.Access == ops.AccessNone {
		return platforms.NoPipe
	}
	r := resultSpace(result)
	in := operandSpaces(args)
	if op != nil && op.Name == "tile.move" {
		return movePipe(r, in, p)
	}
	switch r {
	case platforms.NoSpace:
		return platforms.NoPipe
	case platforms.ScalarLocal:
		return platforms.PipeS
	case platforms.DDR:
		s, one := in.single(bit(platforms.DDR) | bit(platforms.ScalarLocal))
		if !one {
			return platforms.NoPipe
		}
		return p.Transfer(s, platforms.DDR)
	}
	return onChipPipe(r, in, p)
}

// onChipPipe is the pipe of a call whose result is on chip (step 5).
func onChipPipe(r platforms.Space, in spaces, p *platforms.Platform) platforms.Pipe {
	if in.set&bit(platforms.DDR) != 0 {
		return p.Transfer(platforms.DDR, r)
	}
	if s, one := in.single(bit(platforms.ScalarLocal) | bit(r)); one {
		if pipe := p.Transfer(s, r); pipe != platforms.NoPipe {
			return pipe
		}
	}
	switch {
	case r == platforms.Vec && in.set&^(bit(platforms.Vec)|bit(platforms.ScalarLocal)) == 0:
		return platforms.PipeV
	case r.IsL0() && in.set&^l0Spaces == 0:
		return platforms.PipeM
	}
	return platforms.NoPipe
}

// movePipe needs the space of the result and exactly one operand with a space.
func movePipe(r platforms.Space, in spaces, p *platforms.Platform) platforms.Pipe {
	if r == platforms.NoSpace || in.count != 1 {
		return platforms.NoPipe
	}
	s, _ := in.single(0)
	if s == r && r != platforms.DDR && r != platforms.ScalarLocal {
		return platforms.PipeV
	}
	return p.Transfer(s, r)
}

func bit(s platforms.Space) uint16 { return 1 << s }

var l0Spaces = func() (set uint16) {
	for s := range platforms.Space(platforms.NumSpaces) {
		if s.IsL0() {
			set |= bit(s)
		}
	}
	return set
}()

// spaces are the memory spaces of a call's operands: which, and how many
// operands have one.
type spaces struct {
	set   uint16
	count int
}

// single is the only distinct space besides those left out; one is false when
// there is none or more than one.
func (s spaces) single(leftOut uint16) (space platforms.Space, one bool) {
	set := s.set &^ leftOut
	if set == 0 || set&(set-1) != 0 {
		return platforms.NoSpace, false
	}
	for space = 0; set>>space != 1; space++ {
	}
	return space, true
}

// SpaceOf is the memory space of a type: tensors are in DDR, arrays in
// ScalarLocal, tiles where they say; NoSpace for all others.
func SpaceOf(t ir.Type) platforms.Space {
	switch t := t.(type) {
	case *ir.TensorType:
		return platforms.DDR
	case *ir.ArrayType:
		return platforms.ScalarLocal
	case *ir.TileType:
		return t.Space
	}
	return platforms.NoSpace
}

func operandSpaces(args []ir.Type) (s spaces) {
	for _, t := range args {
		if space := SpaceOf(t); space != platforms.NoSpace {
			s.set |= bit(space)
			s.count++
		}
	}
	return s
}

// resultSpace is the one space of a result; of a tuple, of its elements.
func resultSpace(t ir.Type) platforms.Space {
	var s spaces
	var flatten func(ir.Type)
	flatten = func(t ir.Type) {
		if tuple, ok := t.(*ir.TupleType); ok {
			for _, e := range tuple.Elems {
				flatten(e)
			}
			return
		}
		if space := SpaceOf(t); space != platforms.NoSpace {
			s.set |= bit(space)
		}
	}
	flatten(t)
	space, _ := s.single(0)
	return space
}
