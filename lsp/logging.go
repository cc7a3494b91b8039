package lsp

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Logs hold methods, numbers, durations and places in our own code. They never
// hold text, names or paths of documents.

// NewLogger writes to a file, readable by its owner alone, or to standard error
// when path is "". The function flushes and closes.
func NewLogger(path string, level zapcore.Level) (*zap.Logger, func(), error) {
	out := os.Stderr
	if path != "" {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("log file: %w", err)
		}
		out = f
	}
	cfg := zap.NewProductionEncoderConfig()
	cfg.EncodeTime = zapcore.ISO8601TimeEncoder
	cfg.EncodeDuration = zapcore.StringDurationEncoder
	log := zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(cfg), zapcore.Lock(out), level))
	return log, func() {
		_ = log.Sync()
		if out != os.Stderr {
			_ = out.Close()
		}
	}, nil
}

// methodField names a method in a log; the client may have sent anything.
func methodField(method string) zap.Field {
	return zap.String("method", fmt.Sprintf("%.60q", method))
}

// PanicText is what may be logged of a panic's value: nothing that can hold
// text of a document.
func PanicText(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", value)
}

// panicked reports a panic and makes the error that the client sees.
func (s *Session) panicked(where string, value any) error {
	what := PanicText(value)
	s.log.Error("panic", methodField(where), zap.String("value", what), zap.ByteString("stack", debug.Stack()))
	s.logMessage(protocol.MessageTypeError, fmt.Sprintf("internal error in %.60s: %s; the log of the server has the place", where, what))
	return jsonrpc2.Errorf(jsonrpc2.InternalError, "internal error in %.60s; please report it with the log of the server", where)
}
