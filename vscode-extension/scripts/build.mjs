// Bundles the extension into dist/ and joins the memory map's script from the repository's memmap/assets.
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const assets = path.join(here, '..', 'memmap', 'assets');

/** The same program as memmap.Script() makes: the parts of scripts.txt in one function. */
export function mapScript() {
  const parts = fs.readFileSync(path.join(assets, 'scripts.txt'), 'utf8').split(/\s+/).filter(Boolean);
  return "(() => {\n'use strict';\n" + parts.map((p) => fs.readFileSync(path.join(assets, p), 'utf8')).join('') + '})();\n';
}

export async function build({ watch = false } = {}) {
  const dist = path.join(here, 'dist');
  fs.rmSync(dist, { recursive: true, force: true });
  fs.mkdirSync(dist, { recursive: true });
  fs.writeFileSync(path.join(dist, 'map.js'), mapScript());
  fs.copyFileSync(path.join(assets, 'map.css'), path.join(dist, 'map.css'));
  const options = {
    absWorkingDir: here, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', bundle: true, platform: 'node', format: 'cjs',
    target: 'node20', external: ['vscode'], minify: !watch, sourcemap: watch, logLevel: 'warning', legalComments: 'eof',
  };
  if (!watch) return esbuild.build(options);
  const ctx = await esbuild.context(options);
  return ctx.watch();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build({ watch: process.argv.includes('--watch') });
