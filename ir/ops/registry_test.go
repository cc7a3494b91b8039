package ops

import (
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pypto-ls/platforms"
)

// The expectations of this file are copied from the prose of the
// specification (02, 03 Table A, 08 §4.2), not from ops.json, from which the
// data are generated: the two must agree.

func TestCounts(t *testing.T) {
	got := map[string]int{}
	for i, op := range All() {
		prefix, _, _ := strings.Cut(op.Name, ".")
		got[prefix]++
		if i > 0 && Lookup(op.Name) != op {
			t.Errorf("Lookup(%q) finds another record", op.Name)
		}
	}
	want := map[string]int{"tile": 138, "system": 22, "tensor": 105, "array": 3, "prefetch": 4, "pld": 23, "dist": 5, "builtin": 8, "test": 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operators per namespace (-want +got):\n%s", diff)
	}
	if len(All()) != 312 {
		t.Errorf("%d operators, want 312", len(All()))
	}
	if Lookup("tile.nonesuch") != nil {
		t.Error("found an operator that does not exist")
	}
}

// names lists the operators for which ok holds, sorted.
func names(ok func(*Op) bool) []string {
	var l []string
	for _, op := range All() {
		if ok(op) {
			l = append(l, op.Name)
		}
	}
	sort.Strings(l)
	return l
}

