// Package metrics counts what the server does: per method how often, how long,
// how it ended. Nothing of a document is kept.
package metrics

import (
	"math/bits"
	"sort"
	"sync"
	"time"
)

// Outcome is how a message ended.
type Outcome int

// The outcomes.
const (
	OK Outcome = iota
	Failed
	Cancelled
	Panicked
	outcomes
)

// Metrics is safe for concurrent use. The zero value is ready to use.
type Metrics struct {
	mu      sync.Mutex
	methods map[string]*series // guarded by mu
	maxTurn time.Duration      // longest turn of the loop; guarded by mu
}

// series has a histogram of durations: bucket b counts those of b significant
// bits in microseconds, so up to 2^b µs.
type series struct {
	ended   [outcomes]int
	buckets [40]int
	max     time.Duration
}

// Done records one message.
func (m *Metrics) Done(method string, how Outcome, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.methods == nil {
		m.methods = map[string]*series{}
	}
	s := m.methods[method]
	if s == nil {
		s = &series{}
		m.methods[method] = s
	}
	s.ended[how]++
	s.buckets[min(bits.Len64(uint64(max(took, 0).Microseconds())), len(s.buckets)-1)]++
	s.max = max(s.max, took)
}

// Turn records the length of one turn of the loop.
func (m *Metrics) Turn(took time.Duration) {
	m.mu.Lock()
	m.maxTurn = max(m.maxTurn, took)
	m.mu.Unlock()
}

// Method is what is known of one method. The percentiles are upper bounds,
// exact to a factor of two.
type Method struct {
	Name      string        `json:"name"`
	Count     int           `json:"count"`
	Failed    int           `json:"failed"`
	Cancelled int           `json:"cancelled"`
	Panicked  int           `json:"panicked"`
	P50       time.Duration `json:"p50Nanoseconds"`
	P95       time.Duration `json:"p95Nanoseconds"`
	Max       time.Duration `json:"maxNanoseconds"`
}

// Report is a copy of all numbers, methods by name.
type Report struct {
	Methods []Method      `json:"methods"`
	MaxTurn time.Duration `json:"maxTurnNanoseconds"`
}

// Report returns the numbers so far.
func (m *Metrics) Report() Report {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := Report{MaxTurn: m.maxTurn}
	for name, s := range m.methods {
		n := s.ended[OK] + s.ended[Failed] + s.ended[Cancelled] + s.ended[Panicked]
		r.Methods = append(r.Methods, Method{
			Name: name, Count: n, Failed: s.ended[Failed], Cancelled: s.ended[Cancelled], Panicked: s.ended[Panicked],
			P50: s.percentile(n, 50), P95: s.percentile(n, 95), Max: s.max,
		})
	}
	sort.Slice(r.Methods, func(i, j int) bool { return r.Methods[i].Name < r.Methods[j].Name })
	return r
}

func (s *series) percentile(n, p int) time.Duration {
	rank := (n*p + 99) / 100
	for b, c := range s.buckets {
		if rank -= c; rank <= 0 {
			return min(time.Duration(1<<b)*time.Microsecond, s.max)
		}
	}
	return s.max
}
