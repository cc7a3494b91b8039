package analysis

import "github.com/pelletier/go-toml/v2"

// ConfigLayer reads the settings `platform` and `planner` of a pypto-ls.toml.
// ok is false when the text is not TOML; platforms.Decode reports why.
func ConfigLayer(data []byte) (Layer, bool) {
	var c struct {
		Platform string `toml:"platform"`
		Planner  string `toml:"planner"`
	}
	if err := toml.Unmarshal(data, &c); err != nil {
		return Layer{}, false
	}
	return Layer{Platform: c.Platform, Planner: c.Planner, From: "pypto-ls.toml"}, true
}
