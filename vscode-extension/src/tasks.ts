// `pypto-ls check` as a task, its findings read by the problem matcher.
import * as vscode from 'vscode';
import type { Session } from './session';
import { findServer } from './start';

interface Definition extends vscode.TaskDefinition { task: 'check'; paths?: string[]; platform?: string; planner?: string; failLevel?: string }

export class CheckTasks implements vscode.TaskProvider {
  constructor(private readonly context: vscode.ExtensionContext, private readonly session: Session) {}

  async provideTasks(): Promise<vscode.Task[]> {
    const made = (vscode.workspace.workspaceFolders ?? []).map((f) => this.make({ type: 'pypto-ls', task: 'check' }, f));
    return (await Promise.all(made)).filter((t): t is vscode.Task => t !== undefined);
  }

  resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    return this.make(task.definition as Definition, typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0]);
  }

  private async make(d: Definition, folder: vscode.WorkspaceFolder | undefined): Promise<vscode.Task | undefined> {
    const server = this.session.server ?? (await findServer(this.context).catch(() => undefined));
    if (!server || !folder) return undefined;
    const config = vscode.workspace.getConfiguration('pypto-ls', folder);
    const args = ['check', '--format', 'text'];
    const platform = d.platform ?? config.get('platform', ''), planner = d.planner ?? config.get('planner', '');
    if (platform) args.push('--platform', platform);
    if (planner) args.push('--planner', planner);
    if (d.failLevel) args.push('--fail-level', d.failLevel);
    args.push('--', ...(d.paths?.length ? d.paths : ['.']));
    const task = new vscode.Task(d, folder, 'check', 'pypto-ls', new vscode.ProcessExecution(server.file, args, { cwd: folder.uri.fsPath }), '$pypto-ls');
    task.group = vscode.TaskGroup.Test;
    task.detail = `every finding under ${d.paths?.join(', ') ?? folder.name}`;
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, clear: true };
    return task;
  }
}
