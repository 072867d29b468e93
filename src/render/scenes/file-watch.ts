import type { NewScene, Scene, SceneStore } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { SceneFiles } from '../../ingest/index.ts';
import { listSceneFiles, withStamps } from '../../ingest/index.ts';
import { makeLru } from '../../lru.ts';
import type { ReadFileStamp } from '../../sources/index.ts';
import type { ComparedScene } from '../plan/render-plan.ts';

/** Notices that files of scenes were replaced, and has their records brought up to date. */
export interface FileWatch {
  /**
   * The scene as its files are, for work that is about to begin. Costs next to nothing when they were looked at lately;
   * throws `source-changed` when a file is another image than the one that was ingested.
   */
  check(scene: Scene): Promise<Scene>;
  /** Reads the headers of changed files again, also of remote ones; for those whose work met another file. */
  renew(scene: ComparedScene): Promise<void>;
}

/** What the watch is made of. */
interface FileWatchDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId' | 'replace'>;
  readonly readStamp: ReadFileStamp;
  /** Reads the headers of changed files, on a pixel thread. */
  readonly renewFiles: (scene: Scene) => Promise<SceneFiles>;
  readonly nowMs: () => number;
  readonly onRenewed: (viewId: string) => void;
  /** Called once for each state of the files that does not fit. */
  readonly onUnfit: (viewId: string, error: SwathError) => void;
  /** Called when a state of files could not be written to the catalog; pictures do not depend on it. */
  readonly onFailure: (error: unknown) => void;
}

/** How long files count as unchanged; then they are checked in the background. */
const LOOK_EVERY_MS = 5_000;
/** Files that were not checked for this long are checked before they are used: at a start, or after a quiet night. */
const WAIT_AFTER_MS = 60_000;
/** A network disk that hangs, or a catalog that is slow to write, must not hold back pictures; the second is a part of the first. */
const LONGEST_WAIT_MS = 1_000;
const LONGEST_WRITE_MS = 500;
/** A remote file that did not fit is read again after this time: a look at the disk does not show whether it was fixed. */
const RETRY_REMOTE_MS = 60_000;
/** Scenes whose last check is remembered. */
const MOST_REMEMBERED = 4_096;

interface Watched {
  /** Version of the record that was checked last. */
  version: string;
  /** Versions that this one has replaced; some still hold their records for a moment. */
  readonly outdated: Set<string>;
  /** The record that has replaced them. */
  successor: Scene | null;
  lookedMs: number;
  looking: Promise<void> | null;
  /** The look that was waited for in vain. */
  hanging: Promise<void> | null;
  renewing: Promise<void> | null;
  /** Why pictures of these files are refused. */
  refused: { readonly error: unknown; readonly seen: string; readonly atMs: number } | null;
  /** The state of files that was last reported not to fit. */
  reported: string | null;
}

