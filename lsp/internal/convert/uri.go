// Package convert translates between the protocol's ways of naming things and
// ours.
package convert

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"
)

// MaxURI bounds the length of a URI in bytes.
const MaxURI = 8 << 10

// URI is a document's name as the client wrote it, with what it means.
type URI struct {
	// Raw is the client's spelling; answers use it.
	Raw string
	// Key is equal for spellings of the same document.
	Key string
	// Path is the document's file, absolute and clean, "" when it is not a file
	// of this machine. That a path is there gives no leave to read it.
	Path string
}

// errURI says what is wrong without repeating the URI.
var (
	errLong   = errors.New("URI longer than 8 KiB")
	errScheme = errors.New("URI without a scheme")
)

// ParseURI understands what editors send: file URIs with any escapes, with an
// empty or local authority, and drive letters in either case; other schemes
// (untitled, git, notebook cells) name documents that are not files.
func ParseURI(raw string) (URI, error) {
	if len(raw) > MaxURI {
		return URI{}, errLong
	}
	scheme, rest, ok := strings.Cut(raw, ":")
	if !ok || !isScheme(scheme) {
		return URI{}, errScheme
	}
	u := URI{Raw: raw, Key: raw}
	if !strings.EqualFold(scheme, "file") {
		return u, nil
	}
	host := ""
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, rest = after, ""
		if at := strings.IndexByte(after, '/'); at >= 0 {
			host, rest = after[:at], after[at:]
		}
	}
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	p, err := url.PathUnescape(rest)
	if err != nil || !strings.HasPrefix(p, "/") || strings.IndexByte(p, 0) >= 0 || !utf8.ValidString(p) {
		return u, nil // a name, but of no file
	}
	p = path.Clean(p)
	if drive(p) {
		p = "/" + strings.ToLower(p[1:2]) + p[2:]
	}
	host = strings.ToLower(host)
	if host == "localhost" {
		host = ""
	}
	u.Key = "file://" + host + p
	if host == "" {
		u.Path = osPath(p, runtime.GOOS)
	}
	return u, nil
}

// osPath is the path of this machine for the path of a URI.
func osPath(p, goos string) string {
	if goos != "windows" {
		return p
	}
	if !drive(p) {
		return ""
	}
	return strings.ReplaceAll(p[1:], "/", `\`)
}

// drive reports whether a URI's path begins with a drive: /c:/ or /c:.
func drive(p string) bool {
	return len(p) >= 3 && p[2] == ':' && isLetter(p[1]) && (len(p) == 3 || p[3] == '/')
}

func isLetter(c byte) bool { return 'a' <= c|32 && c|32 <= 'z' }

func isScheme(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || c != '+' && c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// FileURI is the URI of an absolute path, escaped as editors do.
func FileURI(file string) string {
	p := filepath.ToSlash(file)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
