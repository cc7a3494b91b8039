import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { candidate, Restarts, tooOld, versionOf, type Surroundings } from '../../src/locate';

const around = (files: string[], more: Partial<Surroundings> = {}): Surroundings => ({
  setting: '', extensionDir: '/ext', trusted: true, platform: 'linux', pathVariable: ['.', 'rel', '/usr/bin', '/opt/bin'].join(path.delimiter), home: '/home/u',
  exists: (f) => files.includes(f), ...more,
});

test('the setting comes first, then the bundled server, then PATH', () => {
  const all = ['/set/pypto-ls', '/ext/server/pypto-ls', '/opt/bin/pypto-ls'];
  assert.deepEqual(candidate(around(all, { setting: '/set/pypto-ls' })), { origin: 'setting', file: '/set/pypto-ls' });
  assert.deepEqual(candidate(around(all)), { origin: 'bundled', file: '/ext/server/pypto-ls' });
  assert.deepEqual(candidate(around(['/opt/bin/pypto-ls'])), { origin: 'PATH', file: '/opt/bin/pypto-ls' });
});

test('a setting that names nothing is said, not passed over', () => {
  const c = candidate(around(['/ext/server/pypto-ls'], { setting: '~/bin/pypto-ls' }));
  assert.ok('problem' in c && c.problem.includes('/home/u/bin/pypto-ls'), JSON.stringify(c));
});

test('relative entries of PATH are never used: a workspace could bring a program of its own', () => {
  assert.ok('problem' in candidate(around(['pypto-ls', 'rel/pypto-ls'])));
});

test('an untrusted workspace runs the bundled server only', () => {
  const files = ['/set/pypto-ls', '/opt/bin/pypto-ls'];
  const none = candidate(around(files, { trusted: false, setting: '/set/pypto-ls' }));
  assert.ok('problem' in none && none.problem.includes('not trusted'));
  assert.deepEqual(candidate(around([...files, '/ext/server/pypto-ls'], { trusted: false, setting: '/set/pypto-ls' })), { origin: 'bundled', file: '/ext/server/pypto-ls' });
});

test('Windows has its own program name', () => {
  assert.deepEqual(candidate(around([path.join('/ext', 'server', 'pypto-ls.exe')], { platform: 'win32' })), { origin: 'bundled', file: path.join('/ext', 'server', 'pypto-ls.exe') });
});

test('versions: both forms, and what is no pypto-ls', () => {
  assert.equal(versionOf('{"version":"0.3.1","lsp":"3.17"}'), '0.3.1');
  assert.equal(versionOf('pypto-ls v0.2.0 (go1.26)\n'), '0.2.0');
  assert.equal(versionOf('rust-analyzer 1.2.3'), undefined);
  assert.equal(versionOf('{"name":"x"}'), undefined);
});

test('tooOld compares numbers, not text, and takes builds without a number', () => {
  assert.equal(tooOld('0.9.0', '0.10.0'), true);
  assert.equal(tooOld('0.10.0', '0.9.9'), false);
  assert.equal(tooOld('v1.0.0', '1.0.0'), false);
  assert.equal(tooOld('dev', '9.9.9'), false);
});

test('restarts: four within three minutes, and again after a quiet while', () => {
  const r = new Restarts(4);
  assert.deepEqual([0, 1, 2, 3].map((t) => r.again(t * 1000)), [true, true, true, true]);
  assert.equal(r.again(5000), false);
  assert.equal(r.again(5000 + 3 * 60_000), true);
  assert.equal(new Restarts(0).again(0), false);
});
