package convert

import (
	"runtime"
	"strings"
	"testing"
)

func TestURI(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the expected paths are those of Unix")
	}
	for _, c := range []struct{ raw, key, path string }{
		{"file:///a/b.py", "file:///a/b.py", "/a/b.py"},
		{"FILE:///a/b.py", "file:///a/b.py", "/a/b.py"},
		{"file:/a/b.py", "file:///a/b.py", "/a/b.py"},
		{"file://localhost/a/b.py", "file:///a/b.py", "/a/b.py"},
		{"file:///a%20b/%C3%A9.py", "file:///a b/é.py", "/a b/é.py"},
		{"file:///a b/é.py", "file:///a b/é.py", "/a b/é.py"},
		{"file:///c%3A/x.py", "file:///c:/x.py", "/c:/x.py"},
		{"file:///C:/x.py", "file:///c:/x.py", "/c:/x.py"},
		{"file:///a/./c/../b.py", "file:///a/b.py", "/a/b.py"},
		{"file:///a/%2e%2e/%2e%2e/b.py", "file:///b.py", "/b.py"},
		{"file:///a/b%2Fc.py", "file:///a/b/c.py", "/a/b/c.py"},
		{"file:///a/b.py?x=1#L3", "file:///a/b.py", "/a/b.py"},
		{"file:///a%3Fb%23c.py", "file:///a?b#c.py", "/a?b#c.py"},
		{"file:///a%00b", "file:///a%00b", ""},
		{"file:///a%zz", "file:///a%zz", ""},
		{"file:///a%FFb", "file:///a%FFb", ""},
		{"file://server/share/b.py", "file://server/share/b.py", ""},
		{"file:relative.py", "file:relative.py", ""},
		{"file://", "file://", ""},
		{"untitled:Untitled-1", "untitled:Untitled-1", ""},
		{"git:/a/b.py?{\"ref\":\"~\"}", "git:/a/b.py?{\"ref\":\"~\"}", ""},
		{"vscode-notebook-cell:/a.ipynb#W0", "vscode-notebook-cell:/a.ipynb#W0", ""},
	} {
		got, err := ParseURI(c.raw)
		if err != nil || got.Key != c.key || got.Path != c.path || got.Raw != c.raw {
			t.Errorf("%s: key %q path %q (%v), want %q and %q", c.raw, got.Key, got.Path, err, c.key, c.path)
		}
	}
	for _, raw := range []string{"", "no scheme", "/a/b.py", ":x", "1a:b", "file:///" + strings.Repeat("a", MaxURI)} {
		if _, err := ParseURI(raw); err == nil {
			t.Errorf("%.20q was accepted", raw)
		}
	}
	// Windows, as pure functions: no machine needed.
	for in, want := range map[string]string{"/c:/a/b.py": `c:\a\b.py`, "/a/b.py": "", "/c:": `c:`} {
		if got := osPath(in, "windows"); got != want {
			t.Errorf("%s on Windows: %q, want %q", in, got, want)
		}
	}
}

// FuzzURI: nothing panics; a URI made from a path means that path; keys are
// stable under a second parse.
func FuzzURI(f *testing.F) {
	for _, s := range []string{"file:///a/b.py", "file:///c%3A/x", "untitled:1", "file://h/a", "file:///%2e%2e/x", "file:///a%", "file:///é😀#?", "a:b:c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := ParseURI(raw)
		if err != nil {
			return
		}
		if u.Path == "" {
			return
		}
		if strings.Contains(u.Path, "/../") || strings.HasSuffix(u.Path, "/..") || strings.IndexByte(u.Path, 0) >= 0 || u.Path[0] != '/' {
			t.Errorf("%q has the path %q", raw, u.Path)
		}
		again, err := ParseURI(FileURI(u.Path))
		if len(FileURI(u.Path)) <= MaxURI && (err != nil || again.Key != u.Key || again.Path != u.Path) {
			t.Errorf("%q → %q → %q (%v)", raw, u.Path, again.Path, err)
		}
	})
}
