import type { Grid } from '../../geo/index.ts';
import { applyAffine } from '../../geo/index.ts';
import { clipLines } from '../contours/clip-lines.ts';
import { toContourFeatures } from '../contours/contour-features.ts';
import { encodeContourTile } from '../contours/encode-contour-tile.ts';
import type { HeightGrid } from '../contours/height-grid.ts';
import { traceContours } from '../contours/trace-contours.ts';
import { toLatitude, toLongitude } from '../plan/mercator.ts';
import type { ContourFormat } from './terrain-plan.ts';

/** A tile of contour lines. */
export interface ContourRequest {
  readonly intervalM: number;
  readonly format: ContourFormat;
  /** The pixels of the tile. */
  readonly grid: Grid;
  /** Pixels of heights on each side of it. */
  readonly haloPx: number;
}

/** Lines reach this far beyond a vector tile, so that strokes and labels do not end at its border. */
const BUFFER_PX = 4;
/** Two megabytes of coordinates: denser lines are a black surface. */
const MAX_POINTS = 131_072;

/** Traces the contour lines of a tile and encodes them. */
export function drawContours(
  heights: HeightGrid,
  { intervalM, format, grid, haloPx }: ContourRequest,
): Uint8Array<ArrayBuffer> {
  const lines = traceContours(heights, { intervalM, maxPoints: MAX_POINTS });
  const box = { minX: haloPx, minY: haloPx, maxX: haloPx + grid.width, maxY: haloPx + grid.height };
  if (format === 'mvt') return encodeContourTile(lines, { box, bufferPx: BUFFER_PX });
  const features = toContourFeatures(clipLines(lines, box), (x, y) => {
    const [xM, yM] = applyAffine(grid.transform, x - haloPx, y - haloPx);
    return [toLongitude(xM), toLatitude(yM)];
  });
  return new TextEncoder().encode(JSON.stringify(features));
}
