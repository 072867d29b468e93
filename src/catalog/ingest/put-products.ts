import { sensorByDataset } from '../../sensors/index.ts';
import type { NewScene } from '../scene.ts';
import type { PutOutcome, SceneStore } from '../scene-store.ts';
import { linkLevels } from './link-levels.ts';

/** The store of an ingest; without the optional parts, provisional records are not removed. */
export type ProductStore = Pick<SceneStore, 'findByViewId' | 'putMany'> &
  Partial<Pick<SceneStore, 'findByName' | 'remove'>>;

/** Puts records of products, and updates other records that depend on them. */
export async function putProducts(
  store: ProductStore,
  given: readonly NewScene[],
  now: () => Date,
): Promise<readonly PutOutcome[]> {
  if (given.length === 0) return [];
  const { scenes, others } = await linkLevels(given, (viewId) => store.findByViewId(viewId));
  const outcomes = await store.putMany([...stampScenes(scenes, now()), ...others]);
  for (const scene of scenes) await removeProvisional(store, scene);
  return outcomes.slice(0, given.length);
}

/** Adds the time of indexing, for datasets whose hits show it. */
const stampScenes = (scenes: readonly NewScene[], at: Date): readonly NewScene[] =>
  scenes.map((scene) =>
    sensorByDataset(scene.dataset)?.hitFields.IndexingTime === undefined
      ? scene
      : { ...scene, indexedAt: at.toISOString() },
  );

/** The view id of a Landsat product without metadata, which has no scene id; null if it is the same as the final one. */
export function toProvisionalId({
  viewId,
  productId,
}: {
  readonly viewId: string;
  readonly productId?: string | null;
}): string | null {
  if (productId === undefined || productId === null) return null;
  const provisional = viewId.replace(/\/.*$/, `/${productId}`);
  return provisional === viewId ? null : provisional;
}

/** Removes the record that the same product had before its metadata arrived. */
export async function removeProvisional(
  store: ProductStore,
  scene: Parameters<typeof toProvisionalId>[0],
): Promise<void> {
  const provisional = toProvisionalId(scene);
  if (provisional === null || store.remove === undefined) return;
  if ((await store.findByViewId(provisional)) !== null) await store.remove(provisional);
}
