package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"pypto-ls/analysis"
	"pypto-ls/lsp"
)

// memoBytes is what the memo may hold to begin with; the documents that are
// opened change it.
const memoBytes = 1 << 20

// serveOptions are the flags of serve.
type serveOptions struct {
	listen, logFile, logLevel, record string
	anywhere                          bool
}

func (o *serveOptions) register(fs *flag.FlagSet) {
	fs.Bool("stdio", true, "serve on standard input and output (the default)")
	fs.StringVar(&o.listen, "listen", "", "serve on a TCP address instead, such as 127.0.0.1:9257")
	fs.BoolVar(&o.anywhere, "listen-anywhere", false, "allow --listen on addresses that other machines can reach")
	fs.StringVar(&o.logFile, "log-file", "", "write the log to a file instead of standard error")
	fs.StringVar(&o.logLevel, "log-level", "warn", "debug, info, warn or error")
	fs.StringVar(&o.record, "record", "", "record the session in a file, which `replay` can play again")
}

func runServe(e *env, args []string) int {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	var o serveOptions
	o.register(fs)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) > 0 {
		return e.fail("serve takes no argument '%s'", pos[0])
	}
	level, err := zapcore.ParseLevel(o.logLevel)
	if err != nil {
		return e.fail("unknown --log-level '%s': debug, info, warn or error", o.logLevel)
	}
	log, done, err := lsp.NewLogger(o.logFile, level)
	if err != nil {
		return e.fail("%v", err)
	}
	defer done()
	gc := newCollector()
	opts := lsp.Options{Engine: lsp.NewPlanner(newMemo(log), gc.tune), Told: gc.told, Logger: log, Version: Version, Docs: docsURL()}
	if o.record != "" {
		f, err := os.OpenFile(o.record, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
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
	if o.listen != "" {
		return e.serveTCP(ctx, o.listen, o.anywhere, opts)
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
