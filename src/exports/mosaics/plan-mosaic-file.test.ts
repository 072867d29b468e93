import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { isSwathError, sourceBroken, unsupported } from '../../errors.ts';
import { readEntries } from '../../formats/testing/read-zip.ts';
import { toOutline } from '../../geo/index.ts';
import type { Mosaics } from '../../mosaic/index.ts';
import type { TestScene } from '../../mosaic/testing/mosaics-here.ts';
import { cutGrid, everywhere, makeMosaicsHere, NATIVE, viewIdOf } from '../../mosaic/testing/mosaics-here.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import type { MosaicOrder } from './mosaic-order.ts';
import { anOrder, aRun, boundsOf, by, readTiff, sceneOf, useMosaicFiles } from './testing/mosaic-files.ts';

const kit = useMosaicFiles();
const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

/** Plans and writes a file; nothing but the file is left in its folder. */
async function write(mosaics: Mosaics, order: MosaicOrder, filePx?: number) {
  const planned = await kit.makePlan(mosaics, filePx)(order);
  const folder = kit.makeFolder();
  const path = join(folder, planned.fileName);
  const progress: number[] = [];
  await planned.write(path, { ...aRun, onProgress: (done) => progress.push(done) });
  assert.deepEqual(readdirSync(folder), [planned.fileName]);
  assert.ok(statSync(path).size <= planned.estimatedBytes);
  assert.equal(progress.at(-1), planned.blocks);
  return { planned, path };
}

/** Clouds over the left half. */
const leftClouds: Partial<TestScene> = { classAt: (column) => (column < 32 ? 9 : 4) };

test('bands of one sensor keep their type, and each pixel names its scene', async () => {
  const { mosaics } = makeMosaicsHere(sceneOf(3), sceneOf(5, leftClouds), sceneOf(9, { month: 8 }));
  const { planned, path } = await write(mosaics, { ...anOrder, bands: 'B04,B08' });
  assert.deepEqual(
    [planned.fileName, planned.contentType, planned.blocks],
    ['S2L2A_2026-07-01_2026-07-31_newest_B04,B08.TIF', 'image/tiff', 1],
  );
  const { tiff, image, bands, text } = await readTiff(path);
  assert.deepEqual([tiff.epsg, tiff.nodata, image.type, image.blockWidth], [32_631, 0, 'uint16', 512]);
  assert.deepEqual([tiff.transform, image.width, image.height], [NATIVE.transform, 64, 64]);
  const [left, right] = [10 * 64 + 5, 10 * 64 + 50];
  assert.deepEqual(
    bands.map((band) => [band[left], band[right]]),
    [
      [300, 500],
      [1_003, 1_005],
      [2, 1],
    ],
  );
  assert.deepEqual(
    tiff.bands.map(({ description }) => description?.split(':')[0]),
    ['B04', 'B08', 'source'],
  );
  assert.ok(text.includes(`<Item name="SCENE_1">${viewIdOf(5)}</Item>`));
  assert.ok(text.includes(`<Item name="SCENE_2">${viewIdOf(3)}</Item>`));
  assert.ok(text.includes('<Item name="MOSAIC_SCENES">2</Item>'));
});

test('the description of a mosaic shows the block in its middle, with the scenes that touch it', async () => {
  const { mosaics } = makeMosaicsHere(sceneOf(3), sceneOf(5), sceneOf(9, { month: 8 }));
  const content = await (await kit.makePlan(mosaics)(anOrder)).describe();
  if (content.kind !== 'mosaic') assert.fail(content.kind);
  assert.deepEqual([content.grid.width, content.block.request.grid.width], [64, 64]);
  assert.deepEqual(
    content.block.candidates.map(({ hit }) => hit.viewId),
    [viewIdOf(5), viewIdOf(3)],
  );
});

test('computed values are stored as floats, with the number of scenes', async () => {
  const { mosaics } = makeMosaicsHere(sceneOf(3), sceneOf(4), sceneOf(6, leftClouds));
  const { path } = await write(
    mosaics,
    by(
      { kind: 'median' },
      { bands: 'B04*2', content: { kind: 'values', areBands: false, calibrated: false } },
    ),
  );
  const { tiff, image, bands } = await readTiff(path);
  assert.deepEqual([tiff.nodata, image.type], [-9999, 'float32']);
  assert.deepEqual(
    bands.map((band) => [band[5], band[50]]),
    [
      [700, 800],
      [2, 3],
    ],
  );
});

