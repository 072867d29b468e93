import assert from 'node:assert/strict';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { toOutline } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import type { ExportArea } from '../export.ts';
import { cutPixels, makeBandsHere, readImageFile, withFolder } from './testing/bands-here.ts';
import { areaOf, boundsOf, readStored, toDegrees, writeScene } from './testing/bands-scene.ts';

test('whole bands of one resolution make one COG with the blocks of the files, also for overviews', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const here = makeBandsHere(scene, folder);
    const planned = await here.plan({ bands: ['B04', 'B3', 'BLUE'] });
    assert.equal(planned.fileName, 'S2-31-T-DH-2026-6-1-0_B04-B03-B02.TIF');
    assert.equal(planned.contentType, 'image/tiff');
    const path = join(folder, 'out.tif');
    const progress: number[] = [];
    await planned.write(path, { ticket: aTicket, onProgress: (done) => progress.push(done) });
    assert.equal((await readFile(path)).length, planned.estimatedBytes);
    assert.equal(progress.at(-1), planned.blocks);
    const image = await readImageFile(path);
    assert.deepEqual([image.epsg, image.nodata], [32631, 0]);
    assert.deepEqual(image.transform, [500_000, 10, 0, 4_700_000, 0, -10]);
    assert.deepEqual(
      image.bands.map(({ description }) => description),
      ['B04', 'B03', 'B02'],
    );
    const names = ['B04', 'B03', 'B02'];
    for (const [i, name] of names.entries()) assert.deepEqual(image.pixels[i], pixels[name], name);
    const merged = await readStored(path);
    const single = await Promise.all(names.map((name) => readStored(join(folder, `${name}.tif`))));
    assert.equal(merged.length, single[0]!.length);
    for (const [level, blocks] of merged.entries()) {
      assert.deepEqual(
        blocks,
        single.flatMap((levels) => levels[level]!),
        `level ${level}`,
      );
    }
    assert.ok(!here.asked.some(({ kind }) => kind === 'export-bands'), 'nothing was encoded');
  }));

test('a crop has the stored numbers of its window, its own georeference and overviews', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const window = { x: 37, y: 91, width: 613, height: 450 };
    const path = await makeBandsHere(scene, folder).write({ bands: ['B04', 'B02'], area: areaOf(window) });
    const image = await readImageFile(path);
    assert.deepEqual([image.width, image.height], [613, 450]);
    assert.deepEqual(image.transform, [500_370, 10, 0, 4_699_090, 0, -10]);
    assert.equal(image.nodata, 0);
    assert.deepEqual(image.pixels[0], cutPixels(pixels.B04!, 700, window));
    assert.deepEqual(image.pixels[1], cutPixels(pixels.B02!, 700, window));
    assert.deepEqual(
      image.levels.map(({ width, height }) => [width, height]),
      [
        [613, 450],
        [307, 225],
      ],
    );
  }));

test('a crop along block borders copies the blocks, and makes overviews from them', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    // to the right edge of the image, whose last block is not full
    const window = { x: 128, y: 64, width: 572, height: 384 };
    const here = makeBandsHere(scene, folder);
    const path = await here.write({ bands: ['B04', 'B02'], area: areaOf(window) });
    const image = await readImageFile(path);
    assert.deepEqual([image.width, image.height], [572, 384]);
    assert.deepEqual(image.pixels[1], cutPixels(pixels.B02!, 700, window));
    assert.deepEqual(image.pixels[0], cutPixels(pixels.B04!, 700, window));
    assert.ok(image.levels.length > 3);
    const [blocks] = await readStored(path);
    const [stored] = await readStored(join(folder, 'B02.tif'));
    // 11 blocks across in the file, 9 in the crop; the second band comes after 6 rows of the first
    assert.equal(blocks![54], stored![11 + 2]);
    assert.equal(blocks!.at(-1), stored![6 * 11 + 10]);
    const half = await readImageFile(path, 1);
    const expected = cutPixels(half.pixels[1]!, half.width, { x: 0, y: 0, width: 1, height: 1 })[0]!;
    const four = cutPixels(image.pixels[1]!, 572, { x: 0, y: 0, width: 2, height: 2 }).filter(
      (value) => value > 0,
    );
    assert.equal(expected, Math.round([...four].reduce((sum, value) => sum + value) / four.length));
  }));

test('pixels outside an outline are nodata', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const { minX, minY, maxX, maxY } = boundsOf({ x: 50, y: 60, width: 400, height: 300 });
    // the lower left half of the box
    const ring = [
      [minX, minY],
      [maxX, minY],
      [minX, maxY],
      [minX, minY],
    ] as const;
    const outline = toOutline({ type: 'Polygon', coordinates: [ring.map(([x, y]) => [x, y] as const)] });
    const path = await makeBandsHere(scene, folder).write({
      bands: ['B04', 'B02'],
      area: { kind: 'outline', outline },
    });
    const image = await readImageFile(path);
    assert.deepEqual([image.width, image.height], [400, 300]);
    const whole = cutPixels(pixels.B04!, 700, { x: 50, y: 60, width: 400, height: 300 });
    const at = (x: number, y: number) => y * 400 + x;
    for (const [x, y] of [
      [5, 290],
      [100, 200],
      [5, 20],
      [380, 295],
    ] as const) {
      assert.equal(image.pixels[0]![at(x, y)], whole[at(x, y)], `${x} ${y}`);
    }
    for (const [x, y] of [
      [395, 5],
      [300, 200],
      [20, 2],
    ] as const) {
      assert.equal(image.pixels[0]![at(x, y)], 0, `${x} ${y}`);
    }
    const inside = image.pixels[0]!.filter((value) => value !== 0).length;
    const all = whole.filter((value) => value !== 0).length;
    assert.ok(Math.abs(inside / all - 0.5) < 0.01, `${inside} of ${all}`);
  }));