/** Builds the watch. It asks the disk at most once in a few seconds per scene, and never for scenes that are not in use. */
export function makeFileWatch(deps: FileWatchDeps): FileWatch {
  const { scenes, readStamp, renewFiles, nowMs, onRenewed, onUnfit, onFailure } = deps;
  const known = makeLru<Watched>({ max: MOST_REMEMBERED });

  return {
    async check(scene) {
      const watched = watch(scene);
      const ageMs = nowMs() - watched.lookedMs;
      if (ageMs >= LOOK_EVERY_MS && watched.looking === null) {
        watched.looking = look(watched, toCurrent(watched, scene)).finally(() => {
          watched.looking = null;
        });
        // No one may be waiting for it: then it runs behind requests.
        watched.looking.catch(onFailure);
      }
      if (ageMs >= WAIT_AFTER_MS && watched.looking !== null) await waitFor(watched, watched.looking);
      if (watched.renewing !== null) await watched.renewing;
      if (watched.refused !== null) throw watched.refused.error;
      return toCurrent(watched, scene);
    },

    async renew({ earlier, ...scene }) {
      for (const one of [scene, earlier]) {
        if (one === undefined || one === null) continue;
        const watched = watch(one);
        // Somebody else's work has met the same file before.
        if (watched.version !== one.version) continue;
        await startRenewing(watched, toCurrent(watched, one), await readSeen(one));
        if (watched.refused !== null) throw watched.refused.error;
      }
    },
  };

  function watch({ viewId, version }: Scene): Watched {
    const before = known.get(viewId);
    if (before !== undefined && (before.version === version || before.outdated.has(version))) return before;
    const watched: Watched = {
      version,
      outdated: new Set<string>(),
      successor: null,
      lookedMs: Number.NEGATIVE_INFINITY,
      looking: null,
      hanging: null,
      renewing: null,
      refused: null,
      reported: null,
    };
    known.set(viewId, watched);
    return watched;
  }

  async function readSeen(scene: Scene): Promise<ReadonlyMap<string, string | null>> {
    const files = listSceneFiles(scene);
    const stamps = await Promise.all(files.map(({ href }) => readStamp(href)));
    return new Map(files.map(({ href }, i) => [href, stamps[i] ?? null]));
  }

  async function look(watched: Watched, scene: Scene): Promise<void> {
    const seen = await readSeen(scene);
    const found = listSceneFiles(scene).map(({ href, stamp }) => [stamp, seen.get(href) ?? null] as const);
    const isChanged = found.some(([stamp, now]) => stamp !== null && now !== null && stamp !== now);
    const isRemote = found.some(([, now]) => now === null);
    const { refused } = watched;
    if (isChanged) await startRenewing(watched, scene, seen);
    else if (refused !== null && isUnfit(refused.error) && isRemote) {
      if (nowMs() - refused.atMs >= RETRY_REMOTE_MS) await startRenewing(watched, scene, seen);
    } else {
      watched.refused = null;
      if (found.some(([stamp, now]) => stamp === null && now !== null)) await adopt(watched, scene, seen);
    }
    watched.lookedMs = nowMs();
  }

  /** Writes down the state of files of which the record says none, without which no change of them could be noticed. */
  async function adopt(
    watched: Watched,
    scene: Scene,
    seen: ReadonlyMap<string, string | null>,
  ): Promise<void> {
    await replace(
      watched,
      scene,
      withStamps(scene, (href) => seen.get(href) ?? null),
    );
  }

  /** Never rejects: what fails is remembered until the next look. */
  function startRenewing(
    watched: Watched,
    scene: Scene,
    seen: ReadonlyMap<string, string | null>,
  ): Promise<void> {
    const state = JSON.stringify([...seen.values()]);
    // Nothing has changed since it was found not to fit. Remote files are not seen, and looked at again.
    const isKnown = watched.refused?.seen === state && isUnfit(watched.refused.error);
    if (isKnown && [...seen.values()].every((stamp) => stamp !== null)) return Promise.resolve();
    watched.renewing ??= renewRecord(watched, scene)
      .then(
        () => {
          watched.refused = null;
        },
        (error: unknown) => {
          watched.refused = { error, seen: state, atMs: nowMs() };
          if (!isUnfit(error) || watched.reported === state) return;
          watched.reported = state;
          onUnfit(scene.viewId, error);
        },
      )
      .finally(() => {
        watched.renewing = null;
        watched.lookedMs = nowMs();
      });
    return watched.renewing;
  }

  async function renewRecord(watched: Watched, scene: Scene): Promise<void> {
    const files = await renewFiles(scene);
    if (await replace(watched, scene, files)) onRenewed(scene.viewId);
  }

  /** True when the record was changed by us; when somebody else has changed it, that record counts. */
  async function replace(watched: Watched, scene: Scene, files: SceneFiles): Promise<boolean> {
    const { version, ...record } = scene;
    const { assets, cloudMask } = scene;
    const before: SceneFiles = { assets, ...(cloudMask === undefined ? {} : { cloudMask }) };
    if (JSON.stringify(files) === JSON.stringify(before)) return false;
    const renewed = { ...record, ...files };
    // Pictures do not depend on the catalog: the record as it would be written is right, and the same after a restart.
    const goOnWithout = (): true => {
      follow(watched, toScene(renewed), version);
      return true;
    };
    const isOurs = write(renewed, version).then(
      ({ current, isMine }) => {
        follow(watched, current, version);
        return isMine;
      },
      (error: unknown) => {
        onFailure(error);
        return goOnWithout();
      },
    );
    return (await settlesWithin(isOurs, LONGEST_WRITE_MS)) ? isOurs : goOnWithout();
  }

  async function write(
    record: NewScene,
    version: string,
  ): Promise<{ readonly current: Scene | null; readonly isMine: boolean }> {
    const mine = await scenes.replace(record, version);
    return { current: mine ?? (await scenes.findByViewId(record.viewId)), isMine: mine !== null };
  }

  /** From now on this record replaces the one with that version. */
  function follow(watched: Watched, current: Scene | null, version: string): void {
    if (current === null || current.version === version || current.version === watched.version) return;
    watched.outdated.add(watched.version);
    watched.outdated.delete(current.version);
    watched.version = current.version;
    watched.successor = current;
  }

  async function waitFor(watched: Watched, looking: Promise<void>): Promise<void> {
    if (watched.hanging === looking) return;
    // While headers are read the disk answers: that is waited for, however long it takes.
    if (!(await settlesWithin(looking, LONGEST_WAIT_MS))) watched.hanging = looking;
  }
}

/** Whether a promise settles in time; rejects when it does so in time. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

const toCurrent = ({ version, successor }: Watched, scene: Scene): Scene =>
  scene.version === version || successor === null ? scene : successor;

const isUnfit = (error: unknown): error is SwathError =>
  isSwathError(error) && error.code === 'source-changed';

interface Work<Result> {
  readonly watch: Pick<FileWatch, 'renew'>;
  /** Finds the scene in the catalog; called again after its record was renewed. */
  readonly find: () => Promise<ComparedScene>;
  readonly run: (scene: ComparedScene) => Promise<Result>;
}

/** Runs work on a scene; once more from the start when a thread found other files than the scene's record says. */
export async function withCurrentFiles<Result>({ watch, find, run }: Work<Result>): Promise<Result> {
  const scene = await find();
  try {
    return await run(scene);
  } catch (error) {
    if (!isSwathError(error) || error.code !== 'source-changed') throw error;
    await watch.renew(scene);
    return run(await find());
  }
}
