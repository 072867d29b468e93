import { encodeVectorTile } from '../../formats/vector-tile.ts';
import type { Bounds, Grid, LonLat } from '../../geo/index.ts';
import { applyAffine } from '../../geo/index.ts';
import { toLatitude, toLongitude } from '../plan/mercator.ts';
import type { ContourFormat } from '../tiles/terrain-plan.ts';
import type { ContourLine } from './contour-line.ts';
import { addBorderPoints, clipLines, simplifyLine } from './contour-line.ts';
import type { HeightGrid } from './sort-cells.ts';
import { traceContours } from './trace-contours.ts';

/**
 * Default intervals in metres by zoom level, from 0 up, of tiles with 256 pixels a side. They follow the practice of
 * topographic maps (10 m at 1:25 000, 20 m at 1:50 000, 50 m at 1:100 000, 100 m at 1:200 000): on a slope of 10° the
 * lines are about 6 pixels apart, 1.5 to 2 mm on a screen. Below zoom 10 a pixel is 300 m and more: slopes between
 * pixels are gentler, and the interval grows more slowly than the pixel.
 */
const INTERVALS_M: readonly number[] = [
  ...[2000, 2000, 2000, 2000, 1000, 1000, 1000, 500, 500, 200],
  ...[200, 100, 50, 20, 10, 5],
];

/** The default contour interval of a zoom level; beyond the last one of the table it stays the same. */
export function contourIntervalM(zoom: number): number {
  const last = INTERVALS_M.length - 1;
  return INTERVALS_M[Math.max(0, Math.min(last, Math.floor(zoom)))]!;
}

/** A tile of contour lines. */
interface ContourRequest {
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
/** Points that move a line by less than a tenth of a pixel are left out of answers: nobody sees them. */
const DISPLAY_TOLERANCE_PX = 0.1;

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

/** Where a tile lies in the grid of its heights, in pixels. */
interface ContourTile {
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

/** Contour lines as GeoJSON: a feature per height. */
interface ContourFeatures {
  readonly type: 'FeatureCollection';
  readonly features: readonly {
    readonly type: 'Feature';
    readonly properties: ContourProperties;
    readonly geometry: {
      readonly type: 'MultiLineString';
      readonly coordinates: readonly (readonly LonLat[])[];
    };
  }[];
}

/** Converts lines to GeoJSON; `toLonLat` converts a position in the grid. */
export function toContourFeatures(
  lines: readonly ContourLine[],
  toLonLat: (x: number, y: number) => LonLat,
): ContourFeatures {
  const features = groupByHeight(lines).flatMap((feature) => {
    const coordinates = feature.lines
      .map((points) => toPositions(simplifyLine(points, DISPLAY_TOLERANCE_PX), toLonLat))
      .filter((positions) => positions.length > 1);
    if (coordinates.length === 0) return [];
    const geometry = { type: 'MultiLineString' as const, coordinates };
    return [{ type: 'Feature' as const, properties: feature.properties, geometry }];
  });
  return { type: 'FeatureCollection', features };
}

/** The positions of a line, without those that rounding makes equal to the one before. */
function toPositions(points: Float64Array, toLonLat: (x: number, y: number) => LonLat): LonLat[] {
  const positions: LonLat[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const [lon, lat] = toLonLat(points[i]!, points[i + 1]!);
    const position: LonLat = [round(lon), round(lat)];
    const last = positions.at(-1);
    if (last?.[0] !== position[0] || last[1] !== position[1]) positions.push(position);
  }
  return positions;
}

/** Seven digits are a centimetre on the ground. Adding 0 turns −0 into 0. */
const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7 + 0;

/** The lines of one height, as one feature of a map. */
interface ContourFeature {
  readonly properties: ContourProperties;
  /** Points of each line, as x, y, x, y, … in pixels of the grid. */
  readonly lines: readonly Float64Array[];
}

/** Properties of a contour feature, by the names that vector tiles of contours usually have. */
type ContourProperties = {
  /** Elevation in metres. */
  readonly ele: number;
  /** Whether it is an index contour: every fifth, drawn bolder and labelled. */
  readonly index: boolean;
};

/** Gathers lines of equal height, from the lowest to the highest. */
const groupByHeight = (lines: readonly ContourLine[]): readonly ContourFeature[] =>
  [...Map.groupBy(lines, ({ heightM }) => heightM)]
    .sort(([one], [other]) => one - other)
    .map(([ele, members]) => ({
      properties: { ele, index: members.some(({ isIndex }) => isIndex) },
      lines: members.map(({ points }) => points),
    }));
