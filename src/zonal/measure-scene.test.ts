import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../blocks/index.ts';
import type { Scene } from '../catalog/index.ts';
import type { ResultPlane } from '../raster/index.ts';
import { beginWork, readChannelStrips, readChannels } from '../render/native/index.ts';
import { makeMeasureTools } from './measure-scene.ts';
import type { Measured } from './statistics-order.ts';
import { makeMeasureHere, planTestScene, toTestArea, writeTestScene } from './testing/statistics-here.ts';

let folder = '';
let measure: ReturnType<typeof makeMeasureHere>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statistics-test-'));
  measure = makeMeasureHere(folder);
});
after(() => rm(folder, { recursive: true, force: true }));

const fine = { width: 20, height: 20, pixelM: 10 };
const coarse = { width: 10, height: 10, pixelM: 20 };

/** Values of reflectance in the first row, 1 elsewhere. */
const inFirstRow = (values: readonly number[]) => (col: number, row: number) =>
  row === 0 && col < values.length ? Math.round((values[col] as number) * 10_000) : 10_000;

test('statistics equal those of NumPy', async () => {
  const values = [0.12, 0.34, 0.45, 0.51, 0.58, 0.6, 0.62, 0.66, 0.71, 0.83];
  const scene = await writeTestScene(
    folder,
    { B04: { ...fine, valueAt: inFirstRow(values) } },
    { viewId: 'S2/31/T/DH/2026/6/2/0' },
  );
  const [found] = await measure({ scene, expressions: ['B04'], area: toTestArea([0, 0, 10, 1]) });
  const expected = {
    count: 10,
    min: 0.12,
    max: 0.83,
    average: 0.542,
    std: 0.190882163,
    variance: 0.036436,
    q1: 0.465,
    median: 0.59,
    q3: 0.65,
    p10: 0.318,
    p90: 0.722,
  };
  for (const [name, value] of Object.entries(expected)) {
    const own = found?.statistics?.[name as keyof typeof expected] ?? Number.NaN;
    assert.ok(Math.abs(own - value) < 1e-7, `${name} is ${own}`);
  }
  assert.deepEqual(summary(found!), [10, 10, 10, null]);
});

/** Ten columns of 20 m, of which each has a class of its own; no data at columns 0 and 1 of 10 m in the upper half. */
const CLASSES = [4, 9, 8, 10, 3, 7, 1, 0, 11, 5];
const toLevel2A = (): Promise<Scene> =>
  writeTestScene(
    folder,
    {
      B04: { ...fine, valueAt: (col, row) => (col < 2 && row < 10 ? 0 : 1_000 + col) },
      B08: { ...fine, valueAt: (col) => 3_000 + col },
      SCL: { ...coarse, valueAt: (col) => CLASSES[col] as number },
    },
    {
      viewId: 'S2L2A/31/T/DH/2026/6/2/0',
      dataset: 'sentinel2l2a',
      cloudMask: { kind: 'classes', band: 'SCL' },
    },
  );

const summary = ({ statistics, areaPx, validPx, cloudPx }: Measured) => [
  // At the edge of the image the area is measured, and not counted.
  ...[statistics?.count ?? 0, Math.round(areaPx), validPx, cloudPx],
];

test('pixels without data are left out, clouds are counted, and masked if the order says so', async () => {
  const scene = await toLevel2A();
  const request = { scene, expressions: ['B04'], area: toTestArea([0, 0, 20, 20]), classified: scene };
  const [plain] = await measure(request);
  // 400 pixels, 20 without data; classes 8 and 9 are 2 columns of 2 x 20 pixels.
  assert.deepEqual(summary(plain!), [380, 400, 380, 80]);
  const [own] = await measure({ ...request, masksClouds: true });
  assert.deepEqual(summary(own!), [300, 400, 380, 80]);
});

