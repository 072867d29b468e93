import { badInput } from '../../errors.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { LON_LAT_GRID, moveOrigin, outlineBounds } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { imageBounds, intersectBounds } from '../../render/index.ts';
import type { ExportArea } from '../export.ts';

/** Edges are straight in degrees and bend on a grid: pieces of this length bend by far less than a pixel. */
const PIECE_DEG = 0.01;
const MAX_PIECES = 128;
/** Outlines that reach further from an image are not projected: reference systems end somewhere. */
const NEAR_DEG = 3;

/** Positions on a grid, not rounded. */
interface Extent {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** The window of a grid around an area: from the first to the last pixels whose centres lie within its extent. */
export function findCropWindow(grid: Grid, area: ExportArea): PixelWindow {
  const wanted = area.kind === 'bounds' ? toLonLat(area.bounds) : outlineBounds(area.outline);
  const image = imageBounds(grid);
  const common = image === null ? wanted : intersectBounds(image, wanted);
  if (common === null) throw toOutside();
  const extent = projectEdges(grid, boxEdges(common));
  if (area.kind === 'outline' && (image === null || isNear(image, wanted))) {
    const own = projectEdges(grid, area.outline);
    extent.minX = Math.max(extent.minX, own.minX);
    extent.minY = Math.max(extent.minY, own.minY);
    extent.maxX = Math.min(extent.maxX, own.maxX);
    extent.maxY = Math.min(extent.maxY, own.maxY);
  }
  if (!(extent.minX < grid.width && extent.minY < grid.height && extent.maxX > 0 && extent.maxY > 0)) {
    throw toOutside();
  }
  const [x, endX] = centresIn(extent.minX, extent.maxX, grid.width);
  const [y, endY] = centresIn(extent.minY, extent.maxY, grid.height);
  if (endX <= x || endY <= y) {
    throw badInput(
      'area-too-small',
      'The area is smaller than a pixel of the scene: it holds no pixel centre.',
    );
  }
  return { x, y, width: endX - x, height: endY - y };
}

/** A window of a grid as a grid of its own. */
export const toWindowGrid = (grid: Grid, window: PixelWindow): Grid => ({
  ...grid,
  transform: moveOrigin(grid.transform, window),
  width: window.width,
  height: window.height,
});

const toOutside = () => badInput('area-outside-scene', 'The area lies outside of the scene.');

const toLonLat = ({
  minX,
  minY,
  maxX,
  maxY,
}: Extract<ExportArea, { kind: 'bounds' }>['bounds']): LonLatBounds => ({
  west: minX,
  south: minY,
  east: maxX,
  north: maxY,
});

const isNear = (image: LonLatBounds, { west, south, east, north }: LonLatBounds): boolean =>
  west > image.west - NEAR_DEG &&
  east < image.east + NEAR_DEG &&
  south > image.south - NEAR_DEG &&
  north < image.north + NEAR_DEG;

/** The sides of a rectangle as edges, like those of an outline. */
function boxEdges({ west, south, east, north }: LonLatBounds): Float64Array {
  return Float64Array.from([
    ...[west, south, east, south],
    ...[west, north, east, north],
    ...[west, south, west, north],
    ...[east, south, east, north],
  ]);
}

/** What edges, four numbers each, cover on a grid. Where they cannot be projected they set no limit. */
function projectEdges(grid: Grid, edges: Float64Array): Extent {
  const { toSource } = makePixelMapping(LON_LAT_GRID, grid);
  const extent: Extent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  let isKnown = true;
  for (let i = 0; i < edges.length; i += 4) {
    const [fromLon, fromLat, toLon, toLat] = edges.subarray(i, i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const length = Math.max(Math.abs(toLon - fromLon), Math.abs(toLat - fromLat));
    const pieces = Math.min(MAX_PIECES, Math.ceil(length / PIECE_DEG) || 1);
    for (let piece = 0; piece <= pieces; piece++) {
      const part = piece / pieces;
      const [col, row] = toSource(fromLon + part * (toLon - fromLon), fromLat + part * (toLat - fromLat));
      if (Number.isNaN(col) || Number.isNaN(row)) isKnown = false;
      extent.minX = Math.min(extent.minX, col);
      extent.minY = Math.min(extent.minY, row);
      extent.maxX = Math.max(extent.maxX, col);
      extent.maxY = Math.max(extent.maxY, row);
    }
  }
  return isKnown ? extent : { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };
}

/** The pixels of a row or column whose centres lie between two positions. */
function centresIn(min: number, max: number, length: number): [first: number, end: number] {
  return [Math.max(0, Math.ceil(min - 0.5)), Math.min(length, Math.floor(max - 0.5) + 1)];
}
