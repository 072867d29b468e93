import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBodyBudget } from './bodies.ts';

test('a caller fills its own part of the budget, all together the whole, and both get it back', () => {
  const budget = makeBodyBudget({ maxBytes: 30, maxBytesPerOwner: 20 });
  budget.take('a', 20);
  assert.throws(() => budget.take('a', 1), { tag: 'too-busy', code: 'too-many-bodies' });
  budget.take('b', 10);
  assert.throws(() => budget.take('b', 1), { code: 'too-many-bodies' });
  budget.give('a', 5);
  budget.take('b', 5);
  assert.throws(() => budget.take('c', 1), { code: 'too-many-bodies' });
});
