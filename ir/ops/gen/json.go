package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
)

// file mirrors ops.json.
type file struct {
	Counts   map[string]int
	Ops      []record
	Shared   map[string][]message `json:"shared_messages"`
	Wrappers map[string]wrapper
}

type record struct {
	Name, Category, Doc string
	Args                []struct {
		Name, Kind, Default string
		Optional            bool
	}
	Kwargs []struct {
		Name, Type, Default string
		Emitted             string `json:"emitted_by_builder"`
		Absent              string `json:"absent_means"`
	}
	DSL          []struct{ Spelling, When string } `json:"dsl_names"`
	Result       result
	Memory       memory
	CoreAffinity *string `json:"core_affinity"`
	CrossCore    *string `json:"cross_core_role"`
	InternalOnly bool    `json:"internal_only"`
	Backend      struct {
		Codegen        map[string]bool `json:"codegen_entry"`
		RequiredLayout *struct {
			Inputs map[string]string
			Output *string
		} `json:"required_layout"`
	}
	Messages []message
}

type result struct {
	Kind        string
	Shape       string `json:"shape_rule"`
	DType       string `json:"dtype_rule"`
	Valid       string `json:"valid_shape_rule"`
	View        string `json:"view_rule"`
	Constraints string
	Note        string
	Space       *struct {
		Mode, Kwarg  string
		Space        string
		Default      *string
		Retargetable bool
	} `json:"memory_space_rule"`
}

type memory struct {
	Spec           string
	Constraints    map[string][]string `json:"input_constraints"`
	Inherit        bool                `json:"output_memory_inherit_input"`
	Reuses         *int                `json:"output_reuses_input_arg"`
	NotInplaceSafe bool                `json:"not_inplace_safe"`
	ForbidAlias    []int               `json:"forbid_output_alias"`
	Access         string              `json:"exec_access"`
	Promotion      string              `json:"exec_access_promotion"`
	Effects        map[string]string   `json:"arg_effects"`
	WriteChannel   *string             `json:"write_channel"`
	Note           string
}

type message struct {
	Text, See     string
	Operand       *int
	Bug, Composed bool
}

type wrapper struct {
	Function        string
	BuilderFallback bool `json:"builder_fallback"`
	Params          []struct {
		Name        string
		Default     *string
		KeywordOnly bool `json:"keyword_only"`
		Hidden      bool
	}
}

func parse(data []byte) (*file, error) {
	var f file
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&f); err != nil {
		return nil, err
	}
	total := 0
	for _, n := range f.Counts {
		total += n
	}
	if total != len(f.Ops) {
		return nil, fmt.Errorf("counts say %d operators, found %d", total, len(f.Ops))
	}
	return &f, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
