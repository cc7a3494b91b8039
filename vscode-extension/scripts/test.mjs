// Bundles the unit tests (they import no vscode) and runs them with node's test runner.
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = fs.mkdtempSync(path.join(os.tmpdir(), 'pypto-unit-'));
const tests = fs.readdirSync(path.join(here, 'test/unit')).filter((f) => f.endsWith('.test.ts'));
await esbuild.build({ absWorkingDir: here, entryPoints: tests.map((t) => `test/unit/${t}`), outdir: out, bundle: true, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'], define: { ROOT: JSON.stringify(here) }, logLevel: 'warning' });
const run = spawnSync(process.execPath, ['--test', ...tests.map((t) => path.join(out, t.replace('.ts', '.js')))], { stdio: 'inherit' });
fs.rmSync(out, { recursive: true, force: true });
process.exit(run.status ?? 1);