/** Columns of classes 0 and 1 have no data: 80 of the 380 pixels. */
const levels = [
  // medium clouds are masked by the scene's own mask
  [1, [220, 400, 300, 80]],
  [2, [220, 400, 300, 80]],
  [3, [100, 400, 300, 200]],
  [4, [180, 400, 300, 120]],
] as const;
for (const [level, expected] of levels) {
  test(`level ${level} with the scene's own mask`, async () => {
    const scene = await toLevel2A();
    const area = toTestArea([0, 0, 20, 20]);
    const [found] = await measure({
      scene,
      expressions: ['B04'],
      area,
      classified: scene,
      level,
      masksClouds: true,
    });
    assert.deepEqual(summary(found!), expected);
  });
}

test('level 1 alone leaves medium clouds in the statistics, and counts them', async () => {
  const scene = await toLevel2A();
  const area = toTestArea([0, 0, 20, 20]);
  const [found] = await measure({ scene, expressions: ['B04'], area, classified: scene, level: 1 });
  assert.deepEqual(summary(found!), [260, 400, 300, 80]);
});

test('Level-1C is masked by the classes of its Level-2A', async () => {
  const classified = await toLevel2A();
  const scene = await writeTestScene(
    folder,
    { B04: { ...fine, valueAt: () => 2_000 } },
    { viewId: 'S2/31/T/DH/2026/6/3/0' },
  );
  const area = toTestArea([0, 0, 20, 20]);
  const [found] = await measure({ scene, expressions: ['B04'], area, classified, level: 4 });
  assert.deepEqual(summary(found!), [200, 400, 320, 120]);
});

test('a finer band is averaged over the pixels of a coarser one, leaving out its gaps', async () => {
  const scene = await writeTestScene(
    folder,
    {
      B08: {
        ...fine,
        valueAt: (col, row) => (col === 0 && row === 0 ? 0 : 1_000 * (1 + (col % 2) + 2 * (row % 2))),
      },
      B11: { ...coarse, valueAt: () => 5_000 },
    },
    { viewId: 'S2/31/T/DH/2026/6/4/0' },
  );
  const expressions = ['B08-B11'];
  const [inner] = await measure({ scene, expressions, area: toTestArea([2, 2, 6, 6]) });
  assert.equal(inner?.statistics?.count, 4);
  // The mean of 0.1, 0.2, 0.3 and 0.4.
  assert.ok(Math.abs((inner?.statistics?.max ?? 0) - (0.25 - 0.5)) < 1e-7);
  const [corner] = await measure({ scene, expressions, area: toTestArea([0, 0, 2, 2]) });
  assert.ok(Math.abs((corner?.statistics?.average ?? 0) - (0.3 - 0.5)) < 1e-7);
});

test('NaN values are not counted', async () => {
  const scene = await writeTestScene(
    folder,
    {
      B04: { ...fine, valueAt: (col) => (col === 1 ? 2_000 : 1_000) },
      B08: { ...fine, valueAt: () => 1_000 },
    },
    { viewId: 'S2/31/T/DH/2026/6/6/0' },
  );
  // 0/0 where both are equal.
  const [found] = await measure({
    scene,
    expressions: ['(B08-B04)/(B08-B04)'],
    area: toTestArea([0, 0, 10, 1]),
  });
  assert.deepEqual(summary(found!), [1, 10, 1, null]);
});

test('an area that extends beyond the image counts pixels that the image does not have', async () => {
  const scene = await toLevel2A();
  const [found] = await measure({ scene, expressions: ['B08'], area: toTestArea([-10, 0, 10, 10]) });
  assert.equal(found?.validPx, 100);
  assert.ok(Math.abs((found?.areaPx ?? 0) - 200) < 0.01, `${found?.areaPx}`);
});

test('an area smaller than a pixel measures the pixels that it touches', async () => {
  const scene = await toLevel2A();
  const [found] = await measure({ scene, expressions: ['B08'], area: toTestArea([4.9, 5.1, 5.2, 5.3]) });
  assert.deepEqual([found?.isTouched, found?.statistics?.count], [true, 2]);
  assert.ok(Math.abs((found?.statistics?.average ?? 0) - 0.30045) < 1e-7);
});

/** More pixels than a strip has, whose number is not a multiple of those that are computed at once. */
const many = { width: 307, height: 251, pixelM: 10 };

