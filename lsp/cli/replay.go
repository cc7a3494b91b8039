package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"go.uber.org/zap"

	"pypto-ls/lsp"
)

// replayOptions are the flags of replay.
type replayOptions struct {
	anonymise, verbose bool
	out                string
}

func (o *replayOptions) register(fs *flag.FlagSet) {
	fs.BoolVar(&o.anonymise, "anonymise", false, "do not play: write the recording with names and numbers replaced")
	fs.StringVar(&o.out, "o", "", "with --anonymise: the file to write (default: standard output)")
	fs.BoolVar(&o.verbose, "verbose", false, "show both answers where they differ")
}

func runReplay(e *env, args []string) int {
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	var o replayOptions
	o.register(fs)
	pos, ok := e.parse(fs, args)
	if !ok {
		return exitUsage
	}
	if len(pos) != 1 {
		return e.fail("replay takes one recording")
	}
	f, err := os.Open(pos[0])
	if err != nil {
		return e.fail("%v", err)
	}
	defer f.Close()
	recording, err := lsp.ReadRecording(f)
	if err != nil {
		return e.fail("%s: %v", pos[0], err)
	}
	if o.anonymise {
		return e.anonymise(recording, o.out)
	}
	return e.replay(recording, o.verbose)
}

func (e *env) anonymise(recording []lsp.Recorded, path string) int {
	w := e.out
	if path != "" {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return e.fail("%v", err)
		}
		defer f.Close()
		w = f
	}
	if err := writeRecording(w, lsp.Anonymise(recording, rand.Text())); err != nil {
		return e.fail("%v", err)
	}
	return exitOK
}

func writeRecording(w io.Writer, recording []lsp.Recorded) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	for _, rec := range recording {
		if err := enc.Encode(rec); err != nil {
			return err
		}
	}
	return b.Flush()
}

// replay plays a session and tells where the answers are not the recorded ones.
func (e *env) replay(recording []lsp.Recorded, verbose bool) int {
	log := zap.NewNop()
	report, err := lsp.Replay(context.Background(), recording, lsp.Options{Engine: lsp.NewPlanner(newMemo(log)), Logger: log, Version: Version})
	fmt.Fprintf(e.out, "%d messages, %d requests in %.3f s; exit code %d\n", report.Messages, report.Requests, report.Took.Seconds(), report.Code)
	for _, d := range report.Differences {
		fmt.Fprintf(e.out, "%s (id %s): another answer\n", d.Method, d.ID)
		if verbose {
			fmt.Fprintf(e.out, "  recorded: %s\n  now:      %s\n", d.Want, d.Got)
		}
	}
	switch {
	case err != nil:
		return e.fail("%v", err)
	case len(report.Differences) > 0:
		return exitFindings
	}
	return exitOK
}
