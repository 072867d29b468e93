import { hash } from 'node:crypto';
import { clipWindow, planTouchedWindow } from '../areas/index.ts';
import type { TypedTree } from '../bandmath/index.ts';
import type { Scene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { AreaOutline, Bounds, Grid, MultiPolygonGeometry } from '../geo/index.ts';
import { LON_LAT_GRID, outlineBounds, toOutline } from '../geo/index.ts';
import { makeLru } from '../lru.ts';
import type { HistogramBins } from '../numbers/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { CloudPlan, ComparedScene, NativeGrid } from '../render/native/index.ts';
import {
  estimateClouds,
  estimatePlanes,
  planAreaWindow,
  planBandInput,
  planClasses,
  planClouds,
  planNativeInputs,
  planWindows,
  toNativeGrid,
  withoutMaskOverviews,
} from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { MEASURE_BYTES } from './collect-values.ts';
import type { MaskMeaning, MeasuredGroup, MeasuredPiece, MeasureJob, PlannedMask } from './measure-scene.ts';
import type { ClassLevel } from './statistics-order.ts';
import { parseMeasured, parseTogether } from './statistics-order.ts';

/** A scene with its sensor. */
export interface SensedScene {
  readonly scene: Scene;
  readonly sensor: Sensor;
}

/** The area in which scenes are measured. */
export interface MeasuredArea {
  readonly geometry: MultiPolygonGeometry;
  readonly outline: AreaOutline;
  readonly bounds: Bounds;
  /** A digest of the outline. */
  readonly key: string;
}

/** A scene, and how its clouds are treated. */
export interface MaskedScene {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  readonly classified: SensedScene | null;
  readonly masksClouds: boolean;
  readonly level: ClassLevel | null;
  /** Whether the speckle of radar bands is filtered; not when left out. */
  readonly filtersSpeckle?: boolean;
}

interface SceneRequest extends MaskedScene {
  readonly expressions: readonly string[];
  readonly area: MeasuredArea;
  readonly histogram: HistogramBins | null;
}

/** A scene that can be measured: the job, its memory, and the expressions that it measures. */
export interface PlannedScene {
  readonly job: MeasureJob;
  readonly bytes: number;
  /** Positions in the list of expressions, in the order of the answers. */
  readonly order: readonly number[];
}

/** Decides what is read to measure expressions in a scene; null if the area lies outside its images. Pure. */
export function planScene(request: SceneRequest): PlannedScene | null {
  const { expressions, area, histogram } = request;
  const groups: MeasuredGroup[] = [];
  const order: number[] = [];
  let bytes = 0;
  for (const { members, ...found } of groupByGrid(expressions, request)) {
    const window = planWindowAround(found.grid, area);
    if (window === null) return null;
    const atOnce = countAtOnce(window);
    for (let i = 0; i < members.length; i += atOnce) {
      const some = members.slice(i, i + atOnce);
      const texts = some.map((member) => expressions[member] as string);
      const planned = planGroup({ ...found, texts, window }, request);
      groups.push(planned.group);
      order.push(...some);
      bytes = Math.max(bytes, planned.bytes);
    }
  }
  const job: MeasureJob = { outline: area.outline, areaKey: area.key, groups, histogram };
  return { job, bytes, order };
}

/** Expressions of a scene that are computed on the same pixels. */
export interface GridGroup {
  readonly grid: Grid;
  /** Whether these are the pixels of a band. */
  readonly isNative: boolean;
  /** Positions in the list of expressions. */
  readonly members: readonly number[];
}

/** Expressions by the grid on which they are computed. */
export function groupByGrid(
  expressions: readonly string[],
  { scene, sensor }: Pick<MaskedScene, 'scene' | 'sensor'>,
): readonly GridGroup[] {
  const groups = new Map<string, GridGroup & { readonly members: number[] }>();
  for (const [i, text] of expressions.entries()) {
    const found = toNativeGrid(parseMeasured(text, sensor), scene);
    const key = JSON.stringify(found);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { ...found, members: [i] });
    else known.members.push(i);
  }
  return [...groups.values()];
}

