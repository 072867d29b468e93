import type { TypedTree } from '../../bandmath/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import type { Affine, Grid } from '../../geo/index.ts';
import { applyAffine, invertAffine, LON_LAT_GRID, scaleAffine } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow, WarpPlan } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { badInput, internal } from '../errors.ts';
import type { PlanRead } from '../plan/plan-inputs.ts';
import { estimatePlanes, findInputAsset, makePlanRead, planInputs } from '../plan/plan-inputs.ts';
import type { ComparedScene, InputPlan, PixelPlan } from '../plan/render-plan.ts';
import { cropGrid } from './area-window.ts';

/** An expression and its inputs, on the pixels of a scene itself. */
export interface NativeBand {
  readonly tree: TypedTree;
  /** In the order of the tree's inputs. Their warps are for the whole grid: those of single windows follow from them. */
  readonly inputs: readonly InputPlan[];
}

/** The scene and the grid on which expressions are computed: that of its coarsest band, or a part of it. Plain JSON. */
export interface NativeGrid {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly grid: Grid;
}

/** The grid on which expressions of a scene are computed. */
interface ComputedGrid {
  readonly grid: Grid;
  /** Whether these are the pixels of a band, so that nothing has to be resampled for it. */
  readonly isNative: boolean;
}

/** The grid on which the bands of a tree are computed with each other: that of the coarsest one, in UTM if it lies askew or does not suit. */
export function toNativeGrid(
  { inputs }: TypedTree,
  scene: ComparedScene,
  suits: (grid: Grid) => boolean = () => true,
): ComputedGrid {
  const asset = coarsestOf(
    inputs.map(({ band, scene: which }) =>
      findInputAsset(which === 'earlier' ? (scene.earlier ?? scene) : scene, { band }),
    ),
  );
  const { epsg, proj, transform, width, height, lattice } = asset;
  const grid: Grid = { epsg, ...(proj === undefined ? {} : { proj }), transform, width, height };
  return lattice === undefined && suits(grid)
    ? { grid, isNative: true }
    : { grid: toUtmGrid(asset), isNative: false };
}

const pixelArea = ([, pixelWidth, rowShear, , colShear, pixelHeight]: Affine): number =>
  Math.abs(pixelWidth * pixelHeight - rowShear * colShear);

/** The band with the largest pixels; the first of several. */
function coarsestOf(assets: readonly Asset[]): Asset {
  const [first, ...others] = assets;
  if (first === undefined) throw internal('no-inputs', 'Without bands there is no grid.');
  // by more than rounding: bands of one resolution share the grid of the first
  return others.reduce(
    (coarsest, asset) =>
      pixelArea(asset.transform) > pixelArea(coarsest.transform) * (1 + 1e-6) ? asset : coarsest,
    first,
  );
}

interface NativeRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  /** Reflectance or temperature instead of the numbers of the files. */
  readonly calibrated: boolean;
  /** Whether the speckle of radar bands is filtered; not when left out. */
  readonly filtersSpeckle?: boolean;
  /** The whole grid, of which windows are planned later. */
  readonly grid: Grid;
  /** Whether it is the grid of a band: finer ones are averaged over its pixels. */
  readonly isNative: boolean;
}

/** Plans the inputs of a tree at full resolution. */
export function planNativeInputs(tree: TypedTree, request: NativeRequest): readonly InputPlan[] {
  const { scene, sensor, calibrated, filtersSpeckle = false, grid, isNative } = request;
  const coarse = toCoarse(grid);
  const method = isNative ? 'average' : null;
  return planInputs(
    tree.inputs,
    { scene: withoutOverviews(scene), sensor, calibrated, filtersSpeckle, method, grid: coarse },
    coarseReads.remember(JSON.stringify(grid), () => makePlanRead(coarse, MAX_COARSE_PLANS)),
  );
}

/** What was planned for whole grids: scenes of one tile have the same, whatever areas are asked for. */
const coarseReads = makeLru<PlanRead>({ max: 64 });
/** As many as a sensor has sizes of pixels, for several methods. */
const MAX_COARSE_PLANS = 16;

