import type { BandInput } from '../bandmath/index.ts';
import type { BandFile } from '../blocks/index.ts';
import type { Asset, Scene } from '../catalog/index.ts';
import { unsupported } from '../errors.ts';
import type { Grid } from '../geo/index.ts';
import type { ResampleMethod, WarpPlan } from '../raster/index.ts';
import { planWarp } from '../raster/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { findBand } from '../sensors/index.ts';
import { planBandInput } from './calibration/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import type { InputPlan } from './plan.ts';

interface InputRequest {
  readonly scene: ComparedScene;
  readonly sensor: Sensor;
  /** Physical values for all bands, not only for those of aliases that need them: CALIBRATE. */
  readonly calibrated: boolean;
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
  return {
    ...toBandFile(band, asset),
    rule,
    parameters,
    table: table === null ? null : { values: table, fullSize: { width: asset.width, height: asset.height } },
    ...(bits === null ? {} : { bits }),
    ...(isEarlier ? { of: { viewId: from.viewId, sceneVersion: from.version } } : {}),
    ...(isAbsent ? { warp: null, isAbsent } : { warp: planRead(asset, chooseMethod(sensor, band, method)) }),
  };
}

/** Methods whose results are values that occur; the others mix what they find. */
const PICKING: ReadonlySet<ResampleMethod> = new Set(['near', 'mode', 'min', 'max', 'med', 'q1', 'q3']);

/**
 * Between two classes or bit patterns there is nothing; between two measures there is. What is
 * mixed of two of them means something that neither says: classes are always such that occur, and bits those of one pixel
 * or of most, whatever is asked for the measures beside them.
 */
function chooseMethod(sensor: Sensor, band: string, asked: ResampleMethod | null): ResampleMethod {
  if (band === sensor.quality?.band) return asked === 'mode' ? asked : 'near';
  if (findBand(sensor, band)?.kind !== 'quality') return asked ?? 'bilinear';
  return asked !== null && PICKING.has(asked) ? asked : 'near';
}

/** The file of a band in a scene. One that a scene lacks is a band that it does not support: 404 would say that the scene is unknown. */
export function findAsset(scene: Scene, band: string): Asset {
  const asset = Object.hasOwn(scene.assets, band) ? scene.assets[band] : undefined;
  if (asset === undefined)
    throw unsupported('no-such-band-file', `This scene has no file for the band ${band}.`);
  return asset;
}

/** What must be known of a file to read it. */
export const toBandFile = (band: string, asset: Asset): BandFile => ({
  band,
  href: asset.href,
  bandIndex: asset.bandIndex,
  nodata: asset.nodata,
  // The place is known from the catalog; of the files beside, only copies of the pixels are still needed.
  ...(asset.beside?.includes('.ovr') ? { beside: ['.ovr'] as const } : {}),
  ...toStamp(asset),
});

/** As the opened file will say it: its own state, and that of the copies beside it. */
function toStamp({ stamps, beside = [] }: Asset): Pick<BandFile, 'stamp'> {
  if (stamps === undefined) return {};
  const overviews = beside.includes('.ovr') ? stamps[1 + beside.indexOf('.ovr')] : undefined;
  return { stamp: overviews === undefined ? (stamps[0] ?? '') : `${stamps[0]} ${overviews}` };
}

/**
 * The same inputs on the grid of a sample, by nearest neighbours of a reduced copy: what is measured are values that
 * occur, and classes stay classes.
 */
export function toSampleInputs(
  inputs: readonly InputPlan[],
  scene: ComparedScene,
  planRead: PlanRead,
): readonly InputPlan[] {
  return inputs.map((input) => ({
    ...input,
    warp: input.isAbsent ? null : planRead(findInputAsset(scene, input), 'near'),
  }));
}

/** The file of an input, in the scene itself or in the earlier one. */
export const findInputAsset = (scene: ComparedScene, { band, of }: InputPlan): Asset =>
  findAsset(of === undefined ? scene : (scene.earlier ?? scene), band);

/** Decides what to read of a file for a grid. */
type PlanRead = (asset: Asset, method: ResampleMethod) => WarpPlan | null;

/** Bands of one resolution lie on one grid, so what is found for the first of them holds for the others. */
export function makePlanRead(target: Grid): PlanRead {
  const plans = new Map<string, WarpPlan | null>();
  return (asset, method) => {
    const { epsg, proj, transform, lattice, width, height, overviews } = asset;
    const key = JSON.stringify([method, epsg, proj, transform, lattice, width, height, overviews]);
    const known = plans.get(key);
    if (known !== undefined) return known;
    const plan = planWarp({ target, source: asset, method });
    plans.set(key, plan);
    return plan;
  };
}
