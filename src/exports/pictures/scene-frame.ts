import type { Asset } from '../../catalog/index.ts';
import type { Bounds, LonLat, Ring } from '../../geo/index.ts';
import { LON_LAT_GRID, MERCATOR_HALF_SIDE_M } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import { internal, unsupported } from '../errors.ts';

/** The reference systems of pictures, and once around the Earth in their units. */
export const SYSTEMS = {
  /** Web Mercator. */
  3857: { turn: 2 * MERCATOR_HALF_SIDE_M, maxY: MERCATOR_HALF_SIDE_M },
  /** Longitude and latitude. */
  4326: { turn: 360, maxY: 90 },
} as const;

/** Where Web Mercator ends, in degrees: its square is as high as it is wide. */
export const MAX_LAT = 85.05112877980659;

/** The reference system of a picture. */
export type PictureEpsg = keyof typeof SYSTEMS;

/** Points along each side of an image that are projected: between them a side bulges by less than a pixel. */
const PARTS = 128;

/** The edge of an image in longitude and latitude; across the antimeridian it goes on beyond ±180. */
export function toFrameRing(asset: Asset): Ring {
  const { toTarget } = makePixelMapping(LON_LAT_GRID, asset);
  return edgeOf(asset, (col, row) => toTarget(col, row), SYSTEMS[4326].turn);
}

/** The rectangle that holds an image in the reference system of a picture. */
export function toFrameBounds(asset: Asset, epsg: PictureEpsg): Bounds {
  const { toTarget } = makePixelMapping({ ...LON_LAT_GRID, epsg }, asset);
  const edge = edgeOf(asset, (col, row) => toTarget(col, row), SYSTEMS[epsg].turn);
  const { maxY } = SYSTEMS[epsg];
  const xs = edge.map(([x]) => x);
  const ys = edge.map(([, y]) => Math.min(maxY, Math.max(-maxY, y)));
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/** The points of an image's edge, each the short way round from the first: images are smaller than half of the Earth. */
function edgeOf(
  { width, height }: Asset,
  project: (col: number, row: number) => LonLat,
  turn: number,
): readonly LonLat[] {
  const edge: LonLat[] = [];
  const add = (col: number, row: number): void => {
    const [x, y] = project(col, row);
    if (!(Number.isFinite(x) && Number.isFinite(y))) throw toUnmapped();
    edge.push([x + turn * Math.round(((edge[0]?.[0] ?? x) - x) / turn), y]);
  };
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
    [0, 0],
  ] as const;
  for (const [i, [col, row]] of corners.entries()) {
    const [nextCol, nextRow] = corners[i + 1] ?? [col, row];
    const parts = i + 1 < corners.length ? PARTS : 1;
    for (let part = 0; part < parts; part += 1) {
      add(col + ((nextCol - col) * part) / PARTS, row + ((nextRow - row) * part) / PARTS);
    }
  }
  return edge;
}

const toUnmapped = () =>
  unsupported('unmapped-scene', 'This scene reaches a pole, where the map of pictures ends.');

/** A pixel of an image on the map. */
export interface MapPixel {
  /** Side of the square with the same surface in Web Mercator, in metres of that map. */
  readonly mapM: number;
  /** Metres on the ground for a metre of the map. */
  readonly groundPerMap: number;
}

/** The pixel in the middle of an image. */
function toMapPixel(asset: Asset): MapPixel {
  const [col, row] = [asset.width / 2, asset.height / 2];
  const map = makePixelMapping({ ...LON_LAT_GRID, epsg: 3857 }, asset);
  const [x, y] = map.toTarget(col, row);
  const [right, rightY] = map.toTarget(col + 1, row);
  const [lower, lowerY] = map.toTarget(col, row + 1);
  const mapM = Math.sqrt(Math.abs((right - x) * (lowerY - y) - (rightY - y) * (lower - x)));
  const [, lat] = makePixelMapping(LON_LAT_GRID, asset).toTarget(col, row);
  if (!(mapM > 0 && Number.isFinite(mapM) && Math.abs(lat) < MAX_LAT)) throw toUnmapped();
  return { mapM, groundPerMap: Math.cos((lat / 180) * Math.PI) };
}

/** The image with the smallest pixels on the ground, and the pixel in its middle. */
export function findFinest(assets: readonly Asset[]): { readonly asset: Asset; readonly pixel: MapPixel } {
  const [first, ...others] = assets.map((asset) => ({ asset, pixel: toMapPixel(asset) }));
  if (first === undefined) throw internal('no-inputs', 'A picture without bands has no pixels.');
  return others.reduce((finest, one) => (one.pixel.mapM < finest.pixel.mapM ? one : finest), first);
}
