import type { NewScene, PutOutcome, Scene, SceneStore } from '../../catalog/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { families } from '../families/all-families.ts';
import type { LevelPair } from '../families/family.ts';

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

/** The records to put, and stored records that change with them. */
interface LinkedLevels {
  readonly scenes: readonly NewScene[];
  readonly others: readonly NewScene[];
}

const pairs: readonly LevelPair[] = families.flatMap(({ levels }) => levels ?? []);

/**
 * Links hits of a lower processing level to the same recording at the higher level, in whichever order the two are
 * ingested. Removing the higher level later does not unlink the lower one: it stays linked until it is ingested again.
 */
async function linkLevels(
  scenes: readonly NewScene[],
  find: (viewId: string) => Promise<Scene | null>,
): Promise<LinkedLevels> {
  const given = new Map(scenes.map((scene) => [scene.viewId, scene]));
  const linked: NewScene[] = [];
  const others: NewScene[] = [];
  for (const scene of scenes) {
    const below = pairs.find(({ lower }) => lower === scene.dataset);
    const higher =
      below &&
      (await findTwin(scene, below, {
        dataset: below.higher,
        find: async (id) => given.get(id) ?? find(id),
      }));
    linked.push(below && higher ? { ...scene, fields: below.linkFields(scene, higher) } : scene);
    const above = pairs.find((pair) => pair.higher === scene.dataset);
    // A scene of the same batch is linked from its own side.
    const lower =
      above &&
      (await findTwin(scene, above, {
        dataset: above.lower,
        find: async (id) => (given.has(id) ? null : find(id)),
      }));
    if (!above || !lower) continue;
    const fields = above.linkFields(lower, scene);
    if (!hasSame(lower.fields, fields)) others.push({ ...lower, fields });
  }
  return { scenes: linked, others };
}

interface TwinSearch<T> {
  readonly dataset: string;
  readonly find: (viewId: string) => Promise<T | null>;
}

/** The scene of the same recording at the other level. */
async function findTwin<T extends NewScene>(
  scene: NewScene,
  { isSameRecording }: LevelPair,
  { dataset, find }: TwinSearch<T>,
): Promise<T | null> {
  const abbreviation = sensorByDataset(dataset)?.abbreviation ?? '';
  const twin = await find(scene.viewId.replace(/^[^/]+/, abbreviation));
  return twin !== null && isSameRecording(twin, scene) ? twin : null;
}

const hasSame = (one: NewScene['fields'], other: NewScene['fields']): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
};
