import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import { readBand } from '../../../src/formats/tiff/testing/read-band.ts';
import { openTiff } from '../../../src/formats/tiff/tiff-reader.ts';
import { isPointInArea } from '../../../src/geo/index.ts';
import type { TestFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder } from '../../../src/ingest/folder/testing/make-folder.ts';
import { ingestFolder } from '../../../src/ingest/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { expose } from '../../light/index.ts';
import { frame } from '../../setting.ts';
import { makeFakeWorld } from '../../testing/fake-world.ts';
import { makeSurveyCache } from '../product-deps.ts';
import type { ModisPlan } from './write-modis.ts';
import { writeModis } from './write-modis.ts';

const world = makeFakeWorld();
const window = { x: 20_000, y: 50_000, widthM: 30_000, heightM: 30_000 };
const [maxX, maxY] = [window.x + window.widthM, window.y + window.heightM];
const plan: ModisPlan = { atMs: Date.parse('2025-07-23T19:00:00Z'), window, seed: 3 };
const id = 'MCD43A4.A2025204.h09v04.006.2025213094223';
const viewId = 'MODIS/09/04/2025204/2025213094223';
const names = [1, 2, 3, 4, 5, 6, 7].map((number) => `B0${number}`);

let folder: TestFolder;
before(async () => {
  folder = await makeTestFolder();
  await writeModis(plan, { world, directory: folder.root });
});
after(() => folder.remove());

const pathOf = (root: string, name: string) => join(root, 'MCD43A4.006/09/04/2025204', `${id}_${name}.TIF`);

async function readImage(name: string) {
  const tiff = await openTiff(makeMemorySource(await readFile(pathOf(folder.root, name))));
  const [image] = tiff.images;
  return { ...image, tiff, pixels: await readBand(tiff, image, 0) };
}

/** Middle of a pixel in local metres, by the formula of the sinusoidal projection: x = R λ cos φ, y = R φ. */
function toPoint(transform: readonly number[], column: number, row: number): [x: number, y: number] {
  const radiusM = 6_371_007.181;
  const [west = 0, pixelM = 0, , north = 0] = transform;
  const latitude = (north - (row + 0.5) * pixelM) / radiusM;
  const longitude = (west + (column + 0.5) * pixelM) / (radiusM * Math.cos(latitude));
  const degrees = 180 / Math.PI;
  const [east, northing] = makeProjection(4326, 32_610).forward(longitude * degrees, latitude * degrees);
  return [east - frame.west, frame.north - northing];
}

test('a product is ingested as a scene of its tile and day', async () => {
  const report = await ingestFolder(folder.options);
  assert.deepEqual(
    report.products.map(({ outcome }) => outcome),
    ['ingested'],
  );
  const scene = folder.scenes.get(viewId);
  assert.ok(scene !== undefined, `only ${[...folder.scenes.keys()].join(', ')}`);
  assert.deepEqual([scene.dataset, scene.acquiredAt], ['modis', '2025-07-23T00:00:00.000Z']);
  assert.equal(Object.keys(scene.assets).length, 14);
  const { B01 } = scene.assets;
  assert.match(B01!.proj!, /\+proj=sinu .*\+R=6371007\.181/);
  assert.deepEqual([B01!.nodata, B01!.type, B01!.scale], [32_767, 'int16', 0.0001]);
  const { forward } = makeProjection(32_610, 4326);
  const toLonLat = (x: number, y: number) => forward(frame.west + x, frame.north - y);
  assert.ok(isPointInArea(toLonLat(35_000, 65_000), scene.footprint));
  assert.ok(!isPointInArea(toLonLat(35_000, 95_000), scene.footprint));
});