/** The full resolution is what values are computed of: how overviews were made is not known. */
function withoutOverviews(scene: ComparedScene): ComparedScene {
  const strip = <Kind extends Scene>(one: Kind): Kind => ({
    ...one,
    assets: Object.fromEntries(
      Object.entries(one.assets).map(([band, asset]) => [band, { ...asset, overviews: [] }]),
    ),
  });
  return scene.earlier == null ? strip(scene) : { ...strip(scene), earlier: strip(scene.earlier) };
}

/** The same for the mask of clouds too, where it is a file of its own. */
export function withoutMaskOverviews(scene: ComparedScene): ComparedScene {
  const bare = withoutOverviews(scene);
  if (bare.cloudMask?.kind !== 'flags') return bare;
  return { ...bare, cloudMask: { ...bare.cloudMask, asset: { ...bare.cloudMask.asset, overviews: [] } } };
}

/** Inputs are planned on a coarse grid first: their windows are planned later, one by one. */
const COARSE_PX = 64;

function toCoarse(grid: Grid): Grid {
  const size = { width: Math.min(COARSE_PX, grid.width), height: Math.min(COARSE_PX, grid.height) };
  return { ...grid, ...size, transform: scaleAffine(grid.transform, grid, size) };
}

/** Positions that differ by less are the same: transforms are stored with some fifteen digits. */
const SAME_PX = 1e-3;
/** Pixel memory of one window: larger ones are computed in parts. Little enough for several threads at once. */
const MAX_WINDOW_BYTES = 64 * 2 ** 20;
/** Parts end where blocks of most files do, so that none is decoded twice. */
const MIN_SIDE_PX = 64;

/** The plan of a band in a window of the grid. */
export function planWindow(
  { viewId, sceneVersion, grid }: NativeGrid,
  { tree, inputs }: NativeBand,
  window: PixelWindow,
): PixelPlan {
  const target = cropGrid(grid, window);
  const plans = new Map<WarpPlan, WarpPlan | null>();
  const planOnce = (warp: WarpPlan): WarpPlan | null => {
    const known = plans.get(warp);
    if (known !== undefined) return known;
    const plan = planCopy(target, warp) ?? planPart(target, warp);
    plans.set(warp, plan);
    return plan;
  };
  const onWindow = inputs.map(
    (input): InputPlan => ({ ...input, warp: input.warp === null ? null : planOnce(input.warp) }),
  );
  return { viewId, sceneVersion, grid: target, tree, inputs: onWindow };
}

/** The plan of reading pixels as they are; null where the grids differ, or the image ends within the window. */
function planCopy(target: Grid, whole: WarpPlan): WarpPlan | null {
  const { epsg, proj = null, lattice = null, levelTransform, levelSize } = whole;
  if (lattice !== null || epsg !== target.epsg || proj !== (target.proj ?? null)) return null;
  const toPixel = invertAffine(levelTransform);
  const positionOf = (col: number, row: number) =>
    applyAffine(toPixel, ...applyAffine(target.transform, col, row));
  const [x, y] = positionOf(0, 0).map(Math.round) as [number, number];
  const { width, height } = target;
  const isSame = (col: number, row: number): boolean => {
    const [sourceX, sourceY] = positionOf(col, row);
    return Math.abs(sourceX - x - col) < SAME_PX && Math.abs(sourceY - y - row) < SAME_PX;
  };
  if (!isSame(0, 0) || !isSame(width, 0) || !isSame(0, height)) return null;
  if (x < 0 || y < 0 || x + width > levelSize.width || y + height > levelSize.height) return null;
  return { ...whole, window: { x, y, width, height }, workBytes: 0, isCopy: true };
}

/** The plan of resampling a window. */
function planPart(target: Grid, { method, epsg, proj, lattice, levelTransform, levelSize }: WarpPlan) {
  const source = {
    epsg,
    ...(proj == null ? {} : { proj }),
    ...(lattice == null ? {} : { lattice }),
    transform: levelTransform,
    ...levelSize,
    overviews: [],
  };
  return planWarp({ target, source, method });
}

