import { encodeVectorTile } from '../../formats/vector-tile.ts';
import type { Bounds } from '../../geo/index.ts';
import { addBorderPoints } from './border-points.ts';
import { clipLines } from './clip-lines.ts';
import type { ContourLine } from './contour-line.ts';
import { DISPLAY_TOLERANCE_PX } from './display-tolerance.ts';
import { groupByHeight } from './group-by-height.ts';
import { simplifyLine } from './simplify-line.ts';

/** Where a tile lies in the grid of its heights, in pixels. */
export interface ContourTile {
  readonly box: Bounds;
  /** Lines reach this far beyond the box, so that strokes and labels do not end at the border. */
  readonly bufferPx: number;
}

/** The name of the one layer. */
const LAYER = 'contours';

/** Units a side of the tile: the default of vector tiles, a sixteenth of a pixel in a tile of 256 pixels. */
const EXTENT = 4096;

/**
 * Encodes contour lines as a Mapbox Vector Tile: a feature per height, with `ele` and `index`. Lines of neighbouring
 * tiles meet exactly where they cross the border between them.
 */
export function encodeContourTile(
  lines: readonly ContourLine[],
  { box, bufferPx }: ContourTile,
): Uint8Array<ArrayBuffer> {
  const scaleX = EXTENT / (box.maxX - box.minX);
  const scaleY = EXTENT / (box.maxY - box.minY);
  const toUnits = (points: Float64Array): Int32Array => {
    const units = new Int32Array(points.length);
    for (let i = 0; i < points.length; i += 2) {
      units[i] = Math.round((points[i]! - box.minX) * scaleX);
      units[i + 1] = Math.round((points[i + 1]! - box.minY) * scaleY);
    }
    return units;
  };
  // Border points come first: those of a line that is already cut could differ in the last bit from the neighbour's.
  const bordered = lines.map((line) => ({ ...line, points: addBorderPoints(line.points, box) }));
  const features = groupByHeight(clipLines(bordered, widen(box, bufferPx))).map((feature) => ({
    properties: feature.properties,
    lines: feature.lines.map((points) => toUnits(simplifyLine(points, DISPLAY_TOLERANCE_PX, box))),
  }));
  return encodeVectorTile([{ name: LAYER, extent: EXTENT, features }]);
}

const widen = ({ minX, minY, maxX, maxY }: Bounds, bufferPx: number): Bounds => ({
  minX: minX - bufferPx,
  minY: minY - bufferPx,
  maxX: maxX + bufferPx,
  maxY: maxY + bufferPx,
});
