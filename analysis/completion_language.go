package analysis

import (
	"sync"

	"pypto-ls/ir"
	"pypto-ls/ir/ops"
	"pypto-ls/platforms"
)

// word is a name of the language besides the operators: what may stand after
// `pl.` (spec 01, 01b). Snippet is what is inserted when it is more than the
// name, with the places to fill in as `${1:…}`. Place tells where it is meant
// to stand.
type word struct {
	name    string
	kind    CompletionKind
	detail  string
	snippet string
	place   place
}

// place is a position in the grammar that some words are made for.
type place uint8

const (
	anyPlace place = iota
	decoratorPlace
	typePlace
	loopPlace
	scopePlace
	statementPlace
)

var languageMembers = []word{
	{"program", CompleteFunction, "class decorator: the functions of a program", "", decoratorPlace},
	{"function", CompleteFunction, "decorator: a kernel or orchestration function", "function(type=pl.FunctionType.${1:InCore})", decoratorPlace},
	{"inline", CompleteFunction, "decorator: expanded where it is called", "", decoratorPlace},
	{"jit", CompleteFunction, "decorator: specialised when it is called", "", decoratorPlace},
	{"Tensor", CompleteType, "a tensor in DDR", "Tensor[[${1:64, 64}], pl.${2:FP32}]", typePlace},
	{"Tile", CompleteType, "a tile in an on-chip memory space", "Tile[[${1:64, 64}], pl.${2:FP32}, pl.Mem.${3:Vec}]", typePlace},
	{"Scalar", CompleteType, "a scalar", "Scalar[pl.${1:INDEX}]", typePlace},
	{"Array", CompleteType, "an array of scalars", "Array[${1:4}, pl.${2:INT32}]", typePlace},
	{"Tuple", CompleteType, "a tuple", "Tuple[$1]", typePlace},
	{"Out", CompleteType, "an output parameter", "Out[$1]", typePlace},
	{"InOut", CompleteType, "a parameter that is read and written", "InOut[$1]", typePlace},
	{"Ptr", CompleteType, "the base of an allocation", "", typePlace},
	{"MemRef", CompleteType, "where a tile or tensor lives: a declared or a resolved allocation", "MemRef($1)", typePlace},
	{"TileView", CompleteType, "valid shape and layout of a tile", "TileView($1)", typePlace},
	{"TensorView", CompleteType, "strides and layout of a tensor", "TensorView($1)", typePlace},
	{"range", CompleteFunction, "sequential loop", "range(${1:n})", loopPlace},
	{"parallel", CompleteFunction, "parallel loop", "parallel(${1:n})", loopPlace},
	{"unroll", CompleteFunction, "loop that is unrolled; constant bounds", "unroll(${1:4})", loopPlace},
	{"pipeline", CompleteFunction, "software-pipelined loop", "pipeline(${1:n}, stage=${2:2})", loopPlace},
	{"while_", CompleteFunction, "conditional loop with carried values", "while_(init_values=(${1:x},))", loopPlace},
	{"split_aiv", CompleteFunction, "region of the two vector lanes", "split_aiv(2, mode=pl.SplitMode.${1:NONE})", loopPlace},
	{"spmd", CompleteFunction, "dispatch over cores", "spmd(${1:n})", scopePlace},
	{"at", CompleteFunction, "scope that becomes a function", "at(level=pl.Level.${1:CORE_GROUP})", scopePlace},
	{"cluster", CompleteFunction, "cluster scope", "cluster()", scopePlace},
	{"scope", CompleteFunction, "runtime scope", "scope()", scopePlace},
	{"manual_scope", CompleteFunction, "runtime scope with manual dependencies", "manual_scope()", scopePlace},
	{"yield_", CompleteFunction, "hands values to the loop or branch around", "yield_($1)", anyPlace},
	{"cond", CompleteFunction, "condition of a pl.while_ loop, its first statement", "cond($1)", statementPlace},
	{"const", CompleteFunction, "a constant of a dtype", "const(${1:0}, pl.${2:INT64})", anyPlace},
	{"dynamic", CompleteFunction, "declares a dynamic dimension", "dynamic(\"${1:M}\")", anyPlace},
	{"func_attr", CompleteFunction, "attributes of the function, its first statement", "func_attr({\"${1:split}\": $2})", statementPlace},
	{"submit", CompleteFunction, "submits a kernel as a task", "submit(self.${1:kernel}, $2)", anyPlace},
	{"spmd_submit", CompleteFunction, "submits a kernel over cores", "spmd_submit(self.${1:kernel}, $2)", anyPlace},
	{"no_dep", CompleteFunction, "an argument without dependency", "no_dep($1)", anyPlace},
	{"split", CompleteFunction, "split mode of a scope's kernel", "split(pl.SplitMode.${1:UP_DOWN})", anyPlace},
	{"cross_core_slot", CompleteFunction, "slots of a scope's cross-core ring", "cross_core_slot(slot_num=${1:4})", anyPlace},
	{"static_print", CompleteFunction, "prints while compiling", "static_print($1)", statementPlace},
	{"static_assert", CompleteFunction, "checks while compiling", "static_assert($1)", statementPlace},
	{"dump_tag", CompleteFunction, "marks a value for dumping", "dump_tag($1)", statementPlace},
	{"tile", CompleteModule, "operators on tiles", "", anyPlace},
	{"tensor", CompleteModule, "operators on tensors", "", anyPlace},
	{"system", CompleteModule, "synchronisation and cross-core operators", "", anyPlace},
	{"array", CompleteModule, "operators on arrays", "", anyPlace},
	{"prefetch", CompleteModule, "prefetch operators", "", anyPlace},
	{"adir", CompleteModule, "directions of call arguments", "", anyPlace},
}

