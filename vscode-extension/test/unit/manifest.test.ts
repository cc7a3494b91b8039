// The manifest agrees with the code: every command is contributed and registered, the settings are the documented ones.
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

declare const ROOT: string;
const read = (f: string) => fs.readFileSync(path.join(ROOT, f), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('commands contributed = commands registered', () => {
  const registered = [...read('src/commands.ts').matchAll(/\bon\('(\w+)'/g)].map((m) => `pypto.${m[1]}`).sort();
  assert.deepEqual(manifest.contributes.commands.map((c: { command: string }) => c.command).sort(), registered);
});

test('settings that the server reads = settings of docs/protocol-extensions.md', () => {
  const documented = [...read('../docs/protocol-extensions.md').matchAll(/^\| `(pypto-ls\.[\w.]+)` \|/gm)].map((m) => m[1]).filter((n) => n in manifest.contributes.configuration.properties || !/switch|compare|check|placement/.test(n)).sort();
  const client = ['pypto-ls.checkOnSave', 'pypto-ls.server.path', 'pypto-ls.server.extraArgs', 'pypto-ls.server.maxRestarts', 'pypto-ls.trace.server'];
  assert.deepEqual(Object.keys(manifest.contributes.configuration.properties).filter((k) => !client.includes(k)).sort(), documented);
});

test('everything that an untrusted workspace must not set is restricted', () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  for (const k of ['pypto-ls.server.path', 'pypto-ls.server.extraArgs']) assert.ok(restricted.includes(k), k);
});

test('every file that the manifest names is there', () => {
  const files = [manifest.icon, ...JSON.stringify(manifest.contributes).matchAll(/"(\.?\/?(?:media|syntaxes)\/[^"]+|\.\/language-configuration\.json)"/g)].map((m) => (typeof m === 'string' ? m : m[1]));
  assert.ok(files.length > 6);
  for (const f of files) assert.ok(fs.existsSync(path.join(ROOT, f)), f);
});

test('the problem matcher reads a finding, and VS Code knows its severity', () => {
  const { pattern: p } = manifest.contributes.problemMatchers[0];
  assert.equal(new RegExp(p.regexp).exec('a.py:3:5: information: text [capacity-here] in f')?.[p.severity], 'info');
  const { pattern } = manifest.contributes.problemMatchers[0];
  const m = new RegExp(pattern.regexp).exec('passes_dump/31_after_X.py:12:9: error: Vec buffer usage (196608 bytes) exceeds platform limit (188416 bytes) [capacity] in main');
  assert.deepEqual(m && [m[pattern.file], m[pattern.line], m[pattern.column], m[pattern.severity], m[pattern.code], m[pattern.message]],
    ['passes_dump/31_after_X.py', '12', '9', 'error', 'capacity', 'Vec buffer usage (196608 bytes) exceeds platform limit (188416 bytes)']);
});

test('the modifiers of memory spaces are the server’s', () => {
  const names = /TokenModNames {2}= \[\]string\{([^}]*)\}/.exec(read('../analysis/tokens.go'))?.[1].match(/\w+/g) ?? [];
  const standard = ['declaration', 'readonly', 'deprecated', 'defaultLibrary'];
  assert.deepEqual(manifest.contributes.semanticTokenModifiers.map((m: { id: string }) => m.id), names.filter((n) => !standard.includes(n)));
});
