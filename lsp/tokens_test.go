package lsp_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"pypto-ls/analysis"
)

type tokens struct {
	ResultID string
	Data     []uint32
	Edits    []struct {
		Start, DeleteCount int
		Data               []uint32
	}
}

// apply is what a client does with an answer.
func (t *tokens) apply(old []uint32) []uint32 {
	if t.Edits == nil {
		return t.Data
	}
	for _, e := range t.Edits {
		old = append(append(append([]uint32(nil), old[:e.Start]...), e.Data...), old[e.Start+e.DeleteCount:]...)
	}
	return old
}

// decode shows tokens by word: `line:word type`, with what the modifiers say of
// memory spaces.
func decode(text string, data []uint32) string {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	line, col := 0, 0
	for i := 0; i+5 <= len(data); i += 5 {
		if data[i] > 0 {
			line, col = line+int(data[i]), 0
		}
		col += int(data[i+1])
		fmt.Fprintf(&b, "%d:%s %s", line, lines[line][col:col+int(data[i+2])], analysis.TokenTypeNames[data[i+3]])
		for k, name := range analysis.TokenModNames[4:] {
			if data[i+4]>>(4+k)&1 != 0 {
				b.WriteString("+" + name)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestSemanticTokens(t *testing.T) {
	s := planned(t, utf8)
	s.Optional("textDocument/publishDiagnostics")
	s.open(dumpURI, dump)
	var full, part tokens
	s.Call("textDocument/semanticTokens/full", doc(dumpURI), &full)
	got := decode(dump, full.Data)
	for _, want := range []string{"0:# pypto.program: P comment\n", "4:class keyword\n4:P class\n", "7:a variable+vec\n", "9:add function\n9:a variable+vec\n9:b variable+vec\n", "11:return keyword\n11:r variable+ddr\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	params := all(dumpURI)
	params["range"] = obj{"start": obj{"line": 9, "character": 0}, "end": obj{"line": 9, "character": 999}}
	s.Call("textDocument/semanticTokens/range", params, &part)
	if text := decode(dump, part.Data); !strings.HasPrefix(text, "9:c variable+vec\n") || strings.Contains(text, "\n10:") || strings.Contains(text, "8:") {
		t.Errorf("range: %s", text)
	}
	var same tokens
	s.Call("textDocument/semanticTokens/full/delta", with(doc(dumpURI), "previousResultId", full.ResultID), &same)
	if same.Edits == nil || len(same.Edits) != 0 || same.ResultID != full.ResultID {
		t.Errorf("without a change: %+v", same)
	}
	var unknown tokens
	s.Call("textDocument/semanticTokens/full/delta", with(doc(dumpURI), "previousResultId", "nonsense"), &unknown)
	if unknown.Edits != nil || len(unknown.Data) != len(full.Data) {
		t.Errorf("after an unknown result: %d edits, %d numbers", len(unknown.Edits), len(unknown.Data))
	}
}

// TestSemanticTokensDelta: whatever is edited, the changes applied to what the
// client has give what a fresh request does.
func TestSemanticTokensDelta(t *testing.T) {
	const seed = 42
	r := rand.New(rand.NewSource(seed))
	for _, enc := range []string{"utf-8", "utf-16"} {
		s := planned(t, obj{"general": obj{"positionEncodings": []string{enc}}})
		s.Optional("textDocument/publishDiagnostics")
		text := dump + "\n# 漢😀\n" + strings.Replace(strings.Replace(dump, "class P", "class Q", 1), "import", "# 😀\nimport", 1)
		s.open(dumpURI, text)
		fresh := strings.Replace(dumpURI, "passes_dump", "fresh/passes_dump", 1)
		s.open(fresh, text)
		var have tokens
		s.Call("textDocument/semanticTokens/full", doc(dumpURI), &have)
		data, id := have.Data, have.ResultID
		saved := 0
		for n := range 60 {
			i := r.Intn(len(text) + 1)
			j := min(len(text), i+r.Intn(30))
			text = strings.ToValidUTF8(text[:i]+[]string{"", "\n", "x", " = ", "\"", "é漢", "\r\n", "# c\n", "    y = a\n"}[r.Intn(9)]+text[j:], "")
			s.change(dumpURI, n+2, whole(text))
			s.change(fresh, n+2, whole(text))
			var delta, full tokens
			s.Call("textDocument/semanticTokens/full/delta", with(doc(dumpURI), "previousResultId", id), &delta)
			s.Call("textDocument/semanticTokens/full", doc(fresh), &full)
			data, id = delta.apply(data), delta.ResultID
			if fmt.Sprint(data) != fmt.Sprint(full.Data) || id != full.ResultID {
				t.Fatalf("seed %d, edit %d, %s: the change does not give the new tokens\n%q", seed, n, enc, text)
			}
			if len(delta.Edits) == 0 || len(delta.Edits[0].Data) < len(full.Data)/2 {
				saved++
			}
		}
		if saved < 20 {
			t.Errorf("%s: only %d of 60 changes were shorter than half of everything", enc, saved)
		}
	}
}
