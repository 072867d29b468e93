import type { JobReads, ThreadTools } from '../../../src/blocks/index.ts';
import type { SceneName, SceneStore } from '../../../src/catalog/index.ts';
import { findScene } from '../../../src/catalog/index.ts';
import type { HistogramBins } from '../../../src/numbers/index.ts';
import { countBins } from '../../../src/numbers/index.ts';
import type { JobHandlers, JobRunner, JobType, Ticket } from '../../../src/pool/index.ts';
import { makeComputeBands } from '../../../src/raster/index.ts';
import type { SampleJob } from '../../../src/render/index.ts';
import { DEFAULT_LIMITS, planExpressions, planValueSample, readSample } from '../../../src/render/index.ts';
import type { CompareScene, FileWatch } from '../../../src/render/native/index.ts';
import { beginWork, listPlanReads, withCurrentFiles } from '../../../src/render/native/index.ts';

/** The input of the job that counts the values of a sample. */
interface SceneHistogramJob extends SampleJob {
  readonly bins: HistogramBins;
}

/** The job of histograms of scenes. */
export type SceneHistogramJobs = { 'scene-histogram': JobType<SceneHistogramJob, readonly number[]> };

/** Builds its handler, for one thread. */
export function makeSceneHistogramJobs({
  readWindow,
  kernels,
}: ThreadTools): JobHandlers<SceneHistogramJobs> {
  const tools = { readWindow, kernels, compute: makeComputeBands(kernels) };
  return {
    async 'scene-histogram'({ bins, ...job }, { signal }) {
      const [channel] = await readSample(job, beginWork(tools, signal));
      // No band reaches the sample.
      if (channel === undefined) return countBins(new Float32Array(0), bins);
      const { values, mask } = channel;
      return countBins(
        values.map((value, i) => (mask[i] === 0 ? Number.NaN : value)),
        bins,
      );
    },
  };
}

/** What the job reads of files, so that it can be fetched before the job takes a thread. */
export const sceneHistogramReads: JobReads<SceneHistogramJobs> = {
  'scene-histogram': ({ sample }) => listPlanReads(sample),
};

/** Counts the values of an expression over a scene, on a sample of about 1024 pixels a side. */
export type FindSceneHistogram = (
  request: SceneName & { readonly bands: string; readonly bins: HistogramBins },
  ticket: Ticket,
) => Promise<readonly number[]>;

interface HistogramDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<SceneHistogramJobs>;
}

/** Builds it: planned here, counted on the pool. */
export const makeFindSceneHistogram =
  ({ scenes, compareScene, watch, pool }: HistogramDeps): FindSceneHistogram =>
  (request, ticket) => {
    const { bands, sensor, bins } = request;
    const tree = planExpressions({ bands, sensor, isComposite: false });
    return withCurrentFiles({
      watch,
      find: async () => compareScene(await findScene(scenes, request), tree.inputs),
      async run(scene) {
        const { sample, bytes } = planValueSample(tree, {
          scene,
          sensor,
          calibrated: false,
          bounds: null,
          limits: DEFAULT_LIMITS.sample,
        });
        const job = { sample, outlines: [], bins };
        return (await pool.run('scene-histogram', job, { ...ticket, bytes })).output;
      },
    });
  };
