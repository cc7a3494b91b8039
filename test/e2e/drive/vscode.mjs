// Drives VS Code with the packaged extension (its bundled server, no setting) through what issue and README promise.
// env: TOOLS, VSIX, WS (made by workspace.mjs), SERVER, OUT; while writing a part of it: ONLY (names, by commas). Exit code 0 = all held; JSON on stdout.
import fs from 'node:fs';
import path from 'node:path';
import { start } from './codeserver.mjs';
import { plan, run } from './server.mjs';
import { workbench } from './workbench.mjs';

const { TOOLS, VSIX, WS, OUT } = process.env;
const expect = JSON.parse(fs.readFileSync(path.join(WS, 'expect.json'), 'utf8'));
const T0 = Date.now(), res = { ok: false, steps: [] };
const step = (name, ok = true, value = undefined) => {
  res.steps.push({ name, ok: !!ok, t: +((Date.now() - T0) / 1000).toFixed(1), value });
  if (!ok) throw new Error(`step failed: ${name}`);
};
const address = (line) => { const m = /0x([0-9A-Fa-f]+)/.exec(line ?? ''); return m ? parseInt(m[1], 16) : -1; };
const small = { width: 1280, height: 800 }, large = { width: 1920, height: 1080 };
let vs, w;
// Told to end (a time limit, say): leave nothing running.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, async () => { if (vs) await vs.stop(); process.exit(1); });
try {
  vs = await start({ tools: TOOLS, vsix: VSIX, folder: WS, log: path.join(OUT, 'code-server.log'), viewport: small });
  w = workbench(vs.page);
  step('workbench shown');
  const all = { recordedAddresses, editAndSwitch, memoryMap, irAfter, task, quickFix, ordinary };
  for (const [name, part] of Object.entries(all)) if (!process.env.ONLY || process.env.ONLY.split(",").includes(name)) await part();
  step('no other host was asked', vs.refused.size === 0, [...vs.refused]);
  res.ok = true;
} catch (e) {
  res.error = String(e.stack || e);
  if (vs) {
    try { await vs.page.screenshot({ path: path.join(OUT, 'vscode-failure.png') }); res.screen = await w.lines(); } catch { /* the first error counts */ }
  }
} finally {
  if (vs) await vs.stop();
}
res.seconds = (Date.now() - T0) / 1000;
console.log(JSON.stringify(res));
process.exit(res.ok ? 0 : 1);

async function shot(name) {
  await vs.page.mouse.move(2, 400);
  await vs.page.waitForTimeout(400);
  await vs.page.screenshot({ path: path.join(OUT, `vscode-${name}.png`) });
}

async function recordedAddresses() {
  await w.open('ring/passes_dump/31_after_MaterializeTensorStrides.py');
  await w.page.locator('#status\\.editor\\.mode', { hasText: 'PyPTO IR' }).waitFor();
  step('a dump is PyPTO IR');
  let wrong;
  await w.until('recorded addresses', async () => {
    const l = await w.lines(), seen = expect.ring.tiles.filter((t) => l[t.line] !== undefined);
    wrong = seen.filter((t) => address(l[t.line]) !== t.address || !l[t.line].includes(t.space)).map((t) => [t, l[t.line]]);
    return seen.length >= 5 && !wrong.length;
  }).catch((e) => { step(e.message, false, wrong?.[0]); });
  step('hints have the recorded addresses');
  await shot('1-addresses');
}

