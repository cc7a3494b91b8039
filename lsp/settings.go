package lsp

import (
	"encoding/json"
	"fmt"
	"sort"
)

// Settings are the user's choices in the editor, section "pypto-ls". Files may
// override them (pypto-ls.toml, a comment in a document); that is the engine's.
type Settings struct {
	Platform   string // "" means the default
	Planner    string // "" means the default
	InlayHints HintSettings
	CodeLens   bool
	// OnType: diagnostics follow typing; else they come when a document is opened
	// or saved. LowSeverities: those of severity Information and Hint too.
	OnType, LowSeverities bool
}

// HintSettings switches the kinds of inlay hints.
type HintSettings struct {
	Addresses, Sizes, Sharing, Usage bool
}

// DefaultSettings has everything on but the names of sharers in hints.
func DefaultSettings() Settings {
	return Settings{InlayHints: HintSettings{Addresses: true, Sizes: true, Usage: true}, CodeLens: true, OnType: true, LowSeverities: true}
}

// setters name every setting.
var setters = map[string]func(*Settings) any{
	"platform":             func(s *Settings) any { return &s.Platform },
	"planner":              func(s *Settings) any { return &s.Planner },
	"inlayHints.addresses": func(s *Settings) any { return &s.InlayHints.Addresses },
	"inlayHints.sizes":     func(s *Settings) any { return &s.InlayHints.Sizes },
	"inlayHints.sharing":   func(s *Settings) any { return &s.InlayHints.Sharing },
	"inlayHints.usage":     func(s *Settings) any { return &s.InlayHints.Usage },
	"codeLens.enabled":     func(s *Settings) any { return &s.CodeLens },
	"diagnostics.onType":   func(s *Settings) any { return &s.OnType },
	"diagnostics.hints":    func(s *Settings) any { return &s.LowSeverities },
}

// with applies a JSON object, nested or with dotted names. A value of a wrong
// type is left out and told; null and unknown names are ignored.
func (s Settings) with(raw map[string]json.RawMessage) (Settings, []string) {
	flat := map[string]json.RawMessage{}
	flatten("", raw, flat, 0)
	var problems []string
	for name, value := range flat {
		set := setters[name]
		if set == nil || string(value) == "null" {
			continue
		}
		if err := json.Unmarshal(value, set(&s)); err != nil {
			problems = append(problems, fmt.Sprintf("setting pypto-ls.%s has a value of the wrong type", name))
		}
	}
	sort.Strings(problems)
	return s, problems
}

func flatten(prefix string, raw, out map[string]json.RawMessage, depth int) {
	for name, value := range raw {
		var inner map[string]json.RawMessage
		if depth < 4 && json.Unmarshal(value, &inner) == nil && inner != nil {
			flatten(prefix+name+".", inner, out, depth+1)
			continue
		}
		out[prefix+name] = value
	}
}

// section finds our settings in what a client sends: the object itself, or
// under our name.
func section(raw json.RawMessage) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for _, name := range []string{"pypto-ls", "pypto_ls"} {
		var inner map[string]json.RawMessage
		if json.Unmarshal(all[name], &inner) == nil && inner != nil {
			return inner
		}
	}
	return all
}
