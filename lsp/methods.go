package lsp

// allMethods is everything that a client may ask for or tell.
func allMethods() *registry {
	r := newRegistry()
	for _, register := range []func(*registry){
		lifecycleMethods,
		traceMethods,
		progressMethods,
		syncMethods,
		configurationMethods,
		documentDiagnosticMethod,
		hoverMethod,
		inlayHintMethod,
		documentSymbolMethod,
		codeLensMethods,
		executeCommandMethod,
		planMethod,
		irAfterMethod,
		statusMethod,
		textDocumentContentMethod,
		workspaceDiagnosticMethod,
		definitionMethod,
		typeDefinitionMethod,
		referencesMethod,
		documentHighlightMethod,
		renameMethods,
		workspaceSymbolMethod,
		foldingRangeMethod,
		selectionRangeMethod,
		semanticTokensMethods,
		callHierarchyMethods,
		completionMethods,
		signatureHelpMethod,
		formattingMethods,
		codeActionMethods,
	} {
		register(r)
	}
	return r
}
