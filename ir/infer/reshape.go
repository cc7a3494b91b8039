package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// reshapeValid is the valid shape of a reshaped value (spec 02 §4.5): valid
// and shape of the source, the new shape, and whether elements are stored
// row-major.
func (c *call) reshapeValid(shape, valid, target []ir.Expr, rowMajor bool) ([]ir.Expr, bool) {
	if len(shape) == 0 || len(target) == 0 {
		c.fail(0, "{op}: reshape validity mapping requires non-empty input and output ranks")
		return nil, false
	}
	if allEqualByValue(valid, shape) {
		return target, true
	}
	for _, e := range valid {
		if arith.ProvablyZero(e) {
			zeros := make([]ir.Expr, len(target))
			for i := range zeros {
				zeros[i] = ir.Index(0)
			}
			return zeros, true
		}
	}
	if aligned, ok := alignUnits(shape, valid, target); ok {
		return aligned, true
	}
	if !rowMajor {
		c.fail(0, "{op}: cannot reshape {shape} to {shape} because only part of it holds real data (valid_shape {shape}) and its elements are not stored row-major, so the real data does not occupy a contiguous run that the new shape can describe. Reshape the full extent and narrow afterwards, or copy the real data out first (pl.slice / pl.store).", shape, target, valid)
		return nil, false
	}
	return c.reshapeRun(shape, valid, target)
}

// alignUnits maps shape onto target by erasing and inserting unit axes: at
// each step match, erase, insert, in this order, with backtracking.
func alignUnits(shape, valid, target []ir.Expr) ([]ir.Expr, bool) {
	out := make([]ir.Expr, len(target))
	failed := map[[2]int]bool{} // places from which no alignment exists
	var from func(i, j int) bool
	from = func(i, j int) bool {
		if i == len(shape) && j == len(target) {
			return true
		}
		if failed[[2]int{i, j}] {
			return false
		}
		if i < len(shape) && j < len(target) && equalByValue(shape[i], target[j]) {
			if out[j] = valid[i]; from(i+1, j+1) {
				return true
			}
		}
		if i < len(shape) && isOne(shape[i]) && equalByValue(valid[i], shape[i]) && from(i+1, j) {
			return true
		}
		if j < len(target) && isOne(target[j]) {
			if from(i, j+1) {
				out[j] = target[j]
				return true
			}
		}
		failed[[2]int{i, j}] = true
		return false
	}
	if !from(0, 0) {
		return nil, false
	}
	return out, true
}

// reshapeRun describes a contiguous run of valid rows in the new shape (steps
// 5–8).
func (c *call) reshapeRun(shape, valid, target []ir.Expr) ([]ir.Expr, bool) {
	first := 0
	for first < len(valid)-1 && isOne(valid[first]) {
		first++
	}
	for i := first + 1; i < len(valid); i++ {
		t := arith.ProveEqualByValue(valid[i], shape[i])
		if t == arith.True {
			continue
		}
		unknown := 1
		if t == arith.Unknown {
			unknown = 0
		}
		c.fail(0, "{op}: cannot reshape {shape} to {shape} because only part of it holds real data (valid_shape {shape}). Dimension {i} is valid for {extent} of {extent}{ (a runtime extent that cannot be proven equal)|}, so the real data is scattered across the buffer rather than filling it from the start, and no region of the new shape describes the same cells. Reshape the full extent and narrow afterwards, or copy the real data out first (pl.slice / pl.store).",
			shape, target, valid, i, valid[i], shape[i], unknown)
		return nil, false
	}
	run := int64(1) // elements of one step along the first axis
	for i := first + 1; i < len(shape); i++ {
		v, ok := ir.ConstValue(shape[i])
		if !ok {
			c.fail(0, "{op}: cannot reshape a partially-valid {shape} because dimension {i} has the runtime extent {extent}. Mapping the real data into {shape} needs its size at compile time; use a static shape, or reshape before narrowing.", shape, i, shape[i], target)
			return nil, false
		}
		run *= v
	}
	suffix := make([]int64, len(target)) // elements of one step along axis j
	step := int64(1)
	dims := make([]int64, len(target))
	for j := len(target) - 1; j >= 0; j-- {
		suffix[j] = step
		v, ok := ir.ConstValue(target[j])
		if ok {
			dims[j] = v
			step *= v
		}
	}
	for j, e := range target {
		if _, ok := ir.ConstValue(e); !ok {
			c.fail(0, "{op}: cannot reshape a partially-valid {shape} into {shape} because target dimension {i} has the runtime extent {extent}. Mapping the real data needs the target size at compile time; use a static shape, or reshape before narrowing.", shape, target, j, e)
			return nil, false
		}
	}
	if v, ok := ir.ConstValue(valid[first]); ok {
		return c.placeRun(shape, valid, target, dims, suffix, v*run)
	}
	if rows, ok := ir.ConstValue(shape[first]); ok {
		for j := range target {
			if suffix[j] == run && rows <= dims[j] {
				return leading(target, j, valid[first]), true
			}
		}
	}
	c.fail(0, "{op}: cannot reshape {shape} to {shape} because its real data extends a runtime number of rows ({extent}) and no dimension of {shape} has the matching row size of {value} elements. Keep that dimension intact in the target shape, or copy the real data out first (pl.slice / pl.store).",
		shape, target, valid[first], target, run)
	return nil, false
}

// placeRun finds the region of target that holds exactly n elements.
func (c *call) placeRun(shape, valid, target []ir.Expr, dims, suffix []int64, n int64) ([]ir.Expr, bool) {
	for j := range target {
		if suffix[j] > 0 && n%suffix[j] == 0 && n/suffix[j] <= dims[j] {
			return leading(target, j, ir.Index(n/suffix[j])), true
		}
	}
	plural := 1
	if n == 1 {
		plural = 0
	}
	c.fail(0, "{op}: cannot reshape {shape} to {shape} because only {value} of its {element|elements} hold real data (valid_shape {shape}), and no region of {shape} covers exactly those {value} elements -- they do not fill a whole number of rows there. Pick a target shape whose trailing dimensions divide it, or copy the real data out first (pl.slice / pl.store).",
		shape, target, n, plural, valid, target, n)
	return nil, false
}

// leading is [1, …, 1, e, target[j+1], …].
func leading(target []ir.Expr, j int, e ir.Expr) []ir.Expr {
	out := append([]ir.Expr(nil), target...)
	for i := range j {
		out[i] = ir.Index(1)
	}
	out[j] = e
	return out
}
