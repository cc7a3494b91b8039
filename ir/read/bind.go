package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/irsyntax"
)

// maxParams bounds the parameters of a wrapper; the longest has ten.
const maxParams = 16

// binding is a call bound to the parameters of its user-level wrapper.
type binding struct {
	call  irsyntax.Ref
	w     *ops.Wrapper
	val   [maxParams]any // nil: not given
	rest  []any          // what a `*args` parameter takes
	named []ir.Kwarg     // what a `**kwargs` parameter takes
}

// bind assigns arguments to parameters as the host language does. A non-empty
// message is its error text (spec 02 §2.3).
func (b *binding) bind(w *ops.Wrapper, n irsyntax.Ref, args []given) string {
	b.w, b.call = w, n
	star, dstar := -1, -1
	positional, required := 0, 0
	for i := range w.Params {
		p := &w.Params[i]
		switch {
		case strings.HasPrefix(p.Name, "**"):
			dstar = i
		case strings.HasPrefix(p.Name, "*"):
			star = i
		case !p.KeywordOnly && star < 0:
			positional++
			if !p.HasDefault {
				required++
			}
		}
	}
	count, keywords := 0, 0
	for i := range args {
		if args[i].key != "" {
			continue
		}
		if count < positional {
			if w.Params[count].Hidden {
				return w.Function + "() got multiple values for argument '" + w.Params[count].Name + "'"
			}
			b.val[count] = args[i].value
		} else if star >= 0 {
			b.rest = append(b.rest, args[i].value)
		}
		count++
	}
	for i := range args {
		key := args[i].key
		if key == "" {
			continue
		}
		k := paramIndex(w, key)
		switch {
		case k < 0 && dstar >= 0:
			b.named = append(b.named, ir.Kwarg{Key: key, Value: args[i].value})
			continue
		case k < 0:
			return w.Function + "() got an unexpected keyword argument '" + key + "'"
		case b.val[k] != nil:
			return w.Function + "() got multiple values for argument '" + key + "'"
		}
		b.val[k] = args[i].value
		if w.Params[k].KeywordOnly {
			keywords++
		}
	}
	if count > positional && star < 0 {
		return tooMany(w.Function, required, positional, count, keywords)
	}
	return b.missing(star)
}

func paramIndex(w *ops.Wrapper, key string) int {
	for i := range w.Params {
		if w.Params[i].Name == key && !w.Params[i].Hidden {
			return i
		}
	}
	return -1
}

func tooMany(fn string, required, positional, count, keywords int) string {
	takes := itoa(int64(positional))
	if required < positional {
		takes = "from " + itoa(int64(required)) + " to " + takes
	}
	plural := "s"
	if positional == 1 && required == positional {
		plural = ""
	}
	were := "were"
	if count == 1 && keywords == 0 {
		were = "was"
	}
	got := itoa(int64(count))
	if keywords > 0 {
		s := "s"
		if count == 1 {
			s = ""
		}
		k := "s"
		if keywords == 1 {
			k = ""
		}
		got += " positional argument" + s + " (and " + itoa(int64(keywords)) + " keyword-only argument" + k + ")"
	}
	return fn + "() takes " + takes + " positional argument" + plural + " but " + got + " " + were + " given"
}

// missing names the required parameters that nothing was bound to.
func (b *binding) missing(star int) string {
	var pos, kw []string
	for i := range b.w.Params {
		p := &b.w.Params[i]
		if p.HasDefault || b.val[i] != nil || p.Hidden || strings.HasPrefix(p.Name, "*") {
			continue
		}
		if p.KeywordOnly || star >= 0 && i > star {
			kw = append(kw, "'"+p.Name+"'")
		} else {
			pos = append(pos, "'"+p.Name+"'")
		}
	}
	kind := "positional"
	if len(pos) == 0 {
		pos, kind = kw, "keyword-only"
	}
	if len(pos) == 0 {
		return ""
	}
	s := ""
	if len(pos) > 1 {
		s = "s"
	}
	return b.w.Function + "() missing " + itoa(int64(len(pos))) + " required " + kind + " argument" + s + ": " + joinAnd(pos)
}

func joinAnd(names []string) string {
	switch len(names) {
	case 1:
		return names[0]
	case 2:
		return names[0] + " and " + names[1]
	}
	return strings.Join(names[:len(names)-1], ", ") + ", and " + names[len(names)-1]
}

// arg is the value bound to the parameter called name; nil when it was not
// given or given as None.
func (b *binding) arg(name string) any {
	for i := range b.w.Params {
		if b.w.Params[i].Name == name {
			if _, isNone := b.val[i].(none); isNone {
				return nil
			}
			return b.val[i]
		}
	}
	return nil
}
