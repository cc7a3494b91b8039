package files

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// skipped are folders in which nobody keeps kernels; hidden ones are skipped too.
var skipped = map[string]bool{"node_modules": true, "__pycache__": true, "venv": true}

// Walk lists the regular files of the workspace folders that match, in the
// order of their names, at most max of them; more reports that there were more.
// Links are not followed.
func (g *Guard) Walk(ctx context.Context, match func(path string) bool, max int) (found []string, more bool, err error) {
	for _, dir := range g.roots {
		if outer, _ := g.Root(filepath.Dir(dir)); outer != "" && outer != dir {
			continue // inside another folder, which is walked itself
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			continue // a folder that is gone has no files
		}
		err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return nil // unreadable: no files
			case d.IsDir():
				if name != "." && (skipped[d.Name()] || strings.HasPrefix(d.Name(), ".")) {
					return fs.SkipDir
				}
				return nil
			}
			path := filepath.Join(dir, filepath.FromSlash(name))
			if !d.Type().IsRegular() || !match(path) {
				return nil
			}
			if len(found) == max {
				more = true
				return fs.SkipAll
			}
			found = append(found, path)
			return nil
		})
		root.Close()
		if err != nil {
			return found, more, err
		}
	}
	return found, more, nil
}
