package lsp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"go.lsp.dev/protocol"

	"pypto-ls/lsp/internal/convert"
	"pypto-ls/lsp/internal/protocol317"
	"pypto-ls/lsp/internal/sched"
	"pypto-ls/lsp/report"
)

// The schemes of our virtual documents (docs/protocol-extensions.md).
const (
	irScheme   = "pypto-ir"
	planScheme = "pypto-plan"
)

func textDocumentContentMethod(r *registry) {
	registerRequest(r, protocol317.MethodTextContent, traits[protocol317.TextDocumentContentParams]{priority: sched.Normal}, textDocumentContent)
	r.advertise(func(c *client, caps *protocol317.ServerCapabilities) {
		if c.flags.virtualDocuments {
			caps.Workspace.TextDocumentContent = &protocol317.TextDocumentContentOptions{Schemes: []string{irScheme, planScheme}}
		}
	})
}

func textDocumentContent(_ context.Context, snap *Snapshot, p *protocol317.TextDocumentContentParams) (*protocol317.TextDocumentContentResult, error) {
	v, err := parseView(string(p.URI))
	if err != nil {
		return nil, invalidParams(err)
	}
	doc := snap.Doc(protocol.DocumentURI(v.source))
	a := snap.analysed(doc)
	if a == nil {
		return nil, errNotOpen
	}
	snap.views.add(view{p.URI, doc.uri.Key})
	if v.pass == "" {
		var b strings.Builder
		report.Table(&b, a, a.PlanTable())
		return &protocol317.TextDocumentContentResult{Text: b.String()}, nil
	}
	ir, ok := a.IRAfterPass(v.pass, "")
	if !ok {
		return nil, invalidParams(fmt.Errorf("no pass %.100q", v.pass))
	}
	text := ir.Text
	if ir.Error != "" {
		text = fmt.Sprintf("# %s\n# The IR after %s, the last pass that worked:\n%s", ir.Error, ir.Pass, text)
	}
	return &protocol317.TextDocumentContentResult{Text: text}, nil
}

// viewName is what the URI of a virtual document says: the IR of source after
// pass, or its placement table where pass is "".
type viewName struct{ pass, source string }

var errView = errors.New("not a virtual document of this server")

// parseView reads `pypto-ir:/after/<Pass>/<document>.pypto.py` and
// `pypto-plan:/table/<document>.txt`. <document> is a URI as one path segment;
// editors that write URIs anew leave its slashes bare.
func parseView(uri string) (viewName, error) {
	scheme, path, _ := strings.Cut(uri, ":")
	path = strings.TrimLeft(path, "/")
	var v viewName
	var rest string
	var ok bool
	switch scheme {
	case irScheme:
		if path, ok = strings.CutPrefix(path, "after/"); !ok {
			return v, errView
		}
		if v.pass, path, ok = strings.Cut(path, "/"); !ok || v.pass == "" {
			return v, errView
		}
		rest, ok = strings.CutSuffix(path, ".pypto.py")
	case planScheme:
		if path, ok = strings.CutPrefix(path, "table/"); !ok {
			return v, errView
		}
		rest, ok = strings.CutSuffix(path, ".txt")
	}
	if !ok {
		return v, errView
	}
	for range 2 { // some clients escape once more
		decoded, err := url.PathUnescape(rest)
		if err != nil {
			return v, errView
		}
		if rest = decoded; strings.Contains(rest, ":/") || !strings.Contains(rest, "%") {
			break
		}
	}
	if _, err := convert.ParseURI(rest); err != nil {
		return v, err
	}
	v.source = rest
	return v, nil
}
