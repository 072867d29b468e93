import { sensorByDataset } from '../../sensors/index.ts';
import type { NewScene, Scene } from '../scene.ts';

/** The two levels of Sentinel-2, whose hits say of each other whether there is the other one. */
const LEVEL_1 = 'sentinel2';
const LEVEL_2 = 'sentinel2l2a';

/**
 * Two recordings of a tile on one day are an orbit apart (100 minutes); the times that catalogs give for one and the same
 * differ by up to 38.
 */
const SAME_RECORDING_MS = 45 * 60_000;

/** Records as they are to be put, and those already there that change with them. */
export interface LinkedLevels {
  readonly scenes: readonly NewScene[];
  readonly others: readonly NewScene[];
}

/**
 * Makes hits of Sentinel-2 L1C say that the catalog has the same recording as L2A, in whichever order the two come. A
 * record of L2A that is removed later takes nothing back: its L1C says so until it is read again.
 */
export async function linkLevels(
  scenes: readonly NewScene[],
  find: (viewId: string) => Promise<Scene | null>,
): Promise<LinkedLevels> {
  const given = new Map(scenes.map((scene) => [scene.viewId, scene]));
  const linked: NewScene[] = [];
  const others: NewScene[] = [];
  for (const scene of scenes) {
    const surface =
      scene.dataset === LEVEL_1
        ? await findTwin(scene, LEVEL_2, async (id) => given.get(id) ?? find(id))
        : null;
    linked.push(surface === null ? scene : withSurface(scene, surface));
    // One that is put together with this one is linked from its own side.
    const first =
      scene.dataset === LEVEL_2
        ? await findTwin(scene, LEVEL_1, async (id) => (given.has(id) ? null : find(id)))
        : null;
    if (first !== null && !isLinked(first, scene)) others.push(withSurface(first, scene));
  }
  return { scenes: linked, others };
}

async function findTwin<T extends NewScene>(
  { viewId, sceneId, acquiredAt }: NewScene,
  dataset: string,
  find: (viewId: string) => Promise<T | null>,
): Promise<T | null> {
  const abbreviation = sensorByDataset(dataset)?.abbreviation ?? '';
  const twin = await find(viewId.replace(/^[^/]+/, abbreviation));
  if (twin === null) return null;
  const apartMs = Math.abs(Date.parse(twin.acquiredAt) - Date.parse(acquiredAt));
  // The number of a recording within its day is not always the provider's, the satellite (`S2A`) is.
  const isSame = apartMs < SAME_RECORDING_MS && twin.sceneId.slice(0, 3) === sceneId.slice(0, 3);
  return isSame ? twin : null;
}

const pathOf = ({ fields }: NewScene) => fields.awsPathL2A ?? fields.awsPath;

const isLinked = ({ fields }: NewScene, surface: NewScene): boolean =>
  fields.processedL2A === true && fields.awsPathL2A === pathOf(surface);

function withSurface(scene: NewScene, surface: NewScene): NewScene {
  const { awsPathL2A: _, ...fields } = scene.fields;
  const path = pathOf(surface);
  return {
    ...scene,
    fields: { ...fields, processedL2A: true, ...(path === undefined ? {} : { awsPathL2A: path }) },
  };
}
