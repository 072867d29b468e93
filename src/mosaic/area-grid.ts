import type { AreaOutline, Grid } from '../geo/index.ts';
import { outlineBounds } from '../geo/index.ts';
import { projectBounds } from '../proj/index.ts';
import { utmCodeAt } from '../render/native/index.ts';
import { badInput } from './errors.ts';

/** The pixels around an area in its UTM zone, on a lattice of their size in metres. */
export function toAreaGrid(outline: AreaOutline, toPixelM: (longestM: number) => number): Grid {
  const { west, south, east, north } = outlineBounds(outline);
  const epsg = utmCodeAt((west + east) / 2, (south + north) / 2);
  const bounds = projectBounds({ minX: west, minY: south, maxX: east, maxY: north }, 4326, epsg);
  if (bounds === null) throw badInput('bad-area', 'The area reaches where its UTM zone is not defined.');
  const { minX, minY, maxX, maxY } = bounds;
  const pixelM = toPixelM(Math.max(maxX - minX, maxY - minY));
  const [left, top] = [Math.floor(minX / pixelM), Math.ceil(maxY / pixelM)];
  return {
    epsg,
    transform: [left * pixelM, pixelM, 0, top * pixelM, 0, -pixelM],
    width: Math.max(1, Math.ceil(maxX / pixelM) - left),
    height: Math.max(1, top - Math.floor(minY / pixelM)),
  };
}
