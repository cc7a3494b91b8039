package infer

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
	"pypto-ls/platforms"
)

// tensorIndexed are gathers, scatters and sorts of tensors.
var tensorIndexed = map[string]rule{"tensor.gather": tensorGather, "tensor.gather_mask": tensorGatherMask, "tensor.gather_compare": tensorGatherCompare,
	"tensor.gather_row": tensorGatherRow, "tensor.paged_gather": pagedGather, "tensor.scatter": tensorScatter, "tensor.scatter_mask": tensorScatterMask,
	"tensor.scatter_update": tensorScatterUpdate, "tensor.sort32": tensorSort32, "tensor.mrgsort_format1": tensorMrgsort1,
	"tensor.mrgsort_format2": tensorMrgsort2}

const inputTensor = "The operator {op} requires input to be a TensorType, but got {type}"

func tensorGather(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (input, index), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, inputTensor)
	if t == nil {
		return nil
	}
	if !isGatherDType(t.DType) {
		return c.fail(-1, "The operator {op} requires input dtype to be FP16, FP32, INT16, or INT32, but got {dtype}", t.DType)
	}
	idx := c.plainTensor(1, "The operator {op} requires index to be a TensorType, but got {type}")
	rank := int64(len(t.Shape))
	switch {
	case idx == nil:
		return nil
	case idx.DType != ir.INT32 && !(idx.DType == ir.INT16 && t.DType.Bits() == 16):
		return c.fail(-1, "The operator {op} requires index dtype INT32 (any input), or INT16 with a 16-bit input (FP16/INT16); INT16 indices with a 32-bit input are unsafe (tgather b32 reads them as u32). Got index {dtype} with input {dtype}", idx.DType, t.DType)
	case rank < 2:
		return c.fail(-1, "The operator {op} requires rank >= 2, but got rank {value}", rank)
	case int64(len(idx.Shape)) != rank:
		return c.fail(-1, "The operator {op} requires index rank ({n}) to match input rank ({value})", len(idx.Shape), rank)
	}
	if _, ok := c.kwarg("dim"); !ok {
		return c.fail(-1, "The operator {op} requires a 'dim' keyword argument")
	}
	given := c.intKwarg("dim", -1)
	if given < -rank || given >= rank {
		return c.fail(-1, "The operator {op} requires dim in [{value}, {value}], but got dim={value}", -rank, rank-1, given)
	}
	dim := given
	if dim < 0 {
		dim += rank
	}
	for i := range t.Shape {
		if x, y, ok := bothConst(idx.Shape[i], t.Shape[i]); ok && int64(i) != dim && x > y {
			return c.fail(-1, "The operator {op} requires index.shape[{i}] ({value}) <= input.shape[{i}] ({value}) on non-gather axes", i, x, i, y)
		}
	}
	return tensorWith(idx.Shape, t.DType, nil, false)
}

