// What newly overflows between two plans.
import type { PlannedFunction, Space } from './protocol';

export interface Overflow { fn: string; line: number; space: Space }

export function overflows(functions: PlannedFunction[]): Map<string, Overflow> {
  const out = new Map<string, Overflow>();
  for (const f of functions) {
    for (const space of f.spaces) {
      if (space.limit > 0 && space.used > space.limit) out.set(`${f.name} ${space.name}`, { fn: f.name, line: f.firstLine, space });
    }
  }
  return out;
}

/** newly lists what overflows now and did not before. */
export function newly(before: Map<string, Overflow>, now: Map<string, Overflow>): Overflow[] {
  return [...now].filter(([key]) => !before.has(key)).map(([, o]) => o);
}

const num = (n: number) => n.toLocaleString('en-US');

/** inWords is one notification for all of them. */
export function inWords(found: Overflow[]): string {
  const one = (o: Overflow) => `${o.fn}: ${o.space.name} ${num(o.space.used)} / ${num(o.space.limit)} B, ${num(o.space.used - o.space.limit)} B over the limit`;
  const more = found.length > 2 ? `, and ${found.length - 2} more` : '';
  return 'Since this save: ' + found.slice(0, 2).map(one).join('; ') + more;
}
