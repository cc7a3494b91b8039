package wire

import (
	"bytes"
	"strconv"

	"go.lsp.dev/jsonrpc2"
)

// envelope is the outer form of one JSON-RPC message. The raw values alias the
// message.
type envelope struct {
	id     []byte // nil when absent
	method string // "" for a response
	params []byte // nil when absent or null
	result []byte
	err    []byte
}

// fault is a message that cannot be handed on, with what is to be answered.
type fault struct {
	id   []byte // the id to answer to; nil means null
	code jsonrpc2.Code
	msg  string
	mute bool // not to be answered
}

func invalid(id []byte, msg string) *fault {
	return &fault{id: id, code: jsonrpc2.InvalidRequest, msg: "invalid request: " + msg}
}

// parseEnvelope reads one message that has been scanned as valid JSON.
func parseEnvelope(d []byte) (envelope, *fault) {
	var e envelope
	if d = bytes.TrimSpace(d); len(d) == 0 || d[0] != '{' {
		return e, invalid(nil, "a message is an object")
	}
	var version, method []byte
	eachMember(d, func(k, v []byte) {
		switch {
		case isKey(k, "jsonrpc"):
			version = v
		case isKey(k, "id"):
			e.id = v
		case isKey(k, "method"):
			method = v
		case isKey(k, "params"):
			e.params = v
		case isKey(k, "result"):
			e.result = v
		case isKey(k, "error"):
			e.err = v
		}
	})
	if string(e.id) == "null" && method == nil && e.err != nil {
		// The peer could not read something of ours; answering would go on for ever.
		return e, &fault{msg: "the client reports an error without an id", mute: true}
	}
	if e.id != nil && !validID(e.id) {
		return e, invalid(nil, "id is neither a number nor a string")
	}
	if v, ok := Unquote(version); !ok || v != jsonrpc2.Version {
		return e, invalid(e.id, `"jsonrpc" is not "2.0"`)
	}
	if method == nil {
		return e, e.response()
	}
	return e, e.request(method)
}

func (e *envelope) request(method []byte) *fault {
	var ok bool
	if e.method, ok = Unquote(method); !ok || e.method == "" {
		return invalid(e.id, "method is not a name")
	}
	if e.params != nil {
		switch e.params[0] {
		case 'n': // null: widespread, and harmless
			e.params = nil
		case '{', '[':
		default:
			return invalid(e.id, "params is neither an object nor an array")
		}
	}
	return nil
}

// response checks a message without a method. What is wrong with a response is
// told with a null id: the id is ours, not the id of a request of the client.
func (e *envelope) response() *fault {
	switch {
	case e.result == nil && e.err == nil:
		return invalid(e.id, "neither a method nor a result nor an error")
	case e.id == nil:
		return invalid(nil, "a response without an id")
	case e.result != nil && e.err != nil && e.err[0] != 'n':
		return invalid(nil, "a response with a result and an error")
	case e.err != nil && e.err[0] != '{' && e.err[0] != 'n':
		return invalid(nil, "the error of a response is not an object")
	}
	return nil
}

// validID reports whether a raw id can name a request: null cannot.
func validID(id []byte) bool { return id[0] == '"' || id[0] == '-' || isDigit(id[0]) }

// idKey is equal for ids that are equal as JSON values: escapes in strings and
// the spelling of integers do not matter.
func idKey(id []byte) string {
	if id[0] == '"' {
		s, _ := Unquote(id)
		return "s" + s
	}
	if f, err := strconv.ParseFloat(string(id), 64); err == nil {
		return "n" + strconv.FormatFloat(f, 'g', -1, 64)
	}
	return "n" + string(id)
}
