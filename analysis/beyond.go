package analysis

import (
	"context"
	"errors"
	"strings"

	"pypto-ls/dsa"
	"pypto-ls/memory"
)

// beyondText is what was found out, after the plan, about a function that
// planner DSA_RP does not place. It is ours: the compiler refuses the function
// whatever it says.
type beyondText struct {
	halves map[string]string // explanation by planned function
}

// explainBeyond replaces the explanation of a no-fit by the verdict, once there
// is one.
func (f *Func) explainBeyond(fd *Finding) {
	if fd.Code != "dsa-no-fit" {
		return
	}
	if b := f.beyond.Load(); b != nil && b.halves[fd.Func] != "" {
		fd.Explain = b.halves[fd.Func]
	}
}

// NoFits are the chunks of functions that DSA_RP does not place and about which
// LookBeyond has not found out more. Nothing is computed.
func (d *Document) NoFits() []int {
	if !d.IsKernel() || d.Settings.Planner != memory.DSARP {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []int
	for i, f := range d.funcs {
		if f != nil && f.hasNoFit() && f.beyond.Load() == nil {
			out = append(out, i)
		}
	}
	return out
}

func (f *Func) hasNoFit() bool {
	for i := range f.Findings {
		if f.Findings[i].Code == "dsa-no-fit" {
			return true
		}
	}
	return false
}

// LookBeyond decides for the function at a chunk whether there is no placement,
// or the compiler's search missed one. It may take seconds and reports whether
// anything is known now that was not before: nothing when ctx was cancelled; at
// ctx's deadline the verdict is that nobody knows.
func (d *Document) LookBeyond(ctx context.Context, chunk int) bool {
	f := d.Func(chunk)
	if f == nil || !f.hasNoFit() || f.beyond.Load() != nil {
		return false
	}
	det := d.Detail(chunk)
	if det == nil {
		return false
	}
	found := &beyondText{halves: map[string]string{}}
	stop := func() bool { return ctx.Err() != nil }
	for _, p := range det.Plans {
		if p.Result.Err == nil || errorCode(p.Result.Err) != "dsa-no-fit" {
			continue
		}
		l := p.Result.Layouts[memory.StageSemanticAliases]
		if l == nil {
			l = p.Result.Last()
		}
		s, _ := memory.SolveDSA(l, d.Settings.config(), stop)
		if s == nil {
			continue
		}
		if b := s.Beyond(dsa.SearchOptions{Stop: stop}); b != nil {
			found.halves[p.Fn.Name] = beyondWords(b)
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return false
	}
	return f.beyond.CompareAndSwap(nil, found)
}

func beyondWords(b *memory.Beyond) string {
	text := b.Explain()
	if b.At != nil && b.At.Meta().Span.Valid() {
		text = strings.Replace(text, " buffers that live at one time", " buffers that live together at line "+lineMark(b.At.Meta().Span.Start), 1)
	}
	return text
}
