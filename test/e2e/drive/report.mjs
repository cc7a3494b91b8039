// usage: node report.mjs FILE   prints one line a step of a scenario's JSON; exit code 1 unless all held.
import fs from 'node:fs';

let text = '';
try { text = fs.readFileSync(process.argv[2], 'utf8'); } catch { /* told below */ }
const line = text.trim().split('\n').findLast((l) => l.startsWith('{'));
if (!line) {
  console.log(`  no result; the end of the output: ${text.slice(-600) || 'nothing'}`);
  process.exit(1);
}
const r = JSON.parse(line);
for (const s of r.steps) console.log(`  ${s.ok === false ? 'no ' : 'yes'} ${s.name}${s.ok === false ? `: ${JSON.stringify(s.value)?.slice(0, 1500)}` : ''}`);
if (!r.ok) console.log(`  ${r.err ?? r.error ?? ''}`);
process.exit(r.ok && r.steps.length ? 0 : 1);
