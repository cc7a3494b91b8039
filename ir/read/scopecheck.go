package read

import (
	"strings"

	"pypto-ls/ir"
	"pypto-ls/irsyntax"
)

const (
	spmdWithHint = "Use 'with pl.spmd(4):' with a body that dispatches a 'self.<kernel>(...)' call or reads 'pl.tile.get_block_idx()', or 'with pl.spmd(4) as tid:' to also capture the dispatch TaskId."
	spmdLoopHint = "Use 'for i in pl.spmd(4):' — the loop variable is bound to the per-block index (equivalent to pl.tile.get_block_idx())."
	splitHint    = "Use 'for aiv_id in pl.split_aiv(2, mode=pl.SplitMode.NONE):' — n is the AIV sub-core count (hardware-fixed at 2); 'mode' is required (NONE = task-parallel, no halving; UP_DOWN / LEFT_RIGHT = data-parallel halving); and the loop variable binds the AIV lane index (equivalent to pl.tile.get_subblock_idx())."
)

// scopeChecks are the checks of a with-form's arguments (01c).
func (r *reader) scopeChecks(sc *ir.Scope, name string, s, call, body irsyntax.Ref) {
	whole := r.headOf(s, body)
	switch name {
	case "at":
		r.atChecks(sc, whole, call)
	case "cluster":
		r.clusterChecks(whole, call)
	case "spmd":
		r.spmdChecks(call, call, false)
	case "scope":
		r.runtimeScopeChecks(whole, call)
	case "manual_scope":
		if call.First().Next().Ok() {
			r.problem(Syntax, whole, "pl.manual_scope() does not accept arguments", "Use 'with pl.manual_scope():' (or 'with pl.scope(mode=pl.ScopeMode.MANUAL):').")
		}
		r.nestedScope(whole, true)
	}
}

func (r *reader) atChecks(sc *ir.Scope, whole ir.Span, call irsyntax.Ref) {
	positional := 0
	seen := map[string]bool{}
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			positional++
			continue
		}
		key, v := a.First().Text(), a.Child(1)
		if a.First().IsEmpty() {
			r.problem(Syntax, r.span(a), "Unsupported **kwargs in pl.at()", "Use pl.at(level=pl.Level.HOST, role=pl.Role.SubWorker)")
			continue
		}
		switch {
		case seen[key], key == "level" && positional > 0, key == "role" && positional > 1:
			r.problem(Syntax, r.span(a), "pl.at() got multiple values for argument '"+key+"'", "")
		}
		seen[key] = true
		switch key {
		case "allow_early_resolve", "windowize":
			if v.Kind() != irsyntax.True && v.Kind() != irsyntax.False {
				help := "Write allow_early_resolve=True to opt this scope into early-dispatch."
				if key == "windowize" {
					help = "Write windowize=True to allow local windowization for this InCore scope."
				}
				r.problem(Syntax, r.span(v), "pl.at() "+key+" must be a boolean literal (True/False)", help)
			}
		case "name_hint":
			r.nameHint("pl.at()", v)
		case "role":
			if sc.Kind == ir.ScopeInCore && v.Kind() != irsyntax.None {
				r.problem(Syntax, whole, "role= is not supported with level=pl.Level.CORE_GROUP", "Drop role= for InCore scopes, or use a non-CORE_GROUP level for Hierarchy scope")
			}
		case "level", "optimizations", "deps", "no_dep_args", "dumps":
		default:
			r.problem(Syntax, r.span(a), "Unknown keyword argument '"+key+"' in pl.at()", "Supported arguments: level, role, optimizations, deps, no_dep_args, dumps, allow_early_resolve, name_hint, windowize")
		}
	}
	switch {
	case positional > 2:
		r.problem(Syntax, r.span(call), "pl.at() takes at most 2 positional arguments, got "+itoa(int64(positional)), "Use pl.at(level) or pl.at(level, role)")
	case positional == 0 && !seen["level"]:
		r.problem(Syntax, r.span(call), "pl.at() requires a level argument", "Use pl.at(pl.Level.HOST) or pl.at(level=pl.Level.HOST)")
	}
	if list := keyword(call, "optimizations"); list.Ok() && sc.Kind == ir.ScopeHierarchy && list.First().Ok() {
		r.problem(Syntax, whole, "optimizations=[pl.split(...)] / optimizations=[pl.cross_core_slot(...)] are only supported with level=pl.Level.CORE_GROUP",
			"Use pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]).")
	}
	if role := keyword(call, "role"); lastComponent(role) == "SubWorker" && sc.Kind == ir.ScopeHierarchy && hostOrAbove(canonicalLevel(lastComponent(keyword(call, "level")))) {
		r.problem(Syntax, whole, "Inline 'with pl.at(level>=HOST, role=pl.Role.SubWorker)' is not supported.",
			"Declare a SubWorker via @pl.function(level=..., role=pl.Role.SubWorker) as a self-contained function (no 'self' parameter) inside @pl.program.")
	}
}

