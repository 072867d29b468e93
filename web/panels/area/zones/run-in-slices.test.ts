import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tracePatches } from '../../../../src/numbers/trace-patches.ts';
import { runInSlices } from './run-in-slices.ts';

test('work on a large map pauses, and gives the same result', async () => {
  const [width, height] = [600, 500];
  const classes = new Uint8Array(width * height).map((_, i) => 1 + (Math.floor(i / 7) % 3));
  let pauses = 0;
  const patches = await runInSlices(tracePatches({ width, height, classes }), async () => {
    pauses++;
  });
  assert.ok(pauses >= 6, `${pauses} pauses`);
  assert.equal(
    patches.reduce((sum, { pixels }) => sum + pixels, 0),
    width * height,
  );
});
