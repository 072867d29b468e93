import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { openGrib } from './open-grib.ts';
import type { TestField } from './testing/encode-grib.ts';
import { encodeGrib } from './testing/encode-grib.ts';

const { NaN: gap } = Number;
const grid = { west: 10, north: 50, lonStep: 0.5, latStep: 0.25, width: 3, height: 2 };
const temperature: TestField = {
  edition: 2,
  parameter: [0, 0, 0],
  level: [103, 2],
  run: '2026-05-02T06:00Z',
  hours: 9,
  grid,
  values: [270, 271, 272.5, 280, 281, 290.25],
};
const temperature1: TestField = { ...temperature, edition: 1, parameter: [2, 11], level: [105, 2] };

const readAll = async (file: Uint8Array): Promise<readonly number[][]> => {
  const grib = await openGrib(makeMemorySource(file));
  const all: number[][] = [];
  for (const field of grib.fields) all.push([...(await grib.readValues(field))]);
  return all;
};

test('both editions give grid, level, times and values', async () => {
  for (const field of [temperature, temperature1]) {
    const grib = await openGrib(makeMemorySource(encodeGrib(field)));
    const [found] = grib.fields;
    assert.deepEqual(found!.level, { type: 103, value: 2, to: null });
    assert.deepEqual(
      [found!.runMs, found!.startMs, found!.method],
      [Date.UTC(2026, 4, 2, 6), null, 'instant'],
    );
    assert.equal(found!.endMs, Date.UTC(2026, 4, 2, 15));
    const { scan, ...degrees } = found!.grid;
    assert.deepEqual(degrees, grid);
    assert.equal(scan.isSouthFirst, false);
    const values = [...(await grib.readValues(found!))];
    for (const [i, value] of values.entries())
      assert.ok(Math.abs(value - field.values[i]!) < 0.001, `${i}: ${value}`);
  }
});

test('a message of edition 1 is read byte by byte', async () => {
  // Values (−1.5 + x · 2⁻¹) · 10⁻¹ with x = 1, 2, 3, 7 in four bits; −1.5 is −(0x18 / 256) · 16 as an IBM float.
  const message = Buffer.from(
    [
      '47524942 000060 01',
      '00001c 80 62 91 ff 80 a7 01 0000 1a 05 02 06 00 01 00 00 00 0000 00 15 00 0001',
      '000020 00 ff 00 0002 0002 00c350 002710 80 00c738 002af8 03e8 03e8 40 00000000',
      '00000d 00 8001 c1180000 04 1237',
      '37373737',
    ]
      .join('')
      .replaceAll(' ', ''),
    'hex',
  );
  message.writeUIntBE(message.length, 4, 3);
  const grib = await openGrib(makeMemorySource(message));
  const [field] = grib.fields;
  assert.deepEqual([field!.centre, field!.parameter, field!.level.type], [98, [128, 167], 1]);
  assert.deepEqual([field!.grid.west, field!.grid.north, field!.grid.latStep], [10, 51, 1]);
  assert.equal(field!.endMs, Date.UTC(2026, 4, 2, 6));
  // Rows go from south to north in the file.
  const wanted = [(-1.5 + 1.5) / 10, (-1.5 + 3.5) / 10, (-1.5 + 0.5) / 10, (-1.5 + 1) / 10];
  assert.deepEqual([...(await grib.readValues(field!))], wanted.map(Math.fround));
});

