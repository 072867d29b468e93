import type { BandInput, TypedTree } from '../../bandmath/index.ts';
import { takeOutput } from '../../bandmath/index.ts';
import type { Scene } from '../../catalog/index.ts';
import type { Stretch } from '../../color/index.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { chooseDefaultCover } from '../clouds/plan-clouds.ts';
import { internal, unsupported } from '../errors.ts';
import { makeFindDetails } from '../pansharpening/find-details.ts';
import type { IndexDetail } from '../pansharpening/pansharpen.ts';
import type { DetailJobs } from '../pansharpening/sharpen-channels.ts';
import type { RenderLimits, SampleLimits } from '../plan/plan-inputs.ts';
import { estimatePlanes, findAsset, makePlanRead, shownInput } from '../plan/plan-inputs.ts';
import type {
  ComparedScene,
  CoverSource,
  InputPlan,
  PercentileCut,
  PixelPlan,
  PlannedScene,
  RenderPlan,
  SharpenPlan,
  StretchPlan,
} from '../plan/render-plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan/render-plan.ts';
import type { ValueSamplePlan } from '../samples/plan-sample.ts';
import { planInputSample, planSceneSample, toSampleInputs } from '../samples/plan-sample.ts';
import type { IntensityJob, IntensityJobs } from './measure-intensity.ts';
import { planCoverJob } from './measure-intensity.ts';

/** Where measured contrasts are stored, so that a scene's is computed once. */
export interface ContrastStore {
  find(key: string): Promise<ContrastRange | null>;
  put(key: string, range: ContrastRange): Promise<void>;
}

/** The contrast of a channel, and how it takes on detail if it is sharpened. */
export interface ChannelContrast extends Stretch {
  readonly detail?: IndexDetail;
}

/** Finds the contrast ranges of a plan's channels. */
export type FindContrast = (planned: PlannedScene, ticket: Ticket) => Promise<readonly ChannelContrast[]>;

interface ContrastDeps {
  readonly store: ContrastStore;
  readonly pool: JobRunner<IntensityJobs & DetailJobs>;
  /** Called when a range could not be stored. */
  readonly onForgotten: (error: unknown) => void;
  readonly limits: RenderLimits;
}

/** Any range will do where there is nothing to show. */
const NOTHING: ContrastRange = { min: 0, max: 1 };

/**
 * The default stretch is computed once per scene and band or expression and then remembered, never per tile. It is
 * measured as intensity ranges are, so both always say the same.
 */
export function makeFindContrast({
  store,
  pool,
  onForgotten,
  limits: { sample: limits },
}: ContrastDeps): FindContrast {
  const findDetails = makeFindDetails({ store, pool, remember });
  return async (planned, ticket) => {
    const { plan } = planned;
    const details = plan.sharpen === undefined ? [] : await findDetails(planned, ticket);
    /** Of all channels at once: they are sharpened together. */
    let sharpened: Promise<readonly ContrastRange[]> | null = null;
    const ranges = await Promise.all(
      plan.stretches.map(async (stretch, channel) => {
        if (stretch.kind === 'fixed') return toStretch(stretch);
        const { gamma } = stretch;
        const curve = gamma === undefined ? {} : { gamma };
        if (stretch.kind === 'measured')
          return { ...(await findChannel(planned, { channel, cut: stretch.cut }, ticket)), ...curve };
        sharpened ??= findSharpened(planned, stretch.cut, ticket);
        const range = (await sharpened)[channel];
        if (range === undefined) throw internal('no-contrast', 'A channel has no contrast.');
        return { ...range, ...curve };
      }),
    );
    return ranges.map((range, channel) => {
      const detail = details[channel];
      return detail === undefined ? range : { ...range, detail };
    });
  };

  async function findChannel(
    { plan, scene }: PlannedScene,
    { channel, cut }: { readonly channel: number; readonly cut: PercentileCut },
    ticket: Ticket,
  ): Promise<ContrastRange> {
    const key = nameChannel(plan, channel, cut);
    const known = await store.find(key);
    if (known !== null) return known;
    const planned = planChannelSample(plan, channel, { scene, limits });
    const [found] = await measure({ scene, cut, key, ...planned }, ticket);
    // An input has no pixel anywhere: not worth storing.
    if (found === undefined) return NOTHING;
    const shown = shownInput(plan.tree, channel);
    if (found === null && shown !== null)
      throw unsupported(
        'no-data',
        `The band ${plan.inputs[shown]?.band} of this scene holds no data to find a contrast in.`,
      );
    remember(key, found ?? NOTHING);
    return found ?? NOTHING;
  }

  async function findSharpened(
    { plan, scene }: PlannedScene,
    cut: PercentileCut,
    ticket: Ticket,
  ): Promise<readonly ContrastRange[]> {
    const keys = nameSharpChannels(plan, cut);
    const known = await Promise.all(keys.map((key) => store.find(key)));
    const stored = known.filter((range) => range !== null);
    if (stored.length === keys.length) return stored;
    const planned = planSharpSample(plan, { scene, limits });
    const found = await measure({ scene, cut, key: keys.join(), ...planned }, ticket);
    if (found.length === 0) return keys.map(() => NOTHING);
    const ranges = found.map((range) => range ?? NOTHING);
    for (const [channel, range] of ranges.entries()) remember(keys[channel] as string, range);
    return ranges;
  }

  /** None when an input has nothing to show; null for a channel without data. */
  async function measure(
    { scene, cut, key, sample, bytes }: ContrastMeasurement,
    ticket: Ticket,
  ): Promise<readonly (ContrastRange | null)[]> {
    const { lowPercent, highPercent, cover } = cut;
    const cloudPercent = await findCorrection(cover, scene, ticket);
    const rule = { method: 'cc', lowPercent, highPercent, cloudPercent } as const;
    const input: IntensityJob = { sample, outlines: [], rule };
    return (await pool.run('intensity', input, { ...ticket, bytes, singleFlightKey: `contrast ${key}` }))
      .output;
  }

  /** The percentage of clouds by which the upper end is lowered; 0 where none is known. Counted once for a scene. */
  async function findCorrection(cover: CoverSource, scene: ComparedScene, ticket: Ticket): Promise<number> {
    if (cover.kind === 'unknown') return 0;
    if (cover.kind === 'known') return cover.isCorrection ? cover.percent : 0;
    const { onlyOpaque } = cover;
    const key = [PIXELS_VERSION, scene.viewId, scene.version, 'clouds', onlyOpaque].join(' ');
    const known = await store.find(key);
    if (known !== null) return known.max;
    const sensor = sensorByDataset(scene.dataset);
    if (sensor === null) throw internal('no-sensor', `No sensor is known for ${scene.dataset}.`);
    const planned = planCoverJob({ scene, sensor, onlyOpaque, bounds: null, outlines: [], limits });
    if (planned === null) return 0;
    const { job, bytes } = planned;
    const { output } = await pool.run('cloud-cover', job, {
      ...ticket,
      bytes,
      singleFlightKey: `contrast ${key}`,
    });
    const percent = output ?? 0;
    // Stored as a range from zero to the percentage.
    remember(key, { min: 0, max: percent });
    return percent;
  }

  /** A slow or full store must not fail the tile: the range is right, and may be computed again. */
  function remember(key: string, range: ContrastRange): void {
    void store.put(key, range).catch(onForgotten);
  }
}

