package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// frameError is a fault in the framing after which reading can go on. Prefix
// holds the first bytes of the content that was skipped, if any.
type frameError struct {
	msg    string
	prefix []byte
}

func (e *frameError) Error() string { return e.msg }

// prefixKept is how much of a skipped message is kept, to tell what it was.
const prefixKept = 4 << 10

// frameReader cuts a byte stream into messages. It allocates for bytes that
// have arrived, never for bytes that a header claims.
type frameReader struct {
	in     *bufio.Reader
	lim    Limits
	pushed string // a field line that resync found, read next
}

func newFrameReader(r io.Reader, lim Limits) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(r, 64<<10), lim: lim.withDefaults()}
}

const lengthKey = "content-length:"

// header is what one header block says.
type header struct {
	length  int64 // -1 when absent
	bad     string
	charset string
}

// next returns the content of the next message. A *frameError means that one
// message was lost and the next call goes on; any other error is final.
func (r *frameReader) next() ([]byte, error) {
	h, err := r.header()
	if err != nil {
		return nil, err
	}
	if h.bad == "" && h.length < 0 {
		h.bad = "missing Content-Length header"
	}
	if h.bad != "" {
		if r.pushed == "" {
			if err := r.resync(); err != nil && err != io.EOF {
				return nil, err
			}
		}
		return nil, &frameError{msg: h.bad}
	}
	if h.length > r.lim.Message {
		return nil, r.skip(h.length, fmt.Sprintf("message of %d bytes exceeds the limit of %d bytes", h.length, r.lim.Message))
	}
	if h.charset != "" {
		return nil, r.skip(h.length, "unsupported charset; only utf-8 is")
	}
	return r.content(h.length)
}

// header reads one header block. Blank lines before the first field are skipped.
func (r *frameReader) header() (header, error) {
	h := header{length: -1}
	total, fields := 0, 0
	if r.pushed != "" {
		h.field(r.pushed)
		r.pushed, fields = "", 1
	}
	for {
		line, err := r.line(&total)
		if err != nil {
			if err == io.EOF && total+fields > 0 {
				err = io.ErrUnexpectedEOF
			}
			return h, err
		}
		if total > r.lim.Header {
			h.bad = fmt.Sprintf("header exceeds the limit of %d bytes", r.lim.Header)
			return h, nil
		}
		if line == "" {
			if fields > 0 {
				return h, nil
			}
			continue
		}
		fields++
		h.field(line)
		if r.pushed = glued(line); r.pushed != "" {
			return h, nil
		}
	}
}

// glued finds a Content-Length field at the end of a line that is no field: the
// rest of a content whose length was given too small has no line end of its own.
func glued(line string) string {
	name, _, _ := strings.Cut(line, ":")
	at := strings.LastIndex(asciiLower(line), lengthKey)
	if at <= 0 || isToken(name) {
		return ""
	}
	if _, err := strconv.ParseUint(strings.TrimSpace(line[at+len(lengthKey):]), 10, 63); err != nil {
		return ""
	}
	return line[at:]
}

func isToken(name string) bool {
	name = strings.TrimSpace(name)
	for _, c := range []byte(name) {
		if c != '-' && !isDigit(c) && (lower(c) < 'a' || lower(c) > 'z') {
			return false
		}
	}
	return name != ""
}

// line reads a line ended by LF or CRLF, without its end. It stops storing once
// total passes the header limit, and then returns at once.
func (r *frameReader) line(total *int) (string, error) {
	var b []byte
	for {
		part, err := r.in.ReadSlice('\n')
		*total += len(part)
		if *total > r.lim.Header {
			return "", nil
		}
		b = append(b, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			return "", err
		}
		b = b[:len(b)-1]
		return string(bytes.TrimSuffix(b, []byte{'\r'})), nil
	}
}

// field takes one header field into account. Unknown fields are ignored.
func (h *header) field(line string) {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		h.bad = "header line without a colon"
		return
	}
	if !isToken(name) {
		h.bad = "header name is not a word"
		return
	}
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "content-length":
		n, err := strconv.ParseUint(value, 10, 63)
		switch {
		case err != nil:
			h.bad = "Content-Length is not a number"
		case h.length >= 0 && h.length != int64(n):
			h.bad = "two different Content-Length headers"
		default:
			h.length = int64(n)
		}
	case "content-type":
		if _, cs, ok := strings.Cut(strings.ToLower(value), "charset="); ok {
			cs, _, _ = strings.Cut(cs, ";")
			if cs = strings.Trim(strings.TrimSpace(cs), `"`); cs != "utf-8" && cs != "utf8" {
				h.charset = cs
			}
		}
	}
}

// content reads n bytes; the buffer grows with what arrives.
func (r *frameReader) content(n int64) ([]byte, error) {
	buf := make([]byte, 0, min(n, 64<<10))
	for int64(len(buf)) < n {
		if len(buf) == cap(buf) {
			grown := make([]byte, len(buf), min(n, 2*int64(cap(buf))))
			copy(grown, buf)
			buf = grown
		}
		m, err := r.in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+m]
		if err != nil && int64(len(buf)) < n {
			return nil, eof(err)
		}
	}
	return buf, nil
}

// skip discards n bytes of content and reports the loss.
func (r *frameReader) skip(n int64, msg string) error {
	prefix, err := r.content(min(n, prefixKept))
	if err != nil {
		return err
	}
	for left := n - int64(len(prefix)); left > 0; {
		m, err := r.in.Discard(int(min(left, 1<<20)))
		left -= int64(m)
		if err != nil {
			return eof(err)
		}
	}
	return &frameError{msg: msg, prefix: prefix}
}

// resync skips to the next Content-Length field and keeps it for the next call
// of header. A raw line end directly after the digits is required; inside a
// JSON string there is none, so no text of a document can pose as a header.
func (r *frameReader) resync() error {
	for at := 0; ; {
		c, err := r.in.ReadByte()
		if err != nil {
			return err
		}
		switch {
		case lower(c) == lengthKey[at]:
			at++
		case lower(c) == lengthKey[0]:
			at = 1
		default:
			at = 0
		}
		if at < len(lengthKey) {
			continue
		}
		at = 0
		if n, ok := r.number(); ok {
			r.pushed = "Content-Length:" + n
			return nil
		}
	}
}

// number reads `[ \t]*[0-9]+[ \t]*\r?\n`; it consumes only what matches, and
// waits for no byte more than it needs.
func (r *frameReader) number() (string, bool) {
	for n := 1; n <= 64; n++ {
		peek, err := r.in.Peek(n)
		if err != nil {
			return "", false
		}
		switch c := peek[n-1]; {
		case c == '\n':
			text := strings.Trim(strings.TrimSuffix(string(peek[:n-1]), "\r"), " \t")
			if _, err := strconv.ParseUint(text, 10, 63); err != nil {
				return "", false
			}
			_, _ = r.in.Discard(n)
			return text, true
		case c != ' ' && c != '\t' && c != '\r' && !isDigit(c):
			return "", false
		}
	}
	return "", false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 32
	}
	return c
}

// asciiLower keeps offsets, which strings.ToLower does not.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func eof(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
