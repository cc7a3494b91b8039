package cli

import (
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// glob lists what matches a pattern, in the order of the names. Besides `*`,
// `?` and `[…]` a part `**` stands for any number of folders. why tells that
// there is nothing.
func glob(pattern string) (matches []string, why string) {
	var err error
	if !strings.Contains(pattern, "**") {
		matches, err = filepath.Glob(pattern)
	} else {
		matches, err = globDeep(pattern)
	}
	switch {
	case err != nil:
		return nil, "the pattern is malformed"
	case len(matches) == 0:
		return nil, "no file matches the pattern"
	}
	sort.Strings(matches)
	return matches, ""
}

// globDeep matches a pattern with `**` against the files, not folders, below
// its fixed beginning.
func globDeep(pattern string) ([]string, error) {
	parts := strings.Split(filepath.ToSlash(pattern), "/")
	for _, p := range parts {
		if _, err := path.Match(p, ""); err != nil {
			return nil, err
		}
	}
	fixed := 0
	for fixed < len(parts)-1 && !strings.ContainsAny(parts[fixed], "*?[") {
		fixed++
	}
	root := strings.Join(parts[:fixed], "/")
	switch {
	case fixed == 0:
		root = "."
	case root == "":
		root = "/"
	}
	var out []string
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir():
			if p != root && skipped(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		below, err := filepath.Rel(root, p)
		if err == nil && matchParts(parts[fixed:], strings.Split(filepath.ToSlash(below), "/")) {
			out = append(out, p)
		}
		return nil
	})
	return out, nil
}

// matchParts matches a path part by part.
func matchParts(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := 0; i <= len(name); i++ {
				if matchParts(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], name[0]); !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}
