import { openGribGrid } from '../../../src/cubes/files/grib-grid-file.ts';
import type { TestField } from '../../../src/formats/grib/testing/encode-grib.ts';
import { encodeGrib } from '../../../src/formats/grib/testing/encode-grib.ts';
import { makeMemorySource } from '../../../src/formats/tiff/testing/memory-source.ts';
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
    toCcsds(temperature),
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

/** The same field with the header of CCSDS packing; its numbers are then codes of any meaning. */
function toCcsds(field: TestField): Uint8Array {
  const file = Buffer.from(encodeGrib({ ...field, values: field.values, bits: 8 }));
  const at = file.indexOf(Buffer.from('00000015' + '05', 'hex'));
  file.writeUInt32BE(25, at);
  file.writeUInt16BE(42, at + 9);
  const template = Uint8Array.of(8, 8, 0, 2);
  const longer = Buffer.concat([file.subarray(0, at + 21), template, file.subarray(at + 21)]);
  longer.writeUInt32BE(longer.length, 12);
  return longer;
}
