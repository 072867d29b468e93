import type { TypedTree } from '../../bandmath/index.ts';
import { takeOutput } from '../../bandmath/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import { internal } from '../../errors.ts';
import type { Affine, Grid } from '../../geo/index.ts';
import { scaleAffine } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findInputAsset } from '../inputs/band-file.ts';
import { planInputs } from '../inputs/plan-inputs.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { NativeBand } from './native-plan.ts';

/** The files of the inputs of an expression, in their order. */
export const toInputAssets = (scene: ComparedScene, { inputs }: TypedTree): readonly Asset[] =>
  inputs.map(({ band, scene: which }) =>
    findInputAsset(which === 'earlier' ? (scene.earlier ?? scene) : scene, { band }),
  );

const pixelArea = ([, pixelWidth, rowShear, , colShear, pixelHeight]: Affine): number =>
  Math.abs(pixelWidth * pixelHeight - rowShear * colShear);

/** The band with the largest pixels; the first of several. */
export function coarsestOf(assets: readonly Asset[]): Asset {
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
  /** The whole grid, of which windows are planned later. */
  readonly grid: Grid;
  /** Whether it is the grid of a band: finer ones are averaged over its pixels. */
  readonly isNative: boolean;
}

/** Plans the inputs of a tree at full resolution. */
export function planNativeInputs(tree: TypedTree, request: NativeRequest): readonly InputPlan[] {
  const { scene, sensor, calibrated, grid, isNative } = request;
  return planInputs(tree.inputs, {
    scene: withoutOverviews(scene),
    sensor,
    calibrated,
    method: isNative ? 'average' : null,
    grid: toCoarse(grid),
  });
}

/** Plans the expressions of a tree at full resolution, one by one. */
export function planNativeBands(tree: TypedTree, request: NativeRequest): readonly NativeBand[] {
  const inputs = planNativeInputs(tree, request);
  return tree.outputs.map((_, output): NativeBand => {
    const taken = takeOutput(tree, output);
    return { tree: taken.tree, inputs: taken.inputs.map((input) => inputs[input] as InputPlan) };
  });
}

/** The full resolution is what values are computed of: how overviews were made is not known. */
export function withoutOverviews(scene: ComparedScene): ComparedScene {
  const strip = <Kind extends Scene>(one: Kind): Kind => ({
    ...one,
    assets: Object.fromEntries(
      Object.entries(one.assets).map(([band, asset]) => [band, { ...asset, overviews: [] }]),
    ),
  });
  return scene.earlier == null ? strip(scene) : { ...strip(scene), earlier: strip(scene.earlier) };
}

/** Inputs are planned on a coarse grid first: their windows are planned later, one by one. */
const COARSE_PX = 64;

function toCoarse(grid: Grid): Grid {
  const size = { width: Math.min(COARSE_PX, grid.width), height: Math.min(COARSE_PX, grid.height) };
  return { ...grid, ...size, transform: scaleAffine(grid.transform, grid, size) };
}
