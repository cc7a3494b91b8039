package analysis

import (
	"runtime/debug"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// isolated computes one function; a panic costs that function only. It becomes
// a finding, and OnPanic is told.
func (e *Engine) isolated(u *unit, c *irsyntax.Chunk) (f *Func, d *Detail) {
	defer func() {
		if v := recover(); v != nil {
			f, d = failedFunc(c), nil
			stack := debug.Stack()
			if r, ok := v.(relayed); ok {
				v, stack = r.value, r.stack
			}
			if e.OnPanic != nil {
				e.OnPanic(v, stack)
			}
		}
	}()
	if e.fault != nil {
		e.fault(c)
	}
	ctx := u.ctx
	return ctx.compute(c)
}

// failedFunc is the result of a function that our own code failed on.
func failedFunc(c *irsyntax.Chunk) *Func {
	f := &Func{Name: c.Name, failed: true, NameSpan: nameSpan(c)}
	f.Findings = []Finding{{
		Code: "internal-error", Severity: Warning, Span: f.NameSpan, Func: c.Name,
		Message: "pypto-ls failed on this function; all others are looked at as usual",
		Explain: "This is an error in pypto-ls, not in the kernel. Please report it with the log of the server.",
	}}
	f.shown, f.drawn = planHashes(f, c.Text)
	return f
}

// nameSpan finds the function's name in its text without a tree: the tree may
// be what fails.
func nameSpan(c *irsyntax.Chunk) ir.Span {
	for from := 0; c.Name != ""; {
		i := strings.Index(c.Text[from:], "def ")
		if i < 0 {
			break
		}
		from += i + len("def ")
		rest := strings.TrimLeft(c.Text[from:], " \t\f\\\r\n")
		if strings.HasPrefix(rest, c.Name) {
			at := int32(len(c.Text) - len(rest))
			return ir.Span{Start: at, End: at + int32(len(c.Name))}
		}
	}
	return ir.Span{End: int32(min(1, len(c.Text)))}
}