/** Plans a window in one piece, or in several where the inputs take too much memory. */
export function* planWindows(
  plan: NativeGrid,
  band: NativeBand,
  window: PixelWindow,
): Generator<{ readonly window: PixelWindow; readonly pixels: PixelPlan }> {
  const pixels = planWindow(plan, band, window);
  const halves = estimatePlanes(pixels) <= MAX_WINDOW_BYTES ? null : halve(window);
  if (halves === null) yield { window, pixels };
  else for (const half of halves) yield* planWindows(plan, band, half);
}

/** Two halves along the longer side; null for a window that is small already. */
function halve({ x, y, width, height }: PixelWindow): readonly PixelWindow[] | null {
  const half = (length: number): number => Math.ceil(length / 2 / MIN_SIDE_PX) * MIN_SIDE_PX;
  if (Math.max(width, height) <= MIN_SIDE_PX) return null;
  if (width >= height) {
    const left = half(width);
    return [
      { x, y, width: left, height },
      { x: x + left, y, width: width - left, height },
    ];
  }
  const upper = half(height);
  return [
    { x, y, width, height: upper },
    { x, y: y + upper, width, height: height - upper },
  ];
}

/** Points along each side of an image that are projected. */
const PARTS = 64;

/** The EPSG code of the UTM zone (WGS 84) at a position. */
export function utmCodeAt(lon: number, lat: number): number {
  const turned = ((((lon + 180) % 360) + 360) % 360) / 6;
  return (lat < 0 ? 32_700 : 32_600) + Math.min(60, Math.floor(turned) + 1);
}

/**
 * The grid of an image that has none of its own, or none that a file could state: upright in the UTM zone of its
 * middle, with its pixel spacing, and origins at multiples of it.
 */
export function toUtmGrid(image: GeoreferencedGrid): Grid {
  const { width, height } = image;
  const [lon, lat] = makePixelMapping(LON_LAT_GRID, image).toTarget(width / 2, height / 2);
  const epsg = utmCodeAt(lon, lat);
  const metres: Grid = { epsg, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };
  const { toTarget } = makePixelMapping(metres, image);
  const spacingM = toSpacing(
    Math.sqrt(distance(toTarget, width, height, 1, 0) * distance(toTarget, width, height, 0, 1)),
  );
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= PARTS; i++) {
    const [along, down] = [(width * i) / PARTS, (height * i) / PARTS];
    for (const [col, row] of [
      [along, 0],
      [along, height],
      [0, down],
      [width, down],
    ] as const) {
      const [x, y] = toTarget(col, row);
      [minX, maxX] = [Math.min(minX, x), Math.max(maxX, x)];
      [minY, maxY] = [Math.min(minY, y), Math.max(maxY, y)];
    }
  }
  if (![minX, minY, maxX, maxY, spacingM].every(Number.isFinite)) {
    throw badInput('no-utm-zone', 'This scene has no position in a UTM zone, so no file can be made of it.');
  }
  const [left, top] = [Math.floor(minX / spacingM), Math.ceil(maxY / spacingM)];
  return {
    epsg,
    transform: [left * spacingM, spacingM, 0, top * spacingM, 0, -spacingM],
    width: Math.ceil(maxX / spacingM) - left,
    height: top - Math.floor(minY / spacingM),
  };
}

type ToGround = (col: number, row: number) => readonly [x: number, y: number];

/** Metres from a pixel in the middle to one of its neighbours. */
function distance(toGround: ToGround, width: number, height: number, cols: number, rows: number): number {
  const [x, y] = toGround((width - cols) / 2, (height - rows) / 2);
  const [nextX, nextY] = toGround((width + cols) / 2, (height + rows) / 2);
  return Math.hypot(nextX - x, nextY - y);
}

/** A spacing in round numbers: products state theirs with one or two digits, which control points meet to some percent. */
function toSpacing(measuredM: number): number {
  const round = (digits: number): number => Number(measuredM.toPrecision(digits));
  return Math.abs(round(1) / measuredM - 1) < 0.02 ? round(1) : round(2);
}
