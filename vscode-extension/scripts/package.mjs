// usage: node scripts/package.mjs [all|host|TARGET|universal]...
// Builds .vsix files: one a target with the server in it, and a universal one without. Needs Go for the targets.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const here = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const repo = path.join(here, '..');
const TARGETS = {
  'linux-x64': ['linux', 'amd64'], 'linux-arm64': ['linux', 'arm64'],
  'darwin-x64': ['darwin', 'amd64'], 'darwin-arm64': ['darwin', 'arm64'],
  'win32-x64': ['windows', 'amd64'], 'win32-arm64': ['windows', 'arm64'],
};
const host = `${process.platform}-${process.arch}`;
const wanted = (process.argv.length > 2 ? process.argv.slice(2) : ['all', 'universal']).flatMap((w) => (w === 'all' ? Object.keys(TARGETS) : w === 'host' ? [host] : [w]));
for (const w of wanted) if (w !== 'universal' && !TARGETS[w]) throw new Error(`no such target: ${w}; there are ${Object.keys(TARGETS).join(', ')}, all, host and universal`);

const { version } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const server = path.join(here, 'server'), out = path.join(here, 'vsix');
fs.mkdirSync(out, { recursive: true });
await build();
const license = fs.existsSync(path.join(repo, 'LICENSE'));
if (license) fs.copyFileSync(path.join(repo, 'LICENSE'), path.join(here, 'LICENSE'));
// PYPTO_LS: a server built before, for the host's target.
const prebuilt = process.env.PYPTO_LS;
for (const target of wanted) {
  fs.rmSync(server, { recursive: true, force: true });
  const args = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '-o', path.join(out, `pypto-ls-${version}-${target}.vsix`)];
  if (!license) args.push('--skip-license');
  if (target !== 'universal') {
    const [GOOS, GOARCH] = TARGETS[target];
    const file = path.join(server, GOOS === 'windows' ? 'pypto-ls.exe' : 'pypto-ls');
    if (prebuilt && target === host) {
      fs.mkdirSync(server);
      fs.copyFileSync(prebuilt, file);
      fs.chmodSync(file, 0o755);
    } else execFileSync('go', ['build', '-trimpath', '-ldflags', `-s -w -X pypto-ls/lsp/cli.Version=${version}`, '-o', file, '.'],
      { cwd: repo, env: { ...process.env, GOOS, GOARCH, CGO_ENABLED: '0' }, stdio: 'inherit' });
    args.push('--target', target);
  }
  execFileSync(process.execPath, [path.join(here, 'node_modules/@vscode/vsce/vsce'), ...args], { cwd: here, stdio: ['ignore', 'inherit', 'inherit'] });
}
fs.rmSync(server, { recursive: true, force: true });
