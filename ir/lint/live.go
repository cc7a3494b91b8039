package lint

import (
	"pypto-ls/ir"
	"pypto-ls/ir/arith"
)

// live visits the statements that may run, in program order: not the bodies
// of loops without a turn, nor branches that constants and the bounds of the
// enclosing loops decide against.
func live(b *ir.Block, visit func(ir.Stmt)) {
	l := &liveWalker{visit: visit, ranges: map[*ir.Var]arith.Interval{}}
	l.engine.Range = func(v *ir.Var) (arith.Interval, bool) {
		r, ok := l.ranges[v]
		return r, ok
	}
	l.block(b)
}

type liveWalker struct {
	visit  func(ir.Stmt)
	engine arith.Engine
	ranges map[*ir.Var]arith.Interval
}

func (l *liveWalker) block(b *ir.Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		l.visit(s)
		switch s := s.(type) {
		case *ir.For:
			turns := l.bound(s)
			if turns != 0 {
				l.block(s.Body)
			}
		case *ir.If:
			taken, decided := l.decide(s.Cond)
			if !decided || taken {
				l.block(s.Then)
			}
			if !decided || !taken {
				l.block(s.Else)
			}
		case *ir.While:
			l.block(s.Body)
		case *ir.Scope:
			l.block(s.Body)
		}
	}
}

// bound notes the values of a loop's index and reports 0 when the loop surely
// has no turn.
func (l *liveWalker) bound(s *ir.For) int {
	start, ok1 := ir.ConstValue(s.Start)
	stop, ok2 := ir.ConstValue(s.Stop)
	step, ok3 := ir.ConstValue(s.Step)
	if !ok1 || !ok2 || !ok3 || step == 0 || s.Var == nil {
		return 1
	}
	if step > 0 && start >= stop || step < 0 && start <= stop {
		return 0
	}
	last := start + (stop-start-sign(step))/step*step
	l.ranges[s.Var] = arith.Interval{Lo: min(start, last), Hi: max(start, last)}
	return 1
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

func (l *liveWalker) decide(cond ir.Expr) (taken, decided bool) {
	switch cond.(type) {
	case *ir.ConstBool, *ir.Binary, *ir.Unary:
	default:
		return false, false
	}
	switch c := l.engine.Fold(cond).(type) {
	case *ir.ConstBool:
		return c.Value, true
	case *ir.ConstInt:
		return c.Value != 0, c.DType == ir.BOOL
	}
	return false, false
}
