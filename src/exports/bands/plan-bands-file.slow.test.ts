import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { Asset, Scene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { createJp2, makeJp2Encoder } from '../../formats/jp2/index.ts';
import { makeMemorySource } from '../../formats/testing/memory-source.ts';
import { openZip } from '../../formats/testing/read-zip.ts';
import { openTiff } from '../../formats/tiff/index.ts';
import type { Bounds } from '../../geo/index.ts';
import { toOutline } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { ExportArea } from '../export.ts';
import {
  cutPixels,
  makeBandPixels,
  makeBandsHere,
  makeBandsScene,
  readImageFile,
  withFolder,
  writeTestFile,
} from './testing/bands-here.ts';

const SIZE = { width: 700, height: 610 };
const toDegrees = makeProjection(32631, 4326).forward;

/** The box in degrees that holds just the pixels of a window; a little smaller, because it is slanted on the grid. */
function boundsOf({ x, y, width, height }: PixelWindow, pixelM = 10): Bounds {
  const [west, south] = toDegrees(500_000 + (x + 0.2) * pixelM, 4_700_000 - (y + height - 0.2) * pixelM);
  const [east, north] = toDegrees(500_000 + (x + width - 0.2) * pixelM, 4_700_000 - (y + 0.2) * pixelM);
  return { minX: west, minY: south, maxX: east, maxY: north };
}

const areaOf = (window: PixelWindow): ExportArea => ({ kind: 'bounds', bounds: boundsOf(window) });

async function writeScene(folder: string) {
  const bands: Record<string, Awaited<ReturnType<typeof writeTestFile>>> = {};
  for (const [name, file] of Object.entries({
    B02: { ...SIZE, seeds: [2] },
    B03: { ...SIZE, seeds: [3] },
    B04: { ...SIZE, seeds: [4] },
    B05: { width: 350, height: 305, pixelM: 20, seeds: [5] },
    B06: { width: 350, height: 305, pixelM: 20, seeds: [6] },
  })) {
    bands[name] = await writeTestFile(folder, { name: `${name}.tif`, ...file });
  }
  const assets = Object.fromEntries(Object.entries(bands).map(([name, { asset }]) => [name, asset]));
  const pixels = Object.fromEntries(Object.entries(bands).map(([name, made]) => [name, made.bands[0]!]));
  return { scene: makeBandsScene(assets), pixels };
}

/** The stored bytes of all blocks of a TIFF, level by level. */
async function readStored(path: string) {
  const bytes = await readFile(path);
  const tiff = await openTiff(makeMemorySource(bytes));
  return tiff.images.map(({ blockOffsets, blockSizes }) =>
    Array.from(blockOffsets, (offset, i) =>
      bytes.subarray(offset, offset + blockSizes[i]!).toString('base64'),
    ),
  );
}

test('whole bands of one resolution are one COG whose blocks are those of the files, overviews too', () =>
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

test('a crop on the borders of blocks copies them, and makes overviews of them', () =>
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

test('pixels outside of an outline hold no data', () =>
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

test('one band of Sentinel-2 is a JP2 file: made of a COG, whole or cropped', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const here = makeBandsHere(scene, folder);
    const planned = await here.plan({ bands: ['B04'] });
    assert.equal(planned.fileName, 'S2-31-T-DH-2026-6-1-0_B04.jp2');
    assert.equal(planned.contentType, 'image/jp2');
    const whole = await readImageFile(await here.write({ bands: ['B04'] }));
    assert.deepEqual([whole.format, whole.epsg], ['jp2', 32631]);
    assert.deepEqual(whole.pixels[0], pixels.B04);
    const window = { x: 37, y: 91, width: 613, height: 450 };
    const part = await readImageFile(await here.write({ bands: ['B04'], area: areaOf(window) }));
    assert.deepEqual(part.transform, [500_370, 10, 0, 4_699_090, 0, -10]);
    assert.deepEqual(part.pixels[0], cutPixels(pixels.B04!, 700, window));
  }));

/** A scene of one JP2 file. */
async function writeJp2Scene(
  folder: string,
): Promise<{ readonly scene: Scene; readonly pixels: Uint16Array }> {
  const transform = [500_000, 10, 0, 4_700_000, 0, -10] as const;
  const size = { width: 300, height: 200 };
  const pixels = makeBandPixels('uint16', size, 4) as Uint16Array;
  const options = { ...size, epsg: 32631, transform, bandCount: 1, bitsPerSample: 15, tileSize: 128 };
  const jp2 = await createJp2(join(folder, 'B04.jp2'), options, makeJp2Encoder());
  await jp2.writeRows([pixels], 200);
  await jp2.finish();
  const asset: Asset = {
    href: 'B04.jp2',
    bandIndex: 0,
    epsg: 32631,
    transform,
    ...size,
    type: 'uint16',
    nodata: 0,
    scale: 1,
    offset: 0,
    overviews: [],
  };
  return { scene: makeBandsScene({ B04: asset, B03: { ...asset, href: 'B04.jp2' } }), pixels };
}

test('a whole band that is a JP2 file is that file, byte for byte, also in an archive of single bands', () =>
  withFolder(async (folder) => {
    const { scene } = await writeJp2Scene(folder);
    const here = makeBandsHere(scene, folder);
    const original = await readFile(join(folder, 'B04.jp2'));
    assert.deepEqual(await readFile(await here.write({ bands: ['B04'] })), original);
    const zip = openZip(await here.write({ bands: ['B04', 'B03'], merge: false }));
    assert.deepEqual(
      zip.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_B04.jp2', 'S2-31-T-DH-2026-6-1-0_B03.jp2'],
    );
    assert.deepEqual(zip.readStored(zip.entries[0]!), original);
    zip.close();
  }));

test('a crop of a JP2 file is one, and merged JP2 files are a COG', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeJp2Scene(folder);
    const here = makeBandsHere(scene, folder);
    const window = { x: 11, y: 13, width: 200, height: 150 };
    const part = await readImageFile(await here.write({ bands: ['B04'], area: areaOf(window) }));
    assert.equal(part.format, 'jp2');
    assert.deepEqual(part.pixels[0], cutPixels(pixels, 300, window));
    const merged = await readImageFile(await here.write({ bands: ['B04', 'B03'] }));
    assert.equal(merged.format, 'tiff');
    assert.deepEqual(merged.pixels, [pixels, pixels]);
  }));

