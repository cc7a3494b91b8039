//go:build !unix

package lsp

import "os"

// processAlive reports whether a process exists: on Windows it can be opened then.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