// enum is an enumeration: the members of `pl.<name>`.
type enum struct {
	name, detail string
	members      []string
}

var enums = []enum{
	{"Mem", "memory space", []string{"DDR", "Vec", "Mat", "Left", "Right", "Acc", "Bias", "LeftScale", "RightScale"}},
	{"MemorySpace", "memory space", []string{"DDR", "Vec", "Mat", "Left", "Right", "Acc", "Bias", "LeftScale", "RightScale"}},
	{"FunctionType", "kind of a function", []string{"Opaque", "Orchestration", "InCore", "AIC", "AIV", "Group", "Spmd", "Inline", "Graph"}},
	{"Level", "hierarchy level", []string{"AIV", "AIC", "CORE_GROUP", "CHIP_DIE", "CHIP", "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL"}},
	{"Role", "role", []string{"Orchestrator", "SubWorker"}},
	{"TileLayout", "layout of a tile", []string{"none_box", "row_major", "col_major"}},
	{"TensorLayout", "layout of a tensor", []string{"ND", "DN", "NZ", "MX_A_ZZ", "MX_B_NN"}},
	{"PadValue", "padding value", []string{"null", "zero", "max", "min"}},
	{"CompactMode", "compact mode", []string{"null", "normal"}},
	{"SplitMode", "split mode", []string{"NONE", "UP_DOWN", "LEFT_RIGHT"}},
	{"ScopeMode", "mode of a runtime scope", []string{"AUTO", "MANUAL"}},
	{"PipeType", "pipe", []string{"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"}},
	{"AtomicType", "atomic mode", []string{"None_", "Add"}},
	{"adir", "direction of a call argument", []string{"input", "output", "output_existing", "inout", "no_dep", "scalar"}},
}

func enumCalled(name string) *enum {
	for i := range enums {
		if enums[i].name == name {
			return &enums[i]
		}
	}
	return nil
}

// param is a parameter of something callable. Hint names what a value is
// chosen from: an enumeration, "DataType", "bool", or quoted words.
type param struct {
	name, def, hint  string
	required, kwOnly bool
	detail           string
	words            []string // for strings
}

