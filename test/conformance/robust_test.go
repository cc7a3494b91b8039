package conformance

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pypto-ls/ir"
	"pypto-ls/ir/printer"
	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// TestDamagedText plans texts that were damaged at random: nothing may panic,
// the function that was read must stay as it was, and a second run must give
// the same result.
func TestDamagedText(t *testing.T) {
	paths := casePaths(t, filepath.Join("..", "testdata", "corpus"))
	for i, path := range paths {
		c, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(uint64(i), 1))
		for _, stage := range []memory.Stage{memory.StageInput, memory.StageInitMemRef, memory.StageMemoryReuse} {
			text, ok := c.after(stage)
			if !ok {
				continue
			}
			for range 4 {
				damaged := damage(text, rnd)
				cfg := memory.Config{Planner: memory.Planner(rnd.IntN(3))}
				if rnd.IntN(5) > 0 {
					cfg.Platform, _ = platforms.Lookup(platforms.Names()[rnd.IntN(2)])
				}
				if !planDamaged(t, c.name, damaged, cfg, stage) {
					return
				}
			}
		}
	}
}

func planDamaged(t *testing.T, name, text string, cfg memory.Config, stage memory.Stage) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s, %s from %s: panic: %v\n%s", name, cfg.Planner, stage, p, text)
			ok = false
		}
	}()
	policy := read.Dump
	if stage == memory.StageInput {
		policy = read.Reference
	}
	for _, p := range read.File(irsyntax.Parse(text), read.Options{Policy: policy, Platform: cfg.Platform}) {
		for _, f := range p.IR.Funcs {
			before := printer.Function(f, 1, printer.Options{})
			first := describe(memory.Run(f, cfg, stage))
			if second := describe(memory.Run(f, cfg, stage)); first != second {
				t.Errorf("%s: two runs differ: %s", name, firstDifference(second, first))
				return false
			}
			if after := printer.Function(f, 1, printer.Options{}); before != after {
				t.Errorf("%s: planning changed its input: %s", name, firstDifference(after, before))
				return false
			}
		}
	}
	return true
}

// describe is everything a result says.
func describe(r *memory.Result) string {
	var sb strings.Builder
	for _, l := range r.Layouts {
		if l != nil {
			sb.WriteString(printer.Function(l.Fn, 1, printer.Options{TypeOf: func(_ *ir.Function, v *ir.Var) ir.Type { return l.TypeOf(v) }}))
		}
	}
	fmt.Fprintf(&sb, "\n%s %v\n", r.Err, r.Usage)
	for _, d := range r.Diags {
		sb.WriteString(d.Line() + "\n")
	}
	for _, e := range r.Verify {
		sb.WriteString(e.String() + "\n")
	}
	return sb.String()
}

var (
	number = regexp.MustCompile(`\b\d+\b`)
	word   = regexp.MustCompile(`\b[A-Za-z_]\w*\b`)
)

// damage changes one to three things in text: a line goes or comes twice, a
// number or a name becomes another, the text ends early.
func damage(text string, rnd *rand.Rand) string {
	for range 1 + rnd.IntN(3) {
		lines := strings.SplitAfter(text, "\n")
		i := rnd.IntN(len(lines))
		switch rnd.IntN(6) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[i]
		case 2, 3:
			values := []string{"0", "1", "-1", "7", "64", "4096", "9223372036854775807", "n", ""}
			text = replaceAny(text, number, values[rnd.IntN(len(values))], rnd)
			continue
		case 4:
			words := word.FindAllString(text, -1)
			if len(words) > 0 {
				text = replaceAny(text, word, words[rnd.IntN(len(words))], rnd)
			}
			continue
		case 5:
			if rnd.IntN(4) == 0 {
				return text[:rnd.IntN(len(text)+1)]
			}
			j := rnd.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		}
		text = strings.Join(lines, "")
	}
	return text
}

func replaceAny(text string, what *regexp.Regexp, with string, rnd *rand.Rand) string {
	found := what.FindAllStringIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	m := found[rnd.IntN(len(found))]
	return text[:m[0]] + with + text[m[1]:]
}