test('bitmaps and gaps become NaN, in every packing', async () => {
  const values = [gap, 271, 272, gap, gap, 290];
  assert.deepEqual(await readAll(encodeGrib({ ...temperature1, values, binaryScale: 0 })), [values]);
  for (const packing of ['simple', 'complex', 'differences-1', 'differences-2', 'ieee'] as const)
    assert.deepEqual(
      await readAll(encodeGrib({ ...temperature, packing, values, binaryScale: 0 })),
      [values],
      packing,
    );
  // Groups without any value, and without any gap.
  const wide = { ...grid, width: 24, lonStep: 1 };
  const rows = Array.from({ length: 48 }, (_, i) =>
    i >= 8 && i < 24 ? gap : i % 8 === 0 ? 300 : 270 + (i % 5),
  );
  for (const packing of ['complex', 'differences-1', 'differences-2'] as const)
    assert.deepEqual(
      await readAll(encodeGrib({ ...temperature, grid: wide, packing, values: rows, binaryScale: 0 })),
      [rows],
      packing,
    );
});

test('every scanning mode is returned north up and from the west', async () => {
  // Numbers count in the order of the file; bits: east first, south first, by column, alternating.
  const cases: readonly (readonly [number, readonly number[]])[] = [
    [0x00, [0, 1, 2, 3, 4, 5]],
    [0x80, [2, 1, 0, 5, 4, 3]],
    [0x40, [3, 4, 5, 0, 1, 2]],
    [0xc0, [5, 4, 3, 2, 1, 0]],
    [0x20, [0, 2, 4, 1, 3, 5]],
    [0x60, [1, 3, 5, 0, 2, 4]],
    [0xa0, [4, 2, 0, 5, 3, 1]],
    [0x10, [0, 1, 2, 5, 4, 3]],
    [0x50, [5, 4, 3, 0, 1, 2]],
    [0x30, [0, 3, 4, 1, 2, 5]],
  ];
  for (const [scan, wanted] of cases) {
    const values = [0, 1, 2, 3, 4, 5];
    assert.deepEqual(
      await readAll(encodeGrib({ ...temperature, scan, values, binaryScale: 0 })),
      [wanted],
      `${scan}`,
    );
    // The last of the four bits means nothing in edition 1.
    if ((scan & 0x10) === 0)
      assert.deepEqual(
        await readAll(encodeGrib({ ...temperature1, scan, values, binaryScale: 0 })),
        [wanted],
        `${scan}`,
      );
  }
});

test('messages with several fields, and messages after headings, are all found', async () => {
  const second = { ...temperature, parameter: [0, 0, 6], values: [1, 2, 3, 4, 5, 6], binaryScale: 0 };
  const file = Buffer.concat([
    Buffer.from('\u0001\r\r\n001\r\r\nYTXX98 KWBC 020600\r\r\n'),
    encodeGrib(temperature, second, { ...second, values: [7, gap, 9, 10, 11, 12] }),
    Buffer.alloc(4_000),
    encodeGrib({ ...temperature1, values: [0, 1, 2, 3, 4, 5], binaryScale: 0 }),
    Buffer.from('\r\n'),
  ]);
  const source = makeMemorySource(file);
  const grib = await openGrib(source);
  assert.deepEqual(
    grib.fields.map(({ edition, parameter }) => [edition, parameter.at(-1)]),
    [
      [2, 0],
      [2, 6],
      [2, 6],
      [1, 11],
    ],
  );
  assert.deepEqual((await readAll(file)).slice(1), [
    [1, 2, 3, 4, 5, 6],
    [7, gap, 9, 10, 11, 12],
    [0, 1, 2, 3, 4, 5],
  ]);
});

test('opening reads headers, not numbers', async () => {
  const values = Array.from({ length: 400 * 300 }, (_, i) => i % 1000);
  const large = { ...temperature, grid: { ...grid, width: 400, height: 300 }, values };
  const message = encodeGrib(large);
  const source = makeMemorySource(Buffer.concat([message, message, message]));
  const { fields } = await openGrib(source);
  assert.equal(fields.length, 3);
  const bytes = source.reads.reduce((sum, [, length]) => sum + length, 0);
  assert.ok(bytes < 20_000, `${bytes} of ${source.size}`);
});