const toStretch = ({ kind: _, ...stretch }: Extract<StretchPlan, { readonly kind: 'fixed' }>): Stretch =>
  stretch;

/** Where a contrast is measured, how, and for which key. */
interface ContrastMeasurement extends ContrastSample {
  readonly scene: ComparedScene;
  readonly cut: PercentileCut;
  readonly key: string;
}

/** A sample and the memory of measuring it. */
type ContrastSample = Pick<ValueSamplePlan, 'sample' | 'bytes'>;

/** Plans the sample of one channel: the same one that its intensity range is measured on, without bounds and area. */
export function planChannelSample(
  plan: PixelPlan,
  channel: number,
  { scene, limits }: { readonly scene: ComparedScene; readonly limits: SampleLimits },
): ContrastSample {
  const { tree, inputs } = takeChannel(plan, channel);
  const toInputs = (grid: PixelPlan['grid']) => toSampleInputs(inputs, scene, makePlanRead(grid));
  return planInputSample(tree, { scene, bounds: null, toInputs, limits });
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

interface StretchRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly tree: TypedTree;
  /** What the caller wants; null for the scene's own contrast. */
  readonly range: Stretch | null;
  /** The same for each channel; `range` counts for all of them without. */
  readonly ranges?: readonly Stretch[] | undefined;
  /** Replaces the gamma of all ranges. */
  readonly gamma?: number | undefined;
  /**
   * Whether what is measured is the sharpened picture. Pixelwise sharpening preserves means, so the contrast of the bands
   * suits it; a Brovey transform makes everything as bright as the panchromatic band.
   */
  readonly isMeasuredSharp: boolean;
}

/**
 * Plans the default contrast, 2–98 % of the scene with cloud correction: the same as the default intensity range. Finished
 * pictures of 8 bits are shown as they are.
 */
export function planStretches({
  scene,
  sensor,
  tree,
  range,
  ranges,
  gamma,
  isMeasuredSharp,
}: StretchRequest): readonly StretchPlan[] {
  const cut: PercentileCut = { lowPercent: 2, highPercent: 98, cover: chooseDefaultCover(scene, sensor) };
  const curve = gamma === undefined ? {} : { gamma };
  return tree.outputs.map((_, channel): StretchPlan => {
    const wanted = ranges?.[channel] ?? range;
    if (wanted !== null) return { kind: 'fixed', ...wanted, ...curve };
    const shown = shownInput(tree, channel);
    if (shown !== null && sensor.defaultStretch === 'none') {
      const { band } = tree.inputs[shown] as BandInput;
      if (findAsset(scene, band).type === 'uint8') return { kind: 'fixed', min: 0, max: 255, ...curve };
    }
    return { kind: isMeasuredSharp ? 'sharpened' : 'measured', cut, ...curve };
  });
}
