import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { IfdEntry } from '../../formats/tiff/directories/tags.ts';
import { asciiEntry, FIELD, TAG } from '../../formats/tiff/directories/tags.ts';
import { PIXELS_AT, toSmallTiff } from '../../formats/tiff/small-tiff.ts';
import { makeProjection } from '../../proj/index.ts';
import { makeOpenSource } from '../../sources/index.ts';
import type { HeightOptions } from './read-dem-file.ts';
import { findMetresPerUnit, readDemFile } from './read-dem-file.ts';
import type { TestDem } from './testing/make-dem-folder.ts';
import { withDemFolder, writeDem } from './testing/make-dem-folder.ts';

/** Formats of samples that our own writer does not have: TIFF's number of the format, and bits. */
const FORMATS = {
  int8: [2, 8],
  uint32: [1, 32],
  int32: [2, 32],
  float64: [3, 64],
} as const;

/** A TIFF of a degree north-east of 0, 0 in one strip of 4 × 4 empty pixels, with these keys and texts. */
function makePlainTiff(options: {
  readonly type: keyof typeof FORMATS;
  /** In addition to the reference system, EPSG:4326. */
  readonly geoKeys?: readonly (readonly [key: number, value: number])[];
  readonly nodata?: string;
}): Uint8Array {
  const [format, bits] = FORMATS[options.type];
  const strip = (16 * bits) / 8;
  const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
  const long = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.long, values: [value] });
  const double = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });
  const keys = [[1024, 2], [1025, 1], [2048, 4326], ...(options.geoKeys ?? [])] as const;
  const entries = [
    short(TAG.imageWidth, 4),
    short(TAG.imageLength, 4),
    short(TAG.bitsPerSample, bits),
    short(TAG.compression, 1),
    short(TAG.photometric, 1),
    long(TAG.stripOffsets, PIXELS_AT),
    short(TAG.samplesPerPixel, 1),
    short(TAG.rowsPerStrip, 4),
    long(TAG.stripByteCounts, strip),
    short(TAG.sampleFormat, format),
    double(TAG.modelPixelScale, 0.25, 0.25, 0),
    double(TAG.modelTiepoint, 0, 0, 0, 0, 1, 0),
    short(TAG.geoKeyDirectory, 1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key, 0, 1, value])),
    ...(options.nodata === undefined ? [] : [asciiEntry(TAG.gdalNodata, options.nodata)]),
  ];
  return toSmallTiff(entries, new Uint8Array(strip));
}

const jp2Decoder = makeJp2Decoder();

/** Reads a file of a folder. */
function read(root: string, name: string, options: Partial<HeightOptions & { overview: number }> = {}) {
  const heights = { bandIndex: 0, unit: null, nodata: null, ...options };
  const open = makeOpenSource({ dataDir: root });
  return readDemFile({ open, jp2Decoder }, { dem: 'alps', href: name, ...heights });
}

/** Writes an image and reads its record. */
async function record(image: TestDem, options: Partial<HeightOptions> = {}) {
  let file: Awaited<ReturnType<typeof read>> | null = null;
  await withDemFolder(async ({ root }) => {
    await writeDem(join(root, 'a.tif'), image);
    file = await read(root, 'a.tif', options);
  });
  return file as unknown as Awaited<ReturnType<typeof read>>;
}

const near = (value: number, wanted: number, tolerance: number) =>
  assert.ok(Math.abs(value - wanted) <= tolerance, `${value}, not ${wanted}`);

test('a record has everything that reading heights needs', async () => {
  const file = await record({ type: 'float32', width: 40, height: 32, nodata: -32_767, overviews: 'auto' });
  const { id, stamps, resolutionM, ...rest } = file;
  assert.deepEqual(rest, {
    dem: 'alps',
    overview: 0,
    format: 'tiff',
    href: 'a.tif',
    bandIndex: 0,
    epsg: 4326,
    transform: [0, 1 / 40, 0, 1, 0, -1 / 32],
    width: 40,
    height: 32,
    levels: [
      { width: 20, height: 16 },
      { width: 10, height: 8 },
    ],
    nodata: -32_767,
    scale: 1,
    offset: 0,
    stepM: 0,
    bounds: { west: 0, south: 0, east: 1, north: 1 },
  });
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.match(stamps[0] ?? '', /^\d+-\d+/);
  near(resolutionM, Math.sqrt((111_319 / 40) * (110_574 / 32)), 5);
});

