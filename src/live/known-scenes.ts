/** Scenes of live catalogs by name: from the table of known scenes, or from their source, which fills the table. */
import { takeTurn } from '../async/index.ts';
import type { NewScene, Scene } from '../catalog/index.ts';
import { makeLru } from '../lru.ts';
import type { KnownScene, KnownSceneStore, NewKnownScene, PutBounds } from './known-scene-store.ts';
import type { NamedScene, ResolveScene } from './resolve-scene.ts';

/** Known scenes, which are resolved when they are asked for. */
export interface KnownScenes {
  /** The scene of a name; null if no catalog has it. */
  find(named: NamedScene): Promise<Scene | null>;
  /** As `SceneStore.replace`: for files that have changed under a known item. */
  replace(scene: NewScene, version: string): Promise<Scene | null>;
}

interface KnownDeps {
  readonly store: KnownSceneStore;
  readonly resolve: ResolveScene;
  /** The most scenes of the table. */
  readonly max: number;
  /** The name of this process, for claims among several. */
  readonly owner: string;
  /** How long scenes are held that are asked for; null where they are for requests, which need no hold. */
  readonly holdMs: number | null;
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called when a note in the table failed, or an item could not be checked; pictures do not depend on it. */
  readonly onFailure: (error: unknown) => void;
}

/** An item that was last seen longer ago is read again, after the request that noticed it. */
const CHECK_AFTER_MS = 6 * 3_600_000;
/** How long after a failed check the next one waits: every tile of the scene would try. */
const CHECK_AGAIN_MS = 600_000;
/** Uses are noted once in this time: the order of removal need not be exact. */
const NOTE_EVERY_MS = 60_000;
const MOST_NOTED = 20_000;
/** Longer than an item and the headers of its files take over a slow line. */
const CLAIM_MS = 30_000;
/** How often a process looks whether another one has resolved a scene. */
const LOOK_EVERY_MS = 50;

/** Builds the look-up. */
export function makeKnownScenes(deps: KnownDeps): KnownScenes {
  const { store, resolve, max, owner, holdMs, now, sleep, onFailure } = deps;
  const noted = makeLru<number>({ max: MOST_NOTED });
  const checking = new Set<string>();
  /** When checks failed. */
  const failed = makeLru<number>({ max: MOST_NOTED });

  async function find(named: NamedScene): Promise<Scene | null> {
    const known = await lookUp(named);
    if (known !== null) {
      await noteUse(known.scene.viewId);
      if (now().getTime() - Date.parse(known.checkedAt) > CHECK_AFTER_MS) void check(named, known);
      return known.scene;
    }
    return resolveOnce(named);
  }

  /** A view id may have another name of its product than the one that the record has. */
  const lookUp = async ({ viewId, dataset, name }: NamedScene): Promise<KnownScene | null> =>
    (viewId === null ? null : await store.findByViewId(viewId)) ?? store.findByName(dataset, name);

  /** Of several processes one asks the catalog, and the others wait for what it finds. */
  async function resolveOnce(named: NamedScene): Promise<Scene | null> {
    const claimed = named.viewId ?? `${named.dataset} ${named.name}`;
    const untilMs = now().getTime() + CLAIM_MS;
    for (;;) {
      const isMine = await store.claim(claimed, { owner, untilMs: now().getTime() + CLAIM_MS });
      // After a claim of ours too, and the first one: another process may have put it since the last look.
      const known = await lookUp(named);
      if (known !== null) {
        if (isMine) await store.release(claimed, owner);
        await noteUse(known.scene.viewId);
        return known.scene;
      }
      // Whoever claimed it has found nothing, or is gone.
      if (isMine || now().getTime() > untilMs) break;
      await sleep(LOOK_EVERY_MS);
    }
    let isReleased = false;
    try {
      const found = await resolve(named, null, NEVER);
      if (found === null || found === 'unchanged') return null;
      const nowMs = now().getTime();
      // One write: a hundred scenes with five each would wait for the disk longer than for their catalog.
      const [scene] = await put([{ ...found, checkedAt: now().toISOString() }], {
        ...(holdMs === null ? {} : { heldUntil: toHoldEnd(nowMs) }),
        released: { viewId: claimed, owner },
      });
      isReleased = true;
      noted.set(scene!.viewId, nowMs);
      return scene!;
    } finally {
      if (!isReleased) await store.release(claimed, owner).catch(onFailure);
    }
  }

  const put = (
    scenes: readonly NewKnownScene[],
    more: Pick<PutBounds, 'heldUntil' | 'released'> = {},
  ): Promise<readonly Scene[]> => store.putMany(scenes, { max, usedAt: now().toISOString(), ...more });

  /** A task that begins just before the next note needs a scene for as long as any other. */
  const toHoldEnd = (nowMs: number): string => new Date(nowMs + NOTE_EVERY_MS + (holdMs ?? 0)).toISOString();

  const hold = gather((viewIds) => store.hold(viewIds, toHoldEnd(now().getTime())));
  const touch = gather((viewIds) => store.touch(viewIds, now().toISOString()));

  /** Notes the use, and holds the scene for a task. A hold must be there before the task goes on. */
  async function noteUse(viewId: string): Promise<void> {
    const nowMs = now().getTime();
    if (nowMs - (noted.get(viewId) ?? -Infinity) < NOTE_EVERY_MS) return;
    if (holdMs !== null) await hold(viewId);
    noted.set(viewId, nowMs);
    touch(viewId).catch(onFailure);
  }

  /** Reads the item again, and its files if it has changed. */
  async function check(named: NamedScene, known: KnownScene): Promise<void> {
    const { viewId, origin } = known.scene;
    const failedMs = failed.get(viewId) ?? -Infinity;
    if (checking.has(viewId) || now().getTime() - failedMs < CHECK_AGAIN_MS) return;
    checking.add(viewId);
    try {
      const earlier = { itemState: known.itemState, fingerprint: origin?.fingerprint ?? '' };
      const found = await resolve({ ...named, viewId }, earlier, NEVER);
      const checkedAt = now().toISOString();
      if (found === null) await store.remove(viewId);
      else if (found === 'unchanged') await store.confirm(viewId, checkedAt);
      else await put([{ ...found, checkedAt }]);
    } catch (error) {
      failed.set(viewId, now().getTime());
      onFailure(error);
    } finally {
      checking.delete(viewId);
    }
  }

  return {
    find,
    async replace(scene, version) {
      const known = await store.findByViewId(scene.viewId);
      if (known === null || known.scene.version !== version) return null;
      const [replaced] = await put([{ ...known, scene }]);
      return replaced ?? null;
    },
  };
}

/** Writes what is noted in one turn together. */
function gather(write: (viewIds: readonly string[]) => Promise<void>): (viewId: string) => Promise<void> {
  const waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  return (viewId) => {
    if (waiting.length === 0) writing = takeTurn().then(() => write(waiting.splice(0)));
    waiting.push(viewId);
    return writing;
  };
}

const NEVER = new AbortController().signal;
