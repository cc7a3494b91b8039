# Everything runs on a fresh machine with Go, Node and npm; the tests with real editors install what they need.
GO ?= go
BIN := bin/pypto-ls
VERSION ?= 0.1.0
LDFLAGS := -s -w -X pypto-ls/lsp/cli.Version=$(VERSION)

.PHONY: build demo test race lint unit bench fuzz e2e vsix install clean

build:
	@mkdir -p bin
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) .

# Plan a shipped example: the address of every tile and how full each memory is.
demo: build
	$(BIN) plan examples/passes_dump/31_after_MaterializeTensorStrides.py

# Every test that needs no editor.
test: lint unit

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "gofmt would change: $$out"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

unit:
	$(GO) test ./...

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

install: build
	install -d $${PREFIX:-$$HOME/.local}/bin
	install -m 755 $(BIN) $${PREFIX:-$$HOME/.local}/bin/pypto-ls

clean:
	rm -rf bin dist
