package memory

import (
	"fmt"
	"slices"

	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// VerifyAddresses is the verifier that runs after AllocateMemoryAddr on every
// function, whatever its kind (spec 07 §9.2): each on-chip MemRef needs an
// address that is not negative, and the high-water mark of each space has to
// fit. In functions that get no addresses every allocation counts from 0.
// Findings are in the reference's order; their Code is 0 for addresses, 1 for
// capacity.
func VerifyAddresses(l *Layout, cfg Config) []*Error {
	if l.Fn.Body == nil {
		return nil
	}
	var out []*Error
	var marks []highWater
	vars := l.mentions()
	seen := newMemRefTable(l, func(k int) *ir.MemRef { return l.Tile(vars[k]).MemRef })
	for k, v := range vars {
		t := l.Tile(v)
		if t == nil || t.MemRef == nil {
			continue
		}
		if _, known := seen.number(t.MemRef, k); known {
			continue
		}
		switch {
		case t.Space == platforms.NoSpace:
			out = append(out, l.errorf(InternalError, passAllocate, "TileType with MemRef must have memory_space for address verification").atVar(v))
		case t.Space == platforms.DDR:
		case t.MemRef.Offset == nil:
			out = append(out, l.errorf(VerifyError, passAllocate, "MemRef for variable '%s' in %s has no address allocated", v.Name, t.Space).atVar(v))
		default:
			o, constant := ir.ConstValue(t.MemRef.Offset)
			if constant && o < 0 {
				out = append(out, l.errorf(VerifyError, passAllocate, "MemRef for variable '%s' in %s has a negative address (%d)", v.Name, t.Space, o).atVar(v))
			} else if constant {
				marks = raise(marks, t.Space, uint64(o)+t.MemRef.Size)
			}
		}
	}
	return append(out, verifyCapacity(l, cfg, marks)...)
}

// highWater is the largest end of a constant address in a space, in bytes.
type highWater struct {
	space ir.Space
	bytes uint64
}

func raise(marks []highWater, space ir.Space, end uint64) []highWater {
	i := slices.IndexFunc(marks, func(h highWater) bool { return h.space == space })
	if i < 0 {
		return append(marks, highWater{space, end})
	}
	marks[i].bytes = max(marks[i].bytes, end)
	return marks
}

// verifyCapacity reports spaces in the reverse of the order in which they got
// their first mark.
func verifyCapacity(l *Layout, cfg Config, marks []highWater) []*Error {
	var out []*Error
	var res *reservation
	for _, h := range slices.Backward(marks) {
		u := Usage{Space: h.space, Used: h.bytes, Limit: cfg.capacity(h.space)}
		if !u.Over() {
			continue
		}
		if l.Fn.Kind.IsInCore() {
			if res == nil {
				res, _ = resolveReserves(l, passAllocate)
			}
			if res != nil {
				u.note = res.note(h.space)
			}
		}
		e := l.errorf(VerifyError, passAllocate, "Function '%s': %s", l.Fn.Name, u.Message()).at(l.Fn.Span)
		e.Code = 1
		out = append(out, e)
	}
	return out
}

// VerifyReport is the text of the reference's exception for findings of the
// verifier after AllocateMemoryAddr (spec 10 §5), without a trailing newline.
// locate renders a finding's position as `<file>:<line>:<column>`, `:-1:-1`
// when it has none.
func VerifyReport(findings []*Error, locate func(*Error) string) string {
	s := fmt.Sprintf("Verification failed after 'AllocateMemoryAddr' for properties {AllocatedMemoryAddr}:\nIR Verification Report\n======================\nTotal diagnostics: %d (%d errors, 0 warnings)\n\n", len(findings), len(findings))
	for i, e := range findings {
		s += fmt.Sprintf("[%d] ERROR - AllocatedMemoryAddr\n  Message: %s\n  Location: %s\n  Error Code: %d\n\n", i+1, e.Message, locate(e), e.Code)
	}
	return s + fmt.Sprintf("Status: FAILED (%d error(s) found)", len(findings))
}
