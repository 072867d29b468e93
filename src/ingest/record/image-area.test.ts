import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockFile } from '../../formats/block-file/index.ts';
import { openBlockFile } from '../../formats/block-file/index.ts';
import { writeCogBytes } from '../../formats/cog/testing/write-cog.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import { makeMemorySource } from '../../formats/testing/memory-source.ts';
import type { Affine } from '../../geo/index.ts';
import { readMeasuredArea, toExtent } from './image-area.ts';

const TRANSFORM: Affine = [1000, 10, 0, 9000, 0, -10];

async function makeFile(size: number, isMeasured: (x: number, y: number) => boolean): Promise<BlockFile> {
  const pixels = new Uint16Array(size * size).map((_, i) =>
    isMeasured(i % size, Math.floor(i / size)) ? 9 : 0,
  );
  const bytes = await writeCogBytes(
    {
      width: size,
      height: size,
      bandCount: 1,
      type: 'uint16',
      epsg: 32631,
      transform: TRANSFORM,
      nodata: 0,
      compression: 'deflate',
      predictor: 1,
      blockSize: 64,
      overviewMethod: 'nearest',
    },
    [pixels],
  );
  return openBlockFile(makeMemorySource(bytes), { jp2Decoder: makeJp2Decoder() });
}

const read = (file: BlockFile) => readMeasuredArea(file, { bandIndex: 0, nodata: 0, transform: TRANSFORM });

test('the outline of a tilted frame lies within a pixel of it, and its share is counted', async () => {
  // A diamond that touches the middles of the four sides.
  const file = await makeFile(100, (x, y) => Math.abs(x + 0.5 - 50) + Math.abs(y + 0.5 - 50) <= 50);
  const area = await read(file);
  assert.ok(Math.abs((area?.coveragePercent ?? 0) - 50) < 1.5, `${area?.coveragePercent}`);
  const outline = area?.outline ?? [];
  assert.ok(outline.length >= 4);
  for (const [x, y] of outline) {
    const [column, row] = [(x - 1000) / 10, (9000 - y) / 10];
    const off = Math.abs(Math.abs(column - 50) + Math.abs(row - 50) - 50);
    assert.ok(off <= 2, `${column} ${row}`);
  }
});

test('an overview is read if there is one', async () => {
  const file = await makeFile(1100, (x) => x >= 550);
  const levels: number[] = [];
  const area = await read({
    ...file,
    readBlock(level, position, signal) {
      levels.push(level);
      return file.readBlock(level, position, signal);
    },
  });
  assert.deepEqual([...new Set(levels)], [1]);
  assert.equal(area?.coveragePercent, 50);
  assert.deepEqual(
    [...(area?.outline ?? [])].map(([x]) => x).toSorted((a, b) => a - b),
    [6500, 6500, 12_000, 12_000],
  );
});

test('an empty image and scattered pixels have no outline', async () => {
  assert.deepEqual(await read(await makeFile(32, () => false)), { outline: null, coveragePercent: 0 });
  const scattered = await read(await makeFile(32, (x, y) => x % 8 === 0 && y % 8 === 0));
  assert.equal(scattered?.outline, null);
});

test('a large image without overviews is not read', async () => {
  const file = await makeFile(32, () => true);
  const [main] = file.levels;
  const large: BlockFile = { ...file, levels: [{ ...main, width: 10_000, height: 10_000 }] };
  assert.equal(await read(large), null);
});

test('the extent of a grid is projected once, whatever lies on it; another grid or system has its own', () => {
  const asset = { href: 'a.tif', band: 1, epsg: 32631, width: 100, height: 100, transform: TRANSFORM };
  const at = (changes: object) => toExtent({ ...asset, ...changes } as never);
  assert.equal(at({}), at({ href: 'b.tif', transform: [...TRANSFORM] }));
  for (const changes of [
    { epsg: 32632 },
    { width: 101 },
    { height: 101 },
    { transform: [1000, 20, 0, 9000, 0, -20] },
  ])
    assert.notDeepEqual(at(changes), at({}));
});
