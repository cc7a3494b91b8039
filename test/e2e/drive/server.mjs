// The server's command line, as the scenarios use it.
import { spawnSync } from 'node:child_process';

/** run returns what a command printed. Exit code 1 (findings) is fine; anything else throws with its message. */
export function run(...args) {
  const r = spawnSync(process.env.SERVER, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (r.error || r.status > 1 || r.status === null) throw new Error(`pypto-ls ${args.join(' ')}: exit code ${r.status} ${r.error ?? ''} ${r.stderr}`);
  return r.stdout;
}

/** plan is the placement of a file. */
export const plan = (file) => JSON.parse(run('plan', '--format', 'json', file));
