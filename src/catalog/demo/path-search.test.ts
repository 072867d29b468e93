import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadCost } from './path-search.ts';

const closed = Number.POSITIVE_INFINITY;

test('the way leads around a wall and costs its length', () => {
  // 5 x 3 cells, a wall in the middle column with a gap at the bottom.
  const stepCost = Float64Array.of(...[1, 1, closed, 1, 1, 1, 1, closed, 1, 1, 1, 1, 1, 1, 1]);
  const { cost, previous } = spreadCost({ cols: 5, rows: 3, stepCost }, [0], { directions: 8 });
  assert.ok(Math.abs(cost[4]! - 4 * Math.SQRT2) < 1e-12);
  const way: number[] = [];
  for (let cell = 4; cell !== -1; cell = previous[cell]!) way.push(cell);
  assert.deepEqual(way, [4, 8, 12, 6, 0]);
  assert.equal(cost[2], closed);
});

test('knight moves make a way between the eight directions as cheap as it is long', () => {
  const grid = { cols: 9, rows: 5, stepCost: new Float64Array(45).fill(1) };
  const { cost } = spreadCost(grid, [0]);
  assert.ok(Math.abs(cost[44]! - Math.sqrt(80)) < 1e-12);
  assert.ok(spreadCost(grid, [0], { directions: 8 }).cost[44]! > Math.sqrt(80) + 0.5);
});

test('the search stops at its target and starts from the nearest source', () => {
  const grid = { cols: 50, rows: 1, stepCost: new Float64Array(50).fill(2) };
  const { cost } = spreadCost(grid, [0, 20], { target: 24, directions: 8 });
  assert.equal(cost[24], 8);
  assert.equal(cost[40], closed);
});
