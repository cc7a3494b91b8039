package read

import (
	"strconv"
	"strings"

	"pypto-ls/ir"
)

// Show is the value of a module-level name as Python writes it, shortened to
// about 200 bytes; false for names that are not known or whose value is not.
func (e *Env) Show(name string) (string, bool) {
	b := e.bound(name)
	if b == nil {
		return "", false
	}
	s := show(b.value, 200)
	return s, s != ""
}

// show spells v in about most bytes, "" when it has no value to show.
func show(v Value, most int) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return pyFloat(v)
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		if len(v) > most {
			v = v[:most] + "…"
		}
		return strconv.Quote(v)
	case ir.DType:
		return "pl." + v.String()
	case ir.Enum:
		return string(v)
	case *ir.Var:
		return "pl.dynamic(\"" + v.Name + "\")"
	case *Decl:
		return showDecl(v)
	case []Value:
		var b strings.Builder
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			s := show(x, most-b.Len())
			if s == "" || b.Len() > most {
				s = "…"
			}
			b.WriteString(s)
			if b.Len() > most {
				break
			}
		}
		return b.String() + "]"
	}
	return ""
}

func showDecl(d *Decl) string {
	var args []string
	if d.Name != "" {
		args = append(args, strconv.Quote(d.Name))
	}
	if d.Slots != 1 {
		args = append(args, "slots="+strconv.Itoa(d.Slots))
	}
	return "pl.MemRef(" + strings.Join(args, ", ") + ")"
}