// languageCalls are the parameters of what is called but is no operator.
var languageCalls = map[string][]param{
	"function": {{name: "type", hint: "FunctionType", kwOnly: true}, {name: "level", hint: "Level", kwOnly: true}, {name: "role", hint: "Role", kwOnly: true},
		{name: "auto_scope", hint: "bool", kwOnly: true}, {name: "strict_ssa", hint: "bool", kwOnly: true}, {name: "external_source", kwOnly: true}},
	"program":  {{name: "strict_ssa", hint: "bool", kwOnly: true}},
	"range":    loopParams(false),
	"parallel": loopParams(false),
	"unroll":   loopParams(false),
	"pipeline": loopParams(true),
	"while_":   {{name: "init_values", required: true, kwOnly: true}},
	"MemRef":   {{name: "base", required: true}, {name: "byte_offset"}, {name: "size"}, {name: "slots", kwOnly: true}},
	"TileView": {{name: "valid_shape", kwOnly: true}, {name: "stride", kwOnly: true}, {name: "start_offset", kwOnly: true}, {name: "blayout", hint: "TileLayout", kwOnly: true},
		{name: "slayout", hint: "TileLayout", kwOnly: true}, {name: "fractal", kwOnly: true}, {name: "pad", hint: "PadValue", kwOnly: true}, {name: "compact", hint: "CompactMode", kwOnly: true}},
	"TensorView": {{name: "valid_shape", kwOnly: true}, {name: "stride", kwOnly: true}, {name: "layout", hint: "TensorLayout", kwOnly: true}, {name: "pad", hint: "PadValue", kwOnly: true}},
	"at": {{name: "level", hint: "Level"}, {name: "role", hint: "Role"}, {name: "optimizations", kwOnly: true}, {name: "name_hint", kwOnly: true},
		{name: "deps", kwOnly: true}, {name: "no_dep_args", kwOnly: true}, {name: "dumps", kwOnly: true}, {name: "allow_early_resolve", hint: "bool", kwOnly: true}, {name: "windowize", hint: "bool", kwOnly: true}},
	"cluster": {{name: "name_hint", kwOnly: true}},
	"spmd": {{name: "core_num", required: true}, {name: "sync_start", hint: "bool", kwOnly: true}, {name: "name_hint", kwOnly: true}, {name: "optimizations", kwOnly: true},
		{name: "deps", kwOnly: true}, {name: "allow_early_resolve", hint: "bool", kwOnly: true}, {name: "predicate", kwOnly: true}, {name: "dumps", kwOnly: true}, {name: "no_dep_args", kwOnly: true}},
	"split_aiv":       {{name: "n", required: true}, {name: "mode", hint: "SplitMode", required: true, kwOnly: true}},
	"scope":           {{name: "mode", hint: "ScopeMode", kwOnly: true}},
	"split":           {{name: "mode", hint: "SplitMode", required: true}},
	"cross_core_slot": {{name: "slot_num", required: true, kwOnly: true}},
	"const":           {{name: "value", required: true}, {name: "dtype", hint: "DataType", required: true}},
	"dynamic":         {{name: "name", required: true}},
	"cond":            {{name: "condition", required: true}},
	"yield_":          {{name: "*values"}},
	"func_attr":       {{name: "attrs", required: true}},
	"submit":          {{name: "kernel", required: true}, {name: "*args"}, {name: "deps", kwOnly: true}, {name: "attrs", kwOnly: true}},
	"spmd_submit":     {{name: "kernel", required: true}, {name: "*args"}, {name: "core_num", kwOnly: true}, {name: "deps", kwOnly: true}, {name: "attrs", kwOnly: true}},
	"static_print":    {{name: "*values"}},
	"static_assert":   {{name: "condition", required: true}, {name: "message"}},
	"alloc":           {{name: "space", hint: "Mem", required: true}, {name: "size", required: true}, {name: "pinned", hint: "bool", kwOnly: true}},
}

func loopParams(stage bool) []param {
	p := []param{{name: "start"}, {name: "stop", required: true}, {name: "step"}, {name: "init_values", kwOnly: true}, {name: "attrs", kwOnly: true}}
	if stage {
		p = append(p, param{name: "stage", required: true, kwOnly: true})
	}
	return p
}

// operatorNames are the operators that may stand after a namespace ("pl",
// "pl.tile", …), by name: the author's wrappers, and what only passes produce.
var operatorNames = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	seen := map[string]bool{}
	add := func(spelling string) {
		ns, name := splitLast(spelling)
		if ns != "" && !seen[spelling] {
			seen[spelling] = true
			out[ns] = append(out[ns], name)
		}
	}
	for i := range ops.Wrappers() {
		add(ops.Wrappers()[i].Spelling)
	}
	for _, op := range ops.All() {
		switch ns, name := splitLast("pl." + op.Name); ns {
		case "pl.tile", "pl.tensor", "pl.system", "pl.array", "pl.prefetch":
			if pythonKeywords[name] {
				name += "_"
			}
			if !op.InternalOnly {
				add(ns + "." + name)
			}
		}
	}
	return out
})

func splitLast(dotted string) (before, last string) {
	for i := len(dotted) - 1; i >= 0; i-- {
		if dotted[i] == '.' {
			return dotted[:i], dotted[i+1:]
		}
	}
	return "", dotted
}

// dtypeNames are the element types, the usual ones first.
var dtypeNames = []string{"FP32", "FP16", "BF16", "INT32", "INT8", "INT16", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "INDEX", "BOOL",
	"FP8E4M3FN", "FP8E5M2", "FP8E8M0", "HF8", "HF4", "FP4", "INT4", "UINT4", "TASK_ID"}

// dtypeDetail is `32 bits`.
func dtypeDetail(name string) string {
	d, ok := ir.ParseDType(name)
	if !ok {
		return "dtype"
	}
	return "dtype, " + sizeOfBits(d.StorageBits())
}

func sizeOfBits(bits int) string {
	switch bits {
	case 4:
		return "half a byte"
	case 8:
		return "1 byte"
	case 16:
		return "2 bytes"
	case 32:
		return "4 bytes"
	}
	return "8 bytes"
}

// spaceDetail is how large a memory space is on the platform.
func (d *Document) spaceDetail(name string) string {
	s, ok := platforms.ParseSpace(name)
	if !ok {
		return "memory space"
	}
	if p := d.Settings.Platform; p != nil {
		if n := p.Capacity(s); n > 0 {
			return "memory space, " + SizeText(n) + " on " + p.Name
		}
	}
	return "memory space"
}
