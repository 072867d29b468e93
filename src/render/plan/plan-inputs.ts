/** The inputs of a plan: the files that they are read from, how they are warped, and what all of it takes of a thread. */

import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import { fileLimits, parseExpressions } from '../../bandmath/index.ts';
import type { BandFile } from '../../blocks/index.ts';
import { toOpenedState, toStated } from '../../blocks/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import { aboutPart } from '../../errors.ts';
import type { Grid, Size } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { ResampleMethod, WarpPlan } from '../../raster/index.ts';
import { PLANE_BYTES, planWarp } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, toExpressionNames } from '../../sensors/index.ts';
import { toWholeMib } from '../../units.ts';
import { unsupported } from '../errors.ts';
import { planBandInput } from './calibration.ts';
import type { ComparedScene, InputPlan, PixelPlan, SceneRef, SharpenPlan } from './render-plan.ts';
import { estimateSpeckle, findSpeckleNoise } from './speckle.ts';

interface ExpressionRequest {
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
  readonly sensor: Sensor;
  /** Whether three expressions are meant as red, green and blue. */
  readonly isComposite: boolean;
  /** Whether channels are read and not shown: then there may be any number of them. */
  readonly areValues?: boolean | undefined;
}

/** Reads what a picture shows: one expression, or three as a composite. */
export function planExpressions(request: ExpressionRequest): TypedTree {
  try {
    return planTree(request);
  } catch (error) {
    throw aboutPart('expressions', error);
  }
}

/** Reads what a picture shows. */
export type PlanExpressions = typeof planExpressions;

/** Cached expressions: a view of a map asks for the same one with every tile, and parsing it costs as much as all the rest. */
const MAX_CACHED = 256;

/** Builds the parsing of expressions with a cache of the last ones; refusals are not cached. */
export function makePlanExpressions(): PlanExpressions {
  const cache = makeLru<TypedTree>({ max: MAX_CACHED });
  return (request) => {
    const { bands, sensor, isComposite, areValues = false } = request;
    return cache.remember(`${sensor.dataset} ${isComposite} ${areValues} ${bands}`, () =>
      planExpressions(request),
    );
  };
}

/** A file of values may have as many bands as any sensor. */
const VALUE_LIMITS = { ...fileLimits, maxExpressions: 16 };

function planTree({ bands, sensor, isComposite, areValues = false }: ExpressionRequest): TypedTree {
  const names = toExpressionNames(sensor);
  const tree = parseExpressions(bands, names, areValues ? VALUE_LIMITS : undefined);
  const count = tree.outputs.length;
  if (tree.inputs.length === 0) {
    throw unsupported('no-band', 'This expression names no band, so there is no picture of it.');
  }
  if (areValues) return tree;
  if (count !== 1 && count !== 3) {
    throw unsupported('band-count', `A picture takes one expression or three; ${count} are given.`);
  }
  if (count === 1 && isComposite) {
    throw unsupported('composite-of-one', 'COMPOSITE=1 takes three expressions separated by commas.');
  }
  // An alias of three indices says itself that it is a composite, and so do three bands.
  const saysItself = names.find(bands.trim())?.kind === 'composite' || isOfBands(tree);
  if (count === 3 && !isComposite && !saysItself) {
    throw unsupported('not-a-composite', 'Three expressions make one picture only with COMPOSITE=1.');
  }
  return tree;
}

const isOfBands = (tree: TypedTree): boolean =>
  tree.outputs.every((_, output) => shownInput(tree, output) !== null);

/** The input that an expression shows as it is; null when it computes something. */
export function shownInput({ nodes, outputs }: TypedTree, index: number): number | null {
  const output = outputs[index];
  const node = output === undefined ? undefined : nodes[output.value];
  if (output === undefined || node?.op !== 'input') return null;
  // `where(c, NODATA, B4)` shows a band too, but not everywhere; other bands may mask it.
  return output.absent === null && output.uses.length === 1 ? node.input : null;
}

interface InputRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  /** Physical values for all bands, not only for those of aliases that need them: CALIBRATE. */
  readonly calibrated: boolean;
  /** Whether the speckle of radar bands is filtered; not when left out. */
  readonly filtersSpeckle?: boolean;
  /** Null: what suits the band. */
  readonly method: ResampleMethod | null;
  readonly grid: Grid;
}

/** Decides for all inputs of a picture which pixels they need and what becomes of their numbers. */
export function planInputs(
  inputs: readonly BandInput[],
  request: InputRequest,
  planRead: PlanRead = makePlanRead(request.grid),
): readonly InputPlan[] {
  return inputs.map((input) => planInput(input, request, planRead));
}

const NOTHING = { rule: 'plain', parameters: [], table: null, warp: null, isAbsent: true } as const;

