import type { SwathError } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import { makeJp2Decoder } from '../jp2/openjpeg/openjpeg-decoder.ts';
import { truncated } from './bytes/grib-errors.ts';
import { SPARE_BYTES } from './bytes/unpack-bits.ts';
import type { ByteRange, GribField } from './headers/grib-field.ts';
import { readGribIndex } from './headers/read-index.ts';
import { arrange, countPresent, spread } from './packing/arrange.ts';
import { unpackField } from './packing/unpack-field.ts';

/** An opened GRIB file; its source stays the caller's to close. */
export interface GribFile {
  /** Those that are understood, in the order of the file. */
  readonly fields: readonly GribField[];
  /** Why the first field that was left out was; null if all were understood. */
  readonly refusal: SwathError | null;
  /** The values of a field: row by row from the north, each from the west, NaN where there is a gap. */
  readValues(field: GribField): Promise<Float32Array>;
}

/** Opens a GRIB file of edition 1 or 2, or of both: its headers are read, the numbers of a field when they are asked for. */
export async function openGrib(source: ByteSource): Promise<GribFile> {
  const { fields, refusal } = await readGribIndex(source);
  // Loaded with the first field that needs it.
  const jp2Decoder = makeJp2Decoder();
  const readBytes = async ({ offset, length }: ByteRange): Promise<Uint8Array> => {
    if (offset + length > source.size) throw truncated('a field');
    const bytes = new Uint8Array(length + SPARE_BYTES);
    const target = bytes.subarray(0, length);
    if (source.readInto !== undefined) await source.readInto(target, offset);
    else target.set(await source.read(offset, length));
    return bytes;
  };
  return {
    fields,
    refusal,
    async readValues({ grid, bitmap, data, packing }) {
      const points = grid.width * grid.height;
      if (bitmap === null)
        return arrange(await unpackField(await readBytes(data), packing, points, jp2Decoder), grid);
      const present = (await readBytes(bitmap)).subarray(0, bitmap.length);
      const count = countPresent(present, points);
      const values = await unpackField(await readBytes(data), packing, count, jp2Decoder);
      return arrange(spread(values, present, points), grid);
    },
  };
}
