// A workspace that is not trusted and brings a server of its own: the bundled one runs, the workspace's never does.
// env: TOOLS, VSIX, WS, OUT. Exit code 0 = all held; JSON on stdout.
import fs from 'node:fs';
import path from 'node:path';
import { start } from './codeserver.mjs';
import { workbench } from './workbench.mjs';

const { TOOLS, VSIX, WS, OUT } = process.env;
const expect = JSON.parse(fs.readFileSync(path.join(WS, 'expect.json'), 'utf8'));
const marker = path.join(OUT, 'rogue-server-ran'), rogue = path.join(WS, 'rogue');
fs.rmSync(marker, { force: true });
fs.writeFileSync(rogue, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
fs.writeFileSync(path.join(WS, '.vscode/settings.json'), JSON.stringify({ 'pypto-ls.server.path': rogue, 'pypto-ls.server.extraArgs': ['--log-file', marker] }));
const res = { ok: false, steps: [] };
const step = (name, ok = true, value = undefined) => {
  res.steps.push({ name, ok: !!ok, value });
  if (!ok) throw new Error(`step failed: ${name}`);
};
let vs;
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, async () => { if (vs) await vs.stop(); process.exit(1); });
try {
  vs = await start({ tools: TOOLS, vsix: VSIX, folder: WS, log: path.join(OUT, 'code-server-restricted.log'), viewport: { width: 1280, height: 800 }, trust: true,
    settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.untrustedFiles': 'open' } });
  const w = workbench(vs.page);
  await vs.page.locator('.monaco-workbench', { hasText: 'Restricted Mode' }).waitFor();
  step('the workspace is in restricted mode');
  await w.open('edit/passes_dump/31_after_MaterializeTensorStrides.py');
  await w.until('addresses', async () => /0x0*4000\b/.test((await w.lines())[expect.edit.lines.b] ?? ''));
  step('addresses by the bundled server');
  step('the workspace’s program was not run', !fs.existsSync(marker));
  res.ok = true;
} catch (e) {
  res.error = String(e.stack || e);
  try { await vs.page.screenshot({ path: path.join(OUT, 'vscode-restricted-failure.png') }); } catch { /* the first error counts */ }
} finally {
  if (vs) await vs.stop();
}
console.log(JSON.stringify(res));
process.exit(res.ok ? 0 : 1);
