import { makeTtlCache } from '../../async/index.ts';
import type { BandInput } from '../../bandmath/index.ts';
import type { Scene, SceneStore } from '../../catalog/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import { chooseEarlier, planEarlierSearch } from './earlier-scene.ts';
import type { FileWatch } from './file-watch.ts';

interface CompareDeps {
  readonly scenes: Pick<SceneStore, 'search'>;
  /** Every scene that is about to be read goes through it, the earlier one too. */
  readonly watch: Pick<FileWatch, 'check'>;
  readonly nowMs: () => number;
}

/** The scene as its files are now, with the earlier one that these inputs look back to, when they do. */
export type CompareScene = (scene: Scene, inputs: readonly BandInput[]) => Promise<ComparedScene>;

/** Tiles of one view come within seconds; a scene that is taken in meanwhile is seen soon after. */
const FRESH_MS = 30_000;
const MOST_REMEMBERED = 64;

/** Builds the search for earlier scenes. It caches for a short time what it found, and no failures. */
export function makeCompareScene({ scenes, watch, nowMs }: CompareDeps): CompareScene {
  // The same object as long as it is cached: plans are cached by it.
  const recent = makeTtlCache<ComparedScene>({ nowMs, freshMs: FRESH_MS, max: MOST_REMEMBERED });
  const withCurrent = async (compared: ComparedScene): Promise<ComparedScene> => {
    if (compared.earlier == null) return compared;
    const earlier = await watch.check(compared.earlier);
    return earlier === compared.earlier ? compared : { ...compared, earlier };
  };
  return async (found, inputs) => {
    const scene = await watch.check(found);
    const bands = inputs.filter((input) => input.scene === 'earlier').map(({ band }) => band);
    if (bands.length === 0) return scene;
    const key = [scene.viewId, scene.version, ...bands.toSorted()].join(' ');
    const compared = await recent.find(key, () => addEarlier(scenes, scene, bands));
    try {
      return await withCurrent(compared);
    } catch (error) {
      recent.forget(key);
      throw error;
    }
  };
}

/** The scene with the one that it is compared with; null when the catalog has none that suits. */
async function addEarlier(
  scenes: CompareDeps['scenes'],
  scene: Scene,
  bands: readonly string[],
): Promise<ComparedScene> {
  const query = planEarlierSearch(scene);
  if (query === null) return { ...scene, earlier: null };
  const { scenes: candidates } = await scenes.search(query);
  return { ...scene, earlier: chooseEarlier(scene, candidates, bands) };
}
