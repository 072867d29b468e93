import { createHash } from 'node:crypto';
import type { MultiPolygonGeometry } from '../geo/index.ts';

/** A digest of a normalised geometry: its counts and the bits of its coordinates. */
export function digestArea({ coordinates }: MultiPolygonGeometry): string {
  const counts = coordinates.map((rings) => rings.map(({ length }) => length));
  const degrees = Float64Array.from(coordinates.flat(2).flat());
  return createHash('sha256')
    .update(JSON.stringify(counts))
    .update(new Uint8Array(degrees.buffer))
    .digest('hex');
}
