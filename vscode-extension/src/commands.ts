// The commands of the palette.
import * as vscode from 'vscode';
import type { MemoryMap } from './map';
import type { Session } from './session';
import type { Views } from './views';

interface Parts { session: Session; views: Views; map: MemoryMap; isKernel(d: vscode.TextDocument): boolean; restart(): Promise<void> }

const WHAT: Record<string, string> = {
  Ascend910B: 'a2a3 · Vec 184 KiB, Mat 512 KiB, Acc 128 KiB', Ascend950: 'a5',
  PYPTO: 'memory reuse, then sequential addresses', DSA_RP: 'storage allocation with reuse penalties', PTOAS: 'addresses are left to PTOAS: sizes only',
};

export function registerCommands({ session, views, map, isKernel, restart }: Parts): vscode.Disposable[] {
  // source is the document that a command is about: the one handed over, else the one in front.
  const source = (given?: unknown): vscode.Uri | undefined => {
    if (given instanceof vscode.Uri) return given;
    const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const found = shown.find((e) => e && isKernel(e.document))?.document.uri;
    if (!found) void vscode.window.showInformationMessage('Open a kernel or an IR dump first.');
    return found;
  };
  const on = (name: string, run: (...args: unknown[]) => unknown) => vscode.commands.registerCommand(`pypto.${name}`, async (...args: unknown[]) => {
    try {
      return await run(...args);
    } catch (e) {
      session.channels.log.error(`${name}: ${(e as Error).stack ?? e}`);
      void vscode.window.showErrorMessage(`PyPTO: ${(e as Error).message}`);
      return undefined;
    }
  });
  const choose = async (what: 'platform' | 'planner', given: unknown) => {
    await session.start();
    const all = what === 'platform' ? session.abilities.platforms : session.abilities.planners;
    const picked = typeof given === 'string' ? given
      : (await vscode.window.showQuickPick(all.map((label) => ({ label, description: WHAT[label] })), { placeHolder: `The ${what} to plan for, in this window` }))?.label;
    if (!picked) return;
    await session.execute(what === 'platform' ? 'pypto-ls.switchPlatform' : 'pypto-ls.switchPlanner', { [what]: picked });
    session.chosen[what] = picked;
    for (const d of vscode.workspace.textDocuments) if (isKernel(d)) session.planChanged(d.uri);
  };
  const withSource = (run: (uri: vscode.Uri) => unknown) => async (given?: unknown) => {
    const uri = source(given);
    if (!uri) return;
    await session.start();
    await run(uri);
  };
  return [
    on('restart', restart),
    on('showOutput', () => session.channels.log.show()),
    on('switchPlatform', (given) => choose('platform', given)),
    on('switchPlanner', (given) => choose('planner', given)),
    on('showMemoryMap', withSource((uri) => map.show(uri))),
    on('comparePlanners', withSource((uri) => views.showTable(uri, 'compare'))),
    on('showPlacementTable', withSource((uri) => views.showTable(uri, 'table'))),
    on('copyPlacementTable', withSource(async (uri) => {
      const { text } = await session.execute<{ text: string }>('pypto-ls.placementTable', { uri: uri.toString() });
      await vscode.env.clipboard.writeText(text);
      void vscode.window.setStatusBarMessage(`Placement table copied: ${text.trim().split('\n').length} lines`, 4000);
    })),
    on('showIrAfter', async (given, pass) => withSource(async (uri) => {
      const picked = typeof pass === 'string' ? pass
        : (await vscode.window.showQuickPick(session.abilities.passes.map((label) => ({ label })), { placeHolder: 'The IR after which pass?' }))?.label;
      if (picked) await views.showIr(uri, picked);
    })(given)),
    on('checkWorkspace', async () => {
      await session.start();
      const r = await session.execute<{ files: number; errors: number; warnings: number }>('pypto-ls.checkWorkspace', {});
      const plural = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
      void vscode.window.showInformationMessage(`PyPTO: ${plural(r.files, 'file')} checked, ${plural(r.errors, 'error')}, ${plural(r.warnings, 'warning')}.`);
    }),
  ];
}
