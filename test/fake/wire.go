package fake

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Message is any JSON-RPC message, as received.
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *RPCError       `json:"error"`
}

// RPCError is the error of an answer.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error has the code too.
func (e *RPCError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// Frame puts the header before a message.
func Frame(body string) string {
	return "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// readFrame reads one frame, strictly as the standard has it.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			if err == io.EOF && line != "" {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		field, ok := strings.CutSuffix(line, "\r\n")
		if !ok {
			return nil, fmt.Errorf("a header line without CRLF: %q", line)
		}
		if field == "" {
			break
		}
		value, ok := strings.CutPrefix(field, "Content-Length: ")
		if !ok {
			return nil, fmt.Errorf("an unknown header: %q", line)
		}
		if length, err = strconv.Atoi(value); err != nil {
			return nil, err
		}
	}
	if length < 0 {
		return nil, errors.New("a header without Content-Length")
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}

// parse reads a message, or the messages of a batch.
func parse(body []byte) ([]Message, error) {
	if strings.HasPrefix(string(body), "[") {
		var batch []Message
		err := json.Unmarshal(body, &batch)
		return batch, err
	}
	var m Message
	err := json.Unmarshal(body, &m)
	return []Message{m}, err
}
