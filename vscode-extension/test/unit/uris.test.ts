import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeKernel } from '../../src/kernels';
import { abilities } from '../../src/abilities';
import { irParts, kindOf, passOf, tableParts } from '../../src/uris';

test('the IR document has a readable name, ends as pypto-ir files do and leads back to its source', () => {
  const p = irParts('file:///w/passes_dump/31_after_X.py', '/w/passes_dump/31_after_X.py', 'InitMemRef');
  assert.deepEqual(p, { scheme: 'pypto-ir', path: '/after/InitMemRef/31_after_X.InitMemRef.pypto.py', query: 'file:///w/passes_dump/31_after_X.py' });
  assert.equal(passOf(p.path), 'InitMemRef');
  assert.equal(irParts('u', '/w/k.pypto.py', 'P').path, '/after/P/k.P.pypto.py');
});

test('tables', () => {
  const p = tableParts('file:///w/k.pypto.py', '/w/k.pypto.py', 'compare');
  assert.equal(p.path, '/compare/k.planners.txt');
  assert.equal(kindOf(p.path), 'compare');
});

test('ordinary Python is left alone', () => {
  assert.equal(looksLikeKernel('import os\nprint("pypto")\n'), false);
  assert.equal(looksLikeKernel('x = 1\nimport pypto.language as pl\n'), true);
  assert.equal(looksLikeKernel('from pypto import language as pl\n'), true);
  assert.equal(looksLikeKernel('# pypto.program: Ring1\n'), true);
  assert.equal(looksLikeKernel('import pyptography\n'), false);
});

test('menus are filled from what the server says', () => {
  assert.deepEqual(abilities({ pypto: { platforms: ['X'] } }).platforms, ['X']);
  assert.deepEqual(abilities(undefined).planners, ['PYPTO', 'DSA_RP', 'PTOAS']);
});
