package wire

import (
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// incoming is a request of the client that has no answer yet.
type incoming struct {
	raw   []byte // the id as the client wrote it
	group *group // the batch it came in, nil for none
}

// idTable gives every request of the client a number of ours, since the
// library knows 32-bit numbers and non-empty strings only, and answers with the
// client's own spelling.
type idTable struct {
	mu       sync.Mutex
	seq      int32                    // guarded by mu
	in       map[jsonrpc2.ID]incoming // guarded by mu
	byKey    map[string]jsonrpc2.ID   // newest request of each id; guarded by mu
	outgoing map[string]jsonrpc2.ID   // our requests without an answer; guarded by mu
}

func newIDTable() *idTable {
	return &idTable{in: map[jsonrpc2.ID]incoming{}, byKey: map[string]jsonrpc2.ID{}, outgoing: map[string]jsonrpc2.ID{}}
}

// open registers a request of the client.
func (t *idTable) open(raw []byte, g *group) jsonrpc2.ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		t.seq = t.seq%(1<<31-1) + 1
		id := jsonrpc2.NewNumberID(t.seq)
		if _, used := t.in[id]; !used {
			t.in[id] = incoming{raw, g}
			t.byKey[idKey(raw)] = id
			return id
		}
	}
}

// close takes a request out; false if it has been answered before.
func (t *idTable) close(id jsonrpc2.ID) (incoming, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	req, ok := t.in[id]
	if ok {
		delete(t.in, id)
		if k := idKey(req.raw); t.byKey[k] == id {
			delete(t.byKey, k)
		}
	}
	return req, ok
}

// find is our number for an id of the client.
func (t *idTable) find(raw []byte) (jsonrpc2.ID, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok := t.byKey[idKey(raw)]
	return id, ok
}

// called remembers a request of ours; it returns the id as JSON.
func (t *idTable) called(id jsonrpc2.ID) []byte {
	raw, err := id.MarshalJSON()
	if err != nil {
		raw = []byte(strconv.Quote("?"))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outgoing[idKey(raw)] = id
	return raw
}

// answered takes a request of ours out; a second answer to it finds none. The
// library would block for ever on it.
func (t *idTable) answered(raw []byte) (jsonrpc2.ID, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := idKey(raw)
	id, ok := t.outgoing[k]
	delete(t.outgoing, k)
	return id, ok
}

// forget drops a request of ours that nobody waits for any more.
func (t *idTable) forget(id jsonrpc2.ID) {
	if raw, err := id.MarshalJSON(); err == nil {
		t.answered(raw)
	}
}

// group collects the answers to one batch.
type group struct {
	mu    sync.Mutex
	parts [][]byte // guarded by mu
	open  int      // answers that are due, plus one while the batch is being read; guarded by mu
}

func (g *group) expect() {
	g.mu.Lock()
	g.open++
	g.mu.Unlock()
}

// add counts one answer (nil: only counts) and returns the batch's answer when
// it was the last; nil when there is nothing to send.
func (g *group) add(part []byte) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	if part != nil {
		g.parts = append(g.parts, part)
	}
	if g.open--; g.open > 0 || len(g.parts) == 0 {
		return nil
	}
	out := []byte{'['}
	for i, p := range g.parts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, p...)
	}
	return append(out, ']')
}
