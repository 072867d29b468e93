import { internal, unsupported } from '../errors.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { IndexDetail } from '../raster/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import type { CoverSource, IntensityJob, IntensityJobs } from './intensity/index.ts';
import { planCoverJob } from './intensity/index.ts';
import type { DetailJobs } from './pansharpening/index.ts';
import { makeFindDetails } from './pansharpening/index.ts';
import type { PercentileCut, PixelPlan, RenderPlan } from './plan.ts';
import { PIXELS_VERSION } from './plan.ts';
import { nameChannel, nameSharpChannels, planChannelSample, planSharpSample } from './plan-contrast.ts';
import { shownInput } from './plan-expressions.ts';

/** Where computed contrast ranges are kept, so that a scene's is computed once. */
export interface ContrastStore {
  find(key: string): Promise<ContrastRange | null>;
  put(key: string, range: ContrastRange): Promise<void>;
}

/** A plan and the scene it is of. */
export interface PlannedScene {
  readonly plan: RenderPlan;
  readonly scene: ComparedScene;
}

/** What is measured of a scene for a channel: its range, and how it takes on detail where that is added to it. */
export interface ChannelContrast extends ContrastRange {
  readonly detail?: IndexDetail;
}

/** Finds the contrast ranges of a plan's channels. */
export type FindContrast = (planned: PlannedScene, ticket: Ticket) => Promise<readonly ChannelContrast[]>;

interface ContrastDeps {
  readonly store: ContrastStore;
  readonly pool: JobRunner<IntensityJobs & DetailJobs>;
  /** Told when a range could not be remembered. */
  readonly onForgotten: (error: unknown) => void;
}

/** Any range will do where there is nothing to show. */
const NOTHING: ContrastRange = { min: 0, max: 1 };

/**
 * The default stretch is computed once per scene and band or expression and then remembered, never per tile. It is
 * measured as intensity ranges are, so both always say the same.
 */
export function makeFindContrast({ store, pool, onForgotten }: ContrastDeps): FindContrast {
  const findDetails = makeFindDetails({ store, pool, remember });
  return async (planned, ticket) => {
    const { plan } = planned;
    const details = await findDetails(planned, ticket);
    /** Of all channels at once: they are sharpened together. */
    let sharpened: Promise<readonly ContrastRange[]> | null = null;
    const ranges = await Promise.all(
      plan.stretches.map(async (stretch, place) => {
        if (stretch.kind === 'fixed') return { min: stretch.min, max: stretch.max };
        if (stretch.kind === 'measured') return findChannel(planned, { place, cut: stretch.cut }, ticket);
        sharpened ??= findSharpened(planned, stretch.cut, ticket);
        const range = (await sharpened)[place];
        if (range === undefined) throw internal('no-contrast', 'A channel has no contrast.');
        return range;
      }),
    );
    return ranges.map((range, place) => {
      const detail = details[place];
      return detail === undefined ? range : { ...range, detail };
    });
  };

  async function findChannel(
    { plan, scene }: PlannedScene,
    { place, cut }: { readonly place: number; readonly cut: PercentileCut },
    ticket: Ticket,
  ): Promise<ContrastRange> {
    const key = nameChannel(plan, place, cut);
    const known = await store.find(key);
    if (known !== null) return known;
    const planned = planChannelSample(plan, place, scene);
    const [found] = await measure({ scene, cut, key, ...planned }, ticket);
    // An input has nothing to show anywhere: that is not worth remembering.
    if (found === undefined) return NOTHING;
    const shown = shownInput(plan.tree, place);
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
    const kept = known.filter((range) => range !== null);
    if (kept.length === keys.length) return kept;
    const planned = planSharpSample(plan, scene);
    const found = await measure({ scene, cut, key: keys.join(), ...planned }, ticket);
    if (found.length === 0) return keys.map(() => NOTHING);
    const ranges = found.map((range) => range ?? NOTHING);
    for (const [place, range] of ranges.entries()) remember(keys[place] as string, range);
    return ranges;
  }

  /** None when an input has nothing to show; null for a channel without data. */
  async function measure(
    { scene, cut, key, sample, bytes }: ContrastSample,
    ticket: Ticket,
  ): Promise<readonly (ContrastRange | null)[]> {
    const { lowPercent, highPercent, cover } = cut;
    const cloudPercent = await findCorrection(cover, scene, ticket);
    const rule = { method: 'cc', lowPercent, highPercent, cloudPercent } as const;
    const input: IntensityJob = { sample, outlines: [], rule };
    return (await pool.run('intensity', input, { ...ticket, bytes, singleFlightKey: `contrast ${key}` }))
      .output;
  }

  /** The percentage of clouds that the upper end is lowered for; 0 where none is known. Counted once for a scene. */
  async function findCorrection(cover: CoverSource, scene: ComparedScene, ticket: Ticket): Promise<number> {
    if (cover.kind === 'unknown') return 0;
    if (cover.kind === 'known') return cover.isCorrection ? cover.percent : 0;
    const { onlyOpaque } = cover;
    const key = [PIXELS_VERSION, scene.viewId, scene.version, 'clouds', onlyOpaque].join(' ');
    const known = await store.find(key);
    if (known !== null) return known.max;
    const sensor = sensorByDataset(scene.dataset);
    if (sensor === null) throw internal('no-sensor', `No sensor is known for ${scene.dataset}.`);
    const planned = planCoverJob({ scene, sensor, onlyOpaque, bounds: null, outlines: [] });
    if (planned === null) return 0;
    const { job, bytes } = planned;
    const { output } = await pool.run('cloud-cover', job, {
      ...ticket,
      bytes,
      singleFlightKey: `contrast ${key}`,
    });
    const percent = output ?? 0;
    // Kept as a range from nothing to all clouds.
    remember(key, { min: 0, max: percent });
    return percent;
  }

  /** A store that is slow or full must not cost the tile: the range is right, it may only be computed again. */
  function remember(key: string, range: ContrastRange): void {
    void store.put(key, range).catch(onForgotten);
  }
}

/** Where a contrast is measured, how, and for which key. */
interface ContrastSample {
  readonly scene: ComparedScene;
  readonly cut: PercentileCut;
  readonly key: string;
  readonly sample: PixelPlan;
  readonly bytes: number;
}
