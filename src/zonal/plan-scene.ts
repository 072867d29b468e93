import type { AreaOutline, Bounds, Grid, MultiPolygonGeometry } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { PixelWindow } from '../raster/index.ts';
import { MEASURE_BYTES } from '../raster/index.ts';
import type { ComparedScene, NativeGrid } from '../render/index.ts';
import {
  coarsestOf,
  estimateClouds,
  estimatePlanes,
  planAreaWindow,
  planNativeInputs,
  planWindows,
  toInputAssets,
  toUtmGrid,
  withoutOverviews,
} from '../render/index.ts';
import type { Sensor } from '../sensors/index.ts';
import type { HistogramBins } from '../numbers/index.ts';
import type { MeasuredGroup, MeasureJob } from './measure-scene.ts';
import type { SensedScene } from './plan-masks.ts';
import { planMasks } from './plan-masks.ts';
import type { ParseExpressions } from './statistics-expressions.ts';
import type { ClassLevel } from './statistics-order.ts';
import { clipWindow, makeToPixel, planTouchedWindow } from './touched-pixels.ts';
import { withSun } from './unknown-sun.ts';

/** An area as scenes are measured in it. */
export interface MeasuredArea {
  readonly geometry: MultiPolygonGeometry;
  readonly outline: AreaOutline;
  readonly bounds: Bounds;
  /** A digest. */
  readonly key: string;
}

interface SceneRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly classified: SensedScene | null;
  readonly expressions: readonly string[];
  readonly area: MeasuredArea;
  readonly masksClouds: boolean;
  readonly level: ClassLevel | null;
  readonly histogram: HistogramBins | null;
}

/** A scene that can be measured: the job, its memory, and which expressions its answers are of. */
export interface PlannedScene {
  readonly job: MeasureJob;
  readonly bytes: number;
  /** Positions in the list of expressions, in the order of the answers. */
  readonly order: readonly number[];
}

/** The grid on which an expression is measured: the pixels of its coarsest band, in UTM if they lie askew. */
function toMeasuringGrid(scene: ComparedScene, tree: Parameters<typeof toInputAssets>[1]) {
  const { epsg, proj, transform, width, height, lattice } = coarsestOf(toInputAssets(scene, tree));
  if (lattice !== undefined) {
    const skewed = { epsg, transform, width, height, lattice, ...(proj === undefined ? {} : { proj }) };
    return { grid: toUtmGrid(skewed), isNative: false };
  }
  const grid: Grid = { epsg, ...(proj === undefined ? {} : { proj }), transform, width, height };
  return { grid, isNative: true };
}

/**
 * The window around an area, with a pixel more on each side: an area without a centre of a pixel touches those around
 * it. Null if it lies outside the image.
 */
