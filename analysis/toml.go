package analysis

import (
	"bytes"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/pelletier/go-toml/v2"

	"pypto-ls/platforms"
)

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

// Config is a pypto-ls.toml as read: the built-in platforms with its changes
// on top, and the settings it gives.
type Config struct {
	platforms.Set
	Layer    Layer
	Problems []platforms.Problem
	lines    []int // of the problems
	digest   string
}

// NoConfig is what holds where there is no pypto-ls.toml.
func NoConfig() *Config { return &Config{Set: platforms.Builtin()} }

// ReadConfig reads the text of a pypto-ls.toml.
func ReadConfig(data []byte) *Config {
	c := &Config{digest: strconv.FormatUint(xxhash.Sum64(data), 16)}
	c.Set, c.Problems = platforms.Decode(data)
	c.Layer, _ = ConfigLayer(data)
	for _, p := range c.Problems {
		c.lines = append(c.lines, 1+bytes.Count(data[:min(p.Start, len(data))], []byte("\n")))
	}
	return c
}

// variantOf is "" for a built-in platform; another one of whatever name is
// told apart by the text that defines it.
func variantOf(known Platforms, name string, p *platforms.Platform) string {
	if b, ok := platforms.Lookup(name); ok && b == p {
		return ""
	}
	if c, ok := known.(*Config); ok {
		return c.digest
	}
	return ""
}