function planInput(input: BandInput, request: InputRequest, planRead: PlanRead): InputPlan {
  const { band } = input;
  const { scene, sensor, method } = request;
  const isEarlier = input.scene === 'earlier';
  const from = isEarlier ? (scene.earlier ?? null) : scene;
  // Nothing to compare with: what is computed of it is transparent.
  if (from === null) return { ...toBandFile(band, findAsset(scene, band)), ...NOTHING };
  const asset = findAsset(from, band);
  const meaning = planBandInput({
    scene: from,
    sensor,
    band,
    calibrated: request.calibrated || input.calibrated,
  });
  const { rule, parameters, table, bits, isAbsent } = meaning;
  const warp = isAbsent ? null : planRead(asset, chooseMethod(sensor, band, method));
  const noise =
    request.filtersSpeckle === true && warp !== null
      ? findSpeckleNoise({ scene: from, sensor, band }, warp, asset.width)
      : null;
  return {
    ...toBandFile(band, asset),
    rule,
    parameters,
    table: table === null ? null : { values: table, fullSize: { width: asset.width, height: asset.height } },
    ...(bits === null ? {} : { bits }),
    ...(isEarlier ? { of: { viewId: from.viewId, sceneVersion: from.version } } : {}),
    ...(noise === null ? {} : { speckle: { noise } }),
    ...(isAbsent ? { warp: null, isAbsent } : { warp }),
  };
}

/** Methods whose results are values that occur; the others mix what they find. */
const PICKING: ReadonlySet<ResampleMethod> = new Set(['near', 'mode', 'min', 'max', 'med', 'q1', 'q3']);

/**
 * Between two classes or bit patterns there is nothing; between two measures there is. What is
 * mixed of two of them means something that neither says: classes are always such that occur, and bits those of one pixel
 * or of the majority, whatever method the caller wants for measures.
 */
function chooseMethod(sensor: Sensor, band: string, asked: ResampleMethod | null): ResampleMethod {
  if (band === sensor.quality?.band) return asked === 'mode' ? asked : 'near';
  if (findBand(sensor, band)?.kind !== 'quality') return asked ?? 'bilinear';
  return asked !== null && PICKING.has(asked) ? asked : 'near';
}

/** Decides what to read of a file for a grid. */
export type PlanRead = (asset: Asset, method: ResampleMethod) => WarpPlan | null;

/**
 * Bands of one resolution lie on one grid, so what is found for the first of them holds for the others. One that outlives
 * a request keeps no more than a number of plans.
 */
export function makePlanRead(target: Grid, max = Infinity): PlanRead {
  const plans = makeLru<WarpPlan | null>({ max });
  return (asset, method) => {
    const { epsg, proj, transform, lattice, width, height, overviews } = asset;
    const key = JSON.stringify([method, epsg, proj, transform, lattice, width, height, overviews]);
    return plans.remember(key, () => planWarp({ target, source: asset, method }));
  };
}

/** The file of a band in a scene. A missing file is an unsupported band: 404 would say that the scene is unknown. */
export function findAsset(scene: Scene, band: string): Asset {
  const asset = Object.hasOwn(scene.assets, band) ? scene.assets[band] : undefined;
  if (asset === undefined)
    throw unsupported('no-such-band-file', `This scene has no file for the band ${band}.`);
  return asset;
}

/** The file of an input, in the scene itself or in the earlier one. */
export const findInputAsset = (scene: ComparedScene, { band, of }: Pick<InputPlan, 'band' | 'of'>): Asset =>
  findAsset(of === undefined ? scene : (scene.earlier ?? scene), band);

/** What a reader must know of a file. */
export const toBandFile = (band: string, asset: Asset): BandFile => ({
  band,
  href: asset.href,
  bandIndex: asset.bandIndex,
  nodata: asset.nodata,
  ...toOpenedState(asset),
  ...toStated(asset),
});

/** The record that names the files of a scene: the block cache distinguishes blocks by it. */
export const toRecord = ({ viewId, sceneVersion }: SceneRef) => ({ name: viewId, version: sceneVersion });

/** How much one render, and one sample for a statistic, may take of a thread (docs/operate/limits.md). */
export interface RenderLimits {
  /** Estimated pixel memory of one picture. */
  readonly bytes: number;
  /** Additions of all pixels of a picture together. */
  readonly work: number;
  readonly sample: SampleLimits;
}

/** How much one sample may take of a thread. */
export interface SampleLimits {
  /** Estimated pixel memory. */
  readonly bytes: number;
  /** Additions of all pixels together: expensive expressions are measured on fewer pixels. */
  readonly work: number;
  /** Pixels that all inputs together may read. */
  readonly readPx: number;
  /** Pixels on the longer side of a sample of a scene or an area. */
  readonly sidePx: number;
}

