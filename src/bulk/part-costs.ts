import type { Scene } from '../catalog/index.ts';
import type { Grid, LonLat, LonLatBounds } from '../geo/index.ts';
import { geometryBounds, isPointInArea } from '../geo/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { groupByGrid, parseMeasured } from '../zonal/measuring.ts';
import type { BulkOrder } from './bulk-order.ts';
import type { Weights } from './cover-shapes.ts';
import { WINDOW_PX } from './measure-shapes.ts';
import type { ShapePack } from './shape-pack.ts';

/** What measuring a chunk in one scene is expected to cost; plain JSON. */
export interface PartCost {
  /** Time of one thread, in milliseconds. */
  readonly ms: number;
  /** Shapes of the chunk that the scene shows. */
  readonly shapes: number;
  /** Grids of the scene, as numbers within the chunk: the pixels of all shapes are found once for each. */
  readonly grids: readonly number[];
}

/*
 * Milliseconds of one thread, as `npm run bench -- bulk` has measured them. Only their ratios matter much: the pace of a run
 * is measured while it runs.
 */
const PIXEL_MS = 6e-6;
const SHAPE_MS: Readonly<Record<Weights, number>> = { centres: 0.01, fractions: 0.018 };
const PART_MS = 10;
const COVER_MS = 0.08;
const ROW_MS: Readonly<Record<BulkOrder['format'], number>> = {
  parquet: 0.0035,
  geoparquet: 0.01,
  csv: 0.006,
  geojson: 0.01,
  arrow: 0.004,
};
const JOIN_MS = 0.8;

/** The expected time of finding the pixels of shapes on one grid. */
export const toCoverMs = (shapes: number): number => COVER_MS * shapes;

/** The expected time of joining days to shapes. */
export const toJoinMs = (shapes: number): number => JOIN_MS * shapes;

/** The expected time of writing the rows of a chunk. */
export function toWriteMs(
  costs: readonly PartCost[],
  { format, layout, expressions, limit }: Pick<BulkOrder, 'format' | 'layout' | 'expressions' | 'limit'>,
): number {
  const most = Math.max(0, ...costs.map(({ shapes }) => shapes));
  const all = costs.reduce((sum, { shapes }) => sum + shapes, 0);
  const shown = limit === null ? all : Math.min(all, limit * most);
  return ROW_MS[format] * shown * (layout === 'long' ? expressions.length : 1);
}

/** The cost of a part that nothing is known of. */
export const toUnknownCost = (shapes: number): PartCost => ({
  ms: PART_MS + SHAPE_MS.centres * shapes,
  shapes,
  grids: [0],
});

const DEGREE_M = 111_320;

/** Windows of a grid of degrees that hold shapes: where one of them lies, and how many there are. */
type Cells = readonly { readonly place: LonLat; readonly shapes: number }[];

/** Builds the estimate of what the scenes of a chunk cost. */
export function makePartCosts(
  pack: ShapePack,
  { expressions, weights }: Pick<BulkOrder, 'expressions' | 'weights'>,
): (scene: Scene) => PartCost {
  const places = listPlaces(pack);
  const cellsBySide = new Map<number, Cells>();
  const gridNumbers = new Map<string, number>();

  function cellsOf(sideDeg: number): Cells {
    const known = cellsBySide.get(sideDeg);
    if (known !== undefined) return known;
    const cells = listCells(places, sideDeg);
    cellsBySide.set(sideDeg, cells);
    return cells;
  }

  return (scene) => {
    const sensor = sensorByDataset(scene.dataset);
    const bounds = geometryBounds(scene.footprint);
    let [ms, most] = [PART_MS, 0];
    const grids: number[] = [];
    try {
      if (sensor === null) return { ms, shapes: 0, grids };
      for (const { grid, members } of groupByGrid(expressions, { scene, sensor })) {
        const shown = cellsOf(toWindowDeg(grid)).filter(
          ({ place }) => isWithin(place, bounds) && isPointInArea(place, scene.footprint),
        );
        const inputs = members.flatMap((i) => parseMeasured(expressions[i] as string, sensor).inputs);
        const bands = new Set(inputs.map((input) => JSON.stringify(input))).size;
        const shapes = shown.reduce((sum, cell) => sum + cell.shapes, 0);
        ms += shown.length * WINDOW_PX ** 2 * bands * PIXEL_MS + shapes * members.length * SHAPE_MS[weights];
        most = Math.max(most, shapes);
        if (shown.length > 0) grids.push(numberOf(JSON.stringify(grid), gridNumbers));
      }
    } catch {
      // A scene without one of the bands ends soon; measuring it says why.
    }
    return { ms, shapes: most, grids };
  };
}

function numberOf(key: string, numbers: Map<string, number>): number {
  const found = numbers.get(key) ?? numbers.size;
  numbers.set(key, found);
  return found;
}

/** The side of a window in degrees, rounded: grids of one sensor share their cells. */
function toWindowDeg({ epsg, transform }: Grid): number {
  const pixel = Math.hypot(transform[1], transform[4]);
  const pixelDeg = epsg === 4326 ? pixel : pixel / DEGREE_M;
  return Number((WINDOW_PX * pixelDeg).toPrecision(2));
}

const isWithin = ([lon, lat]: LonLat, { west, south, east, north }: LonLatBounds): boolean =>
  // Footprints beyond the antimeridian are left to the exact test.
  west < -180 || east > 180 || (lon >= west && lon <= east && lat >= south && lat <= north);

/** The first position of each shape. */
function listPlaces({ count, positions, ringEnds, shapeEnds }: ShapePack): readonly LonLat[] {
  return Array.from({ length: count }, (_, shape) => {
    const ring = shapeEnds[shape - 1] ?? 0;
    const at = ringEnds[ring - 1] ?? 0;
    return [positions[2 * at] as number, positions[2 * at + 1] as number];
  });
}

/** The cells in which shapes lie; one that lies in several counts in the first. */
function listCells(places: readonly LonLat[], sideDeg: number): Cells {
  const cells = new Map<string, { place: LonLat; shapes: number }>();
  for (const place of places) {
    // Pixels of a projection are wider in degrees towards the poles.
    const wide = sideDeg / Math.max(0.1, Math.cos((place[1] * Math.PI) / 180));
    const key = `${Math.floor(place[0] / wide)} ${Math.floor(place[1] / sideDeg)}`;
    const known = cells.get(key);
    if (known === undefined) cells.set(key, { place, shapes: 1 });
    else known.shapes += 1;
  }
  return [...cells.values()];
}