test('pixels outside the outline, and pixels without a scene, are nodata', async () => {
  const { mosaics } = makeMosaicsHere(sceneOf(3, { classAt: (_, row) => (row >= 32 ? 9 : 4) }));
  const { minX, minY, maxX, maxY } = boundsOf(NATIVE);
  const middle = (minX + maxX) / 2;
  const outline = toOutline({
    type: 'Polygon',
    coordinates: [
      [
        [minX, minY],
        [middle, minY],
        [middle, maxY],
        [minX, maxY],
        [minX, minY],
      ],
    ],
  });
  const { path } = await write(mosaics, { ...anOrder, area: { kind: 'outline', outline } });
  const { image, bands } = await readTiff(path);
  const at = (x: number, y: number) => bands.map((band) => band[y * image.width + x]);
  assert.ok(image.width < 40, 'the file ends with the outline');
  assert.deepEqual(
    [at(5, 5), at(5, 50)],
    [
      [300, 1],
      [0, 0],
    ],
  );
});

/** Ten by ten kilometres at 60 m, with a value for each pixel. */
const large: TestScene = {
  day: 3,
  grid: { ...NATIVE, width: 700, height: 600 },
  bands: { B04: (column, row) => 1 + ((column * 7 + row * 13) % 5_000) },
};
const largeOrder: MosaicOrder = { ...anOrder, area: { kind: 'bounds', bounds: boundsOf(large.grid) } };

/** Where the scene begins in a file. */
const toCorner = ([x, , , y]: readonly number[]): readonly [number, number] => [
  (NATIVE.transform[0] - x!) / 10,
  (y! - NATIVE.transform[3]) / 10,
];

test('blocks of a file fit together, and smaller copies select sources', async () => {
  const later: TestScene = { ...large, day: 4, grid: cutGrid(large.grid, 0, 0, 300, 600) };
  const { mosaics } = makeMosaicsHere(large, later);
  const { planned, path } = await write(mosaics, largeOrder);
  assert.equal(planned.blocks, 4);
  const { tiff, image, bands, readLevel } = await readTiff(path);
  assert.deepEqual([image.width, image.height, tiff.images.length], [704, 640, 2], 'sides are halved evenly');
  const [values, sources] = bands as [number[], number[]];
  // Parallels are not parallel to the grid: the rectangle around the area begins some pixels before the scene.
  const [left, top] = toCorner(tiff.transform!);
  let count = 0;
  for (let row = 0; row < image.height; row += 1) {
    for (let column = 0; column < image.width; column += 1) {
      const [x, y] = [column - left, row - top];
      const isInside = x >= 0 && x < 700 && y >= 0 && y < 600;
      const i = row * image.width + column;
      assert.equal(values[i], isInside ? large.bands.B04!(x, y) : 0, `${x} ${y}`);
      assert.equal(sources[i], isInside ? (x < 300 ? 1 : 2) : 0);
      if (isInside) count += 1;
    }
  }
  assert.equal(count, 700 * 600);
  const [, smaller] = await readLevel(1);
  assert.deepEqual(new Set(smaller), new Set([0, 1, 2]));
});

