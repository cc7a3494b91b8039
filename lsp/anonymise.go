package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"pypto-ls/lsp/internal/position"
	"pypto-ls/lsp/internal/protocol317"
)

// Anonymise replaces names and numbers in a recorded session, the same ones by
// the same, so that positions stay what they are: every line keeps its length.
// Of what the server said only its requests are left, without content. salt
// makes the replacements unpredictable.
func Anonymise(recording []Recorded, salt string) []Recorded {
	a := &anonymiser{words: newWordMap(salt), docs: map[string]*anonDoc{}, encoding: position.UTF16}
	var out []Recorded
	for _, rec := range recording {
		var e envelope
		if rec.Raw != nil || json.Unmarshal(rec.Message, &e) != nil {
			continue // what is no JSON may hold anything
		}
		if !rec.In {
			a.served(&e)
			if e.Method != "" && e.ID != nil {
				rec.Message = encode(map[string]any{"jsonrpc": "2.0", "id": e.ID, "method": e.Method})
				out = append(out, rec)
			}
			continue
		}
		rec.Message = a.message(&e)
		out = append(out, rec)
	}
	return out
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// anonymiser keeps the documents as they are and as they are shown.
type anonymiser struct {
	words    *wordMap
	docs     map[string]*anonDoc // by URI
	encoding position.Encoding
}

type anonDoc struct{ real, shown string }

// served notes what the server said that matters for what follows.
func (a *anonymiser) served(e *envelope) {
	var r struct {
		Capabilities struct{ PositionEncoding string }
	}
	if e.Method == "" && json.Unmarshal(e.Result, &r) == nil && r.Capabilities.PositionEncoding != "" {
		a.encoding = position.Negotiate([]string{r.Capabilities.PositionEncoding})
	}
}

// message is one message of the client.
func (a *anonymiser) message(e *envelope) json.RawMessage {
	m := map[string]any{"jsonrpc": "2.0"}
	if e.ID != nil {
		m["id"] = e.ID
	}
	if e.Method == "" {
		if e.Error != nil {
			m["error"] = map[string]any{"code": -32603, "message": "an error of the client"}
		} else {
			m["result"] = a.value("", decoded(e.Result))
		}
		return encode(m)
	}
	m["method"] = e.Method
	if e.Params == nil {
		return encode(m)
	}
	switch e.Method {
	case "textDocument/didOpen":
		m["params"] = a.opened(e.Params)
	case "textDocument/didChange":
		m["params"] = a.changed(e.Params)
	case "initialize":
		m["params"] = a.initialize(e.Params)
	default:
		m["params"] = a.value("", decoded(e.Params))
	}
	return encode(m)
}

func decoded(raw json.RawMessage) any {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

func (a *anonymiser) initialize(raw json.RawMessage) any {
	var p struct {
		RootURI, RootPath     *string
		Capabilities          json.RawMessage
		ClientInfo            json.RawMessage
		InitializationOptions any
		WorkspaceFolders      []struct{ URI, Name string }
		Trace                 string
	}
	_ = json.Unmarshal(raw, &p)
	out := map[string]any{"processId": nil, "rootUri": nil, "initializationOptions": a.value("", p.InitializationOptions)}
	if p.Capabilities != nil { // how an editor is made, not what it is used for
		out["capabilities"] = p.Capabilities
	}
	if p.ClientInfo != nil {
		out["clientInfo"] = p.ClientInfo
	}
	if p.RootURI != nil {
		out["rootUri"] = a.uri(*p.RootURI)
	}
	if p.Trace != "" {
		out["trace"] = p.Trace
	}
	var folders []any
	for _, f := range p.WorkspaceFolders {
		folders = append(folders, map[string]any{"uri": a.uri(f.URI), "name": a.words.text(f.Name)})
	}
	if folders != nil {
		out["workspaceFolders"] = folders
	}
	return out
}

func (a *anonymiser) opened(raw json.RawMessage) any {
	var p struct {
		TextDocument struct {
			URI, LanguageID, Text string
			Version               json.RawMessage
		}
	}
	_ = json.Unmarshal(raw, &p)
	d := p.TextDocument
	doc := &anonDoc{real: d.Text, shown: a.words.text(d.Text)}
	a.docs[d.URI] = doc
	return map[string]any{"textDocument": map[string]any{"uri": a.uri(d.URI), "languageId": d.LanguageID, "version": d.Version, "text": doc.shown}}
}

// changed applies the edits to the real text and shows what they change in the
// other one: a name that grows letter by letter is another name each time.
func (a *anonymiser) changed(raw json.RawMessage) any {
	var p struct {
		TextDocument struct {
			URI     string
			Version json.RawMessage
		}
		ContentChanges []protocol317.TextDocumentContentChangeEvent
	}
	_ = json.Unmarshal(raw, &p)
	out := map[string]any{"textDocument": map[string]any{"uri": a.uri(p.TextDocument.URI), "version": p.TextDocument.Version}}
	doc := a.docs[p.TextDocument.URI]
	if doc == nil {
		out["contentChanges"] = []any{}
		return out
	}
	for _, c := range p.ContentChanges {
		if c.Text == nil {
			continue
		}
		if c.Range == nil {
			doc.real = *c.Text
			continue
		}
		from, to := position.OfText(a.encoding, doc.real).RangeSpan(c.Range.Clamp())
		doc.real = doc.real[:from] + *c.Text + doc.real[to:]
	}
	before := doc.shown
	doc.shown = a.words.text(doc.real)
	out["contentChanges"] = []any{a.difference(before, doc.shown)}
	return out
}

// difference is one edit that turns a text into another.
func (a *anonymiser) difference(from, to string) any {
	front := 0
	for front < min(len(from), len(to)) && from[front] == to[front] {
		front++
	}
	for front > 0 && (front < len(from) && !utf8.RuneStart(from[front]) || front < len(to) && !utf8.RuneStart(to[front]) || from[front-1] == '\r') {
		front--
	}
	back := 0
	for back < min(len(from), len(to))-front && from[len(from)-1-back] == to[len(to)-1-back] {
		back++
	}
	for back > 0 && (!utf8.RuneStart(from[len(from)-back]) || from[len(from)-back] == '\n') {
		back--
	}
	r := position.OfText(a.encoding, from).SpanRange(front, len(from)-back)
	return map[string]any{"range": r, "text": to[front : len(to)-back]}
}

// plainKeys are members whose strings belong to the protocol.
var plainKeys = map[string]bool{
	"method": true, "command": true, "kind": true, "languageId": true, "trace": true, "value": false, "pass": true,
	"platform": true, "planner": true, "section": true, "only": true, "triggerKind": true, "triggerCharacter": true, "previousResultId": true, "token": true,
}

// value is any JSON value, under the name that it has in its object.
func (a *anonymiser) value(key string, v any) any {
	switch v := v.(type) {
	case string:
		switch {
		case plainKeys[key]:
			return v
		case strings.HasSuffix(strings.ToLower(key), "uri") || strings.Contains(v, "://"):
			return a.uri(v)
		}
		return a.words.text(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = a.value(k, x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = a.value(key, x)
		}
		return out
	}
	return v
}

// uri keeps the form of a URI and what the server reads from a file's name: the
// pass after which a dump stands.
func (a *anonymiser) uri(u string) string {
	scheme, path, ok := strings.Cut(u, ":")
	if !ok {
		return a.words.path(u)
	}
	return fmt.Sprintf("%s:%s", scheme, a.words.path(path))
}
