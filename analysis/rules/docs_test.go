package rules

import "flag"

var writeDocs = flag.Bool("write-docs", false, "write docs/diagnostics from the rules")
