package irsyntax

import "strings"

// Decorators are the dotted names of a function's or class's decorators in
// order, without `@` and call: `pl.function`. A decorator that is no dotted
// name gives what it begins with.
func (c *Chunk) Decorators() []string {
	if c.Kind != FuncChunk && c.Kind != ClassChunk {
		return nil
	}
	var names []string
	s := scan{src: c.Text}
	for i := 0; i < len(c.Text); {
		col, _, first := indentAt(c.Text, i)
		switch {
		case first >= len(c.Text):
			return names
		case c.Text[first] == '@':
			names = append(names, dottedName(c.Text, skipBlanks(c.Text, first+1)))
			i, _ = s.logical(first, col)
		case c.Text[first] == '#' || c.Text[first] == '\n' || c.Text[first] == '\r':
			i = afterEOL(c.Text, lineEnd(c.Text, first))
		default:
			return names
		}
	}
	return names
}

// dottedName is the dotted name at i, without blanks around its dots.
func dottedName(s string, i int) string {
	start := i
	for {
		i = wordEnd(s, i)
		if i+1 >= len(s) || s[i] != '.' || !isIdentStart(s[i+1]) {
			return s[start:i]
		}
		i++
	}
}

// IsKernelText reports whether a document holds kernel IR at all, rather than
// ordinary Python: it imports pypto, has a function or class with a decorator
// of the kernel language (under the name `pl`, or bare), or has the shorthand
// of the documentation (spec 01 §4.1, §13). A decorator under another name
// counts only with the import, since `@tf.function` is no kernel.
func IsKernelText(f *File) bool {
	for i := range f.Chunks {
		c := f.Chunks[i].Chunk
		switch c.Kind {
		case SnippetChunk:
			if hasStrongIR(c.Text) {
				return true
			}
		case ModuleChunk:
			if importsKernelLanguage(c.Text) {
				return true
			}
		case FuncChunk, ClassChunk:
			if isKernelDefinition(c) {
				return true
			}
		}
	}
	return false
}

func isKernelDefinition(c *Chunk) bool {
	decorators := c.Decorators()
	for _, d := range decorators {
		name, prefixed := strings.CutPrefix(d, "pl.")
		word, _, _ := strings.Cut(name, ".")
		switch word {
		case "program", "function", "inline":
			if prefixed || name == word {
				return true
			}
		case "jit": // bare, it is anybody's
			if prefixed {
				return true
			}
		}
	}
	return c.Kind == FuncChunk && len(decorators) == 0 && hasStrongIR(c.Text)
}

// hasStrongIR looks for text that only kernel IR contains.
func hasStrongIR(text string) bool {
	for _, s := range []string{"Tile[[", "Tile[...", "Tensor[[", "pl.tile.", "pl.tensor.", "tile.alloc(", "tensor.alloc(", "pl.MemRef(", "SeqStmts ["} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// importsKernelLanguage looks for an import of pypto.
func importsKernelLanguage(text string) bool {
	for i := 0; i < len(text); {
		_, _, first := indentAt(text, i)
		rest := text[min(first, len(text)):]
		for _, head := range []string{"import ", "from "} {
			if s, ok := strings.CutPrefix(rest, head); ok && hasWord(s, skipBlanks(s, 0), "pypto") {
				return true
			}
		}
		i = afterEOL(text, lineEnd(text, i))
	}
	return false
}
