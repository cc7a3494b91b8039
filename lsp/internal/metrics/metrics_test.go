package metrics

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	var m Metrics
	if got := m.Report(); len(got.Methods) != 0 {
		t.Errorf("at the start: %+v", got)
	}
	// 100 messages of 1..100 ms: the 50th is 50 ms (under 2^16 µs = 65.536 ms),
	// the 95th is 95 ms (under 2^17 µs, but the longest is 100 ms).
	for i := range 100 {
		how := OK
		switch i {
		case 3:
			how = Failed
		case 4, 5:
			how = Cancelled
		case 6:
			how = Panicked
		}
		m.Done("b", how, time.Duration(i+1)*time.Millisecond)
	}
	m.Done("a", OK, 0)
	m.Turn(3)
	m.Turn(2)
	want := Report{MaxTurn: 3, Methods: []Method{
		{Name: "a", Count: 1},
		{Name: "b", Count: 100, Failed: 1, Cancelled: 2, Panicked: 1, P50: 65536 * time.Microsecond, P95: 100 * time.Millisecond, Max: 100 * time.Millisecond},
	}}
	if diff := cmp.Diff(want, m.Report()); diff != "" {
		t.Error(diff)
	}
}
