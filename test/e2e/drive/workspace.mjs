// usage: node workspace.mjs DIR
// Makes the workspace that every editor opens, and DIR/expect.json with what must be seen. Expected addresses are
// the recorded ones of test/testdata/corpus, or worked out here by hand.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url)), repo = path.join(here, '../../..');
const dir = path.resolve(process.argv[2]);
const DUMP = 'passes_dump/31_after_MaterializeTensorStrides.py';
const put = (name, text) => { const f = path.join(dir, name); fs.mkdirSync(path.dirname(f), { recursive: true }); fs.writeFileSync(f, text); return f; };

function sections(name) {
  const text = fs.readFileSync(path.join(repo, 'test/testdata/corpus', `${name}.txtar`), 'utf8'), out = {};
  const parts = text.split(/^-- (\S+) --\n/m);
  for (let i = 1; i < parts.length; i += 2) out[parts[i]] = parts[i + 1];
  return out;
}

// placed lists the tiles of a printed dump that have addresses: function, name, space, address, size.
function placed(text) {
  const out = [];
  let fn = '';
  for (const line of text.split('\n')) {
    const def = /^ {4}def (\w+)/.exec(line);
    if (def) fn = def[1];
    const t = /^ +(\w+): pl\.Tile\[.*?pl\.MemRef\((\w+), (?:pl\.const\()?(\d+)(?:, pl\.INT64\))?, (\d+)\), pl\.Mem\.(\w+)/.exec(line);
    if (t) out.push({ function: fn, name: t[1], buffer: t[2], address: +t[3], size: +t[4], space: t[5] });
  }
  return out;
}

// lineOf finds where a tile of a function is assigned in the source dump (1-based), when there is exactly one place.
function lineOf(text, fn, name) {
  let inside = '', found = [];
  text.split('\n').forEach((line, i) => {
    const def = /^ {4}def (\w+)/.exec(line);
    if (def) inside = def[1];
    if (inside === fn && new RegExp(`^ +${name}: pl\\.Tile`).test(line)) found.push(i + 1);
  });
  return found.length === 1 ? found[0] : 0;
}

const ring = sections('ring_0006.Ascend910B.PYPTO');
const ringText = ring['after_MaterializeTensorStrides.py'];
const tiles = placed(ring['after_AllocateMemoryAddr.py']).map((t) => ({ ...t, line: lineOf(ringText, t.function, t.name) })).filter((t) => t.line);
if (tiles.length < 10) throw new Error(`only ${tiles.length} tiles with recorded addresses: the corpus case is not what it was`);

const overflow = sections('mixedk_0006.Ascend910B.PYPTO');
const message = overflow['result.txt'].trim().replace(/^AllocateMemoryAddr: [\w.]+: /, '');

const expect = {
  ring: { file: put(`ring/${DUMP}`, ringText), tiles, functions: [...new Set(tiles.map((t) => t.function))] },
  overflow: { file: put(`overflow/${DUMP}`, overflow['after_MaterializeTensorStrides.py']), message, fn: 'mlp_aiv' },
  other: { file: put(`other/${DUMP}`, overflow['after_MaterializeTensorStrides.py']) }, // the same, for the task
  // a and b are live together. [64, 64] FP32: 64·64·4 = 16384 B each: a at 0x0, b at 0x4000.
  // [64, 384] FP32: 98304 B each: b at 0x18000, 196608 B in all; Vec has 188416 B on Ascend910B, 245760 B on Ascend950.
  edit: {
    file: put(`edit/${DUMP}`, fs.readFileSync(path.join(here, '../fixtures/edit.py'), 'utf8')),
    before: { a: 0x0, b: 0x4000 }, after: { a: 0x0, b: 0x18000 }, lines: { a: 8, b: 9, main: 7 },
    message: 'Vec buffer usage (196608 bytes) exceeds platform limit (188416 bytes)', used: '196,608', limit910: '188,416', limit950: '245,760',
  },
  ordinary: { file: put('edit/ordinary.py', fs.readFileSync(path.join(here, '../fixtures/ordinary.py'), 'utf8')) },
};
put('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks: [{ type: 'pypto-ls', task: 'check', label: 'check', paths: ['other'], problemMatcher: '$pypto-ls', group: { kind: 'build', isDefault: true } }] }));
put('expect.json', JSON.stringify(expect, null, 1));
