package lsp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pypto-ls/lsp"
)

// TestSyncOrder: changes that were overtaken by later ones are put in their place
// (Helix 25.01 lets them race); where the place is not known the document is
// dropped rather than wrong.
func TestSyncOrder(t *testing.T) {
	appended := func(v int) obj { return edit(0, v-1, 0, v-1, fmt.Sprint(v%10)) } // right only on the text of version v-1
	type arrival struct {
		version any
		changes []obj
	}
	one := func(version any, changes ...obj) arrival { return arrival{version, changes} }
	for _, c := range []struct {
		name     string
		arrivals []arrival
		want     string // "" is a document that was dropped
	}{
		{"in order", []arrival{one(2, appended(2)), one(3, appended(3)), one(4, appended(4))}, "1234"},
		{"swapped pair", []arrival{one(3, edit(0, 0, 0, 1, "")), one(2, edit(0, 0, 0, 0, "X"))}, "1"},
		{"swapped pair after a gap of its own", []arrival{one(9, edit(0, 0, 0, 1, "")), one(5, edit(0, 0, 0, 0, "X"))}, "1"},
		{"swapped triple", []arrival{one(4, edit(0, 0, 0, 2, "")), one(3, edit(0, 1, 0, 1, "Y")), one(2, edit(0, 0, 0, 0, "X"))}, "1"}, // 1, X1, XY1, 1
		{"rotated triple", []arrival{one(3, edit(0, 1, 0, 1, "Y")), one(4, edit(0, 0, 0, 2, "")), one(2, edit(0, 0, 0, 0, "X"))}, "1"},
		{"two swapped pairs", []arrival{one(3, edit(0, 0, 0, 1, "")), one(2, edit(0, 0, 0, 0, "X")), one(5, edit(0, 0, 0, 1, "")), one(4, edit(0, 0, 0, 0, "Z"))}, "1"},
		{"a change after a swapped pair", []arrival{one(3, edit(0, 0, 0, 1, "")), one(2, edit(0, 0, 0, 0, "X")), one(4, edit(0, 1, 0, 1, "!"))}, "1!"},
		{"an edit between the swapped ones", []arrival{one(4, edit(0, 0, 0, 1, "")), one(5, edit(0, 1, 0, 1, "!")), one(3, edit(0, 0, 0, 0, "X"))}, "1!"},
		{"gap never filled", []arrival{one(3, edit(0, 1, 0, 1, "3")), one(7, edit(0, 2, 0, 2, "7")), one(8, edit(0, 3, 0, 3, "8"))}, "1378"},
		{"gap filled after a full text", []arrival{one(3, whole("new")), one(2, edit(0, 0, 0, 1, ""))}, "new"},
		{"gap filled after a full text and an edit", []arrival{one(3, whole("new")), one(4, edit(0, 3, 0, 3, "er")), one(2, edit(0, 0, 0, 1, ""))}, "newer"},
		{"full text fills the gap", []arrival{one(3, edit(0, 3, 0, 3, "er")), one(2, whole("new"))}, "newer"},
		{"older full text after a newer one", []arrival{one(3, whole("new")), one(2, whole("old"))}, "new"},
		{"older full text without a gap", []arrival{one(2, edit(0, 0, 0, 0, "X")), one(1, whole("old"))}, ""},
		{"repeated version", []arrival{one(2, appended(2)), one(2, appended(3))}, "123"},
		{"repeated version in a gap", []arrival{one(4, edit(0, 0, 0, 1, "")), one(4, edit(0, 1, 0, 1, "!")), one(3, edit(0, 0, 0, 0, "X"))}, "1!"},
		{"the same gap filled twice", []arrival{one(4, edit(0, 0, 0, 1, "")), one(3, edit(0, 0, 0, 0, "X")), one(3, edit(0, 0, 0, 0, "X"))}, ""},
		{"older than the opened text", []arrival{one(0, edit(0, 0, 0, 0, "X"))}, ""},
		{"older than the opened text, with a gap", []arrival{one(5, appended(2)), one(1, appended(2))}, ""},
		{"null fills no gap", []arrival{one(4, edit(0, 0, 0, 1, "")), one(nil, edit(0, 0, 0, 0, "5")), one(3, edit(0, 0, 0, 0, "X"))}, "51"},
		{"an overtaken edit that cannot be applied", []arrival{one(4, appended(2)), one(3, obj{"range": nil})}, ""},
		{"the largest version", []arrival{one(1<<31-1, edit(0, 0, 0, 1, "")), one(5, edit(0, 0, 0, 0, "X"))}, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t)
			s.Optional("textDocument/publishDiagnostics")
			s.openAs(uri, "1", 1)
			for _, a := range c.arrivals {
				s.change(uri, a.version, a.changes...)
			}
			if c.want != "" {
				s.wantText(uri, c.want)
				return
			}
			if m := string(s.Next("window/showMessage").Params); !strings.Contains(m, "lost track of a.py") {
				t.Errorf("the user is told %s", m)
			}
			if text, open := s.text(uri); open {
				t.Errorf("the document is still there: %q", text)
			}
		})
	}
}