test('its pixels are those of tile h09v04', async () => {
  const { tiff } = await readImage('B01');
  const pixelM = 1_111_950.5197665 / 2_400;
  const [west, across, , north, , down] = tiff.transform!;
  assert.ok(Math.abs(across - pixelM) < 1e-6 && Math.abs(down + pixelM) < 1e-6);
  for (const [corner, origin] of [
    [west, -10_007_554.6779],
    [north, 5_559_752.5988],
  ] as const) {
    const cells = (corner - origin) / pixelM;
    assert.ok(Math.abs(cells - Math.round(cells)) < 1e-5, `${cells}`);
    assert.ok(Math.abs(cells) < 2_400);
  }
});

test('its values are the reflectance of the ground, and fill outside the window', async () => {
  for (const [index, name] of names.entries()) {
    const { width, height, pixels, tiff } = await readImage(name);
    const locations = Array.from({ length: width * height }, (_, i) =>
      toPoint(tiff.transform!, i % width, Math.floor(i / width)),
    );
    const survey = world.ground.survey({
      width,
      height,
      x: Float64Array.from(locations, ([x]) => x),
      y: Float64Array.from(locations, ([, y]) => y),
      sideM: tiff.transform![1],
    });
    const spectral = [
      [645, 50],
      [858.5, 35],
      [469, 20],
      [555, 20],
      [1240, 20],
      [1640, 24],
      [2130, 50],
    ][index]!;
    const truth = expose(world, {
      survey,
      atMs: Date.parse('2025-07-23T20:09:00Z'),
      bands: [{ name, kind: 'reflective', centreNm: spectral[0]!, widthNm: spectral[1]! }],
      sky: { seed: 0, opaque: 0, cirrus: 0, haze: 0 },
      level: 'surface',
    }).planes[0]!;
    const quality = (await readImage(`${name}qa`)).pixels;
    let count = 0;
    for (const [i, value] of pixels.entries()) {
      const [x, y] = locations[i]!;
      const isInside = x > window.x && x < maxX && y > window.y && y < maxY;
      const isOnEdge = Math.min(Math.abs(x - window.x), Math.abs(x - maxX)) < 1;
      if (!isOnEdge) assert.equal(value !== 32_767, isInside, `${name} at ${x} ${y}`);
      assert.equal(quality[i] === 255, value === 32_767);
      if (value === 32_767) continue;
      assert.ok(quality[i]! <= 1);
      const slack = 3.46 * Math.sqrt(0.0006 ** 2 + 2e-6 * truth[i]!) + 0.00006;
      assert.ok(
        Math.abs(value * 0.0001 - truth[i]!) < slack || value === 0,
        `${name} ${value} is not ${truth[i]} at ${i}`,
      );
      count++;
    }
    // 30 km square of pixels of 463 m
    assert.ok(Math.abs(count - (30_000 / 463.3127) ** 2) < 140, `${count} pixels`);
  }
});

test('the same plan gives the same bytes', async () => {
  const second = await makeTestFolder();
  try {
    const surveys = makeSurveyCache(1e6);
    await writeModis(plan, { world, directory: second.root, surveys });
    for (const name of names.flatMap((one) => [one, `${one}qa`])) {
      assert.deepEqual(await readFile(pathOf(second.root, name)), await readFile(pathOf(folder.root, name)));
    }
  } finally {
    await second.remove();
  }
});

test('invalid plans are refused, and a stop leaves nothing behind', async () => {
  const second = await makeTestFolder();
  try {
    const deps = { world, directory: second.root };
    for (const wrong of [
      { ...window, widthM: 500 },
      { ...window, heightM: 200_000 },
    ]) {
      await assert.rejects(writeModis({ ...plan, window: wrong }, deps), { code: 'bad-window' });
    }
    const signal = AbortSignal.abort();
    await assert.rejects(writeModis(plan, { ...deps, signal }), { tag: 'cancelled' });
    // stopped in the middle
    const stop = new AbortController();
    const half = { ...deps, signal: stop.signal, onProgress: () => stop.abort() };
    await assert.rejects(writeModis(plan, half), { tag: 'cancelled' });
    const left = await readdir(second.root, { recursive: true });
    assert.deepEqual(
      left.filter((name) => /tif|part/i.test(name)),
      [],
    );
  } finally {
    await second.remove();
  }
});