/** The kernels' memory holds the values of all expressions of a group at once; those of the largest area fit. */
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
  request: SceneRequest,
): { readonly group: MeasuredGroup; readonly bytes: number } {
  const { area } = request;
  const planned = [...makePlanPieces({ texts, grid, isNative }, request)(window)];
  const largest = Math.max(0, ...planned.map(({ bytes }) => bytes));
  const pieces = planned.map(({ piece }) => piece);
  const areaPx = countAreaPixels(area, grid);
  const covered = Math.min(window.width * window.height, 2 * areaPx + EDGE_PX);
  // The area's mask and flags, and the values of each expression.
  const own = covered * (2 + 4 * texts.length) + MEASURE_BYTES;
  return {
    group: { pieces, expressions: texts.length, areaPx: isAtEdge(window, grid) ? areaPx : null },
    bytes: largest + own,
  };
}

/** A part of a window that is read at once, and its pixel memory. */
export interface PlannedPiece {
  readonly window: PixelWindow;
  readonly piece: MeasuredPiece;
  readonly bytes: number;
}

/** Plans what is read of windows of a grid, with the masks of clouds. */
export function makePlanPieces(
  { texts, grid, isNative }: Omit<GroupRequest, 'window'>,
  { scene, sensor, classified, masksClouds, level, filtersSpeckle = false }: MaskedScene,
): (window: PixelWindow) => Generator<PlannedPiece> {
  const tree = parseTogether(texts, sensor);
  const inputs = planNativeInputs(tree, {
    scene: withSun(scene),
    sensor,
    calibrated: true,
    filtersSpeckle,
    grid,
    isNative,
  });
  const native: NativeGrid = { viewId: scene.viewId, sceneVersion: scene.version, grid };
  const bare = { scene: withoutMaskOverviews(scene), sensor };
  const bareClasses =
    classified === null ? null : { ...classified, scene: withoutMaskOverviews(classified.scene) };
  return function* (window) {
    for (const { window: part, pixels } of planWindows(native, { tree, inputs }, window)) {
      const masks = planMasks({
        ...bare,
        grid: pixels.grid,
        masksClouds,
        level,
        classified: bareClasses,
      });
      const maskBytes = Math.max(0, ...masks.map(({ plan }) => estimateClouds(plan, pixels.grid)));
      yield { window: part, piece: { pixels, masks }, bytes: estimatePlanes(pixels) + maskBytes };
    }
  };
}

/**
 * The window around an area, with a pixel more on each side: an area without a centre of a pixel touches those around
 * it. Null if it lies outside the image.
 */
export function planWindowAround(
  grid: Grid,
  { bounds, outline }: Pick<MeasuredArea, 'bounds' | 'outline'>,
): PixelWindow | null {
  const window = planAreaWindow(grid, bounds) ?? planTouchedWindow(outline, grid);
  if (window === null) return null;
  const { x, y, width, height } = window;
  return clipWindow({ x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, grid);
}

/** From longitude and latitude to columns and rows. */
export function makeToPixel(grid: GeoreferencedGrid): (lon: number, lat: number) => [number, number] {
  const { toTarget } = makePixelMapping(grid, LON_LAT_GRID);
  return (lon, lat) => toTarget(lon, lat) as [number, number];
}

/** Pixels that small areas have in addition to their size: those at their edges. */
const EDGE_PX = 65_536;

/** Whether a window ends where the image does: then the area may extend beyond it. */
export const isAtEdge = ({ x, y, width, height }: PixelWindow, image: Grid): boolean =>
  x === 0 || y === 0 || x + width === image.width || y + height === image.height;

/** Sizes of areas, cached: scenes of one tile have one grid. */
const areaSizes = makeLru<number>({ max: 1_000 });

/** The size of an area in pixels of a grid that continues beyond the image. */
const countAreaPixels = ({ geometry, key }: MeasuredArea, grid: Grid): number =>
  areaSizes.remember(JSON.stringify([key, grid]), () =>
    sizeOfRings(toPixelRings(geometry, makeToPixel(grid))),
  );

/** Rings in pixels: columns and rows, one after the other. */
export type PixelRings = readonly Float64Array[];

/** The corners of an area in pixels; edges between them are straight. */
export const toPixelRings = (
  { coordinates }: MultiPolygonGeometry,
  toPixel: (lon: number, lat: number) => readonly [col: number, row: number],
): PixelRings =>
  coordinates.flat().map((ring) => {
    const own = Float64Array.from(ring.flat());
    return projectRing(own, toPixel, own);
  });

/** Writes the corners of a ring in pixels; both are numbers one after the other. */
export function projectRing(
  ring: Float64Array,
  toPixel: (lon: number, lat: number) => readonly [col: number, row: number],
  into: Float64Array,
): Float64Array {
  for (let i = 0; i < ring.length; i += 2) {
    const [col, row] = toPixel(ring[i] as number, ring[i + 1] as number);
    into[i] = col;
    into[i + 1] = row;
  }
  return into;
}

/** The pixels that rings take. */
export function sizeOfRings(rings: PixelRings): number {
  let doubled = 0;
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2)
      doubled +=
        (ring[i - 2] as number) * (ring[i + 1] as number) - (ring[i] as number) * (ring[i - 1] as number);
  }
  return Math.abs(doubled) / 2;
}