func tensorGatherMask(c *call) ir.Type {
	if !c.arity(1, "The operator {op} requires 1 argument (input), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, inputTensor)
	switch {
	case t == nil:
		return nil
	case !isGatherDType(t.DType):
		return c.fail(-1, "The operator {op} requires input dtype to be FP16, FP32, INT16, or INT32, but got {dtype}", t.DType)
	case len(t.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D input, but got rank {n}", len(t.Shape))
	}
	pattern, ok := c.requiredInt("mask_pattern")
	if !ok {
		return nil
	}
	step := maskStep(pattern)
	if step == 0 {
		return c.fail(-1, "The operator {op} requires mask_pattern in range [1, 7], but got {value}", pattern)
	}
	cols := t.Shape[1]
	if v, isConst := ir.ConstValue(cols); isConst {
		if v%step != 0 {
			return c.fail(-1, "The operator {op} with mask_pattern={value} requires src columns divisible by {value}, got {value}", pattern, step, v)
		}
		cols = ir.Index(v / step)
	} else if step > 1 {
		cols = arith.Fold(scaled(ir.FloorDiv, cols, step))
	}
	d := c.dtypeKwarg("output_dtype", t.DType)
	if c.problem != nil {
		return nil
	}
	if d.Bits() != t.DType.Bits() {
		return c.fail(-1, "The operator {op} output_dtype must have the same bit width as input dtype ({dtype} = {bits} bits), but got {dtype} = {bits} bits", t.DType, t.DType.Bits(), d, d.Bits())
	}
	return tensorWith([]ir.Expr{t.Shape[0], cols}, d, nil, false)
}

func tensorGatherCompare(c *call) ir.Type {
	if !c.arity(2, "The operator {op} requires 2 arguments (input, kvalue), but got {count}") {
		return nil
	}
	t := c.plainTensor(0, inputTensor)
	switch {
	case t == nil:
		return nil
	case !isGatherDType(t.DType):
		return c.fail(-1, "The operator {op} requires input dtype in {FP16, FP32, INT16, INT32}, but got {dtype}", t.DType)
	case len(t.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D input, but got rank {n}", len(t.Shape))
	}
	k := c.scalar(1, "The operator {op} requires kvalue to be a ScalarType, but got {type}")
	if k == nil {
		return nil
	}
	if k.DType != t.DType {
		return c.fail(-1, "The operator {op} requires kvalue dtype equal to src dtype {dtype} , but got {dtype}", t.DType, k.DType)
	}
	cols, counts, ok := c.compareKwargs()
	if !ok {
		return nil
	}
	return &ir.TupleType{Elems: []ir.Type{tensorWith([]ir.Expr{t.Shape[0], cols}, ir.INT32, nil, false),
		tensorWith([]ir.Expr{ir.Index(1), t.Shape[0]}, counts, nil, false)}}
}

func tensorGatherRow(c *call) ir.Type {
	if !c.arityIn(5, 6, "The operator {op} requires 5-6 arguments (acc, src, dst_offset, src_offset, shapes[, valid_shape]), but got {count}") {
		return nil
	}
	acc := c.plainTensor(0, "The operator {op} requires acc to be a TensorType (from tensor.create_l1), but got {type}")
	if acc == nil {
		return nil
	}
	src := c.plainTensor(1, "The operator {op} requires src to be a TensorType (GM), but got {type}")
	if src == nil {
		return nil
	}
	if acc.DType != src.DType {
		return c.fail(-1, "The operator {op} requires acc and src to share dtype, but got {dtype} and {dtype}", acc.DType, src.DType)
	}
	if !c.rowTransfer() {
		return nil
	}
	return withoutMemRef(acc)
}

// indexRow checks an INT32 index tensor of shape [n] or [1, n].
func (c *call) indexRow(i int, notTensor, notInt32, rank, shape string) bool {
	t := c.plainTensor(i, notTensor)
	switch {
	case t == nil:
	case t.DType != ir.INT32:
		c.fail(-1, notInt32, t.DType)
	case len(t.Shape) != 1 && len(t.Shape) != 2:
		c.fail(-1, rank, len(t.Shape))
	default:
		if v, ok := ir.ConstValue(t.Shape[0]); len(t.Shape) == 2 && ok && v != 1 {
			c.fail(-1, shape, v)
			return false
		}
		return true
	}
	return false
}

func pagedGather(c *call) ir.Type {
	if !c.arity(3, "The operator {op} requires 3 arguments (src, indices, block_table), but got {count}") {
		return nil
	}
	src := c.plainTensor(0, "The operator {op} requires src to be a TensorType, but got {type}")
	switch {
	case src == nil:
		return nil
	case !oneOf(src.DType, ir.FP16, ir.BF16, ir.FP32, ir.INT8):
		return c.fail(-1, "The operator {op} requires src dtype in {FP16, BF16, FP32, INT8}, but got {dtype}", src.DType)
	case len(src.Shape) != 2:
		return c.fail(-1, "The operator {op} requires 2D src, but got rank {n}", len(src.Shape))
	}
	if !c.indexRow(1, "The operator {op} requires indices to be a TensorType, but got {type}", "The operator {op} requires indices dtype to be INT32, but got {dtype}",
		"The operator {op} requires 1D or 2D indices, but got rank {n}", "The operator {op} requires 2D indices to have shape [1, n], but got first dim {value}") ||
		!c.indexRow(2, "The operator {op} requires block_table to be a TensorType, but got {type}", "The operator {op} requires block_table dtype to be INT32, but got {dtype}",
			"The operator {op} requires 1D or 2D block_table, but got rank {n}", "The operator {op} requires 2D block_table to have shape [1, n], but got first dim {value}") {
		return nil
	}
	var v [4]int64
	for i, k := range [4]struct {
		key, text string
		least     int64
	}{
		{"block_size", "The operator {op} requires block_size > 0, but got {value}", 1}, {"size", "The operator {op} requires size > 0, but got {value}", 1},
		{"col_off", "The operator {op} requires col_off >= 0, but got {value}", 0}, {"max_indices", "The operator {op} requires max_indices > 0, but got {value}", 1},
	} {
		if _, ok := c.kwarg(k.key); !ok {
			return c.fail(-1, "The operator {op} requires a '{value}' keyword argument", k.key)
		}
		if v[i] = c.intKwarg(k.key, 0); v[i] < k.least {
			return c.fail(-1, k.text, v[i])
		}
	}
	size, off, rows := v[1], v[2], v[3]
	trans := c.boolKwarg("is_trans")
	if trans && c.spaceKwarg("space", platforms.Mat) != platforms.Mat {
		return c.fail(-1, "The operator {op} requires space=MemorySpace::Mat (L1) when is_trans=true")
	}
	if cols, ok := ir.ConstValue(src.Shape[1]); ok && off+size > cols {
		return c.fail(-1, "The operator {op} requires col_off + size ({value}) <= src columns ({value})", off+size, cols)
	}
	if c.problem != nil {
		return nil
	}
	shape := []ir.Expr{ir.Index(rows), ir.Index(size)}
	if trans {
		shape = swapped(shape, 0, 1)
	}
	return tensorWith(shape, src.DType, nil, false)
}
