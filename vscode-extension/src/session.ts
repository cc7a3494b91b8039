// The one running server, and what the rest of the extension asks of it.
import * as vscode from 'vscode';
import { type LanguageClient, State, type Middleware } from 'vscode-languageclient/node';
import { abilities } from './abilities';
import { PlanChanged } from './protocol';
import { findServer, newClient, type Channels, type Server } from './start';

export class Session implements vscode.Disposable {
  client: LanguageClient | undefined;
  server: Server | undefined;
  /** Platform and planner chosen by command; they apply until the window closes, a restarted server included. */
  readonly chosen: { platform?: string; planner?: string } = {};

  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires with a document whose plan is no longer what it was. */
  readonly onPlanChanged = this.changed.event;
  private readonly started = new vscode.EventEmitter<void>();
  readonly onStarted = this.started.event;
  private starting: Promise<void> | undefined;

  constructor(private readonly context: vscode.ExtensionContext, readonly channels: Channels, private readonly middleware: Middleware) {}

  get running(): LanguageClient | undefined { return this.client?.state === State.Running ? this.client : undefined; }
  get abilities() { return abilities(this.client?.initializeResult?.capabilities.experimental); }

  /** start starts the server once; later calls wait for the same start. */
  start(): Promise<void> { return (this.starting ??= this.launch().catch((e) => { this.starting = undefined; throw e; })); }

  private async launch(): Promise<void> {
    this.server = await findServer(this.context);
    this.channels.log.info(`pypto-ls ${this.server.version}, ${this.server.origin}: ${this.server.file}`);
    const client = newClient(this.server, this.channels, this.middleware, () => void this.gaveUp());
    this.client = client;
    client.onNotification(PlanChanged, (p) => this.changed.fire(vscode.Uri.parse(p.uri)));
    client.onDidChangeState(({ newState }) => { if (newState === State.Running) void this.reapply().then(() => this.started.fire()); });
    await client.start();
  }

  private async reapply() {
    if (this.chosen.platform) await this.execute('pypto-ls.switchPlatform', { platform: this.chosen.platform });
    if (this.chosen.planner) await this.execute('pypto-ls.switchPlanner', { planner: this.chosen.planner });
  }

  async restart(): Promise<void> {
    const old = this.client;
    this.client = undefined;
    this.starting = undefined;
    await old?.dispose(3000).catch((e) => this.channels.log.warn(`while stopping: ${e}`));
    await this.start();
  }

  /** execute runs one of the server's commands. */
  execute<T>(command: string, argument: object): Promise<T> {
    if (!this.client) return Promise.reject(new Error('The server is not running.'));
    return this.client.sendRequest('workspace/executeCommand', { command, arguments: [argument] });
  }

  planChanged(uri: vscode.Uri) { this.changed.fire(uri); }

  private async gaveUp() {
    const again = 'Restart', show = 'Show Output';
    const picked = await vscode.window.showErrorMessage('The PyPTO server stopped again and again and is not started any more.', again, show);
    if (picked === again) await this.restart();
    if (picked === show) this.channels.log.show();
  }

  dispose() { void this.client?.dispose(2000).catch(() => undefined); this.changed.dispose(); this.started.dispose(); }
}
