import type { AreaOutline } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import { estimatePlanes } from '../plan/estimate-planes.ts';
import type { RenderLimits } from '../plan/limits.ts';
import { PIXELS_VERSION, toDigest } from '../plan/plan-key.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import { planAreaSample, planSceneSample } from '../samples/plan-sample.ts';
import type { PlannedScene } from '../scenes/planned-scene.ts';
import type { ClusterJobs, FitClustersJob, FittedClusters } from './fit-clusters.ts';

/** A planned picture and the area that it is cropped to. */
interface PlannedArea extends PlannedScene {
  readonly outline: AreaOutline | null;
}

/** Finds the classes of a picture; null if it shows none, or there is nothing to divide. */
export type FindClusters = (planned: PlannedArea, ticket: Ticket) => Promise<FittedClusters | null>;

interface ClusterDeps {
  readonly pool: JobRunner<ClusterJobs>;
  readonly limits: RenderLimits;
}

/** Memory of the cache: all tiles of a view need the same classes. */
const MAX_CACHED_BYTES = 32 * 2 ** 20;
/** Twenty centres of three numbers. */
const MODEL_BYTES = 1_024;
/** In addition to the planes: masks of area, data, both and validity; sorted values with keys and sums; regions, sizes and neighbours. */
const FIT_BYTES = 1 + 1 + 1 + 1 + 4 + 8 + 12;
const SIEVE_BYTES = 5 * 4 + 3;

/**
 * Builds the finding of classes. They are fitted once, to the whole area or the whole scene and never to a tile, and
 * cached in memory: equal pixels give equal classes, so that every node finds the same ones.
 */
export function makeFindClusters({ pool, limits }: ClusterDeps): FindClusters {
  const cache = makeLru<FittedClusters | null>({
    max: MAX_CACHED_BYTES,
    sizeOf: (fitted) => MODEL_BYTES + (fitted?.zones?.labels.length ?? 0),
  });

  return async ({ plan, scene, outline }, ticket) => {
    if (plan.clusters === undefined) return null;
    const { count, minAreaM2 } = plan.clusters;
    const key = toKey(plan);
    return cache.rememberLater(key, async () => {
      const sample =
        outline === null
          ? planSceneSample(plan, scene, limits.sample)
          : planAreaSample(plan, { scene, outline, isWhole: minAreaM2 > 0 }, limits.sample);
      if (sample === null) return null;
      const { width, height } = sample.grid;
      const input: FitClustersJob = { sample, outline, count, minAreaM2 };
      const { output: fitted } = await pool.run('fit-clusters', input, {
        ...ticket,
        bytes: estimatePlanes(sample) + width * height * (FIT_BYTES + (minAreaM2 > 0 ? SIEVE_BYTES : 0)),
        singleFlightKey: `clusters ${key}`,
      });
      return fitted;
    });
  };
}

/** All that decides which pixels are divided, and into what. */
function toKey({ viewId, sceneVersion, tree, inputs, area, clusters }: RenderPlan): string {
  const rules = inputs.map(({ rule, parameters, bits, of, href }) => [rule, parameters, bits, of, href]);
  return toDigest(JSON.stringify([PIXELS_VERSION, viewId, sceneVersion, tree.key, rules, area, clusters]));
}