test('unknown, repeated, missing, outside or too large requests are refused at once', () =>
  withFolder(async (folder) => {
    const { scene } = await writeScene(folder);
    const here = makeBandsHere(scene, folder);
    const outside: ExportArea = { kind: 'bounds', bounds: { minX: 20, minY: 10, maxX: 21, maxY: 11 } };
    // along the borders of pixels: its rectangle holds centres, the area itself none
    const corner = [
      [39.8, 39.8],
      [43, 39.8],
      [43, 40.2],
      [40.2, 40.2],
      [40.2, 43],
      [39.8, 43],
    ] as const;
    const ring = [...corner, corner[0]].map(([x, y]) => toDegrees(500_000 + 10 * x, 4_700_000 - 10 * y));
    const sliver = toOutline({ type: 'Polygon', coordinates: [ring] });
    const rows: readonly (readonly [string, Parameters<typeof here.plan>[0], RegExp])[] = [
      ['no-bands', { bands: [] }, /at least one band/],
      ['unknown-band', { bands: ['B99'] }, /Did you mean B09/],
      ['unknown-band', { bands: ['NDVI'] }, /not a band/],
      ['band-twice', { bands: ['B04', 'RED'] }, /B04 is named twice/],
      ['no-such-band-file', { bands: ['B12'] }, /no file for the band B12/],
      ['area-outside-scene', { bands: ['B04'], area: outside }, /outside the scene/],
      [
        'area-outside-scene',
        { bands: ['B05'], area: areaOf({ x: 3, y: 3, width: 1, height: 1 }) },
        /centres/,
      ],
      ['too-many-bands', { bands: Array.from({ length: 65 }, () => 'B04') }, /at most 64/],
      ['unknown-scene', { bands: ['B04'], sensor: 'XX' }, /no such scene/],
      [
        'bad-metadata-url',
        { bands: ['B04'], metadata: [{ label: 'x', url: '../x.xml' }] },
        /product of the scene/,
      ],
      ['bad-metadata-url', { bands: ['B04'], metadata: [{ label: 'x', url: 'metadata.xml' }] }, /product/],
      [
        'too-many-metadata',
        { bands: ['B04'], metadata: Array.from({ length: 21 }, () => ({ label: 'x', url: 'x.xml' })) },
        /At most 20/,
      ],
    ];
    for (const [code, order, message] of rows) {
      await assert.rejects(
        here.plan(order),
        (error) => isSwathError(error) && error.code === code && message.test(error.message),
        JSON.stringify(order),
      );
    }
    await assert.rejects(here.plan({ bands: ['B04', 'B02'], area: { kind: 'outline', outline: sliver } }), {
      code: 'area-outside-scene',
    });
    const small = makeBandsHere(scene, folder, { maxBytes: 100_000 });
    await assert.rejects(small.plan({ bands: ['B04', 'B02'] }), {
      code: 'export-too-large',
      tag: 'too-large',
    });
  }));

test('a cancelled file, and one whose source fails midway, leave nothing', () =>
  withFolder(async (folder) => {
    const { scene } = await writeScene(folder);
    const orders = [
      { bands: ['B04', 'B02'] },
      { bands: ['B04', 'B02'], area: areaOf({ x: 3, y: 3, width: 601, height: 601 }) },
      { bands: ['B04'] },
      { bands: ['B04', 'B05'] },
    ];
    const before = (await readdir(folder)).sort();
    for (const order of orders) {
      const here = makeBandsHere(scene, folder);
      const controller = new AbortController();
      const planned = await here.plan(order);
      await assert.rejects(
        planned.write(join(folder, 'out'), {
          ticket: { ...aTicket, signal: controller.signal },
          onProgress: () => controller.abort(),
        }),
        (error) => isSwathError(error) && error.tag === 'cancelled',
        JSON.stringify(order),
      );
      assert.deepEqual((await readdir(folder)).sort(), before);
    }
    for (const order of orders) {
      const here = makeBandsHere(scene, folder);
      const planned = await here.plan(order);
      const path = join(folder, 'B04.tif');
      const bytes = await readFile(path);
      await truncate(path, bytes.length / 2);
      await assert.rejects(
        planned.write(join(folder, 'out'), { ticket: aTicket, onProgress() {} }),
        (error) => isSwathError(error) && error.tag === 'source-broken',
        JSON.stringify(order),
      );
      await writeFile(path, bytes);
      assert.deepEqual((await readdir(folder)).sort(), before);
    }
  }));
