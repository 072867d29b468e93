import type { TypedTree } from '../bandmath/index.ts';
import { takeOutput } from '../bandmath/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import type { IntensitySamplePlan } from './intensity/index.ts';
import { planIntensitySample } from './intensity/index.ts';
import { toSharpenKey } from './pansharpening/index.ts';
import type { InputPlan, PercentileCut, PixelPlan, RenderPlan } from './plan.ts';
import { PIXELS_VERSION, toDigest } from './plan.ts';
import { shownInput } from './plan-expressions.ts';
import { makePlanRead, toSampleInputs } from './plan-inputs.ts';
import { planSample } from './plan-sample.ts';
import { estimatePlanes } from './render-limits.ts';

/** Plans the sample of one channel: the same that its intensity range is measured on, without bounds and area. */
export function planChannelSample(
  plan: PixelPlan,
  place: number,
  scene: ComparedScene,
): Pick<IntensitySamplePlan, 'sample' | 'bytes'> {
  const { tree, inputs } = takeChannel(plan, place);
  return planIntensitySample(tree, {
    scene,
    bounds: null,
    toInputs: (grid) => toSampleInputs(inputs, scene, makePlanRead(grid)),
  });
}

/** Plans the sample of all channels together, sharpened as they are shown. */
export function planSharpSample(
  plan: PixelPlan,
  scene: ComparedScene,
): Pick<IntensitySamplePlan, 'sample' | 'bytes'> {
  const sample = planSample(plan, scene);
  const { width, height } = sample.grid;
  // Beside the planes a copy that percentiles are searched in.
  return { sample, bytes: estimatePlanes(sample) + width * height * 4 };
}

/** What a channel's contrast is remembered by: equal for all tiles of a scene, whatever else is in the picture. */
export function nameChannel(plan: RenderPlan, place: number, cut: PercentileCut): string {
  return toKey(plan, nameValues(plan, place), cut);
}

/** What the contrasts of channels that are sharpened together are remembered by. */
export function nameSharpChannels({ sharpen, ...plan }: RenderPlan, cut: PercentileCut): readonly string[] {
  const { tree, inputs } = plan;
  const name = toDigest(JSON.stringify([tree.key, inputs.map(toRule), ...toSharpenKey(sharpen)]));
  return tree.outputs.map((_, place) => toKey(plan, `${name} ${place}`, cut));
}

/** A band by its own name, which costs next to nothing; expressions are longer than an index likes its keys. */
function nameValues(plan: PixelPlan, place: number): string {
  const shown = shownInput(plan.tree, place);
  const input = shown === null ? undefined : plan.inputs[shown];
  if (input !== undefined && input.bits === undefined && input.of === undefined)
    return [input.band, input.rule, ...input.parameters].join(' ');
  const { tree, inputs } = takeChannel(plan, place);
  return toDigest(JSON.stringify([tree.key, inputs.map(toRule)]));
}

/** What becomes of inputs tells calibrated ones apart. */
const toRule = ({ rule, parameters, bits, of }: InputPlan): unknown => [rule, parameters, bits, of];

function takeChannel(
  plan: PixelPlan,
  place: number,
): { readonly tree: TypedTree; readonly inputs: readonly InputPlan[] } {
  const { tree, inputs } = takeOutput(plan.tree, place);
  return { tree, inputs: inputs.map((input) => plan.inputs[input] as InputPlan) };
}

const toKey = (
  { viewId, sceneVersion }: Pick<PixelPlan, 'viewId' | 'sceneVersion'>,
  name: string,
  { lowPercent, highPercent, cover }: PercentileCut,
): string =>
  [PIXELS_VERSION, viewId, sceneVersion, name, lowPercent, highPercent, ...Object.values(cover)].join(' ');
