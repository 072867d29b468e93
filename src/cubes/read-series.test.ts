import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeCubes } from './cubes.ts';
import { readFields } from './read-series.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-read-fields-'));
after(() => rmSync(directory, { recursive: true, force: true }));

test('fields are read back unchanged, across chunks of space and time', async () => {
  const grid = { west: 0, north: 50, lonStep: 1, latStep: 1, width: 11, height: 9 };
  const cubes = makeCubes({ directory, subject: 'weather' });
  assert.equal(await readFields(cubes, 'a', { variable: 'rain', steps: [1] }), null);
  const valueAt = (step: number, cell: number): number => (cell === 3 ? Number.NaN : step + cell / 128);
  const fieldOf = (step: number) =>
    new Float32Array(grid.width * grid.height).map((_, cell) => valueAt(step, cell));
  const steps = [510, 511, 512, 514];
  const writer = await cubes.openWriter('a', { grid, stepHours: 1 });
  const about = { units: 'mm', longName: 'Rain' };
  await writer.write(
    [{ variable: 'rain', about, fields: steps.map((step) => ({ step, values: fieldOf(step) })) }],
    new Map(),
  );
  const read = await readFields(cubes, 'a', { variable: 'rain', steps: [511, 512, 513] });
  assert.deepEqual(read?.slice(0, 2), [fieldOf(511), fieldOf(512)]);
  assert.ok(read?.[2]?.every((value) => Number.isNaN(value)));
  assert.equal(await readFields(cubes, 'a', { variable: 'snow', steps: [511] }), null);
});