interface MaskRequest extends SensedScene {
  readonly grid: Grid;
  /** Whether the scene's own clouds are left out of the statistics. */
  readonly masksClouds: boolean;
  /** Null for none. */
  readonly level: ClassLevel | null;
  /** The scene that has the classification: the same one, or its Level-2A; null if there is none. */
  readonly classified: SensedScene | null;
}

/** Plans the cloud masks to read on a grid. Marks of several masks add up. Pure. */
export function planMasks(request: MaskRequest): readonly PlannedMask[] {
  const { scene, sensor, grid, masksClouds, level, classified } = request;
  const own = planClouds({ scene, sensor, grid, isExact: true });
  const masks: PlannedMask[] = [];
  if (own !== null) masks.push(toMask(own, scene, masksClouds ? 'masked' : 'counted'));
  if (level === null || classified === null || classified.sensor.cloud.kind !== 'classes') return masks;
  const { band, levels, invalid } = classified.sensor.cloud;
  const add = (classes: readonly number[], means: MaskMeaning): void => {
    const plan = planClasses({ band, classes }, { ...classified, grid });
    if (plan !== null) masks.push(toMask(plan, classified.scene, means));
  };
  add(levels[level], 'masked');
  add(invalid, 'no-data');
  return masks;
}

const toMask = (plan: CloudPlan, { viewId, version }: Scene, means: MaskMeaning): PlannedMask => ({
  plan,
  viewId,
  sceneVersion: version,
  means,
});

/**
 * The scene with the sun in the zenith if its metadata do not state how high it stood: some copies of products come
 * without metadata. The sun divides all bands alike, so that indices that are ratios do not depend on it; a note says so.
 */
const withSun = <Kind extends Scene>(scene: Kind): Kind =>
  scene.sunElevationDeg === null ? { ...scene, sunElevationDeg: 90 } : scene;

/** Whether values of a scene depend on the height of a sun that its metadata do not state. */
export function isSunMissing(scene: Scene, sensor: Sensor, trees: readonly TypedTree[]): boolean {
  if (scene.sunElevationDeg !== null) return false;
  return trees.some(({ inputs }) => inputs.some(({ band }) => needsSun(scene, sensor, band)));
}

function needsSun(scene: Scene, sensor: Sensor, band: string): boolean {
  try {
    planBandInput({ scene, sensor, band, calibrated: true });
    return false;
  } catch (error) {
    if (isSwathError(error)) return error.code === 'sun-unknown';
    throw error;
  }
}

export function toMeasuredArea(area: MultiPolygonGeometry): MeasuredArea {
  const outline = toOutline(area);
  const { west, south, east, north } = outlineBounds(outline);
  return {
    geometry: area,
    outline,
    bounds: { minX: west, minY: south, maxX: east, maxY: north },
    // Measurements depend on nothing but the edges of the area.
    key: hash('sha256', outline, 'hex'),
  };
}