test('the length of an edition 1 message over 8 MB is in units of 120 bytes', async () => {
  const width = 2_500;
  const values = Array.from({ length: width * 2_000 }, (_, i) => i % 65_536);
  const long = { ...temperature1, grid: { ...grid, lonStep: 0.01, latStep: 0.01, width, height: 2_000 } };
  // One number stands for all while it is encoded.
  const head = encodeGrib({ ...long, values: [0], bits: 16, binaryScale: 0 });
  const dataAt = head.length - 4 - 2;
  const body = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) body.writeUInt16BE(value, 2 * i);
  const file = Buffer.concat([head.subarray(0, dataAt), body, Buffer.from('7777')]);
  const rest = Math.ceil((file.length - 4) / 120) * 120 - (file.length - 4);
  file.writeUIntBE(0x800000 + (file.length - 4 + rest) / 120, 4, 3);
  file.writeUIntBE(rest, dataAt - 11, 3);
  const grib = await openGrib(makeMemorySource(Buffer.concat([file, encodeGrib(temperature1)])));
  assert.equal(grib.fields.length, 2);
  const read = await grib.readValues(grib.fields[0]!);
  assert.deepEqual([read[65_535], read[65_536], read.at(-1)], [65_535, 0, (values.length - 1) % 65_536]);
});

test('unsupported grids, products and packings are reported with what to do', async () => {
  const patched = (field: TestField, find: string, to: string): Uint8Array =>
    Buffer.from(Buffer.from(encodeGrib(field)).toString('hex').replace(find, to), 'hex');
  const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
    [
      'grib-grid-type',
      patched(temperature, '000000060000000006', '000000060000001e06'),
      /Lambert conformal.*gdalwarp/,
    ],
    ['grib-grid-type', patched(temperature1, '00002000ff00', '00002000ff04'), /Gaussian/],
    [
      'grib-packing',
      patched(temperature, '000000150500000006' + '0000', '000000150500000006' + '0032'),
      /5\.50/,
    ],
    ['grib-statistic', encodeGrib({ ...temperature, fromHours: 3, statistic: 6 }), /statistic 6/],
    ['grib-time-range', encodeGrib({ ...temperature1, statistic: 51 }), /indicator 51/],
    ['grib-grid-offsets', encodeGrib({ ...temperature, scan: 0x08 }), /offset/],
  ];
  for (const [code, file, sentence] of cases) {
    const { fields, refusal } = await openGrib(makeMemorySource(file));
    assert.equal(fields.length, 0, code);
    assert.equal(refusal?.code, code);
    assert.match(refusal!.message, sentence);
  }
  await assert.rejects(openGrib(makeMemorySource(Buffer.from('nothing'))), { code: 'grib-none' });
  await assert.rejects(openGrib(makeMemorySource(Buffer.alloc(200_000))), { code: 'grib-none' });
});

test('a file truncated at any byte is refused', async () => {
  for (const field of [temperature, temperature1, { ...temperature, packing: 'differences-2' as const }]) {
    const file = encodeGrib(field);
    for (let length = 0; length < file.length; length++) {
      await assert.rejects(
        readAll(file.subarray(0, length)),
        (error) => isSwathError(error) && (error.tag === 'source-broken' || error.tag === 'unsupported'),
        `${length}`,
      );
    }
  }
});

test('headers that promise more than the file contains are refused', async () => {
  const huge = { ...grid, width: 2 ** 15, height: 2 ** 15, lonStep: 0.001, latStep: 0.001 };
  await assert.rejects(
    openGrib(makeMemorySource(encodeGrib({ ...temperature, grid: { ...huge, north: 80 } }))),
    {
      code: 'grib-too-large',
    },
  );
  const more = encodeGrib({ ...temperature, grid: { ...grid, height: 3 } });
  await assert.rejects(readAll(more), { code: 'grib-damaged' });
  const narrow = encodeGrib({ ...temperature1, grid: { ...grid, width: 300 } });
  await assert.rejects(readAll(narrow), { code: 'grib-damaged' });
});
