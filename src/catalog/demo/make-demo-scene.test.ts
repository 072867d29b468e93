import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { openTiff, readBlock } from '../../formats/index.ts';
import { parseViewId, sensorByDataset } from '../../sensors/index.ts';
import { makeDataFiles } from '../../storage/index.ts';
import type { CellWindow } from './frame.ts';
import { crop, isMeasured } from './frame.ts';
import { makeLandscape } from './land-cover.ts';
import { exposeWindow, makeDemoScene } from './make-demo-scene.ts';
import { makeScanner } from './scanner.ts';
import { bands } from './spectra.ts';

const landscape = makeLandscape();
const dataDir = await mkdtemp(join(tmpdir(), 'swath-demo-'));
after(() => rm(dataDir, { recursive: true }));

/** On the shore, with the first line of sensing across its north-eastern corner: more than one strip high. */
const shore: CellWindow = { col: 234, row: 0, cols: 18, rows: 24 };

const place = (folder: string) => ({ directory: join(dataDir, folder), hrefPrefix: folder });

test('the same pixels come out on every machine', () => {
  const digest = createHash('sha256');
  // Town and river, a cloud's edge, hills, and shore with lagoon: every layer takes part.
  for (const window of [
    { col: 84, row: 120, cols: 6, rows: 4 },
    { col: 120, row: 178, cols: 6, rows: 4 },
    { col: 20, row: 270, cols: 6, rows: 4 },
    { col: 226, row: 240, cols: 16, rows: 3 },
  ]) {
    for (const rows of makeScanner(landscape, window, window.rows).scan())
      digest.update(new Uint8Array(rows.buffer));
  }
  assert.equal(digest.digest('hex'), 'c008ab60bbad225f3cbe8339b37dcab404c7ef449bb07fe5bd2ae0b15af01bbf');
});

test('a part of the scene has the pixels of the whole', () => {
  const whole = makeScanner(landscape, { col: 84, row: 118, cols: 8, rows: 6 }, 6).scan();
  const scanner = makeScanner(landscape, { col: 86, row: 119, cols: 4, rows: 4 }, 1);
  scanner.scan();
  // The second of four strips, so that lines kept from the first take part.
  const part = scanner.scan();
  for (const [i, { resolutionM }] of bands.entries()) {
    const perCell = 60 / resolutionM;
    for (let row = 0; row < perCell; row++) {
      const from = (row + 2 * perCell) * 8 * perCell + 2 * perCell;
      const expected = whole[i]!.subarray(from, from + 4 * perCell);
      assert.deepEqual(part[i]!.subarray(row * 4 * perCell, (row + 1) * 4 * perCell), expected);
    }
  }
});

