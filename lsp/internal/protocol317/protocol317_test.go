package protocol317

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
)

// TestEmbedding: members of the library's types and ours are decoded side by
// side, and where a member exists in both ours is used.
func TestEmbedding(t *testing.T) {
	const text = `{"processId":12,"rootUri":null,"initializationOptions":{"platform":"Ascend950"},"trace":"verbose",
	 "capabilities":{"general":{"positionEncodings":["utf-8","utf-16"],"markdown":{"parser":"x"}},
	 "textDocument":{"inlayHint":{"resolveSupport":{"properties":["tooltip"]}},"diagnostic":{},"hover":{"contentFormat":["plaintext"]}},
	 "workspace":{"configuration":true,"inlayHint":{"refreshSupport":true},"diagnostics":{"refreshSupport":true}},
	 "window":{"workDoneProgress":true}}}`
	var p InitializeParams
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	c := p.Capabilities
	for name, ok := range map[string]bool{
		"processId": p.ProcessID == 12, "trace": p.Trace == protocol.TraceVerbose, "options": string(p.InitializationOptions) == `{"platform":"Ascend950"}`,
		"encodings": cmp.Equal(c.General.PositionEncodings, []string{"utf-8", "utf-16"}), "markdown": c.General.Markdown.Parser == "x",
		"hint": c.TextDocument.InlayHint.ResolveSupport.Properties[0] == "tooltip", "pull": c.TextDocument.Diagnostic != nil,
		"hover": c.TextDocument.Hover.ContentFormat[0] == protocol.PlainText, "configuration": c.Workspace.Configuration,
		"hint refresh": c.Workspace.InlayHint.RefreshSupport, "progress": c.Window.WorkDoneProgress,
	} {
		if !ok {
			t.Errorf("%s was not decoded", name)
		}
	}
}

// TestForms: what is sent has the members of the standard, no more and no less.
func TestForms(t *testing.T) {
	version, zero := int32(0), uint32(0)
	empty := []protocol.Diagnostic{}
	for _, c := range []struct {
		v    any
		want string
	}{
		{PublishDiagnosticsParams{URI: "file:///a", Version: &version, Diagnostics: empty}, `{"uri":"file:///a","version":0,"diagnostics":[]}`},
		{DocumentDiagnosticReport{Kind: ReportFull, ResultID: "x", Items: &empty}, `{"kind":"full","resultId":"x","items":[]}`},
		{DocumentDiagnosticReport{Kind: ReportUnchanged, ResultID: "x"}, `{"kind":"unchanged","resultId":"x"}`},
		{WorkspaceDocumentDiagnosticReport{DocumentDiagnosticReport: DocumentDiagnosticReport{Kind: ReportUnchanged, ResultID: "x"}, URI: "file:///a"}, `{"kind":"unchanged","resultId":"x","uri":"file:///a","version":null}`},
		{ProgressParams{Token: Token(`"t"`), Value: WorkDoneProgress{Kind: "report", Percentage: &zero}}, `{"token":"t","value":{"kind":"report","percentage":0}}`},
		{InlayHint{Label: []InlayHintLabelPart{{Value: "x"}}}, `{"position":{"line":0,"character":0},"label":[{"value":"x"}]}`},
		{ServerCapabilities{PositionEncoding: "utf-8", Workspace: &ServerCapabilitiesWorkspace{TextDocumentContent: &TextDocumentContentOptions{Schemes: []string{"pypto-ls"}}}}, `{"positionEncoding":"utf-8","workspace":{"textDocumentContent":{"schemes":["pypto-ls"]}}}`},
		{ServerCapabilities{ServerCapabilities: protocol.ServerCapabilities{HoverProvider: true}, DiagnosticProvider: &DiagnosticOptions{}}, `{"hoverProvider":true,"diagnosticProvider":{"interFileDependencies":false,"workspaceDiagnostics":false}}`},
	} {
		got, err := json.Marshal(c.v)
		if err != nil || string(got) != c.want {
			t.Errorf("%T: %v\n got %s\nwant %s", c.v, err, got, c.want)
		}
	}
}

// TestChangeEvents: what is absent can be told from what is empty, and positions clamp.
func TestChangeEvents(t *testing.T) {
	const text = `{"textDocument":{"uri":"file:///a","version":null},"contentChanges":[{"text":""},{"range":{"start":{"line":-1,"character":0},"end":{"line":99999999999,"character":4}},"text":"x"},{"range":null}]}`
	var p DidChangeTextDocumentParams
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	if p.TextDocument.Version != nil || p.ContentChanges[0].Range != nil || p.ContentChanges[0].Text == nil || p.ContentChanges[2].Text != nil {
		t.Errorf("got %+v", p)
	}
	want := protocol.Range{End: protocol.Position{Line: 1<<31 - 1, Character: 4}}
	if got := p.ContentChanges[1].Range.Clamp(); got != want {
		t.Errorf("clamped to %v, want %v", got, want)
	}
}
