package prelude

import "testing"

// Every pass of the prelude stands where the reference's list has it, and the
// prelude keeps that order.
func TestPipelineOrder(t *testing.T) {
	last := 0
	for _, p := range pipeline() {
		at := passAt(p.name)
		if at > len(passOrder) {
			t.Errorf("%s is no pass of the reference", p.name)
		}
		if at <= last {
			t.Errorf("%s stands at %d, after a pass at %d", p.name, at, last)
		}
		last = at
	}
}
