import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGroundHeights } from './ground-heights.ts';

function makeGround(changes: { readonly fails?: boolean } = {}) {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const failures: unknown[] = [];
  const heights = makeGroundHeights({
    async readElevation({ lon, lat }) {
      asked.push(`${lon} ${lat}`);
      if (changes.fails) throw new Error('broken');
      return lat > 60 ? null : 100 + lon;
    },
    async readGrid({ grid }) {
      const { width, height } = grid;
      return new Float32Array(width * height).map((_, i) => (i < width ? Number.NaN : 7));
    },
    timeoutMs: 1_000,
    nowMs: () => clock.ms,
    onFailure: (error) => failures.push(error),
  });
  return { heights, clock, asked, failures };
}

test('heights are remembered for ten minutes, unknown ones too', async () => {
  const { heights, clock, asked } = makeGround();
  assert.deepEqual(
    [await heights.at(20, 50), await heights.at(20, 50), await heights.at(20, 70)],
    [120, 120, null],
  );
  await heights.at(20, 70);
  assert.equal(asked.length, 2);
  clock.ms = 600_001;
  await heights.at(20, 50);
  assert.equal(asked.length, 3);
});

test('a mean uses only known heights', async () => {
  const { heights } = makeGround();
  assert.equal(await heights.meanOf({ minX: 20, minY: 50, maxX: 20.25, maxY: 50.25 }), 7);
});

test('a model that cannot be read is reported, and queried again', async () => {
  const { heights, asked, failures } = makeGround({ fails: true });
  assert.equal(await heights.at(20, 50), null);
  assert.equal(await heights.at(20, 50), null);
  assert.deepEqual([asked.length, failures.length], [2, 2]);
});
