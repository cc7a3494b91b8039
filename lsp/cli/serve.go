package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"pypto-ls/analysis"
	"pypto-ls/lsp"
)

// memoBytes bounds the results that the server keeps for functions that no open
// document shows any more.
const memoBytes = 96 << 20

func runServe(e *env, args []string) int {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.Bool("stdio", true, "serve on standard input and output (the default)")
	listen := fs.String("listen", "", "serve on a TCP address instead, such as 127.0.0.1:9257")
	anywhere := fs.Bool("listen-anywhere", false, "allow --listen on addresses that other machines can reach")
	logFile := fs.String("log-file", "", "write the log to a file instead of standard error")
	logLevel := fs.String("log-level", "warn", "debug, info, warn or error")
	record := fs.String("record", "", "record the session in a file, which `replay` can play again")
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) > 0 {
		return e.fail("serve takes no argument '%s'", pos[0])
	}
	level, err := zapcore.ParseLevel(*logLevel)
	if err != nil {
		return e.fail("unknown --log-level '%s': debug, info, warn or error", *logLevel)
	}
	log, done, err := lsp.NewLogger(*logFile, level)
	if err != nil {
		return e.fail("%v", err)
	}
	defer done()
	opts := lsp.Options{Engine: lsp.NewPlanner(newMemo(log)), Logger: log, Version: Version, Docs: docsURL()}
	if *record != "" {
		f, err := os.OpenFile(*record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return e.fail("recording: %v", err)
		}
		defer f.Close()
		rec := lsp.NewRecorder(f)
		defer func() {
			if err := rec.Err(); err != nil {
				e.fail("recording: %v", err)
			}
		}()
		opts.Record = rec.Message
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *listen != "" {
		return e.serveTCP(ctx, *listen, *anywhere, opts)
	}
	return lsp.Serve(ctx, lsp.Stdio(), opts)
}

// newMemo makes the memo of a server; what fails is logged with its place.
func newMemo(log *zap.Logger) *analysis.Engine {
	memo := analysis.NewEngine(memoBytes)
	memo.OnPanic = func(value any, stack []byte) {
		log.Error("a function could not be analysed", zap.String("value", lsp.PanicText(value)), zap.ByteString("stack", stack))
	}
	return memo
}

func (e *env) serveTCP(ctx context.Context, addr string, anywhere bool, opts lsp.Options) int {
	l, err := lsp.Listen(addr, anywhere)
	if err != nil {
		return e.fail("%v", err)
	}
	fmt.Fprintf(e.err, "pypto-ls: serving on %s\n", l.Addr())
	if err := lsp.ServeListener(ctx, l, opts); err != nil {
		return e.fail("%v", err)
	}
	return exitOK
}

// docsURL is where the manual's pages are, for the links behind the codes of
// diagnostics: those installed with the program, "" when there are none.
func docsURL() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return ""
	}
	dir := filepath.Dir(exe)
	for _, d := range []string{filepath.Join(dir, "docs"), filepath.Join(dir, "..", "share", "doc", "pypto-ls")} {
		if st, err := os.Stat(filepath.Join(d, "diagnostics")); err == nil && st.IsDir() {
			return lsp.FileURL(d)
		}
	}
	return ""
}

// tuneMemory trades a little memory for fewer collections: most of what an edit
// allocates is garbage right after it.
func tuneMemory() { debug.SetGCPercent(100) }
