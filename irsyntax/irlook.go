package irsyntax

import "strings"

// looksLikeIR reports whether a module-level statement, with its nested
// lines, is an IR statement outside any function (spec 01 §13): a variable
// with an IR type, a call of the tile, tensor or system namespace, an IR loop.
func looksLikeIR(text string) bool {
	for i := 0; i < len(text); {
		end := lineEnd(text, i)
		if lineLooksLikeIR(text[skipBlanks(text[:end], i):end]) {
			return true
		}
		i = afterEOL(text, end)
	}
	return false
}

func lineLooksLikeIR(line string) bool {
	if isIRCall(line) {
		return true
	}
	if rest, ok := strings.CutPrefix(line, "for "); ok {
		_, iter, ok := strings.Cut(rest, " in ")
		return ok && isIRLoop(iter)
	}
	w := wordEnd(line, 0)
	if w == 0 {
		return false
	}
	rest := strings.TrimLeft(line[w:], " \t")
	if ann, ok := strings.CutPrefix(rest, ":"); ok && isIRType(ann) {
		return true
	}
	if i := strings.Index(line, " = "); i > 0 {
		return isIRCall(strings.TrimLeft(line[i+3:], " "))
	}
	return false
}

// isIRCall reports whether s begins with a call like pl.tile.op( or tile.op(.
func isIRCall(s string) bool {
	s, prefixed := strings.CutPrefix(s, "pl.")
	w := wordEnd(s, 0)
	switch s[:w] {
	case "tile", "tensor", "system", "array":
		if !prefixed && s[:w] != "tile" && s[:w] != "tensor" {
			return false
		}
	default:
		return false
	}
	if w >= len(s) || s[w] != '.' {
		return false
	}
	e := wordEnd(s, w+1)
	return e > w+1 && e < len(s) && s[e] == '('
}

func isIRLoop(s string) bool {
	s, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), "pl.")
	if !ok {
		return false
	}
	switch s[:wordEnd(s, 0)] {
	case "range", "parallel", "unroll", "pipeline", "while_", "spmd", "split_aiv":
		return true
	}
	return false
}

// isIRType reports whether s begins with a tile, tensor, scalar or pointer
// type of the IR.
func isIRType(s string) bool {
	s = strings.TrimLeft(s, " \t")
	s, prefixed := strings.CutPrefix(s, "pl.")
	w := wordEnd(s, 0)
	next := byte(0)
	if w < len(s) {
		next = s[w]
	}
	switch s[:w] {
	case "Tile", "Tensor", "Scalar":
		return next == '['
	case "Array", "Tuple":
		return prefixed && next == '['
	case "Ptr", "MemRefType":
		return next != '.' && next != '['
	}
	return false
}

// isMainGuard recognises `if __name__ …` at i.
func (s *splitter) isMainGuard(i int) bool {
	if !hasWord(s.src, i, "if") {
		return false
	}
	i = skipBlanks(s.src, i+len("if"))
	s.note(i + len("__name__") + 1)
	return hasWord(s.src, i, "__name__")
}
