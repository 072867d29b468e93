import type { Jp2Decoder } from '../../jp2/openjpeg/openjpeg-decoder.ts';
import { damaged } from '../bytes/grib-errors.ts';
import type { Scaling } from '../bytes/unpack-bits.ts';
import { SPARE_BYTES, unpackValues } from '../bytes/unpack-bits.ts';
import type { Packing } from '../headers/packing.ts';
import { unpackCcsds } from './unpack-ccsds.ts';
import { unpackComplex } from './unpack-complex.ts';
import { unpackIeee } from './unpack-ieee.ts';
import { unpackJpeg2000 } from './unpack-jpeg2000.ts';
import { unpackPng } from './unpack-png.ts';
import { unpackSecondOrder } from './unpack-second-order.ts';

/** The stored values of a field, `count` of them, in the order of the file. The bytes end with `SPARE_BYTES` more. */
export async function unpackField(
  bytes: Uint8Array,
  packing: Packing,
  count: number,
  jp2Decoder: Jp2Decoder,
): Promise<Float32Array> {
  if (packing.count !== null && packing.count !== count)
    throw damaged(`a field has ${packing.count} values, and its grid and bitmap ask for ${count}`);
  if (packing.kind === 'ieee') return unpackIeee(bytes, count, packing.bytes);
  const { scaling } = packing;
  if (packing.kind === 'simple') return unpackValues(bytes, packing.bits, count, scaling);
  if (packing.kind === 'second-order') return unpackSecondOrder(bytes, count, scaling, packing);
  if (packing.kind === 'complex')
    // A field without groups has the reference everywhere.
    return packing.groups.count === 0
      ? unpackValues(bytes, 0, count, scaling)
      : unpackComplex(bytes, count, scaling, packing.groups);
  // Without bits all values are the reference, and nothing is stored.
  if (packing.bits === 0 || count === 0) return unpackValues(bytes, 0, count, scaling);
  const stored = bytes.subarray(0, bytes.length - SPARE_BYTES);
  if (packing.kind === 'ccsds') return scaleNumbers(unpackCcsds(bytes, count, packing), scaling);
  if (packing.kind === 'png') return scaleNumbers(unpackPng(stored, count), scaling);
  return scaleNumbers(await unpackJpeg2000(stored, count, jp2Decoder), scaling);
}

function scaleNumbers(
  numbers: Uint8Array | Uint16Array | Float64Array,
  { reference, binary, decimal }: Scaling,
): Float32Array {
  const values = new Float32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) values[i] = (numbers[i]! * binary + reference) * decimal;
  return values;
}
