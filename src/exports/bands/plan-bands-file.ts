import type { Scene, SceneStore } from '../../catalog/index.ts';
import { findScene } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import type { FileWatch } from '../../render/index.ts';
import { withCurrentFiles } from '../../render/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import type { PlanExport } from '../export.ts';
import type { BandsOrder } from './bands-order.ts';
import type { ImagePool } from './plan-image.ts';
import { planSceneFile } from './plan-scene-file.ts';

interface BandsFileDeps {
  readonly scenes: SceneStore;
  readonly watch: FileWatch;
  readonly pool: ImagePool;
  /** Of the estimated file; 4 GiB when omitted. */
  readonly maxBytes?: number;
}

/**
 * Builds the planning of files with bands of a scene as they were delivered: stored numbers are never changed. Outside
 * an outline they are the nodata value, or 0 where the bands have none.
 */
export function makePlanBandsFile({ scenes, watch, pool, maxBytes }: BandsFileDeps): PlanExport<BandsOrder> {
  const find = async ({ viewId, sceneName, sensor: abbreviation }: BandsOrder): Promise<Scene> => {
    const sensor = sensorByAbbreviation(abbreviation);
    if (sensor === null) throw notFound('unknown-scene', 'There is no such scene.');
    return watch.check(await findScene(scenes, { viewId, sceneName, sensor }));
  };
  return async (order) => {
    const planScene = (scene: Scene) => planSceneFile(order, scene, { pool, maxBytes });
    const { scene, planned } = await withCurrentFiles({
      watch,
      find: () => find(order),
      run: async (scene) => ({ scene, planned: await planScene(scene) }),
    });
    return {
      ...planned,
      async write(path, run) {
        let isFirst = true;
        await withCurrentFiles({
          watch,
          find: () => (isFirst ? Promise.resolve(scene) : find(order)),
          // Files that were replaced since then are planned again: the order is for what is there now.
          async run(current) {
            isFirst = false;
            const file = current === scene ? planned : await planScene(current);
            await file.write(path, run);
          },
        });
      },
    };
  };
}