// nameHint: a scope's name becomes a function's.
func (r *reader) nameHint(f string, v irsyntax.Ref) {
	s, ok := stringValue(v.Text())
	if v.Kind() != irsyntax.String || !ok {
		r.problem(Syntax, r.span(v), f+" 'name_hint' argument must be a string literal", `Use name_hint="my_scope_name"`)
		return
	}
	if !isIdentifier(s) {
		r.problem(Syntax, r.span(v), f+" 'name_hint' must be a valid non-keyword identifier, got '"+s+"'", "Use a valid Python identifier like 'fused_matmul_add'")
	}
}

var pythonKeywords = map[string]bool{"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true, "await": true,
	"break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true, "finally": true, "for": true,
	"from": true, "global": true, "if": true, "import": true, "in": true, "is": true, "lambda": true, "nonlocal": true, "not": true, "or": true,
	"pass": true, "raise": true, "return": true, "try": true, "while": true, "with": true, "yield": true}

func isIdentifier(s string) bool {
	if s == "" || pythonKeywords[s] {
		return false
	}
	for i, c := range s {
		if c != '_' && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c < 0x80 && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func (r *reader) clusterChecks(whole ir.Span, call irsyntax.Ref) {
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			r.problem(Syntax, whole, "pl.cluster() does not accept positional arguments", "Use 'with pl.cluster():'")
			return
		}
		if key := a.First().Text(); key != "name_hint" {
			r.problem(Syntax, whole, "pl.cluster() got unexpected keyword argument '"+key+"'", "Supported keyword: 'name_hint'. For SPMD dispatch, use pl.spmd(4):")
		} else {
			r.nameHint("pl.cluster()", a.Child(1))
		}
	}
}

func (r *reader) runtimeScopeChecks(whole ir.Span, call irsyntax.Ref) {
	manual := false
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		switch {
		case a.Kind() != irsyntax.Keyword:
			r.problem(Syntax, whole, "pl.scope() takes only a 'mode=' keyword, not positional arguments", "Use 'with pl.scope():' or 'with pl.scope(mode=pl.ScopeMode.MANUAL):'.")
		case a.First().Text() != "mode":
			r.problem(Syntax, whole, "pl.scope() got an unexpected keyword '"+a.First().Text()+"'", "The only accepted keyword is mode=pl.ScopeMode.AUTO|MANUAL.")
		default:
			manual = lastComponent(a.Child(1)) == "MANUAL"
		}
	}
	r.nestedScope(whole, manual)
}

// nestedScope applies the nesting rules of runtime scopes.
func (r *reader) nestedScope(whole ir.Span, manual bool) {
	inManual := false
	for _, s := range r.scopes {
		inManual = inManual || s.manual
	}
	switch {
	case manual && inManual:
		r.problem(Syntax, whole, "a manual scope may not be nested inside another manual scope", "Flatten the nested manual scope into the enclosing one, or move it outside.")
	case !manual && inManual:
		r.problem(Syntax, whole, "an AUTO scope may not be nested inside a manual scope", "The runtime forbids AUTO scope nested in MANUAL scope; move it outside.")
	case !manual:
		// A dump after inlining shows such scopes in functions without the flag.
		if v, _ := r.fn.Attr("auto_scope"); v != false && r.opt.Policy == Reference && !r.out.Shorthand && !strings.Contains(r.chunk.Text, "__ssa_v") {
			r.problem(Syntax, whole, "a hand-placed AUTO 'with pl.scope()' requires @pl.function(auto_scope=False)",
				"In the default auto_scope=True mode the compiler places AUTO scopes; set auto_scope=False to place them yourself, or use pl.scope(mode=pl.ScopeMode.MANUAL).")
		}
	}
}

