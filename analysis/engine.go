package analysis

import (
	"container/list"
	"sync"

	"pypto-ls/irsyntax"
)

// Engine is the memo shared by all documents. It is safe for concurrent use;
// what it holds never changes results, only their cost.
type Engine struct {
	// OnPanic, when set before first use, is told of panics that were turned
	// into findings; it may be called from several goroutines.
	OnPanic func(value any, stack []byte)

	advice adviceMemo
	solved solvedMemo

	fault func(*irsyntax.Chunk) // of tests: called before a function is computed

	mu sync.Mutex
	// guarded by mu
	entries map[funcKey][]*memoEntry
	lru     *list.List // of *memoEntry, most recently used first
	bytes   int
	details *list.List // of *detailEntry
	stats   Stats
	folds   foldMemo

	maxBytes, maxDetails int
}

// Stats counts the engine's work, for benchmarks and tests of incrementality.
type Stats struct {
	Hits, Misses, Evicted int
	Bytes                 int
}

type funcKey struct {
	hash   uint64
	target string
	start  string
	method bool
}

type memoEntry struct {
	key    funcKey
	prints []string // fingerprints of what reading depended on
	fn     *Func
	bytes  int
	elem   *list.Element
}

type detailEntry struct {
	fn     *Func
	detail *Detail
}

// NewEngine makes an engine whose memo holds about maxBytes.
func NewEngine(maxBytes int) *Engine {
	return &Engine{entries: map[funcKey][]*memoEntry{}, lru: list.New(), details: list.New(), maxBytes: maxBytes, maxDetails: 8}
}

// Stats are the engine's counters so far.
func (e *Engine) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.stats
	s.Bytes = e.bytes
	return s
}

// lookup finds a result whose dependencies have the same values now.
func (e *Engine) lookup(k funcKey, prints func(*deps) []string) *Func {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.entries[k] {
		if equalStrings(m.prints, prints(&m.fn.deps)) {
			e.lru.MoveToFront(m.elem)
			e.stats.Hits++
			return m.fn
		}
	}
	e.stats.Misses++
	return nil
}

func equalStrings(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (e *Engine) store(k funcKey, prints []string, fn *Func, bytes int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m := &memoEntry{key: k, prints: prints, fn: fn, bytes: bytes}
	m.elem = e.lru.PushFront(m)
	e.entries[k] = append(e.entries[k], m)
	e.bytes += bytes
	e.shrink()
}

// Limit changes how many bytes the memo holds.
func (e *Engine) Limit(maxBytes int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.maxBytes = maxBytes
	e.shrink()
}

// shrink evicts what is beyond the limit; it needs e.mu.
func (e *Engine) shrink() {
	for e.bytes > e.maxBytes && e.lru.Len() > 1 {
		e.evict(e.lru.Back().Value.(*memoEntry))
	}
}

func (e *Engine) evict(m *memoEntry) {
	e.lru.Remove(m.elem)
	e.bytes -= m.bytes
	e.stats.Evicted++
	rest := e.entries[m.key]
	for i := range rest {
		if rest[i] == m {
			rest = append(rest[:i:i], rest[i+1:]...)
			break
		}
	}
	if len(rest) == 0 {
		delete(e.entries, m.key)
	} else {
		e.entries[m.key] = rest
	}
}

// detailText bounds the text of the functions whose details are kept, in bytes;
// the last one is kept however long it is. A detail takes many times its text.
const detailText = 256 << 10

// keepDetail remembers a detail; the least recently used ones go.
func (e *Engine) keepDetail(fn *Func, d *Detail) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.details.PushFront(&detailEntry{fn, d})
	n, text := 0, 0
	for el := e.details.Front(); el != nil; {
		next := el.Next()
		n++
		text += len(el.Value.(*detailEntry).detail.Read.Chunk.Text)
		if n > e.maxDetails || n > 1 && text > detailText {
			e.details.Remove(el)
		}
		el = next
	}
}

func (e *Engine) findDetail(fn *Func) *Detail {
	e.mu.Lock()
	defer e.mu.Unlock()
	for el := e.details.Front(); el != nil; el = el.Next() {
		if d := el.Value.(*detailEntry); d.fn == fn {
			e.details.MoveToFront(el)
			return d.detail
		}
	}
	return nil
}

// sizeOf estimates the memory a result keeps alive.
func sizeOf(f *Func) int {
	n := 400 + 200*len(f.Findings)
	for _, p := range f.Planned {
		n += 100 + 200*len(p.Tiles) + 80*len(p.Spaces)
	}
	return n
}

// facts are what a document has to know of each chunk before any function is
// read; they cost a look at the chunk's first lines.
type facts struct {
	chunk *irsyntax.Chunk
	// kernel: decorated as a kernel function, or shorthand outside classes.
	kernel bool
	// decorated: with a decorator of the kernel language, as methods have to be.
	decorated bool
	// soft: its return types follow from its body, or its body is spliced into
	// callers.
	soft bool
	// head identifies what callers see: decorators and signature, and the whole
	// text where return types are inferred from the body or the body is inlined.
	head uint64
}
