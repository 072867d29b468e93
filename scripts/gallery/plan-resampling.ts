import type { GallerySheet } from './sheet.ts';
import { toSquare } from './sheet.ts';

/** The names of gdalwarp, and what each does, in a few words. */
const METHODS = [
  ['near', 'the nearest pixel'],
  ['bilinear', 'four pixels, by distance; the default'],
  ['cubic', 'sixteen pixels, sharper'],
  ['cubicspline', 'sixteen pixels, smoother'],
  ['lanczos', 'thirty-six pixels, sharpest'],
  ['average', 'mean'],
  ['mode', 'the most frequent value'],
  ['max', 'maximum'],
  ['min', 'minimum'],
  ['med', 'median'],
  ['q1', 'first quartile'],
  ['q3', 'third quartile'],
] as const;

/** Roofs of 1 m pixels in a picture of just under 2 m: all methods look at several pixels, and differ. */
const roofs = { lon: -122.3585, lat: 48.1906, sideM: 122 };

/** One small detail by all methods. */
export const resamplingSheet: GallerySheet = {
  name: 'resampling',
  title: 'Twelve ways of resampling',
  text: 'One detail of 64 × 64 pixels, 1.9 m each from pixels of 1 m, enlarged four times for the sheet.',
  columns: 4,
  pictures: METHODS.map(([method, words]) => ({
    title: `${method}: ${words}`,
    address: toSquare(
      {
        viewId: 'NAIP/wa/2015/1m/rgb/48122/m_4812254_nw_10_1_20150820',
        bands: 'R,G,B',
        query: `RESAMPLE=${method}&TILE_SIZE=64,64&mimetype=image/png`,
      },
      roofs,
    ),
  })),
};
