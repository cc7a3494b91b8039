package analysis

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"pypto-ls/ir/read"
	"pypto-ls/irsyntax"
	"pypto-ls/memory"
)

// Document is one version of a text under one configuration. It is immutable
// for its users; results are computed on first use and kept. It is safe for
// concurrent use.
type Document struct {
	engine   *Engine
	Name     string // file name, which may tell the pass
	File     *irsyntax.File
	Settings Settings
	start    Start
	fixed    bool

	prepOnce sync.Once
	prepared atomic.Bool
	prev     atomic.Pointer[Document] // nil once prepared
	facts    []facts
	units    []*unit
	unitOf   []int32 // by chunk: index in units, -1 for none

	moduleKey, looseKey uint64 // see findKeys
	// views are, by chunk of a function, how many chunks before it bind names.
	views []uint64

	mu    sync.Mutex
	funcs []*Func               // guarded by mu; by chunk, nil while not computed
	busy  map[int]chan struct{} // guarded by mu; by chunk that is being computed, closed when it is

	others map[memory.Planner]*Document // guarded by mu; see With

	names nameCache
	fixes fixCache
	lines atomic.Pointer[chunkLines] // of the chunk asked about last; see Line
}

// prevState is what the next version may take over without looking anything
// up.
type prevState struct {
	facts  []facts
	funcs  []*Func
	unitOf []int32
	heads  []uint64 // by unit
	method []bool   // by unit: its functions are methods

	moduleKey, looseKey uint64
	key                 string
}

// unit is one program of the document.
type unit struct {
	name    string
	class   int // chunk index of the class, -1
	funcs   []int
	ctx     unitContext
	headKey uint64
}

// Options say how a document is read beyond its settings.
type Options struct {
	// Start overrides where the text stands in the pipeline (`--from`).
	Start *Start
}

// NewDocument makes a document of a text. prev is an earlier version under
// the same engine, or nil; results of untouched functions are taken over.
func (e *Engine) NewDocument(name string, file *irsyntax.File, settings Settings, opt Options, prev *Document) *Document {
	d := &Document{engine: e, Name: name, File: file, Settings: settings}
	if opt.Start != nil {
		d.start, d.fixed = *opt.Start, true
	} else if s, ok := StartOfName(name); ok {
		d.start, d.fixed = s, true
	}
	if prev != nil {
		d.prev.Store(prev.base())
	}
	return d
}

// base is the version to take results over from: d itself, or, while nobody
// has asked d anything, the one that d would take them from. Versions that
// typing skips are neither prepared nor kept.
func (d *Document) base() *Document {
	if !d.prepared.Load() {
		if p := d.prev.Load(); p != nil {
			return p
		}
	}
	return d
}

// state is what the next version may take over, nil when nothing is known.
func (d *Document) state() *prevState {
	if !d.prepared.Load() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	p := &prevState{facts: d.facts, funcs: append([]*Func(nil), d.funcs...), unitOf: d.unitOf, moduleKey: d.moduleKey, looseKey: d.looseKey, key: d.key()}
	for _, u := range d.units {
		p.heads = append(p.heads, u.headKey)
		p.method = append(p.method, u.ctx.method)
	}
	return p
}

func (d *Document) key() string {
	return d.Settings.key() + "\x00" + startKey(d.start, d.fixed)
}

func startKey(s Start, fixed bool) string {
	if !fixed {
		return ""
	}
	return s.Pass + "/" + strconv.Itoa(int(s.Stage)) + strconv.FormatBool(s.Lower)
}

// prepare groups the chunks into programs and takes over what did not change.
func (d *Document) prepare() {
	d.prepOnce.Do(func() {
		var old *prevState
		if p := d.prev.Load(); p != nil {
			old = p.state()
		}
		d.buildFacts(old)
		d.buildUnits()
		d.funcs = make([]*Func, len(d.File.Chunks))
		d.takeOver(old)
		d.prepared.Store(true)
		d.prev.Store(nil)
	})
}

