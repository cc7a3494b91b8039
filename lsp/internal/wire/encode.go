package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"go.lsp.dev/jsonrpc2"
)

// The messages we send are put together by hand: values arrive as JSON, and
// the library would check, compact and escape them twice more.

func encodeRequest(id []byte, method string, params []byte) []byte {
	b := make([]byte, 0, len(params)+len(method)+64)
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != nil {
		b = append(append(b, `,"id":`...), id...)
	}
	b = append(b, `,"method":`...)
	name, _ := json.Marshal(method)
	b = append(b, name...)
	if len(params) > 0 && string(params) != "null" {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}

// encodeResult makes a response; an empty result is null, never absent.
func encodeResult(id, result []byte) []byte {
	if len(result) == 0 {
		result = []byte("null")
	}
	b := make([]byte, 0, len(result)+len(id)+40)
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(b, `,"result":`...), result...), '}')
}

// encodeError makes an error response; a nil id is null.
func encodeError(id []byte, err error) []byte {
	if id == nil {
		id = []byte("null")
	}
	e := toError(err)
	msg, _ := json.Marshal(e.Message)
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	b = strconv.AppendInt(append(b, `,"error":{"code":`...), int64(e.Code), 10)
	b = append(append(b, `,"message":`...), msg...)
	if e.Data != nil {
		b = append(append(b, `,"data":`...), *e.Data...)
	}
	return append(b, "}}"...)
}

func toError(err error) *jsonrpc2.Error {
	var e *jsonrpc2.Error
	if errors.As(err, &e) {
		return e
	}
	return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
}

// frame puts the header before a message.
func frame(body []byte) []byte {
	return append(fmt.Appendf(make([]byte, 0, len(body)+32), "Content-Length: %d\r\n\r\n", len(body)), body...)
}
