import type { Scene, SceneStore } from '../catalog/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { SensedScene } from './plan-masks.ts';

/** The datasets of the two levels of Sentinel-2. */
const L1C = 'sentinel2';
const L2A = 'sentinel2l2a';

/** The view id of the same acquisition at the other level: only the sensor differs. */
function toOtherLevel({ viewId, dataset }: Scene): string | null {
  const other = sensorByDataset(dataset === L1C ? L2A : L1C);
  const slash = viewId.indexOf('/');
  return other === null || slash < 0 ? null : `${other.abbreviation}${viewId.slice(slash)}`;
}

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
