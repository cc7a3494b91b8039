// The memory map in Chromium: pages written by `pypto-ls map`, and made ones for what the dumps do not have.
// env: SERVER, WS, OUT. Exit code 0 = all held; JSON on stdout.
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contrast, overlaps } from './look.mjs';
import { plan, run } from './server.mjs';

const { WS, OUT } = process.env;
const assets = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../memmap/assets');
const expect = JSON.parse(fs.readFileSync(path.join(WS, 'expect.json'), 'utf8'));
const T0 = Date.now(), res = { ok: false, steps: [] };
const step = (name, ok = true, value = undefined) => {
  res.steps.push({ name, ok: !!ok, t: +((Date.now() - T0) / 1000).toFixed(1), value });
  if (!ok) throw new Error(`step failed: ${name}`);
};

const written = (name) => {
  const out = path.join(OUT, `map-${name}.html`);
  run('map', expect[name].file, '-o', out);
  return out;
};
// made puts a model into the page that the command line writes, whose script and style the policy admits by hash.
const made = (name, page, template) => {
  const model = JSON.stringify(page).replaceAll('<', '\\u003c');
  const out = path.join(OUT, `map-${name}.html`);
  fs.writeFileSync(out, fs.readFileSync(template, 'utf8').replace(/(<script type="application\/json" id="model">)[\s\S]*?(<\/script>)/, (_, a, b) => a + model + b));
  return out;
};
// big is a model of 125 buffers of 4 tiles each.
const big = (version) => ({ title: 'big', version, plans: [{ planner: 'PYPTO', platform: 'Ascend910B', functions: [{ name: 'f', kind: 'AIV', firstLine: 1, lastLine: 500, spaces: [{
  name: 'Vec', used: 180000, limit: 188416, peakLine: 50, boxes: Array.from({ length: 125 }, (_, i) => ({
    buffer: `mem_vec_${i}`, address: i * 1400, size: 1400, firstLine: 10 + (i % 90), lastLine: 470, firstStmt: 1, lastStmt: 400, reasons: ['a', 'b'],
    tiles: Array.from({ length: 4 }, (_, j) => ({ name: `t${i}_${j}__ssa_v${version}`, line: 10 + j * 100 + (i % 90), size: 1400, live: [10 + j * 100 + (i % 90), 60 + j * 100 + (i % 90)], type: '[64, 64] FP32' })),
  })) }] }] }] });

let browser;
try {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  const pages = { ring: written('ring'), overflow: written('overflow'), edit: written('edit') };
  await structure(pages);
  await looks(pages);
  await keyboard(pages.ring);
  await mouse(pages.overflow);
  await liveAndOdd(pages.edit);
  res.ok = true;
} catch (e) {
  res.error = String(e.stack || e);
} finally {
  if (browser) await browser.close();
}
console.log(JSON.stringify(res));
process.exit(res.ok ? 0 : 1);

async function view(file, { width = 1280, height = 800, scheme = 'light' } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  page.complaints = [];
  page.on('console', (m) => { if (m.type() === 'error') page.complaints.push(m.text()); });
  page.on('pageerror', (e) => page.complaints.push(e.message));
  page.on('request', (r) => { if (!r.url().startsWith('file:')) page.complaints.push(`asked for ${r.url()}`); });
  await page.goto(pathToFileURL(file).href);
  await page.locator('.tile').first().waitFor();
  return page;
}
async function select(page, fn) {
  await page.evaluate((name) => window.postMessage({ type: 'function', name }, '*'), fn);
  await page.waitForFunction((name) => document.querySelectorAll('select option').length < 2 || document.querySelector('select').value.startsWith(`${name}:`), fn);
}

