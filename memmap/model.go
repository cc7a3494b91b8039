// Package memmap draws a function's memory plan: address across, lifetime down.
//
// It takes a plain value (Page), which is also the JSON that the page's script reads, and returns one
// self-contained HTML page. The same script and style make the memory map of the VS Code extension,
// which sends a new Page whenever the plan changes. The package knows nothing of the IR or of the
// planners and imports none of our packages.
package memmap

// Page is everything that one memory map shows. With two plans (of the same functions under two
// planners, say) they are drawn side by side on one byte scale and one line scale.
type Page struct {
	Title   string `json:"title"`             // shown at the top, usually the file's name
	URI     string `json:"uri,omitempty"`     // the document, handed back when a line is asked for
	Version int    `json:"version,omitempty"` // the document version that the plan belongs to
	Plans   []Plan `json:"plans"`
}

// Plan is the result of one planner for one platform.
type Plan struct {
	Planner   string     `json:"planner"`
	Platform  string     `json:"platform"`
	Functions []Function `json:"functions"`
}

// Function is the plan of one function. Lines are 1-based lines of the document.
type Function struct {
	Name      string `json:"name"`
	Kind      string `json:"kind,omitempty"` // the function's type as the IR says it: AIV, AIC, InCore
	FirstLine int    `json:"firstLine"`      // line of the def
	LastLine  int    `json:"lastLine"`
	// Approximate holds the reasons why the plan may differ from the compiler's; empty when it is exact.
	Approximate []string `json:"approximate,omitempty"`
	// Notes are the findings on this function in words, such as the text of a capacity error.
	Notes  []string `json:"notes,omitempty"`
	Spaces []Space  `json:"spaces"`
	// Source holds the text of the lines FirstLine..LastLine, one entry a line; it may be absent, as in
	// an editor that shows the text already.
	Source []string `json:"source,omitempty"`
}

// Space is one on-chip memory with what the function keeps in it. Sizes are bytes.
type Space struct {
	Name       string  `json:"name"`
	Used       int64   `json:"used"`  // highest end of any box
	Limit      int64   `json:"limit"` // capacity; 0 when it is unknown
	Reserved   []Range `json:"reserved,omitempty"`
	PeakLine   int     `json:"peakLine,omitempty"`   // line where most bytes are live
	LowerBound int64   `json:"lowerBound,omitempty"` // no placement can use less
	Boxes      []Box   `json:"boxes"`
}

// Range is a part of a space that is set aside for the whole function, such as a cross-core ring.
type Range struct {
	Name    string `json:"name"`
	Address int64  `json:"address"`
	Size    int64  `json:"size"`
}

// Box is one buffer: a range of addresses, taken from FirstLine to LastLine by one tile after another.
type Box struct {
	Buffer    string `json:"buffer"`
	Address   int64  `json:"address"` // byte offset in its space; -1 when the planner gives no addresses
	Size      int64  `json:"size"`
	FirstLine int    `json:"firstLine"`
	LastLine  int    `json:"lastLine"`
	FirstStmt int    `json:"firstStmt"` // statement numbers of the planned function
	LastStmt  int    `json:"lastStmt"`
	Tiles     []Tile `json:"tiles"`
	// Reasons say in words why the buffer is shared or not, one sentence each.
	Reasons  []string `json:"reasons,omitempty"`
	Overflow bool     `json:"overflow,omitempty"` // it ends beyond the space's limit
}

// Tile is one value that lives in a box.
type Tile struct {
	Name   string `json:"name"`
	Line   int    `json:"line"`             // where it is defined
	Size   int64  `json:"size"`             // its own bytes, at most the box's
	Offset int64  `json:"offset,omitempty"` // bytes from the box's address, for a view into it
	Live   [2]int `json:"live"`             // first and last line at which it is live
	Type   string `json:"type,omitempty"`   // such as [64, 64] FP32
}
