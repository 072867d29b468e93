import type { TypedTree } from '../../bandmath/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import type { ColorPlan } from '../../color/index.ts';
import { internal, unsupported } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { ResampleMethod } from '../../raster/index.ts';
import type { Pansharpening, Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import { isOfClasses } from '../colors/plan-color.ts';
import { findAsset } from '../inputs/band-file.ts';
import { shownInput } from '../inputs/plan-expressions.ts';
import { planInputs } from '../inputs/plan-inputs.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { StretchPlan } from '../plan/render-plan.ts';
import type { SharpenedChannel, SharpenPlan, ValueLimits } from '../plan/sharpen-plan.ts';
import { planLow } from './plan-low.ts';

interface SharpenRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly tree: TypedTree;
  readonly inputs: readonly InputPlan[];
  readonly color: ColorPlan | null;
  readonly calibrated: boolean;
  readonly method: ResampleMethod | null;
  readonly grid: Grid;
}

/**
 * Decides how a picture is sharpened; null where its pixels are so large that no detail is left. Refused
 * where there is nothing to sharpen.
 */
export function planSharpen(request: SharpenRequest): SharpenPlan | null {
  const { scene, sensor, tree, inputs, color } = request;
  const { pansharpening: facts } = sensor;
  if (facts === null) {
    const sharpened = sensors.filter(({ pansharpening }) => pansharpening !== null);
    const titles = sharpened.map(({ title }) => title).toSorted();
    throw unsupported(
      'no-pansharpening',
      `Pictures of ${sensor.title} cannot be sharpened; those of ${titles.join(', ')} can.`,
    );
  }
  if (isOfClasses(color) || tree.outputs.some(({ type }) => type === 'boolean')) {
    throw unsupported(
      'sharpened-classes',
      'Classes and conditions cannot be sharpened: they have no detail.',
    );
  }
  const channels = tree.outputs.map((_, index) => planChannel(request, facts, index));
  const panAsset = findPan(scene, facts);
  const pan = planPan(request, facts);
  const [first] = channels;
  const { compositeWeights } = facts;
  if (compositeWeights !== null && channels.length === 3 && channels.every(({ kind }) => kind === 'band')) {
    const limits = first?.kind === 'band' ? first.limits : null;
    return { kind: 'composite', pan, weights: compositeWeights, limits };
  }
  const bandWarp = findBandWarp(inputs, facts);
  // Without pixels of the bands there is no picture, sharpened or not.
  const planned = bandWarp === null ? null : planLow({ pan, panAsset, bandWarp });
  return planned === null ? null : { kind: 'pixelwise', ...planned, channels };
}

/**
 * The contrast of a sharpened picture. Pixelwise sharpening leaves means as they are, so that of the bands suits it; a
 * Brovey transform makes everything as bright as the panchromatic band, and is measured as it is shown.
 */
export const planSharpStretches = (
  stretches: readonly StretchPlan[],
  sharpen: SharpenPlan | null,
): readonly StretchPlan[] =>
  sharpen?.kind !== 'composite'
    ? stretches
    : stretches.map((stretch) => (stretch.kind === 'measured' ? { ...stretch, kind: 'sharpened' } : stretch));

/** Some bands see what the panchromatic one does not (heat), or are it themselves. */
function planChannel(
  { scene, tree, inputs }: SharpenRequest,
  { bands, panBand }: Pansharpening,
  index: number,
): SharpenedChannel {
  const isSharpenable = (band: string | undefined): boolean => band !== undefined && bands.includes(band);
  const shown = shownInput(tree, index);
  if (shown === null) {
    const uses = tree.outputs[index]?.uses ?? [];
    if (uses.some((input) => isSharpenable(tree.inputs[input]?.band))) return { kind: 'computed' };
    throw unsupported('not-sharpened', `Only what is computed from ${bands.join(', ')} can be sharpened.`);
  }
  const input = inputs[shown];
  if (input === undefined) throw internal('no-input', 'A channel shows an input that there is not.');
  if (!isSharpenable(input.band)) {
    throw unsupported(
      'not-sharpened',
      `The band ${input.band} cannot be sharpened with ${panBand}; ${bands.join(', ')} can.`,
    );
  }
  const limits = input.rule === 'plain' ? limitsOf(findAsset(scene, input.band)) : null;
  return { kind: 'band', limits };
}

function limitsOf({ type }: Asset): ValueLimits {
  if (type === 'uint8') return { min: 0, max: 255 };
  return type === 'uint16' ? { min: 0, max: 65_535 } : null;
}

function findPan(scene: Scene, { panBand }: Pansharpening): Asset {
  if (Object.hasOwn(scene.assets, panBand)) return findAsset(scene, panBand);
  throw unsupported(
    'no-such-band-file',
    `This scene cannot be sharpened: it has no file for the panchromatic band ${panBand}.`,
  );
}

/** Physical when the bands are, also those of an alias that needs them so. */
function planPan({ tree, ...request }: SharpenRequest, { panBand }: Pansharpening): InputPlan {
  const calibrated = tree.inputs.some((input) => input.calibrated);
  const [pan] = planInputs([{ band: panBand, calibrated, scene: 'this' }], request);
  if (pan === undefined) throw internal('no-input', 'The panchromatic band was not planned.');
  return pan;
}

/** All bands that are sharpened lie on one grid. */
export const findBandWarp = (inputs: readonly InputPlan[], { bands }: Pansharpening): InputPlan['warp'] =>
  inputs.find(({ band }) => bands.includes(band))?.warp ?? null;