// buildFacts reuses the facts of chunks that the previous version has at the
// same place from the start or from the end.
func (d *Document) buildFacts(p *prevState) {
	chunks := d.File.Chunks
	d.facts = make([]facts, len(chunks))
	var old []facts
	if p != nil {
		old = p.facts
	}
	i := 0
	for i < len(chunks) && i < len(old) && old[i].chunk == chunks[i].Chunk {
		d.facts[i] = old[i]
		i++
	}
	j, k := len(chunks), len(old)
	for j > i && k > i && old[k-1].chunk == chunks[j-1].Chunk {
		j--
		k--
		d.facts[j] = old[k]
	}
	for n := i; n < j; n++ {
		d.facts[n] = factsOf(chunks[n].Chunk)
	}
	d.findKeys()
}

func (d *Document) buildUnits() {
	d.unitOf = make([]int32, len(d.File.Chunks))
	byClass := map[int32]*unit{}
	alone := &unit{class: -1}
	for i, e := range d.File.Chunks {
		d.unitOf[i] = -1
		switch e.Kind {
		case irsyntax.ClassChunk:
			if d.facts[i].kernel {
				u := &unit{name: e.Name, class: i}
				byClass[int32(i)] = u
				d.units = append(d.units, u)
			}
		case irsyntax.FuncChunk:
			if !d.facts[i].kernel {
				continue
			}
			if e.Class < 0 {
				alone.funcs = append(alone.funcs, i)
			} else if u := byClass[e.Class]; u != nil && d.facts[i].decorated {
				u.funcs = append(u.funcs, i)
			}
		case irsyntax.SnippetChunk:
			alone.funcs = append(alone.funcs, i)
		}
	}
	if len(alone.funcs) > 0 {
		d.units = append(d.units, alone)
	}
	if len(d.units) == 0 {
		return // ordinary Python: nothing more is looked at
	}
	env := read.NewEnv(d.File)
	for n, u := range d.units {
		chunks := make([]*irsyntax.Chunk, 0, len(u.funcs))
		for _, i := range u.funcs {
			d.unitOf[i] = int32(n)
			chunks = append(chunks, d.File.Chunks[i].Chunk)
		}
		u.findHead(d)
		u.ctx = unitContext{settings: d.Settings, env: env, sigs: read.NewSignatures(env, u.class >= 0, chunks), chunks: &chunkIndex{list: chunks}, solved: &d.engine.solved, method: u.class >= 0, start: d.start, fixed: d.fixed}
	}
}

// takeOver copies the results of chunks that did not change when nothing they
// may depend on changed either.
func (d *Document) takeOver(p *prevState) {
	if p == nil || p.moduleKey != d.moduleKey || p.key != d.key() {
		return
	}
	same := func(i, k int) bool {
		if p.facts[k].chunk != d.facts[i].chunk || p.funcs[k] == nil || p.unitOf[k] < 0 || d.unitOf[i] < 0 {
			return false
		}
		if p.method[p.unitOf[k]] != d.units[d.unitOf[i]].ctx.method {
			return false // the line of a class came or went
		}
		if p.funcs[k].deps.onBodies() || p.funcs[k].failed {
			return false // the memo compares the bodies; of a failure the dependencies are not known
		}
		return !p.funcs[k].deps.onProgram() || p.looseKey == d.looseKey && p.heads[p.unitOf[k]] == d.units[d.unitOf[i]].headKey
	}
	i := 0
	for ; i < len(d.facts) && i < len(p.facts) && d.facts[i].chunk == p.facts[i].chunk; i++ {
		if same(i, i) {
			d.funcs[i] = p.funcs[i]
		}
	}
	for j, k := len(d.facts)-1, len(p.facts)-1; j >= i && k >= i && d.facts[j].chunk == p.facts[k].chunk; j, k = j-1, k-1 {
		if same(j, k) {
			d.funcs[j] = p.funcs[k]
		}
	}
}

