import { damaged } from '../bytes/grib-errors.ts';
import { toView } from '../bytes/numbers.ts';
import { SPARE_BYTES } from '../bytes/unpack-bits.ts';

/** Floats as they are stored, of four or eight bytes each (data template 7.4). */
export function unpackIeee(bytes: Uint8Array, count: number, bytesEach: 4 | 8): Float32Array {
  if (count * bytesEach > bytes.length - SPARE_BYTES)
    throw damaged('its floats do not fit into their section');
  const view = toView(bytes);
  const values = new Float32Array(count);
  if (bytesEach === 4) for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i);
  else for (let i = 0; i < count; i++) values[i] = view.getFloat64(8 * i);
  return values;
}
