import type { Scene, SceneStore } from '../catalog/index.ts';
import { L1C_DATASET as L1C, L2A_DATASET as L2A, toOtherLevel } from '../catalog/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { SensedScene } from './plan-scene.ts';

/** The datasets that are searched: where only Level-2A is in the catalog, it answers for Level-1C. */
export const withLevel2A = (datasets: readonly string[]): readonly string[] =>
  datasets.includes(L1C) && !datasets.includes(L2A) ? [...datasets, L2A] : datasets;

/** Whether a scene was found only because Level-1C was ordered, and the catalog has that one too. */
export async function isStandInForKnown(
  scene: Scene,
  ordered: readonly string[],
  scenes: Pick<SceneStore, 'findByViewId'>,
): Promise<boolean> {
  if (scene.dataset !== L2A || ordered.includes(L2A)) return false;
  const other = toOtherLevel(scene);
  return other !== null && (await scenes.findByViewId(other)) !== null;
}

/** The scene that has the classification of a Sentinel-2 scene; null for other sensors, or if the catalog does not have it. */
export async function findClassified(
  scene: Scene,
  scenes: Pick<SceneStore, 'findByViewId'>,
): Promise<SensedScene | null> {
  if (scene.dataset !== L1C && scene.dataset !== L2A) return null;
  const viewId = scene.dataset === L2A ? scene.viewId : toOtherLevel(scene);
  const found = scene.dataset === L2A ? scene : viewId === null ? null : await scenes.findByViewId(viewId);
  const sensor = sensorByDataset(L2A);
  return found === null || sensor === null ? null : { scene: found, sensor };
}

/** Whether a scene is of Sentinel-2, at any level. */
export const isSentinel2 = ({ dataset }: Scene): boolean => dataset === L1C || dataset === L2A;
