package memmap

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"strings"
)

//go:embed assets
var assets embed.FS

// scripts are the parts of the page's script in the order in which they are joined. The VS Code
// extension's build joins the same list, read from assets/scripts.txt.
func scripts() []string { return strings.Fields(asset("scripts.txt")) }

func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("memmap: " + err.Error()) // embedded at build time: absent only by a programming error
	}
	return string(b)
}

// Script returns the page's script, a complete program that draws the Page found in the element #model
// and every later one received as a message.
func Script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts() {
		b.WriteString(asset(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// Style returns the page's style sheet.
func Style() string { return asset("map.css") }

// Render returns a self-contained HTML page that shows p: no external resource, no inline handler or
// style attribute. With a nonce the page's security policy admits style and script by that nonce, as
// editors' web views want it; with "" by their hashes, so that the same page gives the same bytes.
func Render(p Page, nonce string) ([]byte, error) {
	model, err := modelJSON(p)
	if err != nil {
		return nil, err
	}
	script, style := Script(), Style()
	policy := func(kind, text string) string {
		if nonce != "" {
			return kind + "-src 'nonce-" + nonce + "'"
		}
		return kind + "-src '" + hashOf(text) + "'"
	}
	attr := ""
	if nonce != "" {
		attr = ` nonce="` + html.EscapeString(nonce) + `"`
	}
	return []byte(strings.NewReplacer(
		"{{policy}}", html.EscapeString("default-src 'none'; "+policy("style", style)+"; "+policy("script", script)),
		"{{title}}", html.EscapeString(p.Title),
		"{{nonce}}", attr,
		"{{style}}", style,
		"{{model}}", model,
		"{{script}}", script,
	).Replace(asset("page.html"))), nil
}

// hashOf is the source expression of a security policy that admits exactly text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// modelJSON is p as JSON that can stand inside a script element: no "<" is left in it.
func modelJSON(p Page) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(true)
	if err := enc.Encode(p); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}