test('a larger mosaic is split into several files, with a VRT and a STAC item', async () => {
  const grid = { ...NATIVE, width: 160, height: 96 };
  const wide: TestScene = { ...large, grid, bands: { B04: (column, row) => 1 + column + 160 * row } };
  const { mosaics } = makeMosaicsHere(wide);
  const order: MosaicOrder = {
    ...anOrder,
    nameAlias: 'my <valley>',
    area: { kind: 'bounds', bounds: boundsOf(grid) },
  };
  const { planned, path } = await write(mosaics, order, 64);
  assert.equal(planned.contentType, 'application/zip');
  const entries = readEntries(path);
  const name = 'S2L2A_2026-07-01_2026-07-31_newest_my_-valley-';
  const tiles = [0, 1].flatMap((row) => [0, 1, 2].map((column) => `${name}_${column}_${row}.tif`));
  assert.deepEqual([...entries.keys()], [...tiles, `${name}.vrt`, 'item.json']);
  const { tiff, bands, image } = await readTiff(entries.get(`${name}_2_1.tif`)!);
  assert.deepEqual([image.width, image.height], [32, 32]);
  assert.deepEqual(tiff.transform, [501_280, 10, 0, 4_599_360, 0, -10]);
  assert.equal(bands[0]![0], 1 + 128 + 160 * 64);
  const vrt = entries.get(`${name}.vrt`)!.toString();
  assert.match(vrt, /rasterXSize="160" rasterYSize="96"/);
  assert.match(vrt, /<SRS>EPSG:32631<\/SRS>/);
  assert.equal(vrt.match(/<SimpleSource>/g)?.length, 12);
  assert.ok(vrt.includes(`<SourceFilename relativeToVRT="1">${name}_2_1.tif</SourceFilename>`));
  assert.ok(vrt.includes('<DstRect xOff="128" yOff="64" xSize="32" ySize="32"/>'));
  assert.ok(vrt.includes(`<MDI key="SCENE_1">${viewIdOf(3)}</MDI>`));
  const item = JSON.parse(entries.get('item.json')!.toString());
  assert.deepEqual([item.type, item.id, item.properties['proj:code']], ['Feature', name, 'EPSG:32631']);
  assert.deepEqual(item.properties['proj:shape'], [96, 160]);
  assert.equal(item.properties.start_datetime, '2026-07-03T10:50:31.000Z');
  assert.deepEqual(item.properties['swath:scenes'], [
    { number: 1, view_id: viewIdOf(3), date: '2026-07-03T10:50:31.000Z' },
  ]);
  assert.deepEqual(item.links, [
    { rel: 'derived_from', href: `urn:swath:scene:${viewIdOf(3)}`, title: viewIdOf(3) },
  ]);
  assert.equal(item.assets.data_2_1.href, `./${name}_2_1.tif`);
  assert.deepEqual(item.assets.data_2_1['proj:transform'], [10, 0, 501_280, 0, -10, 4_599_360]);
});

test('files that no scene touches are omitted', async () => {
  const grid = { ...NATIVE, width: 320, height: 64 };
  const { mosaics } = makeMosaicsHere(sceneOf(3), sceneOf(4, { grid: cutGrid(grid, 266, 0, 54, 64) }));
  const order: MosaicOrder = { ...anOrder, area: { kind: 'bounds', bounds: boundsOf(grid) } };
  const entries = readEntries((await write(mosaics, order, 128)).path);
  const columns = [...entries.keys()].flatMap((name) => /_(\d+)_0\.tif$/.exec(name)?.[1] ?? []);
  assert.deepEqual(columns, ['0', '2']);
});

test('a block that needs too much memory is read in smaller ones', async () => {
  const { mosaics } = makeMosaicsHere(large);
  const sides: number[] = [];
  const narrow: Mosaics = {
    ...mosaics,
    async plan(request, among) {
      const side = Math.max(request.grid.width, request.grid.height);
      if (request.grid.epsg !== 3857 && side > 200)
        throw unsupported('mosaic-too-expensive', 'Too much at once.');
      sides.push(side);
      return mosaics.plan(request, among);
    },
  };
  const { path } = await write(narrow, largeOrder);
  const { tiff, image, bands } = await readTiff(path);
  const [left, top] = toCorner(tiff.transform!);
  assert.ok(sides.length > 16 && sides.every((side) => side <= 256));
  for (const [x, y] of [
    [0, 0],
    [255, 256],
    [511, 512],
    [699, 599],
  ] as const)
    assert.equal(bands[0]![(y + top) * image.width + x + left], large.bands.B04!(x, y), `${x} ${y}`);
});

test('a mosaic without a scene or without ground is refused', async () => {
  const august = makeMosaicsHere(sceneOf(9, { month: 8 }));
  await assert.rejects(kit.makePlan(august.mosaics)(anOrder), isCode('nothing-there'));
  const cloudy = makeMosaicsHere(sceneOf(3, { classAt: everywhere(9) }));
  const planned = await kit.makePlan(cloudy.mosaics)(anOrder);
  await assert.rejects(planned.write(join(kit.makeFolder(), 'a.TIF'), aRun), isCode('nothing-there'));
});

test('a failing source is an error and not a hole, and nothing is left of the file', async () => {
  const { mosaics, onRead } = makeMosaicsHere(large);
  const planned = await kit.makePlan(mosaics)(largeOrder);
  let reads = 0;
  onRead(() => {
    reads += 1;
    if (reads > 4) throw sourceBroken('source-gone', 'The file is gone.');
  });
  const folder = kit.makeFolder();
  await assert.rejects(planned.write(join(folder, 'a.TIF'), aRun), isCode('source-gone'));
  assert.deepEqual(readdirSync(folder), []);
});

