import type { TypedTree } from '../../bandmath/index.ts';
import { takeOutput } from '../../bandmath/index.ts';
import { shownInput } from '../inputs/plan-expressions.ts';
import { makePlanRead } from '../inputs/plan-inputs.ts';
import type { ValueSamplePlan } from '../intensity/plan-value-sample.ts';
import { planValueSample } from '../intensity/plan-value-sample.ts';
import { estimatePlanes } from '../plan/estimate-planes.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { SampleLimits } from '../plan/limits.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan/plan-key.ts';
import type { PercentileCut, RenderPlan } from '../plan/render-plan.ts';
import type { SharpenPlan } from '../plan/sharpen-plan.ts';
import { planSceneSample, toSampleInputs } from '../samples/plan-sample.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';

/** A sample and the memory of measuring it. */
export type ContrastSample = Pick<ValueSamplePlan, 'sample' | 'bytes'>;

/** Plans the sample of one channel: the same one that its intensity range is measured on, without bounds and area. */
export function planChannelSample(
  plan: PixelPlan,
  channel: number,
  { scene, limits }: { readonly scene: ComparedScene; readonly limits: SampleLimits },
): ContrastSample {
  const { tree, inputs } = takeChannel(plan, channel);
  const toInputs = (grid: PixelPlan['grid']) => toSampleInputs(inputs, scene, makePlanRead(grid));
  return planValueSample(tree, { scene, bounds: null, toInputs, limits });
}

/** Plans the sample of all channels together, sharpened as they are shown. */
export function planSharpSample(
  plan: PixelPlan,
  { scene, limits }: { readonly scene: ComparedScene; readonly limits: SampleLimits },
): ContrastSample {
  const sample = planSceneSample(plan, scene, limits);
  const { width, height } = sample.grid;
  // In addition to the planes a copy in which percentiles are searched.
  return { sample, bytes: estimatePlanes(sample) + width * height * 4 };
}

/** The key of a channel's contrast: equal for all tiles of a scene, whatever else is in the picture. */
export function nameChannel(plan: RenderPlan, channel: number, cut: PercentileCut): string {
  return toKey(plan, nameValues(plan, channel), cut);
}

/** The keys of the contrasts of channels that are sharpened together. */
export function nameSharpChannels({ sharpen, ...plan }: RenderPlan, cut: PercentileCut): readonly string[] {
  const { tree, inputs } = plan;
  const name = toDigest(JSON.stringify([tree.key, inputs.map(toRule), ...toSharpenKey(sharpen)]));
  return tree.outputs.map((_, channel) => toKey(plan, `${name} ${channel}`, cut));
}

/** A band by its own name, which costs next to nothing; expressions are too long for an index of the store. */
function nameValues(plan: PixelPlan, channel: number): string {
  const shown = shownInput(plan.tree, channel);
  const input = shown === null ? undefined : plan.inputs[shown];
  if (input !== undefined && input.bits === undefined && input.of === undefined)
    return [input.band, input.rule, ...input.parameters].join(' ');
  const { tree, inputs } = takeChannel(plan, channel);
  return toDigest(JSON.stringify([tree.key, inputs.map(toRule)]));
}

/** Calibrated inputs differ from stored ones in this. */
const toRule = ({ rule, parameters, bits, of }: InputPlan): unknown => [rule, parameters, bits, of];

/** Distinguishes the contrasts of Brovey transforms from those of other pictures of the same bands. */
function toSharpenKey(sharpen: SharpenPlan | undefined): readonly unknown[] {
  if (sharpen?.kind !== 'composite') return [];
  const { pan, weights } = sharpen;
  return [pan.band, pan.rule, pan.parameters, weights];
}

function takeChannel(
  plan: PixelPlan,
  channel: number,
): { readonly tree: TypedTree; readonly inputs: readonly InputPlan[] } {
  const { tree, inputs } = takeOutput(plan.tree, channel);
  return { tree, inputs: inputs.map((input) => plan.inputs[input] as InputPlan) };
}

const toKey = (
  { viewId, sceneVersion }: Pick<PixelPlan, 'viewId' | 'sceneVersion'>,
  name: string,
  { lowPercent, highPercent, cover }: PercentileCut,
): string =>
  [PIXELS_VERSION, viewId, sceneVersion, name, lowPercent, highPercent, ...Object.values(cover)].join(' ');