async function structure(pages) {
  for (const [name, file] of Object.entries(pages)) {
    const page = await view(file);
    for (const f of plan(expect[name].file).functions) {
      const placed = f.tiles.filter((t) => t.space !== 'DDR' && t.buffer && (t.address ?? -1) >= 0);
      if (!placed.length) continue;
      await select(page, f.name);
      const drawn = await page.evaluate(() => ({
        boxes: document.querySelectorAll('.box').length, limits: document.querySelectorAll('.panel line.limit').length, panels: document.querySelectorAll('.panel').length,
        tiles: [...document.querySelectorAll('.tile')].map((t) => t.getAttribute('aria-label')), hatched: document.querySelectorAll('.hatch').length, spill: document.querySelectorAll('.spill').length,
      }));
      const buffers = new Set(placed.map((t) => `${t.space} ${t.buffer}`)).size;
      const missing = placed.filter((t) => !drawn.tiles.some((l) => l.startsWith(`${t.name}, ${t.space}, 0x${t.address.toString(16).toUpperCase()} to `)));
      step(`${name} ${f.name}: ${buffers} buffers, ${placed.length} tiles at their addresses`, drawn.boxes === buffers && !missing.length, { drawn, missing: missing.slice(0, 3) });
      const bounded = f.spaces.filter((s) => s.space !== 'DDR' && s.limit > 0).length;
      step(`${name} ${f.name}: a limit line a space`, drawn.limits === drawn.panels && drawn.panels >= 1 && drawn.panels <= bounded, { ...drawn, tiles: undefined, bounded });
      if (f.spaces.some((s) => s.limit > 0 && s.used > s.limit)) step(`${name} ${f.name}: the part beyond the limit is marked`, drawn.spill > 0);
      if (f.spaces.some((s) => (Array.isArray(s.reserved) ? s.reserved.length : s.reserved) > 0)) step(`${name} ${f.name}: the ring is hatched`, drawn.hatched > 0);
    }
    step(`${name}: no complaint, nothing asked of the network`, !page.complaints.length, page.complaints);
    await page.close();
  }
}

async function looks(pages) {
  for (const [name, file] of Object.entries(pages)) {
    for (const [width, height] of [[1280, 800], [1920, 1080]]) {
      for (const scheme of ['light', 'dark']) {
        const page = await view(file, { width, height, scheme });
        const bad = await page.evaluate(overlaps);
        const pale = await page.evaluate(contrast);
        await page.screenshot({ path: path.join(OUT, `map-${name}-${width}-${scheme}.png`) });
        step(`${name} ${width}×${height} ${scheme}: no label overlaps or leaves its tile`, !bad.length, bad.slice(0, 4));
        step(`${name} ${width}×${height} ${scheme}: labels have contrast`, pale.least >= 4.5, pale);
        await page.close();
      }
    }
  }
}

async function keyboard(file) {
  const page = await view(file);
  for (let i = 0; i < 25 && !(await page.evaluate(() => document.activeElement.classList.contains('tile'))); i++) await page.keyboard.press('Tab');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  const first = await focused();
  step('Tab reaches the tiles', /, 0x/.test(first), first);
  step('focus shows what is known', await page.locator('.tip').isVisible() && (await page.locator('.tip').innerText()).includes('buffer'));
  const walked = new Set([first]);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowRight']) { await page.keyboard.press(key); walked.add(await focused()); }
  step('arrows walk from tile to tile', walked.size >= 3, [...walked]);
  await page.keyboard.press('Enter');
  const line = await page.evaluate(() => +document.activeElement.dataset.line);
  step('Enter goes to the line', (await page.evaluate(() => location.hash)) === `#L${line}` && (await page.locator('.cursor').isVisible()), line);
  const width = () => page.locator('.tile').first().evaluate((t) => t.getBoundingClientRect().width);
  const before = await width();
  await page.keyboard.press('+');
  step('+ zooms in', (await width()) > before);
  await page.keyboard.press('0');
  step('0 brings all into view', Math.abs((await width()) - before) < 1);
  const panels = await page.locator('.panel').count();
  await page.locator('.chip').first().click();
  step('a space is switched off', (await page.locator('.panel').count()) === panels - 1);
  await page.close();
}