// IsKernel reports whether the document holds any kernel IR; ordinary Python
// gets empty answers everywhere.
func (d *Document) IsKernel() bool {
	d.prepare()
	return len(d.units) > 0
}

// FuncChunks are the chunk indexes of all kernel functions in text order.
func (d *Document) FuncChunks() []int {
	d.prepare()
	var out []int
	for i, u := range d.unitOf {
		if u >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// Func is the result of the function at the given chunk, nil when there is
// none.
func (d *Document) Func(chunk int) *Func {
	d.prepare()
	if chunk < 0 || chunk >= len(d.unitOf) || d.unitOf[chunk] < 0 {
		return nil
	}
	d.mu.Lock()
	for {
		if f := d.funcs[chunk]; f != nil {
			d.mu.Unlock()
			return f
		}
		done := d.busy[chunk]
		if done == nil {
			break
		}
		d.mu.Unlock()
		<-done
		d.mu.Lock()
	}
	if d.busy == nil {
		d.busy = map[int]chan struct{}{}
	}
	done := make(chan struct{})
	d.busy[chunk] = done
	d.mu.Unlock()
	f := d.result(chunk)
	d.mu.Lock()
	d.funcs[chunk] = f
	delete(d.busy, chunk)
	d.mu.Unlock()
	close(done)
	return f
}

// result takes the result of a function from the memo, or computes it.
func (d *Document) result(chunk int) *Func {
	u := d.units[d.unitOf[chunk]]
	c := d.File.Chunks[chunk].Chunk
	key := funcKey{hash: c.Hash, target: d.Settings.key(), start: startKey(d.start, d.fixed), method: u.ctx.method}
	prints := func(x *deps) []string { return d.fingerprints(u, chunk, x) }
	if f := d.engine.lookup(key, prints); f != nil {
		return f
	}
	held := c.HasTree()
	f, det := d.engine.isolated(u, c)
	if !held {
		c.Release()
	}
	if !f.failed {
		if slices.ContainsFunc(f.Findings, func(x Finding) bool { return overflow(&x) }) {
			d.engine.keepDetail(f, det) // its advice is looked for next
		}
		d.engine.store(key, prints(&f.deps), f, sizeOf(f)+len(c.Text)) // names are parts of the text
	}
	return f
}

// Detail is everything known of the function at the given chunk, nil when
// there is none or computing it failed.
func (d *Document) Detail(chunk int) *Detail {
	f := d.Func(chunk)
	if f == nil {
		return nil
	}
	if det := d.engine.findDetail(f); det != nil && det.Read.Chunk == d.File.Chunks[chunk].Chunk {
		return det
	}
	if f.failed {
		return nil
	}
	det, _, _ := d.units[d.unitOf[chunk]].ctx.detail(d.File.Chunks[chunk].Chunk)
	d.engine.keepDetail(f, det)
	return det
}

// Compute computes the given functions first, then all others, on up to
// workers goroutines; it ends early when ctx does. The order changes nothing
// but when each result is there.
func (d *Document) Compute(ctx context.Context, first []int, workers int) error {
	d.prepare()
	queued, missing := make([]bool, len(d.unitOf)), make([]bool, len(d.unitOf))
	d.mu.Lock()
	for i, f := range d.funcs {
		missing[i] = f == nil
	}
	d.mu.Unlock()
	order := make([]int, 0, len(d.unitOf))
	for _, list := range [][]int{first, d.FuncChunks()} {
		for _, i := range list {
			if i >= 0 && i < len(queued) && !queued[i] && d.unitOf[i] >= 0 {
				queued[i] = true
				if missing[i] {
					order = append(order, i)
				}
			}
		}
	}
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	if workers > len(order) {
		workers = len(order)
	}
	if workers <= 1 {
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			d.Func(i)
		}
		return ctx.Err()
	}
	var wg sync.WaitGroup
	next := make(chan int)
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				d.Func(i)
			}
		}()
	}
	for _, i := range order {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return ctx.Err()
}
