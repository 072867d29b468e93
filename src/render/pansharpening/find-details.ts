import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { IndexDetail } from '../../raster/index.ts';
import type { ContrastRange } from '../../stats/index.ts';
import type { ContrastStore, PlannedScene } from '../contrast.ts';
import type { RenderPlan } from '../plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan.ts';
import { estimatePlanes } from '../render-limits.ts';
import type { DetailJob, DetailJobs } from './measure-detail.ts';
import { planDetailPlaces } from './plan-detail.ts';

interface DetailDeps {
  readonly store: ContrastStore;
  readonly pool: JobRunner<DetailJobs>;
  /** Keeps a range; a store that cannot does not fail. */
  readonly remember: (key: string, range: ContrastRange) => void;
}

/** By place of the channel; undefined where nothing is added to it. */
export type FindDetails = (
  planned: PlannedScene,
  ticket: Ticket,
) => Promise<readonly (IndexDetail | undefined)[]>;

/** How what is computed takes on detail is measured once for a scene and an expression, and kept beside its contrasts. */
export function makeFindDetails({ store, pool, remember }: DetailDeps): FindDetails {
  return async ({ plan, scene }, ticket) => {
    const { sharpen } = plan;
    // Without the panchromatic band nothing is seen here, so nothing needs to be known.
    if (sharpen?.kind !== 'pixelwise' || sharpen.low === null) return [];
    const isComputed = sharpen.channels.map(({ kind }) => kind === 'computed');
    if (!isComputed.includes(true)) return [];
    const keys = isComputed.map((_, place) => `${toKey(plan)} ${place}`);
    const known = await Promise.all(keys.map((key) => findOne(store, key)));
    const details = known.every((detail) => detail !== null)
      ? known
      : await measure(plan, keys, { scene, ticket });
    return details.map((detail, place) => (isComputed[place] ? detail : undefined));
  };

  async function measure(
    plan: RenderPlan,
    keys: readonly string[],
    { scene, ticket }: Pick<PlannedScene, 'scene'> & { readonly ticket: Ticket },
  ): Promise<readonly IndexDetail[]> {
    const places = planDetailPlaces(plan, scene);
    const input: DetailJob = { places, channelCount: keys.length };
    const { output } = await pool.run('index-detail', input, {
      ...ticket,
      bytes: Math.max(0, ...places.map(estimatePlanes)),
      singleFlightKey: keys.join(),
    });
    for (const [i, { amount, min, max }] of output.entries()) {
      remember(`${keys[i]} amount`, { min: 0, max: amount });
      remember(`${keys[i]} range`, { min, max });
    }
    return output;
  }
}

/** Kept as two ranges: from nothing to the amount, and the values themselves. */
async function findOne(store: ContrastStore, key: string): Promise<IndexDetail | null> {
  const [amount, range] = await Promise.all([store.find(`${key} amount`), store.find(`${key} range`)]);
  return amount === null || range === null ? null : { amount: amount.max, ...range };
}

/** What decides detail: the scene, the expressions, what becomes of their inputs, and how those are resampled. */
function toKey({ viewId, sceneVersion, tree, inputs, sharpen }: RenderPlan): string {
  const used = [...inputs, ...(sharpen === undefined ? [] : [sharpen.pan])];
  const rules = used.map(({ band, rule, parameters, warp }) => [band, rule, parameters, warp?.method]);
  const name = toDigest(JSON.stringify([tree.key, rules]));
  return [PIXELS_VERSION, viewId, sceneVersion, 'detail', name].join(' ');
}
