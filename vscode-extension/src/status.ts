// The language status item: platform, planner and usage of the document in front.
import * as vscode from 'vscode';
import { Status, type StatusResult } from './protocol';
import type { Session } from './session';
import { SELECTOR } from './start';

const num = (n: number) => n.toLocaleString('en-US');

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem('pypto-ls.status', SELECTOR);
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly session: Session, private readonly isKernel: (d: vscode.TextDocument) => boolean) {
    this.item.name = 'PyPTO';
    this.item.text = 'PyPTO';
    this.item.command = { command: 'pypto.switchPlatform', title: 'Switch platform' };
    this.disposables = [this.item,
      vscode.window.onDidChangeActiveTextEditor(() => this.soon()),
      session.onPlanChanged((u) => { if (u.toString() === vscode.window.activeTextEditor?.document.uri.toString()) this.soon(); }),
      session.onStarted(() => this.soon())];
  }

  /** problem shows why there is no server. */
  problem(text: string) {
    this.item.severity = vscode.LanguageStatusSeverity.Error;
    this.item.text = 'PyPTO: no server';
    this.item.detail = text;
    this.item.command = { command: 'pypto.restart', title: 'Try again' };
  }

  private soon() { clearTimeout(this.timer); this.timer = setTimeout(() => void this.update(), 120); }

  private async update() {
    const doc = vscode.window.activeTextEditor?.document, client = this.session.running;
    if (!doc || !client || !this.isKernel(doc)) return;
    try {
      this.show(await client.sendRequest(Status, { textDocument: { uri: doc.uri.toString() } }));
    } catch (e) {
      this.session.channels.log.debug(`status: ${(e as Error).message}`);
    }
  }

  private show(s: StatusResult) {
    const over = s.spaces.filter((x) => x.limit > 0 && x.used > x.limit);
    this.item.text = `${s.platform} · ${s.planner}${s.approximate ? ' ≈' : ''}`;
    const usage = s.spaces.map((x) => `${x.space} ${num(x.used)}` + (x.limit ? ` / ${num(x.limit)} B (${Math.floor((x.used * 100) / x.limit)} %)` : ' B'));
    this.item.detail = [usage.join(' · '), `from ${s.source}`].filter(Boolean).join(' — ');
    this.item.severity = over.length ? vscode.LanguageStatusSeverity.Error : s.approximate ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    this.item.command = { command: 'pypto.switchPlatform', title: 'Switch platform' };
  }

  dispose() { clearTimeout(this.timer); for (const d of this.disposables) d.dispose(); }
}