async function editAndSwitch() {
  const e = expect.edit;
  await w.open('edit/passes_dump/31_after_MaterializeTensorStrides.py');
  const addresses = (want) => w.until('addresses', async () => { const l = await w.lines(); return address(l[e.lines.a]) === want.a && address(l[e.lines.b]) === want.b; });
  await addresses(e.before);
  step('addresses before the edit');
  await w.replaceAll('[64, 64]', '[64, 384]');
  await addresses(e.after);
  step('addresses after the edit');
  await w.until('squiggle', async () => (await w.errors()) > 0);
  await w.command('Problems: Focus on Problems View');
  await w.page.locator('.markers-panel', { hasText: e.message }).waitFor();
  step('the overflow is told in the compiler’s words');
  await shot('2-overflow');
  await w.page.keyboard.press('Control+J');
  await w.focusEditor();
  await w.page.keyboard.press('Control+S');
  await w.page.locator('.notification-toast', { hasText: `Since this save: main: Vec ${e.used} / ${e.limit910} B` }).waitFor();
  step('a save that newly overflows notifies');
  await w.command('Notifications: Clear All Notifications');
  await w.command('PyPTO: Switch Platform…');
  await w.pick('Ascend950');
  await w.until('no error on Ascend950', async () => (await w.errors()) === 0);
  step('Ascend950 has room');
  await w.page.locator('#status\\.languageStatus').hover();
  await w.page.locator('.hover-language-status', { hasText: 'Ascend950 · PYPTO' }).filter({ hasText: `Vec ${e.used} / ${e.limit950} B` }).waitFor();
  step('the status item tells platform, planner and usage', true, (await w.page.locator('.hover-language-status').innerText()).replace(/\s+/g, ' '));
  await w.page.mouse.move(600, 400);
  await w.focusEditor();
  await w.command('PyPTO: Switch Platform…');
  await w.pick('Ascend910B');
  await w.until('error on Ascend910B', async () => (await w.errors()) > 0);
  step('Ascend910B has not');
}

async function memoryMap() {
  const e = expect.edit;
  await w.command('PyPTO: Show Memory Map');
  const map = w.mapFrame();
  await map.locator('.tile').first().waitFor();
  const buffers = plan(e.file).functions.reduce((n, f) => n + new Set(f.tiles.filter((t) => t.space !== 'DDR').map((t) => `${t.space} ${t.buffer}`)).size, 0);
  const drawn = await map.locator('body').evaluate((b) => ({
    boxes: b.querySelectorAll('.box').length, labels: [...b.querySelectorAll('.tile text')].map((t) => t.textContent), limits: b.querySelectorAll('.panel line.limit').length,
    spill: b.querySelectorAll('.spill').length, head: b.querySelector('.head').innerText.replace(/\s+/g, ' '),
  }));
  step('the map has the plan’s buffers', drawn.boxes === buffers && buffers === 2, { drawn, buffers });
  step('labels, limit line and overflow are drawn', drawn.labels.includes('a') && drawn.labels.includes('b') && drawn.limits === 1 && drawn.spill >= 1 && drawn.head.includes(`${e.used} / ${e.limit910} B`), drawn);
  await shot('3-map');
  await map.locator(`.tile[data-line="${e.lines.b}"]`).first().click();
  await w.until('click goes to the line', async () => (await w.cursor()).startsWith(`Ln ${e.lines.b},`));
  step('a click goes to the source');
  await w.page.keyboard.press('ArrowUp');
  await map.locator(`.tile.at[data-line="${e.lines.a}"]`).waitFor();
  step('the cursor’s line is marked in the map');
  await w.page.keyboard.press('Control+Z');
  await w.until('the map follows the edit', async () => (await map.locator('.spill').count()) === 0 && (await map.locator('.head').first().innerText()).includes('32,768'));
  step('the map follows an edit');
  await map.locator('[data-do=compare]').click();
  await w.until('two plans', async () => (await map.locator('.plan').allInnerTexts()).length === 2);
  step('two planners side by side', true, await map.locator('.plan').allInnerTexts());
  await map.locator('[data-do=compare]').click();
  await w.focusEditor();
  await w.open('ring/passes_dump/31_after_MaterializeTensorStrides.py');
  await w.until('the map follows the editor', async () => (await map.locator('select option').count()) === expect.ring.functions.length);
  await w.goTo(expect.ring.tiles.at(-1).line, 9);
  await map.locator(`.tile.at[data-line="${expect.ring.tiles.at(-1).line}"]`).first().waitFor();
  step('and the function in which the cursor is');
  await vs.page.setViewportSize(large);
  await shot('4-map-1920-dark');
  await w.focusEditor();
  await w.page.keyboard.press('Control+K');
  await w.page.keyboard.press('Control+T');
  await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Light Modern' }).first().waitFor();
  await w.page.keyboard.type('Light Modern');
  await w.page.waitForTimeout(500);
  await w.page.keyboard.press('Enter');
  await map.locator('html[data-theme=light]').waitFor();
  await shot('5-map-1920-light');
  await vs.page.setViewportSize(small);
  await shot('6-map-1280-light');
  step('the map follows the theme');
  await closeAll();
}

