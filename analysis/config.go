package analysis

import (
	"fmt"
	"strings"

	"pypto-ls/memory"
	"pypto-ls/platforms"
)

// Target is what a text is planned for.
type Target struct {
	// Platform is nil when Name is "none" (no backend configured) or unknown.
	Platform *platforms.Platform
	// Name is the platform's name as configured.
	Name    string
	Planner memory.Planner
	// variant tells platforms of one name apart: a pypto-ls.toml may change one.
	variant string
}

// Settings are a document's target with the place each part comes from
// ("default", "setting", "pypto-ls.toml", "comment in the file", "command line").
type Settings struct {
	Target
	PlatformFrom, PlannerFrom string
	// Problem tells what is wrong with the configuration, such as a name that is
	// unknown; "" when all is well.
	Problem string
}

// AddProblems notes what is wrong with a pypto-ls.toml.
func (s *Settings) AddProblems(c *Config) {
	for i, p := range c.Problems {
		s.addProblem(fmt.Sprintf("pypto-ls.toml:%d: %s", c.lines[i], p.Message))
	}
}

func (s *Settings) addProblem(text string) {
	if s.Problem != "" {
		s.Problem += "\n"
	}
	s.Problem += text
}

// DefaultPlatform is the platform the reference compiles for by default.
const DefaultPlatform = "Ascend910B"

// DefaultPlanner is the planner without any setting.
const DefaultPlanner = "PYPTO"

// PlannerNames lists the planners.
func PlannerNames() []string {
	return []string{memory.PYPTO.String(), memory.DSARP.String(), memory.PTOAS.String()}
}

// KnownPlanner reports whether there is a planner of that name.
func KnownPlanner(name string) bool {
	_, ok := memory.ParsePlanner(name)
	return ok
}

// Platforms finds platforms by name: the embedded ones, or those of a
// workspace on top of them.
type Platforms interface {
	Lookup(name string) (*platforms.Platform, bool)
	Names() []string
}

// Layer is one source of settings; empty strings say nothing. From names the
// source for the user.
type Layer struct {
	Platform, Planner string
	From              string
	// Unknown is what means nothing here.
	Unknown []string
}

// Resolve combines layers, nearest first, with the defaults.
func Resolve(known Platforms, layers ...Layer) Settings {
	s := Settings{PlatformFrom: "default", PlannerFrom: "default"}
	name, planner := DefaultPlatform, ""
	for _, l := range layers {
		if l.Platform != "" {
			name, s.PlatformFrom = l.Platform, l.From
			break
		}
	}
	for _, l := range layers {
		if l.Planner != "" {
			planner, s.PlannerFrom = l.Planner, l.From
			break
		}
	}
	s.Name = name
	if p, ok := known.Lookup(name); ok {
		s.Platform = p
		s.variant = variantOf(known, name, p)
	} else if name != "none" {
		s.Problem = "Unknown platform '" + name + "' (" + s.PlatformFrom + "); known: " + strings.Join(known.Names(), ", ") + ". Planned for " + DefaultPlatform + " instead."
		s.Name = DefaultPlatform
		s.Platform, _ = known.Lookup(DefaultPlatform)
		s.variant = variantOf(known, s.Name, s.Platform)
	}
	if planner != "" {
		p, ok := memory.ParsePlanner(planner)
		if !ok {
			s.addProblem("Unknown planner '" + planner + "' (" + s.PlannerFrom + "); known: PYPTO, DSA_RP, PTOAS. Planned with PYPTO instead.")
		}
		s.Planner = p
	}
	for _, l := range layers {
		if len(l.Unknown) > 0 {
			s.addProblem("Not understood: '" + strings.Join(l.Unknown, "', '") + "' (" + l.From + "); expected `# pypto-ls: platform=NAME planner=NAME`")
		}
	}
	return s
}

// SettingsLines is how many lines of a file may hold its settings.
const SettingsLines = 10

// maxUnknown keeps a message short.
const maxUnknown = 4

// FileLayer reads the settings of a `# pypto-ls: platform=… planner=…` comment
// in the first lines of a text.
func FileLayer(text string) Layer {
	l := Layer{From: "comment in the file"}
	text = strings.TrimPrefix(text, "\ufeff")
	for range SettingsLines {
		line, rest, more := strings.Cut(text, "\n")
		if c, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
			if c, ok = strings.CutPrefix(strings.TrimSpace(c), "pypto-ls:"); ok {
				for _, f := range strings.Fields(c) {
					f = strings.TrimSuffix(f, ",")
					k, v, _ := strings.Cut(f, "=")
					switch {
					case k == "platform" && v != "":
						l.Platform = v
					case k == "planner" && v != "":
						l.Planner = v
					case len(l.Unknown) < maxUnknown:
						l.Unknown = append(l.Unknown, strings.Clone(f))
					}
				}
				return l
			}
		}
		if !more {
			break
		}
		text = rest
	}
	return l
}

func (s Settings) config() memory.Config {
	return memory.Config{Platform: s.Platform, Planner: s.Planner}
}

// key identifies what results depend on.
func (t Target) key() string { return t.Name + "\x00" + t.variant + "\x00" + t.Planner.String() }
