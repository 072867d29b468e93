import type { BandPixels } from './pixels.ts';
import { lonLatOf } from './pixels.ts';
import { askJson } from './service.ts';

/** A polygon as GeoJSON has it. */
export type Ring = readonly (readonly [lon: number, lat: number])[];

/** Around the middles of pixels of a band, from one to another, both inside: half a pixel of room on every side. */
export function ringAround(
  band: BandPixels,
  [left, top]: readonly [number, number],
  [right, bottom]: readonly [number, number],
): Ring {
  const lonLat = (column: number, row: number): readonly [number, number] => {
    // Corners lie between four pixels, half way from the middle of one to that of the next.
    const [upper, lower] = [
      lonLatOf(band, (row - 1) * band.width + column - 1),
      lonLatOf(band, row * band.width + column),
    ];
    return [(upper.lon + lower.lon) / 2, (upper.lat + lower.lat) / 2];
  };
  const [a, b, c, d] = [
    lonLat(left, top),
    lonLat(right + 1, top),
    lonLat(right + 1, bottom + 1),
    lonLat(left, bottom + 1),
  ];
  return [a, d, c, b, a];
}

/** The body that keeps an area. */
export const toFeature = (...rings: readonly Ring[]) => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates: rings },
});

/** Keeps an area; gives its reference. */
export async function keepArea(...rings: readonly Ring[]): Promise<string> {
  const { cropper_ref } = await askJson<{ cropper_ref: string }>('cropper/', { body: toFeature(...rings) });
  return cropper_ref;
}
