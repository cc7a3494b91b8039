package lsp

import (
	"time"
)

// watchParent ends the session when the editor's process is gone: a server whose
// editor was killed must not stay behind.
func (s *Session) watchParent(pid int) {
	s.waiters.Add(1)
	go func() {
		defer s.waiters.Done()
		tick := time.NewTicker(s.opts.ParentInterval)
		defer tick.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-tick.C:
			}
			if !s.opts.ProcessAlive(pid) {
				s.log.Warn("the editor's process is gone")
				s.post(func() { s.state = exited })
				return
			}
		}
	}()
}
