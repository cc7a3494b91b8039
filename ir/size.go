package ir

import (
	"math/bits"

	"pypto-ls/platforms"
)

// PackedBytes is the number of bytes that n elements take when packed (spec 03
// §5.1): two 4-bit elements share a byte, BOOL takes one. ok is false when the
// dtype has no storage or the number of bits does not fit 64 bits.
func PackedBytes(n uint64, dtype DType) (size uint64, ok bool) {
	b := uint64(dtype.StorageBits())
	if b == 0 {
		return 0, false
	}
	n, ok = mul(n, b)
	if !ok {
		return 0, false
	}
	size = n / 8
	if n%8 != 0 {
		size++
	}
	return size, true
}

// AllocBytes is the physical size in bytes of a tile or tensor of the given
// shape in the given space (spec 03 §5.2). Only the physical shape counts. In
// Acc the rows are rounded up to the target's multiple; a nil platform means
// that no backend is configured. ok is false when a dimension is no constant
// or not positive, when an Acc tile has rank < 2, and on overflow.
func AllocBytes(shape []Expr, dtype DType, space Space, p *platforms.Platform) (size uint64, ok bool) {
	if space == platforms.Acc {
		return accBytes(shape, dtype, uint64(p.AccRowMultiple(dtype.String())))
	}
	n := uint64(1)
	for _, e := range shape {
		d, ok := positive(e)
		if !ok {
			return 0, false
		}
		if n, ok = mul(n, d); !ok {
			return 0, false
		}
	}
	return PackedBytes(n, dtype)
}

func accBytes(shape []Expr, dtype DType, rowMultiple uint64) (size uint64, ok bool) {
	if len(shape) < 2 || dtype.Bytes() == 0 {
		return 0, false
	}
	size = uint64(dtype.Bytes())
	for i, e := range shape {
		d, ok := positive(e)
		if !ok {
			return 0, false
		}
		if i == len(shape)-2 {
			d = (d + rowMultiple - 1) / rowMultiple * rowMultiple // cannot overflow: d < 2^63
		}
		if size, ok = mul(size, d); !ok {
			return 0, false
		}
	}
	return size, true
}

// SliceSpan is the number of bytes from the first to the last element of a
// window of the given shape in its parent's packed row-major layout (spec 03
// §5.3). ok is false unless both shapes have one rank, all extents are positive
// constants, the window fits and nothing overflows.
func SliceSpan(parent, window []Expr, dtype DType) (size uint64, ok bool) {
	if len(parent) != len(window) {
		return 0, false
	}
	last, pitch := uint64(0), uint64(1) // element number of the last element; elements per step of axis i
	for i := len(parent) - 1; i >= 0; i-- {
		p, okP := positive(parent[i])
		w, okW := positive(window[i])
		if !okP || !okW || w > p {
			return 0, false
		}
		step, ok := mul(w-1, pitch)
		if !ok {
			return 0, false
		}
		var carry uint64
		if last, carry = bits.Add64(last, step, 0); carry != 0 {
			return 0, false
		}
		if pitch, ok = mul(pitch, p); !ok && i > 0 {
			return 0, false
		}
	}
	n, carry := bits.Add64(last, 1, 0)
	if carry != 0 {
		return 0, false
	}
	return PackedBytes(n, dtype)
}

func positive(e Expr) (uint64, bool) {
	v, ok := ConstValue(e)
	return uint64(v), ok && v > 0
}

func mul(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi == 0
}
