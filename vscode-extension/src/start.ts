// Finding, checking and starting the server.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, State, TransportKind, type ErrorHandler, type LanguageClientOptions, type StaticFeature } from 'vscode-languageclient/node';
import { candidate, OLDEST, Restarts, tooOld, versionOf, type Candidate } from './locate';

export interface Server extends Candidate { version: string }

export const SELECTOR = [
  { language: 'pypto-ir', scheme: 'file' }, { language: 'pypto-ir', scheme: 'untitled' },
  { language: 'python', scheme: 'file' }, { language: 'python', scheme: 'untitled' },
];

function run(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { timeout: 10_000, cwd: os.homedir(), windowsHide: true }, (err, stdout) => (err ? reject(err) : resolve(stdout)));
  });
}

/** findServer returns the server to run, checked by asking its version, or throws an error made for the user. */
export async function findServer(context: vscode.ExtensionContext): Promise<Server> {
  const found = candidate({
    setting: vscode.workspace.getConfiguration('pypto-ls').get<string>('server.path', ''),
    extensionDir: context.extensionPath,
    trusted: vscode.workspace.isTrusted,
    platform: process.platform,
    pathVariable: process.env.PATH ?? '',
    home: os.homedir(),
    exists: (f) => { try { return fs.statSync(f).isFile(); } catch { return false; } },
  });
  if ('problem' in found) throw new Error(found.problem);
  let output: string;
  try {
    output = await run(found.file, ['version', '--json']);
  } catch (e) {
    throw new Error(`${found.file} (from ${found.origin}) does not run: ${(e as Error).message.split('\n')[0]}`);
  }
  const version = versionOf(output);
  if (!version) throw new Error(`${found.file} (from ${found.origin}) is not a pypto-ls: asked for its version it said “${output.slice(0, 80).trim()}”.`);
  if (tooOld(version)) throw new Error(`${found.file} (from ${found.origin}) is pypto-ls ${version}; this extension needs ${OLDEST} or newer.`);
  return { ...found, version };
}

/** Tells the server, at initialize, that we take pypto/planChanged. */
const announce: StaticFeature = {
  fillClientCapabilities(c) { c.experimental = { ...(c.experimental as object), pypto: { planChanged: true } }; },
  initialize() {}, getState: () => ({ kind: 'static' }), clear() {},
};

class Handler implements ErrorHandler {
  private readonly restarts: Restarts;
  constructor(private readonly max: number, private readonly log: vscode.LogOutputChannel, private readonly gaveUp: () => void) { this.restarts = new Restarts(max); }
  error() { return { action: ErrorAction.Continue }; }
  closed() {
    if (this.restarts.again(Date.now())) {
      this.log.warn('the server stopped by itself; it is started again');
      return { action: CloseAction.Restart, handled: true };
    }
    this.gaveUp();
    return { action: CloseAction.DoNotRestart, handled: true, message: `stopped ${this.max + 1} times within three minutes` };
  }
}

export interface Channels { log: vscode.LogOutputChannel; trace: vscode.OutputChannel }

export function newClient(server: Server, channels: Channels, middleware: LanguageClientOptions['middleware'], gaveUp: () => void): LanguageClient {
  const config = vscode.workspace.getConfiguration('pypto-ls');
  const extra = vscode.workspace.isTrusted ? config.get<string[]>('server.extraArgs', []) : [];
  const client = new LanguageClient('pypto-ls', 'PyPTO', { command: server.file, args: ['serve', ...extra], transport: TransportKind.stdio }, {
    documentSelector: SELECTOR,
    outputChannel: channels.log,
    traceOutputChannel: channels.trace,
    synchronize: { configurationSection: 'pypto-ls', fileEvents: vscode.workspace.createFileSystemWatcher('**/pypto-ls.toml') },
    initializationOptions: config,
    diagnosticCollectionName: 'pypto-ls',
    errorHandler: new Handler(config.get('server.maxRestarts', 4), channels.log, gaveUp),
    middleware,
  });
  client.registerFeature(announce);
  client.onDidChangeState(({ newState }) => channels.log.info(`server ${State[newState].toLowerCase()}`));
  return client;
}