/** The limits of a thread with 256 MiB of pixel memory. */
export const DEFAULT_LIMITS: RenderLimits = {
  bytes: 256 * 2 ** 20,
  // About a second.
  work: 2 ** 30,
  sample: {
    // What a thread has, less what it is reading at the moment.
    bytes: 192 * 2 ** 20,
    // About a quarter of a second.
    work: 2 ** 28,
    // A third of a thread's memory.
    readPx: 16 * 2 ** 20,
    // More pixels make no better percentiles or classes.
    sidePx: 1_024,
  },
};

/** The interpreter takes about this many times as long as compiled code. */
const INTERPRETED = 8;

/** The work of a pixel in additions of compiled code; at least one. */
export const workPerPixel = ({ costPerPixel, needsWindow }: TypedTree): number =>
  Math.max(1, costPerPixel * (needsWindow ? INTERPRETED : 1));

/** Refuses a picture whose expressions would take a thread for too long. */
export function checkWork(tree: TypedTree, { width, height }: Size, { work: maxWork }: RenderLimits): void {
  const work = workPerPixel(tree) * width * height;
  if (work <= maxWork) return;
  throw unsupported(
    'too-expensive',
    `This expression on ${width} × ${height} pixels takes the work of ${work} additions; ${maxWork} is the limit.`,
  );
}

/** RGBA and encoded. */
const PAINTED_BYTES = 4 + 4;

/** The memory of a picture, with `otherBytes` for what else is done to it; refuses what is too much. */
export function estimateBytes(
  pixels: PixelPlan,
  otherBytes: number,
  { bytes: maxBytes }: RenderLimits,
): number {
  const bytes = otherBytes + estimatePlanes(pixels) + pixels.grid.width * pixels.grid.height * PAINTED_BYTES;
  if (bytes <= maxBytes) return bytes;
  throw unsupported(
    'too-expensive',
    `This picture would need ${toWholeMib(bytes)} MiB of pixels; ${toWholeMib(maxBytes)} MiB is the limit.`,
  );
}

/**
 * The pixel memory of computing a plan. A pixel is a float and a mask byte: of each input before and after its warp, and
 * of each expression, with one more mask for what its inputs have in common. Each input counts the work memory of its
 * method: inputs that are warped together share it, inputs with different masks do not.
 */
export function estimatePlanes({ inputs, tree, grid, sharpen }: PixelPlan): number {
  const source = inputs.reduce((sum, input) => sum + inputBytes(input), 0);
  const warped = inputs.reduce((sum, { table }) => sum + PLANE_BYTES + (table === null ? 0 : 4), 0);
  const computed = tree.outputs.length * (PLANE_BYTES + 1);
  // The interpreter has planes of its own, at most one per node, in addition to the inputs with their rules applied.
  const interpreted = tree.needsWindow ? 4 * tree.nodes.length + inputs.length * (PLANE_BYTES + 1) : 0;
  return source + grid.width * grid.height * (warped + computed + interpreted) + sharpenBytes(sharpen, grid);
}

/** True when an input has nothing to show on the grid: then nothing of the others is drawn either. */
export const isEmptyPlan = ({ inputs }: Pick<PixelPlan, 'inputs'>): boolean =>
  inputs.some(({ warp }) => warp === null);

/** Pixels that a warp reads. */
export const countRead = (warp: WarpPlan | null): number =>
  warp === null ? 0 : warp.window.width * warp.window.height;

function inputBytes({ warp, table, speckle }: InputPlan): number {
  if (warp === null) return 0;
  const filtered = speckle === undefined ? 0 : estimateSpeckle(warp);
  return countRead(warp) * (PLANE_BYTES + (table === null ? 0 : 4)) + warp.workBytes + filtered;
}

/** Memory of sharpening: the panchromatic band as read, warped and calibrated, and the same of its local mean. */
function sharpenBytes(sharpen: SharpenPlan | undefined, { width, height }: Grid): number {
  const warp = sharpen?.pan.warp;
  if (sharpen === undefined || warp == null) return 0;
  const low = sharpen.kind === 'pixelwise' ? sharpen.low : null;
  const read = countRead(warp) * PLANE_BYTES + warp.workBytes;
  // Stored numbers are used as they are warped; calibrated ones are computed, with one more mask.
  const computed = sharpen.pan.rule === 'plain' ? 0 : PLANE_BYTES + 1;
  const shown = width * height * (PLANE_BYTES + computed);
  if (low === null) return read + shown;
  const mean = low.grid.width * low.grid.height * PLANE_BYTES;
  return read + mean + low.average.workBytes + low.warp.workBytes + 2 * shown;
}
