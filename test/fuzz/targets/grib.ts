import { deflateSync } from 'node:zlib';
import { openGribGrid } from '../../../src/cubes/open-grid-file.ts';
import type { TestField } from '../../../src/formats/grib/testing/encode-grib.ts';
import { encodeGrib } from '../../../src/formats/grib/testing/encode-grib.ts';
import { BitWriter } from '../../../src/formats/grib/testing/encode-numbers.ts';
import { toPngFile } from '../../../src/formats/png.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import type { FuzzTarget } from '../target.ts';

const grid = { west: 10, north: 50, lonStep: 0.5, latStep: 0.5, width: 5, height: 4 };
const temperature: TestField = {
  edition: 2,
  parameter: [0, 0, 0],
  level: [103, 2],
  run: '2026-05-02T06:00Z',
  hours: 9,
  grid,
  values: Array.from({ length: 20 }, (_, i) => 270 + ((i * 7) % 11)),
};
const withGaps = temperature.values.map((value, i) => (i % 3 === 0 ? Number.NaN : value));
const old: TestField = { ...temperature, edition: 1, parameter: [2, 11], level: [105, 2] };

/** GRIB files: messages, sections, times, grids, and the fields of every packing. */
export const grib: FuzzTarget = {
  name: 'grib',
  maxBytes: 16 * 1024,
  tokens: ['GRIB', '7777'],
  readSeeds: () => [
    encodeGrib(old),
    encodeGrib({ ...old, values: withGaps, scan: 0x60 }),
    encodeGrib(temperature, { ...temperature, values: withGaps }),
    encodeGrib({ ...temperature, packing: 'ieee' }),
    ...(['complex', 'differences-1', 'differences-2'] as const).map((packing) =>
      encodeGrib({ ...temperature, packing, values: withGaps, fromHours: 0 }),
    ),
    repack(42, [8, 8, 0, 2], toCcsds()),
    repack(41, [], toPng(5, 4)),
  ],
  async run(input) {
    const { variables } = await openGribGrid(makeMemorySource(input));
    for (const variable of variables) {
      for (const index of variable.timesMs.keys()) {
        const field = await variable.readField(index);
        if (field.length !== variable.grid.width * variable.grid.height)
          throw new Error('a field of another size');
      }
    }
  },
};

/** The same field in another packing: its number, what its header says in addition, and its numbers. */
function repack(template: number, more: readonly number[], data: Uint8Array): Uint8Array {
  const file = Buffer.from(encodeGrib({ ...temperature, bits: 8 }));
  // Section 5 has 21 bytes, then come an empty bitmap and 20 numbers.
  const at = file.indexOf(Buffer.from('0000001505', 'hex'));
  const head = Buffer.from(file.subarray(at, at + 21));
  head.writeUInt32BE(21 + more.length, 0);
  head.writeUInt16BE(template, 9);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(5 + data.length);
  const parts = [file.subarray(0, at), head, Uint8Array.from(more), file.subarray(at + 21, at + 27), length];
  const whole = Buffer.concat([...parts, Uint8Array.of(7), data, Buffer.from('7777')]);
  whole.writeUInt32BE(whole.length, 12);
  return whole;
}

/** Three blocks of eight numbers: references 80 and 1 with differences 0 and 1, and a block of zeros between them. */
const toCcsds = (): Uint8Array =>
  new BitWriter()
    .put(1, 3)
    .put(80, 8)
    .put(127, 7)
    .put(1, 5)
    .put(1, 3)
    .put(1, 8)
    .put(0b1011_1111, 8)
    .toBytes();

function toPng(width: number, height: number): Uint8Array {
  const rows = new Uint8Array(height * (width + 1)).map((_, i) => (i % (width + 1) === 0 ? 1 : i));
  return toPngFile({ width, height, colorType: 0, chunks: [['IDAT', deflateSync(rows)]] });
}
