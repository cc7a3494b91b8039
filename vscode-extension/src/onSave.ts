// The capacity check on save: a notification only when something overflows that did not at the last save.
import * as vscode from 'vscode';
import { inWords, newly, overflows, type Overflow } from './overflow';
import { Plan } from './protocol';
import type { Session } from './session';

export class OnSave implements vscode.Disposable {
  private readonly last = new Map<string, Map<string, Overflow>>();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly session: Session, private readonly isKernel: (d: vscode.TextDocument) => boolean) {
    // What overflowed already when the document was opened: asked for at its first plan, since before that the
    // server may not know the document.
    const first = (d: vscode.TextDocument | undefined) => {
      if (d && isKernel(d) && !this.last.has(d.uri.toString())) void this.look(d).catch((e) => session.channels.log.debug(`check on save: ${e.message}`));
    };
    this.disposables = [
      session.onPlanChanged((uri) => { if (!this.last.has(uri.toString())) first(vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString())); }),
      session.onStarted(() => vscode.workspace.textDocuments.forEach(first)),
      vscode.workspace.onDidCloseTextDocument((d) => this.last.delete(d.uri.toString())),
      vscode.workspace.onDidSaveTextDocument((d) => void this.saved(d)),
    ];
  }

  /** look records what overflows in the document and returns what it found new. */
  private async look(doc: vscode.TextDocument): Promise<Overflow[]> {
    const client = this.session.running, key = doc.uri.toString();
    if (!client) return [];
    const before = this.last.get(key);
    const now = overflows((await client.sendRequest(Plan, { textDocument: { uri: key } })).functions);
    this.last.set(key, now);
    return before ? newly(before, now) : [];
  }

  private async saved(doc: vscode.TextDocument) {
    if (!this.isKernel(doc) || !vscode.workspace.getConfiguration('pypto-ls', doc).get('checkOnSave', true)) return;
    const found = await this.look(doc).catch((e) => { this.session.channels.log.warn(`check on save: ${e.message}`); return []; });
    if (!found.length) return;
    const map = 'Show Memory Map', go = 'Go to Function';
    const picked = await vscode.window.showWarningMessage(inWords(found), map, go);
    if (picked === map) await vscode.commands.executeCommand('pypto.showMemoryMap', doc.uri);
    if (picked === go) await vscode.window.showTextDocument(doc, { selection: new vscode.Range(found[0].line - 1, 0, found[0].line - 1, 0) });
  }

  dispose() { for (const d of this.disposables) d.dispose(); }
}
