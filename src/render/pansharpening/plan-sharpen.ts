import type { TypedTree } from '../../bandmath/index.ts';
import type { Asset, Scene } from '../../catalog/index.ts';
import type { ColorPlan } from '../../color/index.ts';
import { isOfClasses } from '../../color/index.ts';
import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { PixelWindow, ResampleMethod, WarpPlan } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import type { Pansharpening, Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import { internal, unsupported } from '../errors.ts';
import { findAsset, planInputs, shownInput } from '../plan/plan-inputs.ts';
import type { InputPlan, LowPlan, SharpenedChannel, SharpenPlan, ValueLimits } from '../plan/render-plan.ts';

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

/** A panchromatic band and the plan of its local mean, which read the same pixels. */
interface PlannedLow {
  readonly pan: InputPlan;
  readonly low: LowPlan | null;
}

interface LowRequest {
  readonly pan: InputPlan;
  readonly panAsset: Asset;
  /** How the bands that are sharpened come to the picture. */
  readonly bandWarp: WarpPlan;
}

/**
 * Plans the local mean of the panchromatic band. It lies on the whole pixels of the other bands' own grid, so that it is
 * the same for all tiles. Null when the level read here is not finer than theirs and so adds no detail.
 */
export function planLow({ pan, panAsset, bandWarp }: LowRequest): PlannedLow | null {
  const { warp } = pan;
  if (warp === null) return { pan, low: null };
  if (pixelArea(warp) >= pixelArea(bandWarp) * (1 - NOISE)) return null;
  const { epsg, levelTransform, window } = bandWarp;
  const grid: Grid = {
    epsg,
    ...(bandWarp.proj == null ? {} : { proj: bandWarp.proj }),
    transform: moveOrigin(levelTransform, window),
    width: window.width,
    height: window.height,
  };
  // The mean is of the copy that the picture shows, whatever other copies the file has.
  const copy = { ...panAsset, ...warp.levelSize, transform: warp.levelTransform, overviews: [] };
  const average = planWarp({ target: grid, source: copy, method: 'average' });
  if (average === null) return { pan: { ...pan, warp: null }, low: null };
  const read = union(warp.window, average.window);
  return {
    pan: { ...pan, warp: { ...warp, window: read } },
    low: { grid, average: { ...average, level: warp.level, window: read }, warp: bandWarp },
  };
}

/** Sizes of copies are rounded to whole pixels, so pixels of "one" size differ by some parts of a thousand. */
const NOISE = 0.02;

/** Panchromatic and other bands of a scene have one reference system. */
const pixelArea = ({ levelTransform: [, a, b, , c, d] }: WarpPlan): number => Math.abs(a * d - b * c);

function union(one: PixelWindow, other: PixelWindow): PixelWindow {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
