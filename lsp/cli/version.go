package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"runtime/debug"
)

// Version is the release; the build sets it with -ldflags -X.
var Version = "0.1.0"

// LSPVersion is the protocol level the server speaks.
const LSPVersion = "3.17"

func versionFlags(fs *flag.FlagSet) { fs.Bool("json", false, "print as JSON") }

func runVersion(e *env, args []string) int {
	fs := flag.NewFlagSet("version", flag.ContinueOnError)
	versionFlags(fs)
	if _, ok := e.parse(fs, args); !ok {
		return exitUsage
	}
	commit, goVersion := "unknown", ""
	if bi, ok := debug.ReadBuildInfo(); ok {
		goVersion = bi.GoVersion
		for _, s := range bi.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value
			}
		}
	}
	if fs.Lookup("json").Value.String() == "true" {
		enc := json.NewEncoder(e.out)
		_ = enc.Encode(map[string]string{"version": Version, "commit": commit, "go": goVersion, "lsp": LSPVersion})
		return exitOK
	}
	fmt.Fprintf(e.out, "pypto-ls %s (commit %s, %s), LSP %s\n", Version, commit, goVersion, LSPVersion)
	return exitOK
}
