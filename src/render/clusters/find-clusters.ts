import type { AreaOutline, Grid } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { ClusterModel } from '../../stats/index.ts';
import type { PlannedScene } from '../contrast.ts';
import type { PixelPlan, RenderPlan } from '../plan.ts';
import { PIXELS_VERSION, toDigest } from '../plan.ts';
import { planSample } from '../plan-sample.ts';
import { estimatePlanes } from '../render-limits.ts';
import type { ClusterJobs } from './fit-clusters.ts';
import { planAreaSample } from './plan-area-sample.ts';

/** The work of finding classes, as a thread gets it. */
export interface FitClustersJob {
  readonly sample: PixelPlan;
  /** Only pixels inside count; null for all. */
  readonly outline: AreaOutline | null;
  readonly count: number;
  /** Smaller patches are removed, from an area; 0 keeps all. */
  readonly minAreaM2: number;
}

/** A class for every pixel of an area, in shared memory; 0 where there is none. */
export interface Zones {
  readonly grid: Grid;
  readonly labels: Uint8Array;
}

/** Classes, and where they lie once small patches are removed; null where all are kept. */
export interface FittedClusters {
  readonly model: ClusterModel;
  readonly zones: Zones | null;
}

/** A planned picture and the area that it is cropped to. */
interface PlannedArea extends PlannedScene {
  readonly outline: AreaOutline | null;
}

/** Finds the classes of a picture; null when it has none: nothing was asked for, or there is nothing to divide. */
export type FindClusters = (planned: PlannedArea, ticket: Ticket) => Promise<FittedClusters | null>;

/** What is kept: a view of a map asks for one with every tile. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;
/** Twenty centres of three numbers. */
const MODEL_BYTES = 1_024;
/** Beside the planes: what is inside, has data, both, and is valid, values in order with their keys and sums; regions, their sizes and neighbours. */
const FIT_BYTES = 1 + 1 + 1 + 1 + 4 + 8 + 12;
const SIEVE_BYTES = 5 * 4 + 3;

/**
 * Builds the finding of classes. They are fitted once, to the whole area or the whole scene and never to a tile, and
 * remembered in memory: equal pixels give equal classes, so that every node finds the same ones.
 */
export function makeFindClusters({ pool }: { readonly pool: JobRunner<ClusterJobs> }): FindClusters {
  const kept = makeLru<{ readonly fitted: FittedClusters | null }>({ max: MAX_KEPT_BYTES });

  return async ({ plan, scene, outline }, ticket) => {
    if (plan.clusters === undefined) return null;
    const key = toKey(plan);
    const known = kept.get(key);
    if (known !== undefined) return known.fitted;
    const { count, minAreaM2 } = plan.clusters;
    const sample =
      outline === null
        ? planSample(plan, scene)
        : planAreaSample(plan, { scene, outline, isWhole: minAreaM2 > 0 });
    if (sample === null) {
      kept.set(key, { fitted: null }, MODEL_BYTES);
      return null;
    }
    const { width, height } = sample.grid;
    const input: FitClustersJob = { sample, outline, count, minAreaM2 };
    const { output: fitted } = await pool.run('fit-clusters', input, {
      ...ticket,
      bytes: estimatePlanes(sample) + width * height * (FIT_BYTES + (minAreaM2 > 0 ? SIEVE_BYTES : 0)),
      singleFlightKey: `clusters ${key}`,
    });
    kept.set(key, { fitted }, MODEL_BYTES + (fitted?.zones?.labels.length ?? 0));
    return fitted;
  };
}

/** All that decides which pixels are divided, and into what. */
function toKey({ viewId, sceneVersion, tree, inputs, area, clusters }: RenderPlan): string {
  const rules = inputs.map(({ rule, parameters, bits, of, href }) => [rule, parameters, bits, of, href]);
  return toDigest(JSON.stringify([PIXELS_VERSION, viewId, sceneVersion, tree.key, rules, area, clusters]));
}
