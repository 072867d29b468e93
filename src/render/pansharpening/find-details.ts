import type { ContrastRange } from '../../numbers/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { IndexDetail } from '../../raster/index.ts';
import { estimatePlanes } from '../plan/estimate-planes.ts';
import { PIXELS_VERSION, toDigest } from '../plan/plan-key.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { PlannedScene } from '../scenes/planned-scene.ts';
import type { DetailJob, DetailJobs } from './measure-detail.ts';
import { planDetailSamples } from './plan-detail.ts';

/** Where measured ranges are looked up. */
interface RangeStore {
  find(key: string): Promise<ContrastRange | null>;
}

interface DetailDeps {
  readonly store: RangeStore;
  readonly pool: JobRunner<DetailJobs>;
  /** Stores a range; a failing store does not fail the caller. */
  readonly remember: (key: string, range: ContrastRange) => void;
}

/** By index of the channel; undefined where nothing is added to it. */
export type FindDetails = (
  planned: PlannedScene,
  ticket: Ticket,
) => Promise<readonly (IndexDetail | undefined)[]>;

/** Builds the finding of detail. It is measured once for a scene and an expression, and stored with its contrasts. */
export function makeFindDetails({ store, pool, remember }: DetailDeps): FindDetails {
  return async ({ plan, scene }, ticket) => {
    const { sharpen } = plan;
    // Without the panchromatic band nothing is shown here, so nothing needs to be known.
    if (sharpen?.kind !== 'pixelwise' || sharpen.low === null) return [];
    const isComputed = sharpen.channels.map(({ kind }) => kind === 'computed');
    if (!isComputed.includes(true)) return [];
    const keys = isComputed.map((_, channel) => `${toKey(plan)} ${channel}`);
    const known = await Promise.all(keys.map((key) => findOne(store, key)));
    const details = known.every((detail) => detail !== null)
      ? known
      : await measure(plan, keys, { scene, ticket });
    return details.map((detail, channel) => (isComputed[channel] ? detail : undefined));
  };

  async function measure(
    plan: RenderPlan,
    keys: readonly string[],
    { scene, ticket }: Pick<PlannedScene, 'scene'> & { readonly ticket: Ticket },
  ): Promise<readonly IndexDetail[]> {
    const samples = planDetailSamples(plan, scene);
    const input: DetailJob = { samples, channelCount: keys.length };
    const { output } = await pool.run('index-detail', input, {
      ...ticket,
      bytes: Math.max(0, ...samples.map(estimatePlanes)),
      singleFlightKey: keys.join(),
    });
    for (const [i, { amount, min, max }] of output.entries()) {
      remember(`${keys[i]} amount`, { min: 0, max: amount });
      remember(`${keys[i]} range`, { min, max });
    }
    return output;
  }
}

/** Stored as two ranges: from zero to the amount, and the values themselves. */
async function findOne(store: RangeStore, key: string): Promise<IndexDetail | null> {
  const [amount, range] = await Promise.all([store.find(`${key} amount`), store.find(`${key} range`)]);
  return amount === null || range === null ? null : { amount: amount.max, ...range };
}

/** All that decides detail: the scene, the expressions, and how their inputs are calibrated and resampled. */
function toKey({ viewId, sceneVersion, tree, inputs, sharpen }: RenderPlan): string {
  const used = [...inputs, ...(sharpen === undefined ? [] : [sharpen.pan])];
  const rules = used.map(({ band, rule, parameters, warp }) => [band, rule, parameters, warp?.method]);
  const name = toDigest(JSON.stringify([tree.key, rules]));
  return [PIXELS_VERSION, viewId, sceneVersion, 'detail', name].join(' ');
}
