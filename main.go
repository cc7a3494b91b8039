// Command pypto-ls is a language server and checker for the PyPTO kernel IR.
package main

import (
	"os"

	"pypto-ls/lsp/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
