// usage: node block.mjs FILE.md LANGUAGE [N]   prints the Nth (from 0) code block of a language: the pages are run as written.
import fs from 'node:fs';
const [file, language, n = '0'] = process.argv.slice(2);
const blocks = [...fs.readFileSync(file, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter((m) => m[1] === language).map((m) => m[2]);
if (!blocks[+n]) { console.error(`${file} has ${blocks.length} blocks of ${language}`); process.exit(1); }
process.stdout.write(blocks[+n]);
