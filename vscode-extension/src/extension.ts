import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { registerCommands } from './commands';
import { looksLikeKernel } from './kernels';
import { MemoryMap } from './map';
import { OnSave } from './onSave';
import { Session } from './session';
import { StatusItem } from './status';
import { CheckTasks } from './tasks';
import { Views } from './views';

function isKernel(d: vscode.TextDocument): boolean {
  if (d.uri.scheme !== 'file' && d.uri.scheme !== 'untitled') return false;
  return d.languageId === 'pypto-ir' || (d.languageId === 'python' && looksLikeKernel(d.getText()));
}

export async function activate(context: vscode.ExtensionContext): Promise<{ session: Session }> {
  const log = vscode.window.createOutputChannel('PyPTO', { log: true });
  const trace = vscode.window.createOutputChannel('PyPTO trace');
  // A command of a code lens that answers with a text (a table) is shown as a document.
  const middleware: Middleware = {
    executeCommand: async (command, args, next) => {
      const uri = (args[0] as { uri?: string } | undefined)?.uri;
      if (uri && command === 'pypto-ls.comparePlanners') return views.showTable(vscode.Uri.parse(uri), 'compare');
      if (uri && command === 'pypto-ls.placementTable') return views.showTable(vscode.Uri.parse(uri), 'table');
      return next(command, args);
    },
  };
  const session = new Session(context, { log, trace }, middleware);
  const views = new Views(session), map = new MemoryMap(context, session, isKernel), status = new StatusItem(session, isKernel);
  const onSave = new OnSave(session, isKernel);
  let failed = '';

  const start = async () => {
    try {
      await session.start();
    } catch (e) {
      const text = (e as Error).message;
      log.error(text);
      status.problem(text);
      if (text === failed) return; // said once
      failed = text;
      const picked = await vscode.window.showErrorMessage(`PyPTO: ${text}`, 'Open Settings', 'Show Output');
      if (picked === 'Open Settings') await vscode.commands.executeCommand('workbench.action.openSettings', 'pypto-ls.server.path');
      if (picked === 'Show Output') log.show();
    }
  };
  const restart = async () => { failed = ''; await session.restart().catch(start); };
  const seen = (d: vscode.TextDocument | undefined) => { if (d && isKernel(d)) void start(); };
  const inFront = (e: vscode.TextEditor | undefined) => {
    if (e) void vscode.commands.executeCommand('setContext', 'pypto.hasKernels', isKernel(e.document));
  };

  context.subscriptions.push(log, trace, session, views, map, status, onSave,
    ...registerCommands({ session, views, map, isKernel, restart }),
    vscode.tasks.registerTaskProvider('pypto-ls', new CheckTasks(context, session)),
    vscode.workspace.onDidOpenTextDocument(seen),
    vscode.workspace.onDidChangeTextDocument((e) => { if (!session.client && e.contentChanges.some((c) => c.text.includes('pypto'))) seen(e.document); }),
    vscode.window.onDidChangeActiveTextEditor(inFront),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart()),
    vscode.workspace.onDidChangeConfiguration((e) => { if (e.affectsConfiguration('pypto-ls.server') && (session.client || failed)) void restart(); }));
  inFront(vscode.window.activeTextEditor);
  vscode.workspace.textDocuments.forEach(seen);
  return { session };
}

export function deactivate() { /* the session is disposed with the subscriptions */ }
