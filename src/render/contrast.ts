import { internal } from '../errors.ts';
import type { IndexDetail } from '../raster/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import { makeFindDetails, toSharpenKey } from './pansharpening/index.ts';
import type { BandSample, PercentileCut, PixelPlan, RenderPlan } from './plan.ts';
import { PIXELS_VERSION, toDigest } from './plan.ts';
import { planSample } from './plan-sample.ts';
import type { Pool } from './pool/index.ts';
import { estimatePlanes } from './render-limits.ts';

/** Where computed contrast ranges are kept, so that a scene's is computed once. */
export interface ContrastStore {
  find(key: string): Promise<ContrastRange | null>;
  put(key: string, range: ContrastRange): Promise<void>;
}

/** The work of finding a band's contrast, as a thread gets it. */
export interface BandContrastJob {
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly sample: BandSample;
  readonly cut: PercentileCut;
}

/** The work of finding the contrasts of expressions, as a thread gets it. */
export interface ComputedContrastJob {
  readonly sample: PixelPlan;
  readonly cut: PercentileCut;
}

/** Who asks, for how long, until when. */
export interface Asker {
  readonly owner: string;
  readonly signal: AbortSignal;
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
export type FindContrast = (planned: PlannedScene, asker: Asker) => Promise<readonly ChannelContrast[]>;

interface ContrastDeps {
  readonly store: ContrastStore;
  readonly pool: Pool;
  readonly timeoutMs: number;
  /** Told when a range could not be remembered. */
  readonly onForgotten: (error: unknown) => void;
}

/** The default stretch is computed once per scene and band or expression and then remembered, never per tile. */
export function makeFindContrast({ store, pool, timeoutMs, onForgotten }: ContrastDeps): FindContrast {
  const findDetails = makeFindDetails({ store, pool, timeoutMs, remember });
  return async (planned, asker) => {
    const { plan } = planned;
    const details = await findDetails(planned, asker);
    /** Of all computed channels at once: they are read and computed together. */
    let computed: Promise<readonly ContrastRange[]> | null = null;
    const ranges = await Promise.all(
      plan.stretches.map(async (stretch, place) => {
        if (stretch.kind === 'fixed') return { min: stretch.min, max: stretch.max };
        const { viewId, sceneVersion } = plan;
        if (stretch.kind === 'band') {
          const { sample, cut } = stretch;
          return findBand({ viewId, sceneVersion, sample, cut }, asker);
        }
        computed ??= findComputed(planned, stretch.cut, asker);
        const range = (await computed)[place];
        if (range === undefined) throw internal('no-contrast', 'A channel has no contrast.');
        return range;
      }),
    );
    return ranges.map((range, place) => {
      const detail = details[place];
      return detail === undefined ? range : { ...range, detail };
    });
  };

  async function findBand(job: BandContrastJob, asker: Asker): Promise<ContrastRange> {
    const key = toKey(job, job.sample.band, job.cut);
    const known = await store.find(key);
    if (known !== null) return known;
    const { width, height } = job.sample.read.window;
    // Values as stored (eight bytes at most) and as floats, a sorted copy of those, and the mask.
    const bytes = width * height * (8 + 4 + 4 + 1);
    const range = await measure<ContrastRange>({ kind: 'band-contrast', input: job, key, bytes }, asker);
    await remember(key, range);
    return range;
  }

  async function findComputed(
    { plan, scene }: PlannedScene,
    cut: PercentileCut,
    asker: Asker,
  ): Promise<readonly ContrastRange[]> {
    const { tree, inputs } = plan;
    // Expressions are longer than an index likes its keys. What becomes of the inputs tells calibrated ones apart.
    const rules = inputs.map(({ rule, parameters, bits, of }) => [rule, parameters, bits, of]);
    const name = toDigest(JSON.stringify([tree.key, rules, ...toSharpenKey(plan.sharpen)]));
    const keys = tree.outputs.map((_, place) => toKey(plan, `${name} ${place}`, cut));
    const known = await Promise.all(keys.map((key) => store.find(key)));
    const found = known.filter((range) => range !== null);
    if (found.length === keys.length) return found;
    const sample = planSample(plan, scene);
    const { width, height } = sample.grid;
    const bytes = estimatePlanes(sample) + width * height * 4;
    const input: ComputedContrastJob = { sample, cut };
    const job = { kind: 'computed-contrast', input, key: keys.join(), bytes };
    const ranges = await measure<readonly ContrastRange[] | null>(job, asker);
    // Nothing was there to be measured: any range will do, and none is worth remembering.
    if (ranges === null) return tree.outputs.map(() => ({ min: 0, max: 1 }));
    await Promise.all(ranges.map((range, place) => remember(keys[place] as string, range)));
    return ranges;
  }

  async function measure<Output>(
    { kind, input, key, bytes }: { kind: string; input: unknown; key: string; bytes: number },
    { owner, signal }: Asker,
  ): Promise<Output> {
    const singleFlightKey = `contrast ${key}`;
    const { output } = await pool.run<Output>({
      ...{ kind, input, owner, bytes, timeoutMs, signal, singleFlightKey },
      priority: 'tile',
    });
    return output;
  }

  async function remember(key: string, range: ContrastRange): Promise<void> {
    try {
      await store.put(key, range);
    } catch (error) {
      // A full disk must not cost the tile: the range is right, it will only be computed again.
      onForgotten(error);
    }
  }
}

const toKey = (
  { viewId, sceneVersion }: { readonly viewId: string; readonly sceneVersion: string },
  name: string,
  { lowPercent, highPercent, cloudPercent }: PercentileCut,
): string => [PIXELS_VERSION, viewId, sceneVersion, name, lowPercent, highPercent, cloudPercent].join(' ');
