//go:build unix

package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world is a workspace folder with what could lead out of it.
func world(t *testing.T) (ws, secret string) {
	t.Helper()
	base := t.TempDir()
	ws, secret = filepath.Join(base, "ws"), filepath.Join(base, "secret.txt")
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(ws, "a", "b"), 0o755))
	must(os.WriteFile(secret, []byte("secret"), 0o644))
	must(os.WriteFile(filepath.Join(ws, "in.txt"), []byte("inside"), 0o644))
	must(os.WriteFile(filepath.Join(ws, "a", "pypto-ls.toml"), []byte("x = 1"), 0o644))
	must(os.Symlink(secret, filepath.Join(ws, "link-out")))
	must(os.Symlink("in.txt", filepath.Join(ws, "link-in")))
	must(os.Symlink(base, filepath.Join(ws, "dir-out")))
	must(os.Symlink("loop", filepath.Join(ws, "loop")))
	must(syscall.Mkfifo(filepath.Join(ws, "pipe"), 0o644))
	must(os.MkdirAll(filepath.Join(base, "ws-other"), 0o755))
	must(os.WriteFile(filepath.Join(base, "ws-other", "x"), []byte("secret"), 0o644))
	return ws, secret
}

// TestSecurityFiles: nothing outside the workspace folders is read, by
// whatever name.
func TestSecurityFiles(t *testing.T) {
	ws, secret := world(t)
	g := NewGuard([]string{ws, "relative", ""})
	for _, c := range []struct {
		name, path, want string
		fails            bool
	}{
		{"a file inside", ws + "/in.txt", "inside", false},
		{"dots that stay inside", ws + "/a/../in.txt", "inside", false},
		{"a link that stays inside", ws + "/link-in", "inside", false},
		{"a file outside", secret, "", true},
		{"dots that lead out", ws + "/../secret.txt", "", true},
		{"dots through a folder", ws + "/a/b/../../../secret.txt", "", true},
		{"a link that leads out", ws + "/link-out", "", true},
		{"a folder link that leads out", ws + "/dir-out/secret.txt", "", true},
		{"a folder whose name only begins alike", filepath.Dir(ws) + "/ws-other/x", "", true},
		{"a link to itself", ws + "/loop", "", true},
		{"a pipe does not block", ws + "/pipe", "", true},
		{"a folder", ws + "/a", "", true},
		{"the workspace folder itself", ws, "", true},
		{"a relative path", "in.txt", "", true},
		{"nothing", "", "", true},
		{"a NUL byte", ws + "/in.txt\x00", "", true},
		{"a device", "/dev/zero", "", true},
		{"process files", "/proc/self/environ", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := g.Read(c.path, 100)
			if string(data) != c.want || (err != nil) != c.fails {
				t.Errorf("read %q, %v", data, err)
			}
			if err != nil && strings.Contains(err.Error(), ws) {
				t.Errorf("the error names the path: %v", err)
			}
		})
	}
	if _, err := g.Read(ws+"/in.txt", 5); !errors.Is(err, ErrTooLarge) {
		t.Errorf("6 bytes with a limit of 5: %v", err)
	}
	if _, err := NewGuard([]string{"/dev"}).Read("/dev/zero", 100); !errors.Is(err, ErrNotFile) {
		t.Errorf("a device inside a folder: %v", err)
	}
	if _, err := NewGuard(nil).Read(ws+"/in.txt", 100); !errors.Is(err, ErrOutside) {
		t.Errorf("without folders: %v", err)
	}
}

func TestUpwards(t *testing.T) {
	ws, _ := world(t)
	if err := os.WriteFile(filepath.Join(filepath.Dir(ws), "pypto-ls.toml"), []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	g := NewGuard([]string{ws})
	for path, want := range map[string]string{"a/b/k.py": "x = 1", "a/k.py": "x = 1", "k.py": "", "no/such/k.py": "", "../k.py": ""} {
		_, data, err := g.Upwards(filepath.Join(ws, path), "pypto-ls.toml", 100)
		if string(data) != want || err != nil {
			t.Errorf("%s: found %q, %v, want %q", path, data, err, want)
		}
	}
}

func TestWalk(t *testing.T) {
	ws, _ := world(t)
	for _, f := range []string{".git/x.txt", "node_modules/x.txt", "a/b/z.txt", "b.txt"} {
		os.MkdirAll(filepath.Dir(filepath.Join(ws, f)), 0o755)
		os.WriteFile(filepath.Join(ws, f), nil, 0o644)
	}
	g := NewGuard([]string{ws, filepath.Join(ws, "a"), filepath.Join(ws, "gone")})
	match := func(p string) bool { return strings.HasSuffix(p, ".txt") }
	found, more, err := g.Walk(context.Background(), match, 10)
	want := []string{ws + "/a/b/z.txt", ws + "/b.txt", ws + "/in.txt"}
	if diff := cmp.Diff(want, found); diff != "" || more || err != nil {
		t.Errorf("%v %v %s", more, err, diff)
	}
	if found, more, _ := g.Walk(context.Background(), match, 2); len(found) != 2 || !more {
		t.Errorf("with a limit of 2: %v, %v", found, more)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	cancel()
	if _, _, err := g.Walk(ctx, match, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