// words expands a blank-separated list, giving each word the prefix.
func words(prefix, list string) []string {
	l := strings.Fields(list)
	for i := range l {
		l[i] = prefix + l[i]
	}
	return l
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	sort.Strings(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestTableA(t *testing.T) {
	expect(t, "class V", names((*Op).IsView), append(
		words("tensor.", "slice reshape reinterpret_view view set_validshape"),
		words("tile.", "slice reshape reinterpret_view transpose_view assemble set_validshape tget_scale_addr")...))
	reuses := map[string]int{}
	for _, op := range All() {
		if op.ReusesInput >= 0 {
			reuses[op.Name] = op.ReusesInput
		}
	}
	want := map[string]int{"tensor.assemble": 0, "tensor.set_validshape": 0, "tile.batch_matmul_acc": 0, "tile.fillpad_inplace": 0,
		"tile.matmul_acc": 0, "tile.gemv_acc": 0, "tile.matmul_mx_acc": 0, "tile.tget_scale_addr": 0, "tile.store": 2,
		"tile.mscatter": 2, "tile.gather_row": 0, "tile.scatter": 0, "tile.scatter_mask": 0, "tile.scatter_update": 0}
	if diff := cmp.Diff(want, reuses); diff != "" {
		t.Errorf("class R (-want +got):\n%s", diff)
	}
	expect(t, "not in-place safe", names(func(op *Op) bool { return op.NotInplaceSafe }),
		words("tile.", `fmod fmods ands ors xors prelu fillpad_expand gather gatherb gather_mask gather_compare mgather move extract
			concat transpose row_sum row_max row_min row_prod row_argmax row_argmin col_argmax col_argmin sort32 mrgsort_format1
			mrgsort_format2 recip rsqrt`))
	forbid := map[string][]int{"tile.row_expand_add": {1, 2}, "tile.sel": {0, 3}, "tile.sels": {0}}
	for _, n := range append(words("tile.row_expand", " _sub _div _mul _max _min _expdif"), words("tile.col_expand", "_mul _add _div _sub _max _min _expdif")...) {
		forbid[n] = []int{1}
	}
	forbid["tile.row_expand"], forbid["tile.col_expand"] = []int{1}, []int{1}
	got := map[string][]int{}
	for _, op := range All() {
		if op.ForbidAlias != nil && !op.NotInplaceSafe {
			got[op.Name] = op.ForbidAlias
		}
	}
	if diff := cmp.Diff(forbid, got); diff != "" {
		t.Errorf("forbidden output alias (-want +got):\n%s", diff)
	}
}

func TestOutputSpaces(t *testing.T) {
	fixed := func(s platforms.Space) []string {
		return names(func(op *Op) bool { return op.SpaceMode == SpaceFixed && op.Space == s })
	}
	expect(t, "fixed Acc", fixed(platforms.Acc), words("tile.",
		"matmul matmul_acc matmul_bias gemv gemv_acc gemv_bias batch_matmul batch_matmul_acc matmul_mx matmul_mx_acc matmul_mx_bias"))
	expect(t, "fixed Mat", fixed(platforms.Mat), []string{"tile.aic_gather"})
	expect(t, "fixed DDR", fixed(platforms.DDR), nil)
	expect(t, "retargetable", names(func(op *Op) bool { return op.Retargetable }), words("tile.", "load create"))
	expect(t, "from keyword", names(func(op *Op) bool { return op.SpaceMode == SpaceKwarg }), words("tile.", "load create move extract mgather"))
	// Table A, "None declared", as far as tile operators go.
	expect(t, "no resolver or inherited", names(func(op *Op) bool {
		return strings.HasPrefix(op.Name, "tile.") && (op.SpaceMode == SpaceNone || op.SpaceMode == SpaceInherit)
	}), words("tile.", `slice reshape reinterpret_view transpose_view assemble set_validshape tget_scale_addr transpose tpush_to_aic
		tpush_to_aiv tpop_from_aic tpop_from_aiv store mscatter gather_row read get_block_idx get_subblock_idx get_block_num alloc`))
}

func TestAccessEvidence(t *testing.T) {
	expect(t, "NoAccess", names(func(op *Op) bool { return op.Access == AccessNone }), words("tile.",
		"alloc create reshape slice reinterpret_view transpose_view set_validshape get_block_idx get_block_num get_subblock_idx"))
	expect(t, "Functional", names(func(op *Op) bool { return op.Access == AccessFunctional }), words("tile.", `
		abs add addc adds addsc and ands cast ci cmp cmps cos div divs exp fmod fmods log lrelu maximum maximums
		minimum minimums mul muls neg not or ors recip relu sels shl shls shr shrs sin sqrt sub subc subs subsc
		full random load move concat fillpad_expand sort32 mrgsort_format1
		matmul matmul_acc matmul_bias gemv gemv_acc gemv_bias batch_matmul batch_matmul_acc
		col_max col_min col_prod col_expand_add col_expand_div col_expand_expdif col_expand_max col_expand_min
		col_expand_mul col_expand_sub row_expand_div row_expand_expdif row_expand_max row_expand_min
		row_expand_mul row_expand_sub`))
}

func TestInputSpaces(t *testing.T) {
	// 02 §8.4: the matmul family wants Left, Right, Acc, Bias; store Vec or Acc.
	for name, want := range map[string][][]platforms.Space{
		"tile.matmul":      {{platforms.Left}, {platforms.Right}},
		"tile.matmul_acc":  {{platforms.Acc}, {platforms.Left}, {platforms.Right}},
		"tile.matmul_bias": {{platforms.Left}, {platforms.Right}, {platforms.Bias}},
		"tile.store":       {{platforms.Vec, platforms.Acc}},
		"tile.load":        nil,
		"tile.sel":         {{platforms.Vec}, {platforms.Vec}, {platforms.Vec}, {platforms.Vec}},
	} {
		if diff := cmp.Diff(want, Lookup(name).InputSpaces); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWrappers(t *testing.T) {
	if n := len(Wrappers()); n != 415 {
		t.Errorf("%d wrappers, want 415", n)
	}
	w := WrapperOf("pl.tile.add")
	if w == nil || w.Function != "add" || w.Params[1].Name != "rhs" {
		t.Errorf("pl.tile.add: %+v", w)
	}
	if WrapperOf("pl.tile.nonesuch") != nil {
		t.Error("found a wrapper that does not exist")
	}
}

func TestDispatch(t *testing.T) {
	none := func(string) bool { return false }
	given := func(k string) func(string) bool { return func(q string) bool { return q == k } }
	for _, c := range []struct {
		spelling string
		lhs, rhs Class
		has      func(string) bool
		want     string
	}{
		{"pl.add", ClassTile, ClassTile, none, "tile.add"},
		{"pl.add", ClassTile, ClassScalar, none, "tile.adds"},
		{"pl.add", ClassTensor, ClassScalar, none, "tensor.adds"},
		{"pl.add", ClassTile, ClassTensor, none, ""},
		{"pl.tile.add", ClassTile, ClassScalar, none, "tile.adds"},
		{"pl.tile.load", ClassTensor, ClassAny, none, "tile.load"},
		{"pl.maximum", ClassTensor, ClassScalar, none, "tensor.maximum"},
		{"pl.xor", ClassTile, ClassTile, given("tmp"), "tile.xor"},
		{"pl.xor", ClassTile, ClassScalar, none, "tile.xors"},
		{"pl.tensor.gather", ClassTensor, ClassTensor, none, "tensor.gather"},
		{"pl.tensor.gather", ClassTensor, ClassAny, given("mask_pattern"), "tensor.gather_mask"},
		{"pl.mrgsort", ClassTile, ClassAny, given("block_len"), "tile.mrgsort_format1"},
		{"pl.mrgsort", ClassTile, ClassTile, given("tmp"), "tile.mrgsort_format2"},
		{"pl.full", ClassAny, ClassAny, none, "tensor.full"},
		{"pl.nonesuch", ClassTile, ClassTile, none, ""},
	} {
		got := ""
		if op := Dispatch(Spelled(c.spelling), c.lhs, c.rhs, c.has); op != nil {
			got = op.Name
		}
		if got != c.want {
			t.Errorf("%s(%v, %v) is %q, want %q", c.spelling, c.lhs, c.rhs, got, c.want)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, op := range All() {
		for _, m := range op.Messages {
			if m.See != "" && Shared(m.See) == nil {
				t.Errorf("%s refers to shared messages %q, which do not exist", op.Name, m.See)
			}
			if (m.Text == "") == (m.See == "") {
				t.Errorf("%s has a message with neither or both of text and reference: %+v", op.Name, m)
			}
		}
	}
	if Shared("9.9") != nil {
		t.Error("found shared messages of a section that has none")
	}
}

func BenchmarkFirstLookup(b *testing.B) {
	// What the first lookup costs: building the index.
	for b.Loop() {
		m := make(map[string]*Op, len(table))
		for i := range table {
			m[table[i].Name] = &table[i]
		}
	}
}
