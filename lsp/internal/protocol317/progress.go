package protocol317

import "encoding/json"

// Token is a progress token as it came, a number or a string. The library's
// type encodes itself only behind a pointer.
type Token = json.RawMessage

// ProgressParams is one progress message.
type ProgressParams struct {
	Token Token `json:"token"`
	Value any   `json:"value"`
}

// WorkDoneProgressCreateParams asks the client for a progress of ours.
type WorkDoneProgressCreateParams struct {
	Token Token `json:"token"`
}

// WorkDoneProgressCancelParams: the user stopped it.
type WorkDoneProgressCancelParams struct {
	Token Token `json:"token"`
}

// WorkDoneToken is the token of a request, nil if it has none.
type WorkDoneToken struct {
	WorkDoneToken Token `json:"workDoneToken,omitempty"`
}

// WorkDoneProgress is the value of a progress message of kind begin, report or
// end. Percentage 0 is sent, nil is not.
type WorkDoneProgress struct {
	Kind        string  `json:"kind"`
	Title       string  `json:"title,omitempty"`
	Cancellable *bool   `json:"cancellable,omitempty"`
	Message     string  `json:"message,omitempty"`
	Percentage  *uint32 `json:"percentage,omitempty"`
}

// LogTraceParams is one $/logTrace message; Verbose is text (the library has a
// trace value there).
type LogTraceParams struct {
	Message string `json:"message"`
	Verbose string `json:"verbose,omitempty"`
}