test('bands of several resolutions are an archive with a file of each, or of each band', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const here = makeBandsHere(scene, folder);
    const bands = ['B04', 'B05', 'B02', 'B06'];
    const planned = await here.plan({ bands });
    assert.equal(planned.fileName, 'S2-31-T-DH-2026-6-1-0_B04-B05-B02-B06.zip');
    assert.equal(planned.contentType, 'application/zip');
    const merged = openZip(await here.write({ bands }));
    assert.deepEqual(
      merged.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_10m.TIF', 'S2-31-T-DH-2026-6-1-0_20m.TIF'],
    );
    const inner = join(folder, 'inner.tif');
    await writeFile(inner, merged.readStored(merged.entries[1]!));
    assert.deepEqual((await readImageFile(inner)).pixels, [pixels.B05, pixels.B06]);
    merged.close();
    const area = areaOf({ x: 40, y: 40, width: 200, height: 200 });
    const apart = openZip(await here.write({ bands, merge: false, area }));
    assert.deepEqual(
      apart.entries.map(({ name }) => name),
      bands.map((band) => `S2-31-T-DH-2026-6-1-0_${band}.TIF`),
    );
    await writeFile(inner, apart.readStored(apart.entries[3]!));
    const [cropped] = (await readImageFile(inner)).pixels;
    assert.deepEqual(cropped, cutPixels(pixels.B06!, 350, { x: 20, y: 20, width: 100, height: 100 }));
    apart.close();
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('.')),
      [],
    );
  }));

test('metadata files of the product go into the archive under their labels', () =>
  withFolder(async (folder) => {
    const { scene: flat } = await writeScene(folder);
    await mkdir(join(folder, 'product/qi'), { recursive: true });
    const assets: Record<string, Asset> = {};
    for (const [band, asset] of Object.entries(flat.assets)) {
      await rename(join(folder, asset.href), join(folder, 'product', asset.href));
      assets[band] = { ...asset, href: `product/${asset.href}` };
    }
    await writeFile(join(folder, 'product/metadata.xml'), '<x/>'.repeat(100));
    await writeFile(join(folder, 'product/qi/clouds.gml'), '<gml/>');
    const here = makeBandsHere(makeBandsScene(assets), folder);
    const order = {
      bands: ['B04', 'B02'],
      metadata: [
        { label: 'tile metadata', url: 'metadata.xml' },
        { label: '../../Tile Metadata.XML', url: 'product/metadata.xml' },
        { label: '', url: 'qi/clouds.gml' },
      ],
    };
    const planned = await here.plan(order);
    const path = join(folder, 'out.zip');
    const progress: number[] = [];
    await planned.write(path, { ticket: aTicket, onProgress: (done) => progress.push(done) });
    assert.equal(progress.at(-1), planned.blocks);
    const zip = openZip(path);
    assert.deepEqual(
      zip.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_10m.TIF', 'tile_metadata.xml', 'Tile_Metadata_2.xml', 'metadata.gml'],
    );
    assert.equal(inflateRawSync(zip.readStored(zip.entries[1]!)).toString(), '<x/>'.repeat(100));
    zip.close();
    // the rule of file types: one band of Sentinel-2 is a JP2 file
    assert.match((await here.plan({ ...order, bands: ['B04'] })).fileName, /\.jp2$/);
  }));

test('what is unknown, twice, missing, outside or too large is refused at once', () =>
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
