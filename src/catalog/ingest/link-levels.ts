import { sensorByDataset } from '../../sensors/index.ts';
import { families } from '../families/all-families.ts';
import type { LevelPair } from '../families/family.ts';
import type { NewScene, Scene } from '../scene.ts';

/** The records to put, and stored records that change with them. */
export interface LinkedLevels {
  readonly scenes: readonly NewScene[];
  readonly others: readonly NewScene[];
}

const pairs: readonly LevelPair[] = families.flatMap(({ levels }) => levels ?? []);

/**
 * Links hits of a lower processing level to the same recording at the higher level, in whichever order the two are
 * ingested. Removing the higher level later does not unlink the lower one: it stays linked until it is ingested again.
 */
export async function linkLevels(
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
