// Package files is the only reader of the disk in the server. It reads regular
// files inside the workspace folders and nothing else: no path, link or device
// leads out of them.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"
)

// Errors of reading. They name no path: logs and replies may carry them.
var (
	ErrOutside  = errors.New("not inside a workspace folder")
	ErrNotFile  = errors.New("not a regular file")
	ErrTooLarge = errors.New("file too large")
)

// Guard knows the workspace folders. It is immutable.
type Guard struct{ roots []string }

// NewGuard makes a guard for absolute folders; relative ones and "" are dropped.
func NewGuard(folders []string) *Guard {
	g := &Guard{}
	for _, f := range folders {
		if filepath.IsAbs(f) {
			g.roots = append(g.roots, filepath.Clean(f))
		}
	}
	sort.Slice(g.roots, func(i, j int) bool { return len(g.roots[i]) > len(g.roots[j]) }) // innermost first
	return g
}

// Root is the innermost workspace folder that a path is in by its name.
func (g *Guard) Root(path string) (string, bool) {
	path = filepath.Clean(path)
	for _, r := range g.roots {
		if path == r || strings.HasPrefix(path, strings.TrimSuffix(r, string(filepath.Separator))+string(filepath.Separator)) {
			return r, filepath.IsAbs(path)
		}
	}
	return "", false
}

// Read reads a file of at most limit bytes.
func (g *Guard) Read(path string, limit int64) ([]byte, error) {
	dir, ok := g.Root(path)
	if !ok {
		return nil, ErrOutside
	}
	rel, err := filepath.Rel(dir, filepath.Clean(path))
	if err != nil {
		return nil, ErrOutside
	}
	root, err := os.OpenRoot(dir) // refuses links that lead out
	if err != nil {
		return nil, plain(err)
	}
	defer root.Close()
	// Not blocking, or opening a pipe would wait for its writer.
	f, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, plain(err)
	case !info.Mode().IsRegular():
		return nil, ErrNotFile
	case info.Size() > limit:
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, info.Size(), limit)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = ErrTooLarge
	}
	return data, plain(err)
}

// plain drops the path from an error.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Upwards finds the nearest file of a name in the folder of path or above it,
// up to the workspace folder that path is in. Nothing is found for a path
// outside the folders.
func (g *Guard) Upwards(path, name string, limit int64) (found string, data []byte, err error) {
	root, ok := g.Root(path)
	if !ok {
		return "", nil, nil
	}
	for dir := filepath.Dir(filepath.Clean(path)); ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, name)
		data, err := g.Read(file, limit)
		if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return file, data, err
		}
		if dir == root || len(dir) < len(root) {
			return "", nil, nil
		}
	}
}

// Stamp is what tells that a file has changed.
type Stamp struct {
	Size     int64
	Modified time.Time
}

// Stat tells the stamp of a regular file.
func (g *Guard) Stat(path string) (Stamp, error) {
	dir, ok := g.Root(path)
	if !ok {
		return Stamp{}, ErrOutside
	}
	rel, err := filepath.Rel(dir, filepath.Clean(path))
	if err != nil {
		return Stamp{}, ErrOutside
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Stamp{}, plain(err)
	}
	defer root.Close()
	info, err := root.Stat(rel)
	switch {
	case err != nil:
		return Stamp{}, plain(err)
	case !info.Mode().IsRegular():
		return Stamp{}, ErrNotFile
	}
	return Stamp{info.Size(), info.ModTime()}, nil
}
