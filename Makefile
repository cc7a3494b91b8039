# Everything runs on a fresh machine with Go, Node and npm; the tests with real editors install what they need.
GO ?= go
BIN := bin/pypto-ls
VERSION ?= 0.1.0
LDFLAGS := -s -w -X pypto-ls/lsp/cli.Version=$(VERSION)

.PHONY: build demo test race lint unit extension bench fuzz e2e vsix install clean

build:
	@mkdir -p bin
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) .

# Plan a shipped example: the address of every tile and how full each memory is.
demo: build
	$(BIN) plan examples/passes_dump/31_after_MaterializeTensorStrides.py

# Every test that needs no editor.
test: lint unit extension

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "gofmt would change: $$out"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

unit:
	$(GO) test -timeout 20m ./...

# Types, unit tests and grammar of the VS Code extension.
extension: vscode-extension/node_modules/.package-lock.json
	cd vscode-extension && npm test --silent

vscode-extension/node_modules/.package-lock.json: vscode-extension/package-lock.json
	cd vscode-extension && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

race:
	$(GO) test -race ./lsp/... ./analysis/... ./test/...

bench:
	$(GO) test -run XXX -bench . -benchtime 2s ./...

# FUZZTIME a target; CI uses 20s.
FUZZTIME ?= 20s
fuzz:
	FUZZTIME=$(FUZZTIME) test/fuzz.sh

# Real Neovim, VS Code, Helix and Emacs; installs them first.
e2e: build
	test/e2e/run.sh

vsix: build
	cd vscode-extension && npm ci && npm run package

# The program, its manual page, completions for three shells, and the pages behind the codes of findings.
install: PREFIX := $(or $(PREFIX),$(HOME)/.local)
install: build
	install -d "$(PREFIX)/bin" "$(PREFIX)/share/man/man1" "$(PREFIX)/share/doc/pypto-ls/diagnostics" "$(PREFIX)/share/bash-completion/completions" "$(PREFIX)/share/zsh/site-functions" "$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 $(BIN) "$(PREFIX)/bin/pypto-ls"
	install -m 644 docs/pypto-ls.1 "$(PREFIX)/share/man/man1/pypto-ls.1"
	install -m 644 docs/diagnostics/*.md "$(PREFIX)/share/doc/pypto-ls/diagnostics/"
	$(BIN) completion bash >"$(PREFIX)/share/bash-completion/completions/pypto-ls"
	$(BIN) completion zsh >"$(PREFIX)/share/zsh/site-functions/_pypto-ls"
	$(BIN) completion fish >"$(PREFIX)/share/fish/vendor_completions.d/pypto-ls.fish"

clean:
	rm -rf bin dist
