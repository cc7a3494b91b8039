import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords, newly, overflows } from '../../src/overflow';
import type { PlannedFunction } from '../../src/protocol';

const fn = (name: string, used: number, limit = 188416): PlannedFunction => ({ name, firstLine: 5, lastLine: 9, spaces: [{ name: 'Vec', used, limit, boxes: [] }] });

test('only what is over the limit, and an unknown limit is never exceeded', () => {
  assert.deepEqual([...overflows([fn('a', 188416), fn('b', 188417), fn('c', 1e9, 0)]).keys()], ['b Vec']);
});

test('only what is new is told', () => {
  const before = overflows([fn('a', 200000)]), now = overflows([fn('a', 210000), fn('b', 196608)]);
  const found = newly(before, now);
  assert.deepEqual(found.map((o) => o.fn), ['b']);
  // 196608 - 188416 = 8192
  assert.equal(inWords(found), 'Since this save: b: Vec 196,608 / 188,416 B, 8,192 B over the limit');
  assert.deepEqual(newly(now, now), []);
});

test('many are counted', () => {
  assert.match(inWords([...overflows(['a', 'b', 'c', 'd'].map((n) => fn(n, 200000))).values()]), /; b: .*, and 2 more$/);
});
