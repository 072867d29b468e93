import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import { fileLimits, parseExpressions } from '../../bandmath/index.ts';
import type { BandFile } from '../../blocks/index.ts';
import { toOpenedState, toStated } from '../../blocks/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import { aboutPart } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { ResampleMethod, WarpPlan } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, toExpressionNames } from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';
import { planBandInput } from './calibration.ts';
import type { ComparedScene, InputPlan } from './render-plan.ts';
import { findSpeckleNoise } from './speckle.ts';

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
export function planInputs(inputs: readonly BandInput[], request: InputRequest): readonly InputPlan[] {
  const planRead = makePlanRead(request.grid);
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

/** Bands of one resolution lie on one grid, so what is found for the first of them holds for the others. */
export function makePlanRead(target: Grid): PlanRead {
  const plans = makeLru<WarpPlan | null>({ max: Infinity });
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
