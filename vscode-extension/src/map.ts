// The memory map beside the editor. One panel; it shows the last kernel document that was active.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Plan, type PlanResult } from './protocol';
import type { Session } from './session';

type FromPage = { type: 'ready' } | { type: 'goto'; line: number; uri?: string } | { type: 'compare'; on: boolean } | { type: 'rendered'; ms: number; tiles: number };

export class MemoryMap implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private source: vscode.Uri | undefined;
  private compare = false;
  private asking = false;
  private stale = false;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext, private readonly session: Session, private readonly isKernel: (d: vscode.TextDocument) => boolean) {
    this.disposables = [
      vscode.window.registerWebviewPanelSerializer('pypto.memoryMap', { deserializeWebviewPanel: async (panel) => this.adopt(panel, this.activeKernel()) }),
      session.onPlanChanged((uri) => { if (uri.toString() === this.source?.toString()) void this.update(); }),
      session.onStarted(() => void this.update()),
      vscode.window.onDidChangeTextEditorSelection((e) => this.cursor(e.textEditor)),
      vscode.window.onDidChangeActiveTextEditor((e) => { if (e && this.panel && this.isKernel(e.document)) this.follow(e); }),
    ];
  }

  private activeKernel(): vscode.Uri | undefined {
    const all = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    return all.find((e) => e && this.isKernel(e.document))?.document.uri;
  }

  show(source: vscode.Uri) {
    if (this.panel) {
      this.panel.reveal(undefined, true);
      this.source = source;
      void this.update();
      return;
    }
    this.adopt(vscode.window.createWebviewPanel('pypto.memoryMap', 'Memory Map', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {}), source);
  }

  private adopt(panel: vscode.WebviewPanel, source: vscode.Uri | undefined) {
    this.panel = panel;
    this.source = source;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = { light: vscode.Uri.joinPath(this.context.extensionUri, 'media', 'map-light.svg'), dark: vscode.Uri.joinPath(this.context.extensionUri, 'media', 'map-dark.svg') };
    panel.onDidDispose(() => { if (this.panel === panel) this.panel = undefined; });
    panel.webview.onDidReceiveMessage((m: FromPage) => this.receive(m));
    panel.webview.html = page(panel.webview, dist);
  }

  private receive(m: FromPage) {
    switch (m.type) {
      case 'ready': void this.update(); break;
      case 'goto': void this.goTo(m.line, m.uri); break;
      case 'compare': this.compare = m.on; void this.update(); break;
      case 'rendered': this.session.channels.log.debug(`memory map: ${m.tiles} tiles drawn in ${m.ms.toFixed(1)} ms`); break;
    }
  }

  private async goTo(line: number, uri?: string) {
    const target = uri ? vscode.Uri.parse(uri) : this.source;
    if (!target) return;
    const doc = await vscode.workspace.openTextDocument(target);
    const at = doc.lineAt(Math.min(line, doc.lineCount) - 1);
    const pos = new vscode.Position(at.lineNumber, at.firstNonWhitespaceCharacterIndex);
    const column = vscode.window.visibleTextEditors.find((e) => e.document === doc)?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(doc, { viewColumn: column, selection: new vscode.Range(pos, pos) });
    editor.revealRange(at.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private follow(editor: vscode.TextEditor) {
    if (editor.document.uri.toString() !== this.source?.toString()) { this.source = editor.document.uri; void this.update(); }
    this.cursor(editor);
  }

  private cursor(editor: vscode.TextEditor) {
    if (!this.panel || editor.document.uri.toString() !== this.source?.toString()) return;
    void this.panel.webview.postMessage({ type: 'cursor', line: editor.selection.active.line + 1 });
  }

  /** update asks for the plan and sends it. While an answer is awaited further calls only note that another is due. */
  private async update() {
    if (this.asking) { this.stale = true; return; }
    if (!this.panel || !this.source || !this.session.running) return;
    this.asking = true;
    try {
      do {
        this.stale = false;
        const source = this.source, client = this.session.running;
        if (!client) return;
        const textDocument = { uri: source.toString() };
        const plans: PlanResult[] = [await client.sendRequest(Plan, { textDocument })];
        if (this.compare) {
          const other = plans[0].planner === 'DSA_RP' ? 'PYPTO' : 'DSA_RP';
          plans.push(await client.sendRequest(Plan, { textDocument, planner: other }));
        }
        const title = source.path.split('/').pop() ?? '';
        if (this.panel) {
          this.panel.title = `Map ${title}`;
          await this.panel.webview.postMessage({ type: 'model', page: { title, uri: textDocument.uri, version: plans[0].version, plans } });
        }
      } while (this.stale);
      const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === this.source?.toString());
      if (editor) this.cursor(editor);
    } catch (e) {
      this.session.channels.log.warn(`memory map: ${(e as Error).message}`);
    } finally {
      this.asking = false;
    }
  }

  dispose() { this.panel?.dispose(); for (const d of this.disposables) d.dispose(); }
}

function page(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('hex');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${file('map.css')}"><title>Memory map</title></head>
<body><div id="map"></div><script type="application/json" id="model" nonce="${nonce}">{"title":"","plans":[]}</script>
<script nonce="${nonce}" src="${file('map.js')}"></script></body></html>`;
}
