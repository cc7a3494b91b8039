// Which server to start. Pure decisions; reading the file system and running programs is passed in.
import * as path from 'node:path';

/** Where a server may come from, in the order of preference. */
export type Origin = 'setting' | 'bundled' | 'PATH';
export interface Candidate { origin: Origin; file: string }

export interface Surroundings {
  setting: string; // pypto-ls.server.path
  extensionDir: string;
  trusted: boolean; // the workspace is trusted
  platform: NodeJS.Platform;
  pathVariable: string;
  home: string;
  exists(file: string): boolean;
}

export const program = (platform: NodeJS.Platform) => (platform === 'win32' ? 'pypto-ls.exe' : 'pypto-ls');

/** candidate picks the server to run, or says in words why there is none. */
export function candidate(s: Surroundings): Candidate | { problem: string } {
  const bundled = path.join(s.extensionDir, 'server', program(s.platform));
  if (!s.trusted) {
    if (s.exists(bundled)) return { origin: 'bundled', file: bundled };
    return { problem: 'This build of the extension comes without a server, and in a workspace that is not trusted no other server is run. Trust the workspace, or install the build for this platform.' };
  }
  const wanted = s.setting.trim();
  if (wanted) {
    const file = wanted.startsWith('~/') ? path.join(s.home, wanted.slice(2)) : wanted;
    if (s.exists(file)) return { origin: 'setting', file };
    return { problem: `The setting pypto-ls.server.path names ${file}, and there is no such file.` };
  }
  if (s.exists(bundled)) return { origin: 'bundled', file: bundled };
  for (const dir of s.pathVariable.split(path.delimiter)) {
    if (!path.isAbsolute(dir)) continue; // an entry such as "." would let a workspace bring its own program
    const file = path.join(dir, program(s.platform));
    if (s.exists(file)) return { origin: 'PATH', file };
  }
  return { problem: 'No pypto-ls server was found: none comes with this build of the extension and none is in PATH. Install the extension’s build for this platform, or set pypto-ls.server.path.' };
}

/** The oldest server that speaks what this extension asks for. */
export const OLDEST = '0.1.0';

/** versionOf reads what `pypto-ls version --json` or `--version` printed; undefined when it is no pypto-ls. */
export function versionOf(output: string): string | undefined {
  try {
    const v = JSON.parse(output);
    if (typeof v.version === 'string') return v.version;
  } catch { /* the text form */ }
  return /^pypto-ls\s+v?(\S+)/m.exec(output)?.[1];
}

/** tooOld compares dotted numbers; a version that has none ("dev", a commit) is taken as new. */
export function tooOld(version: string, oldest = OLDEST): boolean {
  const a = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version), b = /^(\d+)\.(\d+)\.(\d+)/.exec(oldest)!;
  if (!a) return false;
  for (let i = 1; i <= 3; i++) if (+a[i] !== +b[i]) return +a[i] < +b[i];
  return false;
}

/** Restarts counts the server's deaths and says when to stop starting it again. */
export class Restarts {
  private deaths: number[] = [];
  constructor(private readonly max: number, private readonly windowMs = 3 * 60_000) {}
  /** again records a death at `now` (ms) and tells whether the server is to be started once more. */
  again(now: number): boolean {
    this.deaths = this.deaths.filter((t) => now - t < this.windowMs);
    this.deaths.push(now);
    return this.deaths.length <= this.max;
  }
}
