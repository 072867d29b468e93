import { notFound } from '../errors.ts';
import type { Sensor } from '../sensors/index.ts';
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