// TestSyncOrderDiagnostics: what was told about the wrong text is corrected, under
// the same version, since it is the latest one.
func TestSyncOrderDiagnostics(t *testing.T) {
	s := begin(t)
	s.openAs(uri, "xBAD", 1)
	s.diagnostics(uri, 1)
	s.change(uri, 3, edit(0, 0, 0, 2, "")) // "AD"; rightly "xxBAD" without two
	if p := s.diagnostics(uri, 3); len(p.Diagnostics) != 0 {
		t.Errorf("of the wrong text: %+v", p)
	}
	s.change(uri, 2, edit(0, 0, 0, 0, "x"))
	if p := s.diagnostics(uri, 3); len(p.Diagnostics) != 1 || p.Diagnostics[0].Range.Start.Character != 0 {
		t.Errorf("of the right text: %+v", p)
	}
}

// TestSyncOrderTooLong: a text that is too long only in the wrong order comes back.
func TestSyncOrderTooLong(t *testing.T) {
	s := start(t, lsp.Options{Limits: lsp.Limits{Document: 10}})
	s.Optional("textDocument/publishDiagnostics")
	s.initialize(utf8)
	s.open(uri, "12345678")
	s.change(uri, 3, edit(0, 0, 0, 0, "abcde")) // 13 bytes
	s.change(uri, 4, edit(0, 5, 0, 5, "-"))
	s.change(uri, 2, edit(0, 4, 0, 8, "")) // 1234, abcde1234, abcde-1234
	s.wantText(uri, "abcde-1234")
}

// TestSyncOrderBounded: of a document whose gaps are never filled only the latest
// changes can be done again.
func TestSyncOrderBounded(t *testing.T) {
	for late, want := range map[int]bool{400 - 1: true, 400 - 41: true, 400 - 201: false, 3: false} {
		s := begin(t)
		s.Optional("textDocument/publishDiagnostics")
		s.open(uri, "")
		var right []string
		for v := 2; v <= 400; v += 2 {
			s.change(uri, v, edit(len(right), 0, len(right), 0, fmt.Sprintln(v)))
			right = append(right, fmt.Sprintln(v))
		}
		s.change(uri, late, edit(late/2, 0, late/2, 0, "late ")) // at the end, at its time
		text, open := s.text(uri)
		if open != want {
			t.Errorf("version %d: open is %v", late, open)
		}
		if !want {
			s.Next("window/showMessage")
			continue
		}
		// Every later version adds its line before it.
		if text != strings.Join(right, "")+"late " {
			t.Errorf("version %d: got %q", late, text)
		}
	}
}

// TestSyncOrderRandom: batches that arrive shuffled give the text that they give
// in order.
func TestSyncOrderRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for round := range 40 {
		shuffled, ordered := begin(t), begin(t)
		for _, s := range []*session{shuffled, ordered} {
			s.Optional("textDocument/publishDiagnostics")
			s.open(uri, "def f(x):\n    y = x\n")
		}
		version := 1
		for range 12 {
			type arrival struct {
				version int
				changes []obj
			}
			var batch []arrival
			for range 1 + r.IntN(12) {
				version += 1 + r.IntN(2)*r.IntN(5)
				a := arrival{version: version}
				for range 1 + r.IntN(2) {
					l := r.IntN(5)
					a.changes = append(a.changes, edit(l, r.IntN(6), l+r.IntN(2), r.IntN(6), randomInsert(r)))
				}
				if r.IntN(30) == 0 {
					a.changes = []obj{whole(randomInsert(r) + "\nx = 1\n")}
				}
				batch = append(batch, a)
			}
			for _, a := range batch {
				ordered.change(uri, a.version, a.changes...)
			}
			r.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
			for _, a := range batch {
				shuffled.change(uri, a.version, a.changes...)
			}
			got, _ := shuffled.text(uri)
			want, open := ordered.text(uri)
			if got != want || !open {
				var order []int
				for _, a := range batch {
					order = append(order, a.version)
				}
				sorted := slices.Sorted(slices.Values(order))
				t.Fatalf("seed %d, round %d: versions %v arriving as %v give\n%q\nin order\n%q", seed, round, sorted, order, got, want)
			}
		}
	}
}
