package prelude

import (
	"fmt"

	"pypto-ls/ir"
)

const verifyExpanded = "MixedKernelExpanded"

// verifyMixedKernel checks the pipe set-up of a function of the cube or vector
// core (spec 09 §6). Where the specification gives no text the message is ours.
func verifyMixedKernel(c *Ctx, f *ir.Function) {
	if f.Kind != ir.AIC && f.Kind != ir.AIV {
		return
	}
	v := &ringVerifier{c: c, f: f, side: cube}
	if f.Kind == ir.AIV {
		v.side = vector
	}
	v.scan()
	v.pipes()
	v.function()
}

type ringVerifier struct {
	c    *Ctx
	f    *ir.Function
	side lane

	use               pipeUse
	pipe              []*ir.Call
	reserves, imports int
	// first is the top-level position of the first statement with a transfer,
	// setUp that of the last set-up call; nested is set for set-up below the top
	// level.
	first, setUp int
	nested       bool
}

func (v *ringVerifier) problem(sp ir.Span, format string, args ...any) {
	v.c.problem(verifyExpanded, v.f, sp, fmt.Sprintf(format, args...))
}

func (v *ringVerifier) scan() {
	v.first, v.setUp = -1, -1
	if v.f.Body == nil {
		return
	}
	for i, st := range v.f.Body.Stmts {
		see := func(n ir.Stmt) {
			c := callOf(n)
			if c == nil {
				return
			}
			v.use.see(n, c)
			switch {
			case c.Name == "system.reserve_buffer":
				v.reserves++
			case c.Name == "system.import_peer_buffer":
				v.imports++
			case c.Op != nil && c.Op.CrossCore == "InitializePipe":
				v.pipe = append(v.pipe, c)
			case c.Op != nil && c.Op.CrossCore != "":
				if v.first < 0 {
					v.first = i
				}
				return
			default:
				return
			}
			v.setUp = i
			v.nested = v.nested || n != st
		}
		see(st)
		ir.EachNested(st, see)
	}
}

func intAttr(c *ir.Call, key string) (n int64, given bool) {
	v, ok := c.Kwarg(key)
	if !ok {
		return 0, false
	}
	n, ok = v.(int64)
	return n, ok
}

// pipes checks each initialize_pipe call.
func (v *ringVerifier) pipes() {
	for _, c := range v.pipe {
		say := func(format string, args ...any) {
			v.problem(c.Span, "Function '%s': '%s' "+format, append([]any{v.f.Name, c.Name}, args...)...)
		}
		if len(c.Args) != 2 {
			say("requires exactly 2 operands (c2v_consumer_buf, v2c_consumer_buf), got %d", len(c.Args))
			continue
		}
		mask, _ := intAttr(c, "dir_mask")
		if mask < 1 || mask > 3 {
			say("requires valid 'dir_mask' attribute")
		}
		if n, _ := intAttr(c, "slot_size"); n <= 0 {
			say("requires positive 'slot_size' attribute")
		}
		slots, ok := intAttr(c, "slot_num")
		switch {
		case ok && slots <= 0:
			say("'slot_num' attribute must be positive when set")
		case !ok && mask == 3:
			slots = 4
		case !ok:
			slots = 8
		}
		if n, ok := intAttr(c, "local_slot_num"); ok {
			if n <= 0 {
				say("'local_slot_num' attribute must be positive when set")
			} else if n > slots {
				say("'local_slot_num' (%d) must be <= effective slot_num (%d)", n, slots)
			}
		}
		if mask >= 1 && mask <= 3 {
			v.operand(say, c.Args[0], "c2v_consumer_buf", mask&dirC2V != 0)
			v.operand(say, c.Args[1], "v2c_consumer_buf", mask&dirV2C != 0)
		}
	}
}

func (v *ringVerifier) operand(say func(string, ...any), e ir.Expr, name string, live bool) {
	n, constant := ir.ConstValue(e)
	zero := constant && n == 0
	if live && zero {
		say("operand '%s' must not be the constant 0: its direction is in use", name)
	}
	if !live && !zero {
		say("operand '%s' must be the constant 0: its direction is not in use", name)
	}
}

// function checks what the set-up calls of a function add up to.
func (v *ringVerifier) function() {
	mask := v.use.mask()
	kind, side := v.f.Kind.String(), v.side.suffix()
	if mask != 0 && len(v.pipe) == 0 {
		for _, tiles := range v.use.tiles {
			for _, t := range tiles {
				if _, ok := slotBytes(t); !ok {
					v.problem(v.f.NameSpan, "Function '%s' uses cross-core tile ops with non-static tile size; auto pipe setup requires statically known tile shapes", v.f.Name)
					return
				}
			}
		}
		v.problem(v.f.NameSpan, "%s function '%s' uses cross-core tile ops but has no 'system.%s_initialize_pipe' call", kind, v.f.Name, side)
		return
	}
	reserve, imports := v.required()
	own, peer := int64(dirV2C), int64(dirC2V)
	if v.side == vector {
		own, peer = peer, own
	}
	v.count("system.reserve_buffer", v.reserves, reserve, mask&own != 0)
	v.count("system.import_peer_buffer", v.imports, imports, mask&peer != 0)
	if v.first >= 0 && len(v.pipe) > 0 && (v.nested || v.setUp > v.first) {
		v.problem(v.f.NameSpan, "Function '%s': the pipe set-up must stand at the top level of the body, before the first cross-core tile op", v.f.Name)
	}
}

// required counts the buffers that the initialised directions need: the
// consumer of a direction reserves, its producer imports.
func (v *ringVerifier) required() (reserve, imports int) {
	own, peer := int64(dirV2C), int64(dirC2V)
	if v.side == vector {
		own, peer = peer, own
	}
	for _, c := range v.pipe {
		mask, _ := intAttr(c, "dir_mask")
		if mask&own != 0 {
			reserve++
		}
		if mask&peer != 0 {
			imports++
		}
	}
	return reserve, imports
}

// count compares the number of calls with what the masks require; used tells
// whether the function moves tiles in the direction that op serves.
func (v *ringVerifier) count(op string, got, want int, used bool) {
	switch {
	case used && got == 0:
		v.problem(v.f.NameSpan, "%s function '%s' uses cross-core tile ops but has no '%s' call", v.f.Kind, v.f.Name, op)
	case got < want:
		v.problem(v.f.NameSpan, "Function '%s' has fewer '%s' calls than initialized pipe directions require", v.f.Name, op)
	case got > want && len(v.pipe) > 0:
		v.problem(v.f.NameSpan, "Function '%s' has more '%s' calls than initialized pipe directions require", v.f.Name, op)
	}
}