test('a cancelled file leaves nothing', async () => {
  const { mosaics, onRead } = makeMosaicsHere(large);
  const planned = await kit.makePlan(mosaics, 512)(largeOrder);
  const stop = new AbortController();
  onRead(() => stop.abort());
  const folder = kit.makeFolder();
  const run = { ...aRun, ticket: { ...aRun.ticket, signal: stop.signal } };
  await assert.rejects(planned.write(join(folder, 'a.zip'), run));
  assert.deepEqual(readdirSync(folder), []);
});

test('all blocks choose among the scenes that existed at the start', async () => {
  const here = makeMosaicsHere(large);
  const planned = await kit.makePlan(here.mosaics)(largeOrder);
  let isAdded = false;
  here.onRead(() => {
    if (isAdded) return;
    isAdded = true;
    here.put({ ...large, day: 8 });
    here.passTime(60_000);
  });
  const path = join(kit.makeFolder(), 'a.TIF');
  await planned.write(path, aRun);
  const { bands } = await readTiff(path);
  assert.ok(isAdded);
  assert.deepEqual(new Set(bands[1]), new Set([0, 1]));
});

test('orders that do not fit into files are refused when they are planned', async () => {
  const { mosaics } = makeMosaicsHere(sceneOf(3));
  const plan = kit.makePlan(mosaics);
  const refusals: readonly (readonly [Partial<MosaicOrder>, string])[] = [
    [{ bands: 'B04+B08' }, 'unknown-band'],
    [{ bands: 'B04,B04' }, 'band-twice'],
    [{ bands: 'B99' }, 'unknown-band'],
    [
      { area: { kind: 'bounds', bounds: { minX: -170, minY: -60, maxX: 170, maxY: 70 } }, epsg: 4326 },
      'file-too-large',
    ],
    [
      {
        area: { kind: 'bounds', bounds: { minX: 1, minY: 40, maxX: 8, maxY: 47 } },
        bands: 'B04',
        content: {
          kind: 'picture',
          options: { method: null, range: null, calibrated: false, isComposite: false, color: {} },
          file: { kind: 'image', format: 'png' },
        },
      },
      'picture-too-large',
    ],
  ];
  for (const [more, code] of refusals)
    await assert.rejects(plan({ ...anOrder, ...more }), (error) => {
      assert.ok(isSwathError(error));
      assert.equal(error.code, code);
      return true;
    });
});

test('pictures equal those of the mosaic, pixel by pixel, in every form', async () => {
  const { mosaics } = makeMosaicsHere(large);
  const options = { method: 'near', range: null, calibrated: false, isComposite: false, color: {} } as const;
  const toOrder = (file: Extract<MosaicOrder['content'], { kind: 'picture' }>['file']): MosaicOrder => ({
    ...largeOrder,
    pixelM: 20,
    content: { kind: 'picture', options, file },
  });
  const png = await write(mosaics, toOrder({ kind: 'image', format: 'png' }));
  const drawn = await sharp(png.path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const tiff = await readTiff((await write(mosaics, toOrder({ kind: 'image', format: 'tiff' }))).path);
  const { width, height } = drawn.info;
  assert.equal(tiff.tiff.epsg, 3857);
  const size = tiff.tiff.transform!;
  const planned = await mosaics.plan({
    ...anOrder.mosaic,
    bands: 'B04',
    grid: { epsg: 3857, transform: size, width, height },
    options: { ...options, format: 'png', area: null, watermark: null },
  });
  const whole = await mosaics.render(planned, aTicket);
  const expected = await sharp(whole.bytes).ensureAlpha().raw().toBuffer();
  assert.ok(expected.equals(drawn.data), 'PNG');
  for (let i = 0; i < width * height; i += 1) {
    const at = Math.floor(i / width) * tiff.image.width + (i % width);
    const pixel = tiff.bands.map((band) => band[at]);
    const [red, green, blue, alpha] = expected.subarray(4 * i);
    // A transparent pixel of a GeoTIFF has no colour.
    assert.deepEqual(pixel, alpha === 0 ? [0, 0, 0, 0] : [red, green, blue, alpha], String(i));
  }
  const world = readEntries((await write(mosaics, toOrder({ kind: 'world', format: 'jpeg' }))).path);
  assert.deepEqual(
    [...world.keys()].map((name) => name.split('.').at(-1)),
    ['jpeg', 'jpegw', 'prj'],
  );
});
