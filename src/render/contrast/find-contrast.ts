import type { Stretch } from '../../color/index.ts';
import { internal, unsupported } from '../../errors.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { IndexDetail } from '../../raster/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { shownInput } from '../inputs/plan-expressions.ts';
import type { IntensityJob, IntensityJobs } from '../intensity/measure-intensity.ts';
import { planCoverJob } from '../intensity/plan-cover.ts';
import { makeFindDetails } from '../pansharpening/find-details.ts';
import type { DetailJobs } from '../pansharpening/measure-detail.ts';
import type { CoverSource } from '../plan/cloud-plan.ts';
import type { RenderLimits } from '../plan/limits.ts';
import { PIXELS_VERSION } from '../plan/plan-key.ts';
import type { PercentileCut, StretchPlan } from '../plan/render-plan.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { PlannedScene } from '../scenes/planned-scene.ts';
import type { ContrastSample } from './plan-contrast.ts';
import { nameChannel, nameSharpChannels, planChannelSample, planSharpSample } from './plan-contrast.ts';

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
    const details = await findDetails(planned, ticket);
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
