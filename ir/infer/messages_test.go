package infer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pypto-ls/ir/ops"
)

// literals are the string literals of this package's source that look like
// texts of messages.
func literals(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	set := token.NewFileSet()
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no source: %v", err)
	}
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, p, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			if s, err := strconv.Unquote(l.Value); err == nil && strings.Contains(s, " ") {
				found[s] = set.Position(l.Pos()).String()
			}
			return true
		})
	}
	return found
}

// otherTexts are texts that spec 02 gives outside of ops.json (§2.2, §5.1,
// §12), or no messages at all.
var otherTexts = []string{
	"Operator '", "Unknown kwarg '", "Kwarg '{name}' ", "Missing kwarg: ", "TileType valid_shape rank", "TensorType valid_shape rank",
	"{op} valid_shape dimension {i}", "' not found in registry", "the result type of ", "the type of an operand", "the value of keyword",
	"the element type of keyword", "a tuple operand is not", "tensor.view with an explicit", "the layout change of", "the valid shape of the source", "the strides of a", "the product of two vectors",
	"tensor.matmul requires matching inner dimensions", " is not modelled", " and ", ", ", " of ",
}

// TestMessages holds every text in the source against ops.json, both ways: no
// text that the specification does not have, no text of a modelled operator
// left out.
func TestMessages(t *testing.T) {
	spec := specData(t)
	inSource := literals(t)
	inSpec := map[string]bool{}
	for _, list := range spec.Shared {
		for _, m := range list {
			inSpec[m.Text] = true
		}
	}
	for _, o := range spec.Ops {
		for _, m := range o.Messages {
			inSpec[m.Text] = true
		}
	}
	for text, where := range inSource {
		if inSpec[text] || namesOperator(text, spec.Ops, inSpec) || isOther(text) || strings.HasSuffix(where, "doc.go") {
			continue
		}
		if strings.Contains(text, "{") || strings.Contains(text, "requires") {
			t.Errorf("%s: %q is no text of ops.json", where, text)
		}
	}
	var missing []string
	for _, o := range spec.Ops {
		op := ops.Lookup(o.Name)
		if op == nil || !Modelled(op) {
			continue
		}
		for _, m := range o.Messages {
			if m.Text != "" && inSource[m.Text] == "" && inSource[strings.ReplaceAll(m.Text, o.Name, "{op}")] == "" && !unreachable(m.Text) {
				missing = append(missing, o.Name+": "+m.Text)
			}
		}
	}
	for section, list := range spec.Shared {
		for _, m := range list {
			if inSource[m.Text] == "" && !unreachable(m.Text) {
				missing = append(missing, section+": "+m.Text)
			}
		}
	}
	sort.Strings(missing)
	for _, m := range missing {
		t.Errorf("not in the source: %s", m)
	}
}

// namesOperator: the source writes {op} where ops.json spells the operator
// out.
func namesOperator(text string, list []specOp, inSpec map[string]bool) bool {
	if !strings.Contains(text, "{op}") {
		return false
	}
	for i := range list {
		if inSpec[strings.ReplaceAll(text, "{op}", list[i].Name)] {
			return true
		}
	}
	return false
}

func isOther(text string) bool {
	for _, s := range otherTexts {
		if strings.HasPrefix(text, s) || text == s {
			return true
		}
	}
	return false
}

// unreachable texts cannot occur: internal checks behind other checks, and
// conditions that earlier ones exclude.
func unreachable(text string) bool {
	for _, s := range []string{
		"Internal error: ",
		"every violation of the valid-shape bounds", // composed; see validBounds
		"MX scale K must be positive",               // physical K is a positive multiple of 64 by then
		"{scale_name} to be a TileType",             // checked under the operand's own name before
		"GEMV requires rhs logical K",               // the product contract has checked it
		"must be a DataType or int, but got",        // the keyword check comes first
		"Invalid kwarg type for out_dtype",
		"output_dtype to be DataType or int",
		"pad_value must be a PadValue enum", "pad_value has invalid enum value",
		"Cannot promote data types",         // promotion never fails (spec 02 §4.2)
		"{op} requires rank >= 1",           // the shape is checked before
		"contiguous axis {value} is out",    // ditto
		"cannot represent dtype byte ratio", // all ratios are powers of two
		"element count overflows int64",
		"match the accumulator output",
		"{op} argument {i} must not be null",                // operands always exist
		"tensor.view: src view is not canonical for layout", // degraded: see relayout
		"tensor.view: explicit valid_shape must describe",   // degraded: see viewValid
	} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