test('bands of 20 m see the mean of the ground that bands of 10 m see', () => {
  const rows = makeScanner(landscape, { col: 60, row: 130, cols: 10, rows: 10 }, 10).scan();
  const of = (name: string) => rows[bands.findIndex((band) => band.name === name)]!;
  const fine = of('B08');
  const coarse = of('B8A');
  let product = 0;
  let finePower = 0;
  let coarsePower = 0;
  const mean = (values: Uint16Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  for (let row = 0; row < 30; row++) {
    for (let col = 0; col < 30; col++) {
      const at = row * 2 * 60 + col * 2;
      const four = (fine[at]! + fine[at + 1]! + fine[at + 60]! + fine[at + 61]!) / 4 - mean(fine);
      const one = coarse[row * 30 + col]! - mean(coarse);
      product += four * one;
      finePower += four * four;
      coarsePower += one * one;
    }
  }
  const correlation = product / Math.sqrt(finePower * coarsePower);
  assert.ok(correlation > 0.98, `neighbouring bands correlate by ${correlation}`);
});

test('the scene is thirteen readable files and a record that agrees with them', async () => {
  const progress: number[] = [];
  const scene = await exposeWindow(
    { ...place('scene'), onProgress: (fraction) => progress.push(fraction) },
    { landscape, window: shore },
  );
  assert.deepEqual(
    (await readdir(join(dataDir, 'scene'))).sort(),
    bands.map(({ name }) => `${name}.tif`).sort(),
  );
  assert.equal(scene.viewId, 'S2/31/T/DH/2026/6/21/0');
  assert.equal(progress.at(-1), 1);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  const open = makeDataFiles(dataDir);
  const expected = makeScanner(landscape, shore, shore.rows).scan();
  for (const [i, { name, resolutionM }] of bands.entries()) {
    const asset = scene.assets[name]!;
    assert.equal(asset.href, `scene/${name}.tif`);
    const source = await open(asset.href);
    const tiff = await openTiff(source);
    const [image, ...overviews] = tiff.images;
    assert.deepEqual([image.width, image.height], [asset.width, asset.height]);
    assert.equal(image.width, (shore.cols * 60) / resolutionM);
    assert.deepEqual(tiff.transform, asset.transform);
    assert.deepEqual(asset.transform, [crop.west + 234 * 60, resolutionM, 0, crop.north, 0, -resolutionM]);
    assert.deepEqual([tiff.epsg, tiff.nodata, asset.nodata], [32631, 0, 0]);
    assert.deepEqual(tiff.bands, [{ description: name, scale: 0.0001, offset: -0.1 }]);
    assert.deepEqual(
      overviews.map(({ width, height }) => ({ width, height })),
      asset.overviews,
    );
    const { pixels, width } = await readBlock(tiff, image, { band: 0, column: 0, row: 0 });
    for (let row = 0; row < image.height; row++) {
      const written = pixels.subarray(row * width, row * width + image.width);
      assert.deepEqual(written, expected[i]!.subarray(row * image.width, (row + 1) * image.width));
    }
    await source.close();
  }
});

test('percentages are counted, and nodata is where nothing was measured', async () => {
  for (const [folder, window] of [
    ['shore', shore],
    // With the cloud over the lagoon.
    ['cloud', { col: 190, row: 225, cols: 20, rows: 22 }],
  ] as const) {
    const scene = await exposeWindow(place(folder), { landscape, window });
    const strip = makeScanner(landscape, window, window.rows).scan();
    const red = strip[bands.findIndex(({ name }) => name === 'B04')]!;
    const width = window.cols * 6;
    let measured = 0;
    let cloudy = 0;
    for (let i = 0; i < red.length; i++) {
      const x = window.col * 60 + ((i % width) + 0.5) * 10;
      const y = window.row * 60 + (Math.floor(i / width) + 0.5) * 10;
      assert.equal(red[i] !== 0, isMeasured(x, y));
      if (red[i] === 0) continue;
      measured++;
      if (landscape.surfaceAt(crop.west + x, crop.north - y).cloud.opacity >= 0.5) cloudy++;
    }
    assert.equal(scene.coveragePercent, Math.round((measured / red.length) * 1e4) / 100);
    assert.equal(scene.cloudPercent, Math.round((cloudy / measured) * 1e4) / 100);
    assert.equal(scene.fields.cloudCoverage, scene.cloudPercent);
    if (folder === 'cloud') assert.ok(cloudy > 100, 'the window shows no cloud');
    else assert.ok(measured < red.length, 'the window shows no nodata');
  }
});

test('fields are those of the sensor, and the bands too', async () => {
  const sensor = sensorByDataset('sentinel2')!;
  const scene = await exposeWindow(place('fields'), { landscape, window: { ...shore, cols: 2, rows: 2 } });
  for (const [name, value] of Object.entries(scene.fields)) {
    const type = sensor.hitFields[name];
    assert.ok(type !== undefined, `${name} is no field of the sensor`);
    assert.equal(typeof value, type === 'date' ? 'string' : type, name);
  }
  assert.ok(
    Math.abs((scene.fields.zenithAngle as number) + (scene.fields.sunElevation as number) - 90) < 1e-9,
  );
  assert.deepEqual(
    bands.map(({ name, resolutionM }) => ({ name, resolutionM })),
    sensor.bands.map(({ name, resolutionM }) => ({ name, resolutionM })),
  );
  const view = parseViewId(scene.viewId);
  assert.equal(view.sensor, sensor);
  assert.equal(view.viewId, scene.viewId);
});

test('an abort in the middle leaves nothing behind', async () => {
  const stop = new AbortController();
  const made = exposeWindow(
    { ...place('aborted'), signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) },
    { landscape, window: shore },
  );
  await assert.rejects(made, (error) => isSwathError(error) && error.tag === 'cancelled');
  assert.deepEqual(await readdir(join(dataDir, 'aborted')), []);
});

test('a failure after some files are in place removes them again', async () => {
  const stop = new AbortController();
  // Progress says 0.9 when all pixels are written; by then the signal has been read for the last time before finishing.
  let finishing = false;
  const signal = new Proxy(stop.signal, {
    get: (target, key) => (key === 'aborted' && finishing ? ++reads > 3 : Reflect.get(target, key)),
  });
  let reads = 0;
  const made = exposeWindow(
    {
      ...place('failed'),
      signal,
      onProgress: (fraction) => {
        finishing = fraction >= 0.9;
      },
    },
    { landscape, window: shore },
  );
  await assert.rejects(made, (error) => isSwathError(error) && error.tag === 'cancelled');
  assert.ok(reads > 3, 'no file was finished before the abort');
  assert.deepEqual(await readdir(join(dataDir, 'failed')), []);
});

test('making it again over a half-made folder gives the same files', async () => {
  const window = { ...shore, cols: 3, rows: 3 };
  const first = await exposeWindow(place('again'), { landscape, window });
  const path = join(dataDir, 'again', 'B04.tif');
  const bytes = await readFile(path);
  await writeFile(path, 'half a file');
  await writeFile(join(dataDir, 'again', '.swath-0123456789abcdef.part'), 'left by a killed process');
  await rm(join(dataDir, 'again', 'B8A.tif'));
  assert.deepEqual(await exposeWindow(place('again'), { landscape, window }), first);
  assert.deepEqual(await readFile(path), bytes);
  assert.equal((await readdir(join(dataDir, 'again'))).length, bands.length);
});

test('a caller that is already gone costs no work', async () => {
  await assert.rejects(
    makeDemoScene({ ...place('gone'), signal: AbortSignal.abort() }),
    (error) => isSwathError(error) && error.code === 'demo-aborted',
  );
  assert.ok(!(await readdir(dataDir)).includes('gone'));
});