var spmdKeywords = map[string]bool{"core_num": true, "sync_start": true, "name_hint": true, "optimizations": true, "deps": true, "allow_early_resolve": true, "predicate": true, "dumps": true, "no_dep_args": true}

func (r *reader) spmdChecks(at, call irsyntax.Ref, loop bool) {
	hint := spmdWithHint
	if loop {
		hint = spmdLoopHint
	}
	positional := 0
	core := false
	for a := call.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			if positional++; positional == 2 {
				r.problem(Syntax, r.span(a), "pl.spmd() accepts at most one positional argument (core_num)", hint)
			}
			continue
		}
		key, v := a.First().Text(), a.Child(1)
		switch {
		case a.First().IsEmpty():
			r.problem(Syntax, r.span(v), "pl.spmd() does not accept **kwargs; pass core_num (positional) and sync_start=/name_hint=/optimizations= explicitly", hint)
		case key == "core_num":
			if positional > 0 {
				r.problem(Syntax, r.span(v), "pl.spmd() got multiple values for argument 'core_num'", hint)
			}
			core = true
		case key == "sync_start" || key == "allow_early_resolve":
			if v.Kind() != irsyntax.True && v.Kind() != irsyntax.False {
				r.problem(Syntax, r.span(v), key+" must be a boolean literal (True/False)", hint)
			}
		case key == "name_hint":
			r.nameHint("pl.spmd()", v)
		case !spmdKeywords[key]:
			r.problem(Syntax, r.span(at), "pl.spmd() got unexpected keyword argument '"+key+"'", "Supported keywords: core_num, sync_start, name_hint, optimizations")
		}
	}
	if positional == 0 && !core {
		r.problem(Syntax, r.span(at), "pl.spmd() requires core_num (first positional argument)", hint)
	}
}

func (r *reader) splitAivChecks(s, target, iter, body irsyntax.Ref) {
	for _, sc := range r.scopes {
		if sc.kind == ir.ScopeSplitAiv {
			r.problem(Syntax, r.headOf(s, body), "nested 'for ... in pl.split_aiv(...)' is not allowed: a split_aiv body already represents the two AIV lanes, so it cannot contain another split_aiv loop", splitHint)
			break
		}
	}
	if target.Kind() != irsyntax.Name {
		r.problem(Syntax, r.span(target), "for ... in pl.split_aiv(...) must use a single loop variable", splitHint)
	}
	positional, mode := 0, false
	for a := iter.First().Next(); a.Ok(); a = a.Next() {
		if a.Kind() != irsyntax.Keyword {
			if positional++; positional == 1 {
				if n, ok := r.constInt(a); !ok || n != 2 {
					r.problem(Syntax, r.span(a), "pl.split_aiv(n) requires n == 2 (AIV sub-core count is hardware-fixed at 2), got "+unparse(a), splitHint)
				}
			}
			continue
		}
		key, v := a.First().Text(), a.Child(1)
		switch {
		case a.First().IsEmpty():
			r.problem(Syntax, r.span(v), "pl.split_aiv() does not accept **kwargs; pass n (positional) and mode= explicitly", splitHint)
		case key == "mode":
			mode = true
		case key == "init_values" || key == "stage" || key == "attrs":
			r.problem(Syntax, r.span(v), "pl.split_aiv() loop form does not accept '"+key+"='", splitHint)
		case key == "optimizations":
			r.problem(Syntax, r.span(v), "pl.split_aiv() does not accept 'optimizations=' — pl.split_aiv() IS the split declaration; a co-present pl.split(...) is a conflicting split spec", splitHint)
		default:
			r.problem(Syntax, r.span(v), "pl.split_aiv() got unexpected keyword argument '"+key+"'", splitHint)
		}
	}
	if positional != 1 {
		r.problem(Syntax, r.span(iter), "pl.split_aiv() takes exactly one positional argument (n, the AIV sub-core count)", splitHint)
	}
	if !mode {
		r.problem(Syntax, r.span(iter), "pl.split_aiv() requires mode= (e.g. mode=pl.SplitMode.NONE for task-parallel, or pl.SplitMode.UP_DOWN / pl.SplitMode.LEFT_RIGHT for data-parallel halving)", splitHint)
	}
}