test('a file of an overview mosaic has another id than the same file as ingested', () =>
  withDemFolder(async ({ root }) => {
    await writeDem(join(root, 'a.tif'));
    const [plain, mosaic] = [await read(root, 'a.tif'), await read(root, 'a.tif', { overview: 2 })];
    assert.deepEqual([plain.overview, mosaic.overview], [0, 2]);
    assert.notEqual(plain.id, mosaic.id);
  }));

test('tiles of GLO-30 have pixels of about 30 m at 0°, 55° and 80° north', async () => {
  // Seconds of longitude by latitude, from the product handbook; pixels of minutes make the test quick.
  for (const [latitude, seconds, wantedM] of [
    [0, 1, 30.8],
    [55, 1.5, 28.5],
    [80, 5, 28.2],
  ] as const) {
    const width = 60 / seconds;
    const step = { pixelWidth: seconds / 60, pixelHeight: 1 / 60 };
    const { resolutionM, bounds } = await record({
      ...step,
      type: 'float32',
      width,
      height: 60,
      west: 6 - step.pixelWidth / 2,
      north: latitude + 1 + step.pixelHeight / 2,
    });
    near(resolutionM / 60, wantedM, 0.3);
    near(bounds.south, latitude + 1 / 120, 1e-9);
    near(bounds.west, 6 - step.pixelWidth / 2, 1e-9);
  }
});

test('a file across the antimeridian has an east beyond 180', async () => {
  const { bounds } = await record({ west: 179.5, north: -16 });
  assert.deepEqual(bounds, { west: 179.5, south: -17, east: 180.5, north: -16 });
});

test('a UTM file has bounds in degrees, and its pixel size on the ground', async () => {
  const [x, y] = makeProjection(4326, 32633).forward(15, 50);
  const image = { epsg: 32633, west: x - 8000, north: y + 8000, pixelWidth: 1000, pixelHeight: 1000 };
  const { epsg, bounds, resolutionM } = await record(image);
  assert.equal(epsg, 32633);
  near(resolutionM, 1000 / 0.9996, 0.1);
  near((bounds.west + bounds.east) / 2, 15, 1e-4);
  near(bounds.east - bounds.west, (2 * 8003) / 71_700, 1e-3);
  near(bounds.north - bounds.south, (2 * 8003) / 111_230, 1e-3);
});

test('feet become metres, and scale and offset apply to metres', async () => {
  const feet = await record({ bands: [{ unit: 'ft' }] });
  assert.deepEqual([feet.scale, feet.offset, feet.stepM], [0.3048, 0, 0.3048]);
  const scaled = await record({ bands: [{ unit: 'ft', scale: 0.1, offset: -100 }] });
  assert.deepEqual([scaled.scale, scaled.offset], [0.1 * 0.3048, -100 * 0.3048]);
  const stated = await record({ bands: [{ unit: 'ft' }], type: 'float32' }, { unit: 'us-ft' });
  assert.deepEqual([stated.scale, stated.stepM], [1200 / 3937, 0]);
  await assert.rejects(record({ bands: [{ unit: 'kPa' }] }), { code: 'height-unit' });
  await assert.rejects(record({ bands: [{ scale: 0 }] }), { code: 'no-heights' });
});

test('the unit of the georeference is used where the band has none, for all sample types', () =>
  withDemFolder(async ({ root, write }) => {
    await write('plain.tif', makePlainTiff({ type: 'int32', geoKeys: [[4099, 9003]], nodata: '-9999' }));
    const { scale, nodata, stepM } = await read(root, 'plain.tif');
    assert.deepEqual([scale, nodata, stepM], [1200 / 3937, -9999, 1200 / 3937]);
    for (const [type, step] of [
      ['int8', 1],
      ['uint32', 1],
      ['float64', 0],
    ] as const) {
      await write('plain.tif', makePlainTiff({ type }));
      const file = await read(root, 'plain.tif');
      assert.deepEqual([file.scale, file.stepM, file.nodata], [1, step, null], type);
    }
  }));

test('the void value comes from the file, else from the operator, else it is -32768 for signed 16 bits', async () => {
  assert.equal((await record({ nodata: -9999 }, { nodata: 5 })).nodata, -9999);
  assert.equal((await record({}, { nodata: 5 })).nodata, 5);
  assert.equal((await record({})).nodata, -32_768);
  assert.equal((await record({ type: 'uint16' })).nodata, null);
  assert.equal((await record({ type: 'uint16' }, { nodata: -1 })).nodata, null, 'no pixel can have it');
  assert.equal((await record({ type: 'float32', nodata: Number.NaN })).nodata, null, 'never a height');
  // As pixels of 32 bits hold it.
  assert.equal((await record({ type: 'float32' }, { nodata: 0.1 })).nodata, Math.fround(0.1));
});

