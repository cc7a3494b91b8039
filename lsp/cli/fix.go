package cli

// applyFixes applies the safe fixes of the given files, or prints them as a
// patch.
func (e *env) applyFixes(o *checkOptions, t target, files []string) int {
	return e.fail("no fixes are available")
}