function planWindowAround(grid: Grid, { bounds, outline }: MeasuredArea): PixelWindow | null {
  const window = planAreaWindow(grid, bounds) ?? planTouchedWindow(outline, grid);
  if (window === null) return null;
  const { x, y, width, height } = window;
  return clipWindow({ x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, grid);
}

/** Decides what is read to measure expressions in a scene; null if the area lies outside its images. Pure. */
export function planScene(request: SceneRequest, parse: ParseExpressions): PlannedScene | null {
  const { scene, sensor, expressions, area, histogram } = request;
  const byGrid = new Map<string, number[]>();
  const grids = expressions.map((text, i) => {
    const found = toMeasuringGrid(scene, parse.one(text, sensor));
    const key = JSON.stringify(found);
    byGrid.set(key, [...(byGrid.get(key) ?? []), i]);
    return found;
  });
  const groups: MeasuredGroup[] = [];
  const order: number[] = [];
  let bytes = 0;
  for (const members of byGrid.values()) {
    const [first] = members as [number];
    const found = grids[first] as (typeof grids)[number];
    const window = planWindowAround(found.grid, area);
    if (window === null) return null;
    const atOnce = countAtOnce(window);
    for (let i = 0; i < members.length; i += atOnce) {
      const some = members.slice(i, i + atOnce);
      const texts = some.map((member) => expressions[member] as string);
      const planned = planGroup({ ...found, texts, window }, request, parse);
      groups.push(planned.group);
      order.push(...some);
      bytes = Math.max(bytes, planned.bytes);
    }
  }
  const job: MeasureJob = { outline: area.outline, areaKey: area.key, groups, histogram };
  return { job, bytes, order };
}

/** Values of all expressions of a group lie in the kernels' memory at once: those of the largest area fit. */
const MAX_VALUES_BYTES = 64 * 2 ** 20;

/** How many expressions are measured at the same time: one at least. */
const countAtOnce = ({ width, height }: PixelWindow): number =>
  Math.max(1, Math.floor(MAX_VALUES_BYTES / (4 * width * height)));

/** Expressions on one grid, and the window around the area. */
interface GroupRequest {
  readonly texts: readonly string[];
  readonly grid: Grid;
  readonly isNative: boolean;
  readonly window: PixelWindow;
}

function planGroup(
  { texts, grid, isNative, window }: GroupRequest,
  { scene, sensor, classified, area, masksClouds, level }: SceneRequest,
  parse: ParseExpressions,
): { readonly group: MeasuredGroup; readonly bytes: number } {
  const tree = parse.together(texts, sensor);
  const inputs = planNativeInputs(tree, { scene: withSun(scene), sensor, calibrated: true, grid, isNative });
  const native: NativeGrid = { viewId: scene.viewId, sceneVersion: scene.version, grid };
  const bare = { scene: withoutMaskOverviews(scene), sensor };
  const bareClasses =
    classified === null ? null : { ...classified, scene: withoutMaskOverviews(classified.scene) };
  let largest = 0;
  const pieces = [...planWindows(native, { tree, inputs }, window)].map(({ pixels }) => {
    const masks = planMasks({
      ...bare,
      grid: pixels.grid,
      masksClouds,
      level,
      classified: bareClasses,
    });
    const maskBytes = Math.max(0, ...masks.map(({ plan }) => estimateClouds(plan, pixels.grid)));
    largest = Math.max(largest, estimatePlanes(pixels) + maskBytes);
    return { pixels, masks };
  });
  const areaPx = countAreaPixels(area, grid);
  const covered = Math.min(window.width * window.height, 2 * areaPx + EDGE_PX);
  // The area's mask and flags, and the values of each expression.
  const own = covered * (2 + 4 * texts.length) + MEASURE_BYTES;
  return {
    group: { pieces, expressions: texts.length, areaPx: isAtEdge(window, grid) ? areaPx : null },
    bytes: largest + own,
  };
}

/** Pixels that small areas have in addition to their size: those at their edges. */
const EDGE_PX = 65_536;

/** Whether a window ends where the image does: then the area may extend beyond it. */
const isAtEdge = ({ x, y, width, height }: PixelWindow, image: Grid): boolean =>
  x === 0 || y === 0 || x + width === image.width || y + height === image.height;

/** Sizes of areas that are remembered: scenes of one tile have one grid. */
const areaSizes = makeLru<number>({ max: 1_000 });

/** The size of an area in pixels of a grid that goes on beyond the image. */
const countAreaPixels = ({ geometry, key }: MeasuredArea, grid: Grid): number =>
  areaSizes.remember(JSON.stringify([key, grid]), () => measureArea(geometry, grid));

function measureArea(geometry: MeasuredArea['geometry'], grid: Grid): number {
  const toPixel = makeToPixel(grid);
  let doubled = 0;
  for (const ring of geometry.coordinates.flat()) {
    let [fromX, fromY] = toPixel(...(ring[0] as [number, number]));
    for (const [lon, lat] of ring.slice(1)) {
      const [x, y] = toPixel(lon, lat);
      doubled += fromX * y - x * fromY;
      [fromX, fromY] = [x, y];
    }
  }
  return Math.abs(doubled) / 2;
}

/** A mask is read at full resolution too. */
function withoutMaskOverviews(scene: ComparedScene): ComparedScene {
  const bare = withoutOverviews(scene);
  if (bare.cloudMask?.kind !== 'flags') return bare;
  return { ...bare, cloudMask: { ...bare.cloudMask, asset: { ...bare.cloudMask.asset, overviews: [] } } };
}
