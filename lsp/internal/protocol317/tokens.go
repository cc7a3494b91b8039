package protocol317

import "strconv"

// SemanticTokensOptions says what is served of semantic tokens; the library
// has no type for it.
type SemanticTokensOptions struct {
	Legend SemanticTokensLegend `json:"legend"`
	Range  bool                 `json:"range"`
	Full   SemanticTokensFull   `json:"full"`
}

// SemanticTokensLegend names the numbers of types and modifiers.
type SemanticTokensLegend struct {
	TokenTypes     []string `json:"tokenTypes"`
	TokenModifiers []string `json:"tokenModifiers"`
}

// SemanticTokensFull: answers may be changes of the one before.
type SemanticTokensFull struct {
	Delta bool `json:"delta"`
}

// TokenData are encoded tokens: five numbers each. A large document has
// millions, so they are written without reflection.
type TokenData []uint32

// MarshalJSON writes the numbers.
func (d TokenData) MarshalJSON() ([]byte, error) {
	out := make([]byte, 1, 2+3*len(d))
	out[0] = '['
	for i, n := range d {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, uint64(n), 10)
	}
	return append(out, ']'), nil
}

// SemanticTokens are all tokens, of a document or of a range.
type SemanticTokens struct {
	ResultID string    `json:"resultId,omitempty"`
	Data     TokenData `json:"data"`
}

// SemanticTokensDelta changes the data of an earlier answer; SemanticTokensEdit
// counts in numbers, not in tokens.
type SemanticTokensDelta struct {
	ResultID string               `json:"resultId,omitempty"`
	Edits    []SemanticTokensEdit `json:"edits"`
}

// SemanticTokensEdit replaces DeleteCount numbers from Start on.
type SemanticTokensEdit struct {
	Start       uint32    `json:"start"`
	DeleteCount uint32    `json:"deleteCount"`
	Data        TokenData `json:"data,omitempty"`
}
