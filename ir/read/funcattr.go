package read

import (
	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// prologue reads the `pl.func_attr` statements and returns the first
// statement after them (spec 01 §5.3).
func (r *reader) prologue(body irsyntax.Ref) irsyntax.Ref {
	s := body.First()
	if s.Ok() && s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.String && isFuncAttr(s.Next()) {
		r.comments.docstring(r, s)
		s = s.Next()
	}
	for s.Ok() && isFuncAttr(s) {
		r.funcAttr(s)
		s = s.Next()
	}
	return s
}

func isFuncAttr(s irsyntax.Ref) bool {
	return s.Ok() && s.Kind() == irsyntax.ExprStmt && s.First().Kind() == irsyntax.Call &&
		lastComponent(s.First().First()) == "func_attr"
}

const funcAttrUse = `Use: pl.func_attr({"split": pl.SplitMode.UP_DOWN})`

func (r *reader) funcAttr(s irsyntax.Ref) {
	d := s.First().First().Next()
	switch {
	case !d.Ok() || d.Next().Ok() || d.Kind() == irsyntax.Keyword:
		r.problem(Syntax, r.span(s), "pl.func_attr() takes exactly one positional dict argument (no keywords)", funcAttrUse)
	case d.Kind() != irsyntax.Dict:
		r.problem(Syntax, r.span(d), "pl.func_attr() argument must be a dict literal", funcAttrUse)
	default:
		r.attrDict(s, d)
	}
}

// attrDict reads a dict of function attributes; at is the directive, the zero
// Ref for a decorator's `attrs=`.
func (r *reader) attrDict(at, d irsyntax.Ref) {
	seen := map[string]bool{}
	for it := d.First(); it.Ok(); it = it.Next() {
		if it.Kind() != irsyntax.DictItem {
			continue
		}
		key, ok := stringValue(it.First().Text())
		if it.First().IsEmpty() || it.First().Kind() != irsyntax.String || !ok {
			r.badAttrKey(at, it.First())
			continue
		}
		if !r.newAttr(at, key, seen) {
			continue
		}
		seen[key] = true
		if val, ok := r.funcAttrValue(key, it.Child(1)); ok {
			r.fn.Attrs = append(r.fn.Attrs, ir.Attr{Key: key, Value: val})
		}
	}
}

func (r *reader) badAttrKey(at, key irsyntax.Ref) {
	where := "@pl.function(attrs={...})"
	if at.Ok() {
		where = "pl.func_attr({...})"
	}
	switch {
	case key.IsEmpty() && at.Ok():
		r.problem(Syntax, r.span(at), "Unsupported `**` unpacking in "+where, "Use only string literal keys in the attrs dict.")
	case key.IsEmpty():
		r.problem(Syntax, r.span(key), "Unsupported `**` unpacking in `"+where+"`", "Use only string literal keys in the attrs dict.")
	case at.Ok():
		r.problem(Syntax, r.span(key), "pl.func_attr() key must be a string literal, got "+unparse(key), `Use string literal keys, e.g. pl.func_attr({"split": ...}).`)
	default:
		r.problem(Syntax, r.span(key), "Attrs dict key must be a string literal, got "+unparse(key), `Use string literal keys, e.g. attrs={"split": ...}.`)
	}
}

// newAttr checks that an attribute may be declared here.
func (r *reader) newAttr(at irsyntax.Ref, key string, seen map[string]bool) bool {
	_, dup := ir.FindAttr(r.fn.Attrs, key)
	switch {
	case seen[key] && at.Ok():
		r.problem(Syntax, r.span(at), "Duplicate function attribute '"+key+"' in pl.func_attr({...})", "Each attribute may be declared only once.")
		return false
	case at.Ok() && (key == "auto_scope" || key == "external_source"):
		r.problem(Syntax, r.span(at), "'"+key+"' cannot be set with pl.func_attr()",
			"Pass it as the '"+key+"=' keyword of @pl.function(...) instead. The parser reads it before the body is parsed, so a body-position declaration comes too late to take effect.")
		return false
	case dup && at.Ok():
		r.problem(Syntax, r.span(at), "Duplicate function attribute '"+key+"' in function '"+r.fn.Name+"'. Each attribute may be declared only once.", "")
		return false
	}
	return !dup && !seen[key]
}

// funcAttrValue reads a value; ok is false for a split mode that means none.
func (r *reader) funcAttrValue(key string, v irsyntax.Ref) (any, bool) {
	if key != "split" {
		return r.attrValue(v), true
	}
	switch lastComponent(v) {
	case "UP_DOWN":
		return int64(1), true
	case "LEFT_RIGHT":
		return int64(2), true
	case "NONE":
		return nil, false
	}
	if v.Kind() == irsyntax.None {
		return nil, false
	}
	return r.attrValue(v), true
}
