// Virtual documents: the IR after a pass, the placement table, the planners compared. They follow the source.
import * as vscode from 'vscode';
import { IrAfter } from './protocol';
import type { Session } from './session';
import { IR_SCHEME, irParts, kindOf, passOf, PLAN_SCHEME, tableParts } from './uris';

export class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly change = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.change.event;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly session: Session) {
    for (const scheme of [IR_SCHEME, PLAN_SCHEME]) this.disposables.push(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.disposables.push(
      session.onPlanChanged((uri) => this.refresh(uri.toString())),
      session.onStarted(() => this.refresh()),
      vscode.workspace.onDidChangeTextDocument((e) => { if (e.contentChanges.length) this.refresh(e.document.uri.toString()); }),
    );
  }

  /** refresh reads again, shortly, every open view of the document (of every document when none is named). */
  private refresh(source?: string) {
    for (const doc of vscode.workspace.textDocuments) {
      if (doc.uri.scheme !== IR_SCHEME && doc.uri.scheme !== PLAN_SCHEME) continue;
      if (source !== undefined && doc.uri.query !== source) continue;
      const key = doc.uri.toString();
      clearTimeout(this.timers.get(key));
      this.timers.set(key, setTimeout(() => { this.timers.delete(key); this.change.fire(doc.uri); }, 80));
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      await this.session.start();
      if (uri.scheme === IR_SCHEME) {
        const answer = await this.session.client!.sendRequest(IrAfter, { textDocument: { uri: uri.query }, pass: passOf(uri.path) });
        return answer.error ? `# ${answer.error}\n# The IR after ${answer.pass}, the last pass that worked:\n${answer.text}` : answer.text;
      }
      const command = kindOf(uri.path) === 'compare' ? 'pypto-ls.comparePlanners' : 'pypto-ls.placementTable';
      return (await this.session.execute<{ text: string }>(command, { uri: uri.query })).text;
    } catch (e) {
      return `# ${(e as Error).message}\n`;
    }
  }

  showIr(source: vscode.Uri, pass: string) { return this.open(vscode.Uri.from(irParts(source.toString(), source.path, pass))); }
  showTable(source: vscode.Uri, kind: 'table' | 'compare') { return this.open(vscode.Uri.from(tableParts(source.toString(), source.path, kind))); }

  private async open(uri: vscode.Uri) {
    const doc = await vscode.workspace.openTextDocument(uri);
    this.change.fire(uri); // a document that was open already may be of an older text
    await vscode.window.showTextDocument(doc, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }

  dispose() { for (const t of this.timers.values()) clearTimeout(t); for (const d of this.disposables) d.dispose(); this.change.dispose(); }
}