async function mouse(file) {
  const page = await view(file);
  const last = page.locator('.tile').last();
  const at = () => last.evaluate((t) => { const r = t.getBoundingClientRect(); return { x: r.left, y: r.top, width: r.width }; });
  const before = await at();
  await page.mouse.move(before.x + 1, before.y + 1);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await page.waitForFunction((w) => [...document.querySelectorAll('.tile')].at(-1).getBoundingClientRect().width > 2 * w, before.width);
  const near = await at();
  step('Ctrl and the wheel zoom in on what is under the pointer', Math.abs(near.x - before.x) < 8 && Math.abs(near.y - before.y) < 40, { before, near });
  await page.mouse.down();
  await page.mouse.move(near.x - 90, near.y - 30, { steps: 4 });
  await page.mouse.up();
  const panned = await at();
  step('dragging pans', Math.abs(near.x - panned.x - 90) < 8 && near.y - panned.y > 10, { near, panned });
  step('and is no click', (await page.evaluate(() => location.hash)) === '');
  await last.click();
  step('a click goes to the line', /^#L\d+$/.test(await page.evaluate(() => location.hash)));
  await page.close();
}

async function liveAndOdd(template) {
  const page = await view(made('big', big(0), template));
  const times = [];
  for (let i = 1; i <= 15; i++) {
    times.push(await page.evaluate(async (model) => {
      const t = performance.now();
      window.postMessage({ type: 'model', page: model }, '*');
      await new Promise((r) => setTimeout(r, 0));
      void document.body.offsetHeight; // with layout
      await new Promise((r) => requestAnimationFrame(() => setTimeout(r, 0))); // and a frame
      return performance.now() - t;
    }, big(i)));
  }
  times.sort((a, b) => a - b);
  step(`500 tiles are drawn anew: median ${times[7].toFixed(0)} ms, worst ${times[14].toFixed(0)} ms`, (await page.locator('.tile').count()) === 500 && (await page.locator('.tile[aria-label^="t0_0__ssa_v15,"]').count()) === 1, times);
  await page.evaluate(() => window.postMessage({ type: 'cursor', line: 12 }, '*'));
  await page.locator('.tile.at[data-line="12"]').first().waitFor();
  step('the cursor’s line is marked');
  const two = big(20), moved = structuredClone(two.plans[0].functions[0]);
  two.plans[0].functions.push({ ...two.plans[0].functions[0], name: 'g', firstLine: 600, lastLine: 900 });
  Object.assign(moved, { firstLine: 4, lastLine: 503 });
  moved.spaces[0].boxes = moved.spaces[0].boxes.slice(0, 10);
  await page.evaluate(([model, fn]) => { window.postMessage({ type: 'model', page: model }, '*'); window.postMessage({ type: 'patch', version: 21, functions: [fn] }, '*'); }, [two, moved]);
  await page.waitForFunction(() => document.querySelectorAll('.box').length === 10);
  step('a patch replaces the shown function alone', (await page.locator('select option').count()) === 2 && (await page.locator('select').inputValue()) === 'f:4');
  await page.close();
  const loose = big(0);
  loose.plans[0].planner = 'PTOAS';
  for (const b of loose.plans[0].functions[0].spaces[0].boxes) b.address = -1;
  const odd = await view(made('ptoas', loose, template));
  step('without addresses: no axis, no limit line', (await odd.locator('.axis text').count()) === 0 && (await odd.locator('.panel line.limit').count()) === 0 && (await odd.locator('.pct').innerText()).startsWith('sizes'));
  await odd.evaluate(() => window.postMessage({ type: 'model', page: { title: 'none', plans: [] } }, '*'));
  step('an empty plan says so', (await odd.locator('.empty').innerText()).length > 10);
  await odd.evaluate(() => window.postMessage({ type: 'model', page: { title: '<img src=x onerror=1>', plans: [{ planner: '<b>', platform: 'p', functions: [{ name: '"><i>', firstLine: 1, lastLine: 3, spaces: [{ name: 'Vec', used: 64, limit: 128, boxes: [{ buffer: '<u>', address: 0, size: 64, firstLine: 1, lastLine: 2, firstStmt: 0, lastStmt: 1, tiles: [{ name: '<s>&', line: 1, size: 64, live: [1, 2] }] }] }] }] }] } }, '*'));
  await odd.locator('.tile').first().waitFor();
  step('names are never markup', (await odd.evaluate(() => document.querySelectorAll('#map :is(img, s, u)').length)) === 0 && (await odd.locator('.tile').getAttribute('aria-label')).startsWith('<s>&, Vec'));
  step('no complaint', !odd.complaints.length, odd.complaints);
  await odd.close();
}