/** The values and masks of a plan, computed at once and strip by strip. */
async function computeBoth(scene: Scene, expressions: readonly string[]) {
  const area = toTestArea([1, 1, 306, 250]);
  const pixels = planTestScene({ scene, expressions, area })?.job.groups[0]?.pieces[0]?.pixels;
  assert.ok(pixels);
  const files = { dataDir: folder, folders: [] };
  const tools = makeMeasureTools(makeThreadTools({ files, blocks: makeBlockCache(2 ** 23).handle }));
  const { kernels } = tools;
  const count = pixels.grid.width * pixels.grid.height;
  const copy = ({ valuesAt, maskAt }: ResultPlane, length: number) => ({
    values: [...new Uint32Array(kernels.buffer(), valuesAt, length)],
    mask: [...new Uint8Array(kernels.buffer(), maskAt, length)],
  });
  const { signal } = new AbortController();
  const whole = (await readChannels(pixels, beginWork(tools, signal)))?.map((plane) => copy(plane, count));
  const joined = expressions.map(() => ({ values: [] as number[], mask: [] as number[] }));
  let strips = 0;
  let kept = 0;
  const readWindow: typeof tools.readWindow = async (image, sink, stop) => {
    await tools.readWindow(image, sink, stop);
    if ('wordsAt' in sink && sink.wordsAt !== 0) kept += 1;
  };
  for (const strip of (await readChannelStrips(pixels, beginWork({ ...tools, readWindow }, signal))) ?? []) {
    strips += 1;
    for (const [i, plane] of strip.channels.entries()) {
      const own = copy(plane, strip.count);
      joined[i]?.values.push(...own.values);
      joined[i]?.mask.push(...own.mask);
    }
  }
  return { whole, joined, strips, kept };
}

test('strips of pixels equal those that are computed at once, to the last bit', async () => {
  const noise = (col: number, row: number): number => 1 + ((col * 7_919 + row * 104_729) % 3_001);
  const full = await writeTestScene(folder, {
    B04: { ...many, valueAt: noise },
    B08: { ...many, valueAt: (col, row) => noise(row, col) },
  });
  const expressions = ['NDVI', 'B08 / B04'];
  const words = await computeBoth(full, expressions);
  assert.deepEqual([words.strips, words.kept], [3, 2]);
  assert.deepEqual(words.joined, words.whole);

  const holed = await writeTestScene(
    folder,
    {
      B04: { ...many, valueAt: (col, row) => (col > 200 && row === 120 ? 0 : noise(col, row)) },
      B08: { ...many, valueAt: (col, row) => (row > 240 ? 0 : noise(row, col)) },
    },
    { viewId: 'S2/31/T/DH/2026/6/9/0' },
  );
  const floats = await computeBoth(holed, expressions);
  assert.deepEqual([floats.strips, floats.kept], [3, 0]);
  assert.ok(floats.whole?.[0]?.mask.includes(0));
  assert.deepEqual(floats.joined, floats.whole);
});

test('runs of an area are cut where a strip ends', async () => {
  const scene = await writeTestScene(
    folder,
    { B04: { ...many, valueAt: (col, row) => 1 + row * 200 + col } },
    { viewId: 'S2/31/T/DH/2026/6/10/0' },
  );
  // Runs of whole rows are one run.
  const [whole] = await measure({ scene, expressions: ['B04'], area: toTestArea([0, 0, 307, 251]) });
  const [inner] = await measure({ scene, expressions: ['B04'], area: toTestArea([3, 2, 300, 249]) });
  const ends = (found: Measured | undefined) => [
    found?.validPx,
    found?.statistics?.count,
    Math.round((found?.statistics?.min ?? 0) * 10_000),
    Math.round((found?.statistics?.max ?? 0) * 10_000),
    Math.round((found?.statistics?.average ?? 0) * 10_000),
  ];
  assert.deepEqual(ends(whole), [77_057, 77_057, 1, 50_307, 25_154]);
  assert.deepEqual(ends(inner), [297 * 247, 297 * 247, 404, 49_900, 25_152]);
});
