import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { notFound } from './errors.ts';
import type { Scene } from './scene.ts';
import type { SceneStore } from './scene-store.ts';

/** A scene as a URL names it. */
export interface SceneName {
  readonly viewId: string;
  readonly sensor: Sensor;
  /** The view id without its sensor: a product has several names, and the catalog's view id holds one of them. */
  readonly sceneName: string;
}

/** The scene of a URL; throws `unknown-scene` when the catalog does not have it. */
export async function findScene(
  scenes: SceneStore,
  { viewId, sensor, sceneName }: SceneName,
): Promise<Scene> {
  const scene = (await scenes.findByViewId(viewId)) ?? (await scenes.findByName(sensor.dataset, sceneName));
  if (scene === null) throw notFound('unknown-scene', 'There is no such scene.');
  return scene;
}

/** The datasets of the two levels of Sentinel-2. */
export const L1C_DATASET = 'sentinel2';
export const L2A_DATASET = 'sentinel2l2a';

/** The view id of the same acquisition of Sentinel-2 at the other level: only the sensor differs. */
export function toOtherLevel({
  viewId,
  dataset,
}: {
  readonly viewId: string;
  readonly dataset: string;
}): string | null {
  const other = sensorByDataset(dataset === L1C_DATASET ? L2A_DATASET : L1C_DATASET);
  const slash = viewId.indexOf('/');
  return other === null || slash < 0 ? null : `${other.abbreviation}${viewId.slice(slash)}`;
}

/**
 * The name of the scene that answers for another: of Sentinel-2, where the catalog has no Level-1C scene, the Level-2A
 * scene of the same tile, date and number, which is what most people ingest. Any other name stays as it is, known or not.
 */
export async function chooseLevel(
  scenes: Pick<SceneStore, 'findByViewId'>,
  name: SceneName,
): Promise<SceneName> {
  const { viewId, sceneName, sensor } = name;
  if (sensor.dataset !== L1C_DATASET || (await scenes.findByViewId(viewId)) !== null) return name;
  const [other, level2A] = [toOtherLevel({ viewId, dataset: L1C_DATASET }), sensorByDataset(L2A_DATASET)];
  if (other === null || level2A === null || (await scenes.findByViewId(other)) === null) return name;
  return { viewId: other, sceneName, sensor: level2A };
}
