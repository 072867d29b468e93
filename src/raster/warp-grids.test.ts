import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import { tileAt, tileGrid } from '../geo/index.ts';
import { makeProjection } from '../proj/index.ts';
import { planWarp } from './plan-warp.ts';
import { findGrid, listGrids, packGrids, unlistGrids, unpackGrids } from './warp-grids.ts';

const source = {
  epsg: 32636,
  transform: [600000, 10, 0, 5400000, 0, -10] as const,
  width: 10980,
  height: 10980,
  overviews: [],
};
const [x, y] = makeProjection(32636, 3857).forward(654900, 5345100);
const planOn = (target: Grid) => planWarp({ target, source, method: 'near' });

test('the grid of a plan is posted to another thread with it', () => {
  const plan = planOn(tileGrid(tileAt(13, x, y)));
  const posted = structuredClone({ plan, inputs: [plan], grids: packGrids([plan, null]) });
  assert.ok(posted.plan);
  assert.equal(findGrid(posted.plan), undefined);
  unpackGrids(posted.grids);
  assert.deepEqual(findGrid(posted.inputs[0]!), findGrid(plan!));
  assert.equal(findGrid(plan!)?.cellCount, 1);
});

test('the grids of plans that are sent as text come in their order', () => {
  const plan = planOn(tileGrid(tileAt(13, x, y)));
  assert.ok(plan);
  const other = { ...plan };
  const posted = structuredClone({ text: JSON.stringify([other, plan]), grids: listGrids([other, plan]) });
  const [first, second] = JSON.parse(posted.text);
  unlistGrids([first, second], posted.grids);
  assert.equal(findGrid(first), undefined);
  assert.deepEqual(findGrid(second), findGrid(plan));
});

test('a grid of many cells is not cached', () => {
  const [west, north] = makeProjection(32636, 4326).forward(610_000, 5_395_000);
  const large: Grid = {
    epsg: 4326,
    transform: [west, 2e-4, 0, north, 0, -2e-4],
    width: 4_096,
    height: 4_096,
  };
  const plan = planOn(large);
  assert.ok(plan);
  assert.equal(packGrids([plan]).size, 0);
});
