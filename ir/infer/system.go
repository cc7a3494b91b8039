package infer

import (
	"pypto-ls/ir"
	"pypto-ls/platforms"
)

// system are synchronisation, cross-core set-up and task queries. Operators
// without a type are statements.
var system = map[string]rule{
	"system.aic_initialize_pipe": noType, "system.aiv_initialize_pipe": noType, "system.bar_all": noType, "system.bar_m": noType,
	"system.bar_v": noType, "system.cacheinvalid": noType, "system.fence": noType, "system.set_ffts": noType, "system.sync_dst": noType,
	"system.sync_src": noType, "system.syncall": noType, "system.tfree_to_aic": noType, "system.tfree_to_aiv": noType,
	"system.sync_set": syncFlag, "system.sync_wait": syncFlag,
	"system.available_aiv_count": scalarRule(ir.INT32), "system.available_cluster_count": scalarRule(ir.INT32),
	"system.import_peer_buffer": scalarRule(ir.INT32), "system.reserve_buffer": scalarRule(ir.INT32),
	"system.task_dummy": scalarRule(ir.TASKID), "system.task_invalid": scalarRule(ir.TASKID), "system.task_is_valid": scalarRule(ir.BOOL),
	"prefetch.wait": prefetchWait,
}

func scalarRule(d ir.DType) rule { return func(*call) ir.Type { return scalarOf(d) } }

func prefetchWait(c *call) ir.Type {
	if len(c.args) != 2 {
		return c.fail(-1, "{op} requires exactly {value} positional argument(s) ({value}), but got {count}", 2, "event, session", len(c.args))
	}
	if len(c.kwargs) > 0 {
		return c.fail(-1, "{op} takes no kwargs, but got {count}", len(c.kwargs))
	}
	return scalarOf(ir.BOOL)
}

// lastEvent is the largest event id a kernel may use.
const lastEvent = 13

func syncFlag(c *call) ir.Type {
	if len(c.args) > 1 {
		return c.fail(-1, "{op} accepts at most one dynamic event-id operand, got {count}", len(c.args))
	}
	_, static := c.kwarg("event_id")
	if id := c.intKwarg("event_id", 0); id < 0 || id > lastEvent {
		return c.fail(-1, "{op} event_id must be in the user-available range [0, {value}], got {value}", lastEvent, id)
	}
	_, hasPipe := c.kwarg("pipe")
	if p := c.intKwarg("pipe", 0); p < 0 || p >= platforms.NumPipes {
		return c.fail(-1, "{op} pipe is invalid: {value}", p)
	}
	if _, ok := c.kwarg("ffts_mode"); ok {
		if c.op.Name == "system.sync_wait" {
			return c.fail(-1, "{op} does not support ffts_mode")
		}
		if m := c.intKwarg("ffts_mode", 0); m < 0 || m > 2 {
			return c.fail(-1, "{op} ffts_mode must be in [0, 2], got {value}", m)
		}
	}
	if v, ok := c.kwarg("core_type"); ok {
		if s, isString := v.(string); isString && s != "aic" && s != "aiv" {
			return c.fail(-1, "{op} core_type must be 'aic' or 'aiv', got '{value}'", s)
		}
	}
	switch {
	case !hasPipe:
		return c.fail(-1, "{op} requires a pipe attribute")
	case static == (len(c.args) == 1):
		return c.fail(-1, "{op} requires exactly one static event_id attribute or dynamic event-id operand")
	case len(c.args) == 1:
		if s, ok := c.types[0].(*ir.ScalarType); !ok || s.DType != ir.INDEX {
			return c.fail(-1, "{op} dynamic event id must have ScalarType(INDEX), got {type}", c.types[0])
		}
	}
	return ir.Unknown
}

// arrays are the operators on arrays in registers (spec 02 §5.17).
var arrays = map[string]rule{"array.create": arrayCreate, "array.get_element": arrayGet, "array.update_element": arrayUpdate}

func arrayCreate(c *call) ir.Type {
	if !c.arity(1, "array.create requires exactly 1 argument (extent), got {count}") {
		return nil
	}
	if _, ok := c.kwarg("dtype"); !ok {
		return c.fail(-1, "array.create requires 'dtype' kwarg")
	}
	d := c.dtypeKwarg("dtype", ir.NoDType)
	if c.problem != nil {
		return nil
	}
	if !d.IsInt() && d != ir.BOOL && d != ir.TASKID {
		return c.fail(-1, "array.create dtype must be integer, BOOL, or TASK_ID, got {dtype}", d)
	}
	n, ok := ir.ConstValue(c.args[0])
	switch {
	case !ok:
		return c.fail(-1, "array.create extent must be a compile-time ConstInt, got {type}", c.types[0])
	case n <= 0:
		return c.fail(-1, "array.create extent must be positive, got {value}", n)
	}
	return &ir.ArrayType{Extent: n, DType: d}
}

// arrayIndex checks the array and index operands.
func (c *call) arrayIndex(notArray, notScalar, notInteger string) *ir.ArrayType {
	a, ok := c.types[0].(*ir.ArrayType)
	if !ok {
		c.fail(-1, notArray, c.types[0])
		return nil
	}
	s, ok := c.types[1].(*ir.ScalarType)
	switch {
	case !ok:
		c.fail(-1, notScalar, c.types[1])
		return nil
	case !s.DType.IsInt():
		c.fail(-1, notInteger, s.DType)
		return nil
	}
	return a
}

func arrayGet(c *call) ir.Type {
	if !c.arity(2, "array.get_element requires exactly 2 arguments (array, index), got {count}") {
		return nil
	}
	a := c.arrayIndex("array.get_element first argument must be ArrayType, got {type}", "array.get_element index must be ScalarType, got {type}",
		"array.get_element index must have integer dtype, got {dtype}")
	if a == nil {
		return nil
	}
	return scalarOf(a.DType)
}

func arrayUpdate(c *call) ir.Type {
	if !c.arity(3, "array.update_element requires exactly 3 arguments (array, index, value), got {count}") {
		return nil
	}
	a := c.arrayIndex("array.update_element first argument must be ArrayType, got {type}", "array.update_element index must be ScalarType, got {type}",
		"array.update_element index must have integer dtype, got {dtype}")
	if a == nil {
		return nil
	}
	s, ok := c.types[2].(*ir.ScalarType)
	if !ok {
		return c.fail(-1, "array.update_element value must be ScalarType, got {type}", c.types[2])
	}
	if s.DType != a.DType && !(s.DType == ir.INDEX && a.DType.IsInt()) {
		return c.fail(-1, "array.update_element value dtype ({dtype}) must match array dtype ({dtype})", s.DType, a.DType)
	}
	return a
}
