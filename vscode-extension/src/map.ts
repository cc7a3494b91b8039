// The memory map beside the editor. One panel; it shows the last kernel document that was active.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Plan, type PlanResult } from './protocol';
import type { Session } from './session';

// With more functions than this only the one that is shown is asked for while typing; the others follow in a pause.
const MANY = 12, PAUSE = 900;

type FromPage = { type: 'ready' } | { type: 'shown'; name: string } | { type: 'goto'; line: number; uri?: string } | { type: 'compare'; on: boolean } | { type: 'rendered'; ms: number; tiles: number };

export class MemoryMap implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private source: vscode.Uri | undefined;
  private compare = false;
  private asking = false;
  private stale = false;
  private shown = '';
  private many = ''; // the source of which the page has many functions, and so can be patched
  private pause: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext, private readonly session: Session, private readonly isKernel: (d: vscode.TextDocument) => boolean) {
    this.disposables = [
      vscode.window.registerWebviewPanelSerializer('pypto.memoryMap', { deserializeWebviewPanel: async (panel) => this.adopt(panel, this.activeKernel()) }),
      session.onPlanChanged((uri) => { if (uri.toString() === this.source?.toString()) void this.update(true); }),
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
      case 'ready': this.many = ''; void this.update(); break;
      case 'shown': this.shown = m.name; break;
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
  private async update(typing = false) {
    if (this.asking) { this.stale = true; return; }
    if (!this.panel || !this.source || !this.session.running) return;
    clearTimeout(this.pause);
    this.asking = true;
    try {
      do {
        this.stale = false;
        if (typing && this.many === this.source.toString() && this.shown) await this.sendShown(this.source);
        else await this.sendAll(this.source);
      } while (this.stale);
      const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === this.source?.toString());
      if (editor) this.cursor(editor);
    } catch (e) {
      this.session.channels.log.warn(`memory map: ${(e as Error).message}`);
    } finally {
      this.asking = false;
    }
  }

  /** plans asks for the plan, and with it for the other planner's when they are compared. */
  private async plans(source: vscode.Uri, fn?: string): Promise<PlanResult[]> {
    const client = this.session.running;
    if (!client) throw new Error('the server is not running');
    const ask = { textDocument: { uri: source.toString() }, function: fn };
    const plans = [await client.sendRequest(Plan, ask)];
    if (this.compare) plans.push(await client.sendRequest(Plan, { ...ask, planner: plans[0].planner === 'DSA_RP' ? 'PYPTO' : 'DSA_RP' }));
    return plans;
  }

  private async sendAll(source: vscode.Uri) {
    const plans = await this.plans(source), title = source.path.split('/').pop() ?? '';
    if (!this.panel) return;
    this.many = plans[0].functions.length > MANY ? source.toString() : '';
    this.panel.title = `Map ${title}`;
    await this.panel.webview.postMessage({ type: 'model', page: { title, uri: source.toString(), version: plans[0].version, plans } });
  }

  private async sendShown(source: vscode.Uri) {
    const plans = await this.plans(source, this.shown);
    await this.panel?.webview.postMessage({ type: 'patch', version: plans[0].version, functions: plans.map((p) => p.functions[0]) });
    this.pause = setTimeout(() => void this.update(), PAUSE);
  }

  dispose() { clearTimeout(this.pause); this.panel?.dispose(); for (const d of this.disposables) d.dispose(); }
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
