package read

import (
	"sort"
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

// decorator is what a kernel decorator says.
type decorator struct {
	name string // "function", "inline", "jit", or another last component
	jit  string // "host", "incore", "inline", "opaque" or "" for `@pl.jit.<x>`
	call irsyntax.Ref
}

func decoratorOf(d irsyntax.Ref) decorator {
	e := d.First()
	out := decorator{}
	if e.Kind() == irsyntax.Call {
		out.call = e
		e = e.First()
	}
	out.name = lastComponent(e)
	if e.Kind() == irsyntax.Attribute && lastComponent(e.First()) == "jit" {
		out.name, out.jit = "jit", out.name
	}
	return out
}

// decorate reads the decorator's arguments (spec 01 §5.1).
func (r *reader) decorate(decorators []irsyntax.Ref) {
	if len(decorators) == 0 {
		r.out.Shorthand = true
		r.fn.Kind = ir.InCore
		r.fn.Level, r.fn.Role = impliedLevel(ir.InCore)
		return
	}
	var level, role string
	for _, dn := range decorators {
		d := decoratorOf(dn)
		switch d.name {
		case "inline":
			r.fn.Kind = ir.InlineFunc
			r.out.Opaque = true
		case "jit":
			r.out.Opaque = true
			switch d.jit {
			case "incore":
				r.fn.Kind = ir.InCore
			case "inline":
				r.fn.Kind = ir.InlineFunc
			case "opaque":
				r.fn.Kind = ir.Opaque
			default:
				r.fn.Kind = ir.Orchestration
			}
		case "function":
			if d.call.Ok() {
				r.decoratorArgs(d.call, &level, &role)
			}
		}
	}
	l, ro := impliedLevel(r.fn.Kind)
	if level == "" {
		level = l
	}
	if role == "" {
		role = ro
	}
	switch {
	case l != "" && level != l:
		r.funcProblem(r.fn.Span, "Function '"+r.fn.Name+"' has func_type="+r.fn.Kind.String()+" which implies level="+l+", but explicit level="+level+" was provided")
	case ro != "" && role != ro:
		r.funcProblem(r.fn.Span, "Function '"+r.fn.Name+"' has func_type="+r.fn.Kind.String()+" which implies role="+ro+", but explicit role="+role+" was provided")
	}
	r.fn.Level, r.fn.Role = level, role
	if role == "SubWorker" && hostOrAbove(level) {
		r.out.Opaque = true
	}
}

func (r *reader) decoratorArgs(call irsyntax.Ref, level, role *string) {
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword || a.First().Kind() != irsyntax.Name {
			if a.Kind() == irsyntax.Keyword && r.method {
				r.problem(Syntax, r.span(a), "Unsupported `@pl.function(**kwargs)` in `@pl.program`", "Use a literal type=pl.FunctionType.<name>.")
			}
			continue
		}
		v := a.Child(1)
		last := lastComponent(v)
		switch a.First().Text() {
		case "type":
			r.enumArg(v, "FunctionType", funcTypeNames)
			if k, ok := ir.ParseFuncKind(last); ok {
				r.fn.Kind = k
			}
		case "level":
			r.enumArg(v, "Level", levelNames)
			*level = canonicalLevel(last)
		case "role":
			r.enumArg(v, "Role", roleNames)
			*role = last
		case "auto_scope":
			if v.Kind() != irsyntax.True && v.Kind() != irsyntax.False {
				r.problem(Syntax, r.span(v), "`@pl.function(auto_scope=...)` must be a bool literal (True/False)", "Use auto_scope=False to place runtime scopes manually.")
			}
			if v.Kind() == irsyntax.False {
				r.fn.Attrs = append(r.fn.Attrs, ir.Attr{Key: "auto_scope", Value: false})
			}
		case "strict_ssa":
			r.strict = v.Kind() == irsyntax.True
		case "external_source":
			s, ok := stringValue(v.Text())
			if !ok {
				s = v.Text()
			}
			r.fn.Attrs = append(r.fn.Attrs, ir.Attr{Key: "external_source", Value: s})
		case "attrs":
			switch v.Kind() {
			case irsyntax.Dict:
				r.attrDict(irsyntax.Ref{}, v)
			case irsyntax.None:
			default:
				r.problem(Syntax, r.span(v), "Unsupported `@pl.function(attrs=...)` value", `Use a dict literal, e.g. attrs={"split": pl.SplitMode.UP_DOWN}.`)
			}
		}
	}
}

// enumArg is the pre-check of spec 01 §4.4.
func (r *reader) enumArg(v irsyntax.Ref, enum string, names []string) {
	if v.Kind() != irsyntax.Attribute {
		return
	}
	last := v.Child(1)
	for _, n := range names {
		if n == last.Text() {
			if q := dotted(v.First()); q != enum && q != "pl."+enum {
				r.problem(Syntax, r.span(v), "Expected pl."+enum+".<name>", "Use pl."+enum+".<name>.")
			}
			return
		}
	}
	sorted := append([]string(nil), names...)
	sort.Strings(sorted)
	r.problem(Syntax, r.span(last), "Unknown "+enum+" value: "+last.Text(), "Valid values: "+strings.Join(sorted, ", "))
}

var (
	funcTypeNames = []string{"Opaque", "Orchestration", "InCore", "AIC", "AIV", "Group", "Spmd", "Inline", "Graph"}
	levelNames    = []string{"AIV", "AIC", "CORE_GROUP", "CHIP_DIE", "CHIP", "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL", "L2CACHE", "PROCESSOR", "UMA", "NODE", "POD", "CLOS1", "CLOS2"}
	roleNames     = []string{"Orchestrator", "SubWorker"}
)

func canonicalLevel(l string) string {
	switch l {
	case "L2CACHE":
		return "CHIP_DIE"
	case "PROCESSOR", "UMA":
		return "CHIP"
	case "NODE":
		return "HOST"
	case "POD":
		return "CLUSTER_0"
	case "CLOS1":
		return "CLUSTER_1"
	case "CLOS2":
		return "CLUSTER_2"
	}
	return l
}

func hostOrAbove(l string) bool {
	switch l {
	case "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL":
		return true
	}
	return false
}

// impliedLevel is the level and role a function kind implies (spec 01 §5.1).
func impliedLevel(k ir.FuncKind) (level, role string) {
	switch k {
	case ir.Orchestration, ir.Graph:
		return "CHIP", "Orchestrator"
	case ir.InCore:
		return "CHIP_DIE", "SubWorker"
	case ir.AIC:
		return "AIC", "SubWorker"
	case ir.AIV:
		return "AIV", "SubWorker"
	case ir.Group:
		return "CORE_GROUP", "SubWorker"
	}
	return "", ""
}