// closeAll saves and closes every editor.
async function closeAll() {
  await w.focusEditor();
  await w.command('File: Save All');
  await w.until('saved', async () => (await w.page.locator('.tab.dirty').count()) === 0);
  await w.command('View: Close All Editors');
  await w.until('editors closed', async () => (await w.page.locator('.tab').count()) === 0);
}

async function irAfter() {
  await w.open('edit/passes_dump/31_after_MaterializeTensorStrides.py');
  await w.command('PyPTO: Show IR After Pass…');
  await w.pick('InitMemRef');
  await w.page.locator('.tab', { hasText: '31_after_MaterializeTensorStrides.InitMemRef.pypto.py' }).waitFor();
  const want = run('ir', '--after', 'InitMemRef', expect.edit.file).split('\n');
  await w.until('the IR', async () => {
    const shown = Object.entries(await w.lines(1)).map(([n, t]) => [n, t]);
    return shown.length >= 5 && shown.every(([n, t]) => want[n - 1]?.startsWith(t.trimEnd().slice(0, 60)));
  }).catch(async (e) => step(e.message, false, { want: want.slice(0, 9), got: await w.lines(1) }));
  step('IR after a pass equals the command line');
  await shot('7-ir-after');
  await closeAll();
}

async function task() {
  const problems = async () => +(/\d+/.exec(await w.page.locator('#status\\.problems').innerText()) ?? [0])[0];
  const before = await problems(); // what the server says of the workspace by itself
  await w.command('Tasks: Run Build Task'); // the workspace's tasks.json makes the check its build task
  await w.until('errors of the task', async () => (await problems()) > before);
  await w.command('Problems: Focus on Problems View');
  await w.page.locator('.markers-panel', { hasText: expect.overflow.message.slice(0, 70) }).waitFor();
  step('the task lists the findings of files that are not open');
  await shot('9-task');
  await w.page.keyboard.press('Control+J');
}

async function quickFix() {
  await w.open('overflow/passes_dump/31_after_MaterializeTensorStrides.py');
  await w.until('squiggle', async () => (await w.errors()) > 0);
  const text = fs.readFileSync(expect.overflow.file, 'utf8').split('\n');
  const line = text.findIndex((l) => l.includes(`def ${expect.overflow.fn}(`)) + 1;
  await w.goTo(line, text[line - 1].indexOf(expect.overflow.fn) + 2);
  await w.editor().locator('.lightBulbWidget, [class*="codicon-gutter-lightbulb"]').first().waitFor();
  const widget = w.page.locator('.action-widget', { hasText: 'slot_num' }).first();
  await w.until('the menu of fixes', async () => {
    await w.page.keyboard.press('Control+.');
    return widget.waitFor({ timeout: 8000 }).then(() => true, () => false);
  });
  const menu = (await w.page.locator('.action-widget').first().innerText()).split('\n').filter(Boolean);
  await shot('8-fix-menu');
  await w.page.keyboard.press('Enter');
  await w.until('no error', async () => (await w.errors()) === 0);
  step('the ring fix by keyboard', true, menu);
  await w.page.keyboard.press('Control+S');
  await w.until('saved', () => fs.readFileSync(expect.overflow.file, 'utf8') !== text.join('\n'));
  const out = run('check', expect.overflow.file);
  step('and the saved file is clean on the command line', !out.includes('exceeds platform limit'), out);
}

async function ordinary() {
  await w.open('edit/ordinary.py');
  await w.page.locator('#status\\.editor\\.mode', { hasText: 'Python' }).waitFor();
  await w.page.waitForTimeout(800);
  const l = Object.values(await w.lines()).join('\n');
  step('ordinary Python is left alone', !/0x|▸/.test(l) && (await w.errors()) === 0, l);
}