test('the operator can choose another band, and a missing one is reported', async () => {
  const bands = [{ unit: 'm' }, { unit: 'ft' }];
  const { bandIndex, scale } = await record({ bands }, { bandIndex: 1 });
  assert.deepEqual([bandIndex, scale], [1, 0.3048]);
  await assert.rejects(record({ bands }, { bandIndex: 2 }), { code: 'no-band', message: /2 bands.*band 3/ });
});

test('a file without georeference, with control points or in an unknown CRS is refused by name', async () => {
  await assert.rejects(record({ epsg: null }), { code: 'no-georeference', message: /reference system/ });
  await assert.rejects(record({ more: { transform: null } }), {
    code: 'no-georeference',
    message: /transform/,
  });
  const points = [0, 1, 2, 3].map((i) => ({
    column: (i % 2) * 16,
    row: (i >> 1) * 16,
    x: i % 2,
    y: i >> 1,
    z: 0,
  }));
  await assert.rejects(record({ more: { transform: null, controlPoints: points } }), {
    code: 'control-points',
    message: /control points/,
  });
  await assert.rejects(record({ epsg: 2154 }), { code: 'unknown-crs' });
});

test('sidecars are part of the record: a world file, overviews', () =>
  withDemFolder(async ({ root, write }) => {
    await writeDem(join(root, 'a.tif'), { more: { transform: null } });
    await write('a.tfw', '0.0625\n0\n0\n-0.0625\n7.03125\n46.96875\n');
    await writeDem(join(root, 'a.tif.ovr'), { width: 8, height: 8 });
    const { transform, levels, sidecars, stamps } = await read(root, 'a.tif');
    assert.deepEqual(transform, [7, 0.0625, 0, 47, 0, -0.0625]);
    assert.deepEqual(levels, [{ width: 8, height: 8 }]);
    assert.deepEqual(sidecars, ['.ovr', '.tfw']);
    assert.equal(stamps.length, 3);
  }));

test('a broken file and one of another format are refused', () =>
  withDemFolder(async ({ root, write }) => {
    await writeDem(join(root, 'cut.tif'));
    await truncate(join(root, 'cut.tif'), 60);
    await assert.rejects(read(root, 'cut.tif'), { tag: 'source-broken' });
    await write('text.tif', 'not an image');
    await assert.rejects(read(root, 'text.tif'), { code: 'not-a-tiff' });
  }));

const plain = { description: null, scale: 1, offset: 0, unit: null };
const metresOf = (unit: string | null, verticalUnit: number | null = null) =>
  findMetresPerUnit({ bands: [{ ...plain, unit }], verticalUnit }, 0, null);

test('units are recognised by the words and codes of files', () => {
  for (const text of ['m', 'metre', 'Meters', null]) assert.equal(metresOf(text), 1, String(text));
  for (const text of ['ft', 'foot', 'Feet']) assert.equal(metresOf(text), 0.3048, text);
  for (const text of ['us-ft', 'US survey foot', 'Foot_US', 'us_survey_feet', 'ftUS']) {
    assert.equal(metresOf(text), 0.3048006096012192, text);
  }
  assert.equal(metresOf('cm'), 0.01);
  assert.equal(metresOf(null, 9001), 1);
  assert.equal(metresOf(null, 9002), 0.3048);
  assert.equal(metresOf(null, 9003), 1200 / 3937);
});

test('the operator takes precedence over the band, and the band over the georeference', () => {
  const file = { bands: [{ ...plain, unit: 'ft' }, plain], verticalUnit: 9003 };
  assert.equal(findMetresPerUnit(file, 0, 'm'), 1);
  assert.equal(findMetresPerUnit(file, 0, null), 0.3048);
  assert.equal(findMetresPerUnit(file, 1, null), 1200 / 3937);
});

test('an unknown unit is never assumed to be metres', () => {
  assert.throws(() => metresOf('degrees'), { code: 'height-unit', message: /"degrees".*--unit/ });
  assert.throws(() => metresOf(null, 9102), { code: 'height-unit', message: /EPSG:9102/ });
});
