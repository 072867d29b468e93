import type { Scene } from '../../../src/catalog/index.ts';
import type { BandsOrder, ExportArea } from '../../../src/exports/index.ts';
import type { Bounds } from '../../../src/geo/index.ts';
import { LON_LAT_GRID, toOutline } from '../../../src/geo/index.ts';
import { makePixelMapping } from '../../../src/proj/index.ts';

/** An order, and its area in words that Python reads. */
export interface WantedOrder {
  readonly what: string;
  readonly order: Pick<BandsOrder, 'bands' | 'merge' | 'area'>;
  readonly bounds: Bounds | null;
  /** A ring of longitudes and latitudes. */
  readonly ring: readonly (readonly [number, number])[] | null;
}

/** A box around the middle of a scene, off the borders of its blocks, as part of its extent. */
function middleOf(scene: Scene, part: number): Bounds {
  const [asset] = Object.values(scene.assets);
  if (asset === undefined) throw new Error(`${scene.viewId} has no files`);
  const { toTarget } = makePixelMapping(LON_LAT_GRID, asset);
  const at = (x: number, y: number) => toTarget(x * asset.width, y * asset.height);
  const half = part / 2;
  const corners = [at(0.5 - half, 0.5 - half), at(0.5 + half, 0.5 - half), at(0.5, 0.5 + half)];
  const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
  return {
    minX: Math.min(...lons),
    maxX: Math.max(...lons),
    minY: Math.min(...lats),
    maxY: Math.max(...lats),
  };
}

/** The orders of a scene that are compared. */
export function toWantedOrders(scene: Scene): readonly WantedOrder[] {
  const bands = Object.keys(scene.assets);
  const [first = '', second = first] = bands;
  const bounds = middleOf(scene, 0.63);
  const { minX, minY, maxX, maxY } = middleOf(scene, 0.8);
  const ring = [
    [minX, minY],
    [maxX, (minY + maxY) / 2],
    [(minX + maxX) / 2, maxY],
    [minX, minY],
  ] as const;
  const boxed: ExportArea = { kind: 'bounds', bounds };
  const outline = toOutline({ type: 'Polygon', coordinates: [ring.map(([lon, lat]) => [lon, lat])] });
  const whole = { area: null, merge: true };
  const pair = second === first ? [first] : [first, second];
  return [
    { what: 'one band', order: { ...whole, bands: [first] }, bounds: null, ring: null },
    { what: 'all merged', order: { ...whole, bands }, bounds: null, ring: null },
    { what: 'all apart', order: { ...whole, bands, merge: false }, bounds: null, ring: null },
    { what: 'one band in a box', order: { bands: [first], merge: true, area: boxed }, bounds, ring: null },
    { what: 'all in a box', order: { bands, merge: true, area: boxed }, bounds, ring: null },
    {
      what: 'two in an outline',
      order: { bands: pair, merge: true, area: { kind: 'outline', outline } },
      bounds: { minX, minY, maxX, maxY },
      ring,
    },
  ];
}
