import { makeTtlCache } from '../../async/index.ts';
import type { BandInput } from '../../bandmath/index.ts';
import type { NewScene, Scene, SceneStore } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { SceneFiles } from '../../ingest/index.ts';
import { listSceneFiles, withStamps } from '../../ingest/index.ts';
import { makeLru } from '../../lru.ts';
import type { ReadFileStamp } from '../../sources/index.ts';
import type { ComparedScene } from '../plan/render-plan.ts';
import { addEarlier } from './earlier-scene.ts';

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

/** Builds the watch. It asks the disk at most once in a few seconds per scene, and never for scenes that are not in use. */
export function makeFileWatch(deps: FileWatchDeps): FileWatch {
  const known = makeLru<WatchedScene>({ max: MOST_REMEMBERED });

  function watch({ viewId, version }: Scene): WatchedScene {
    const before = known.get(viewId);
    if (before?.hasVersion(version)) return before;
    const watched = new WatchedScene(deps, version);
    known.set(viewId, watched);
    return watched;
  }

  return {
    check: (scene) => watch(scene).check(scene),
    async renew({ earlier, ...scene }) {
      await watch(scene).renew(scene);
      if (earlier !== undefined && earlier !== null) await watch(earlier).renew(earlier);
    },
  };
}

/** The state of a scene's files on disk by href; null for a file that the disk does not show. */
type SeenFiles = ReadonlyMap<string, string | null>;

type SceneFileList = ReturnType<typeof listSceneFiles>;

/** Why pictures of a scene are refused, and the state of its files at that time. */
interface Refusal {
  readonly error: unknown;
  readonly seen: string;
  readonly atMs: number;
}

/**
 * The files of one scene:
 *
 *     current ──a look finds a change──▶ renewing ──the headers fit──▶ current, with a new record
 *        ▲                                 ▲  └──────any failure─────▶ refused
 *        │                                 └──────────a change────────────┤
 *        └──────a look finds no change, and the failure may have passed───┘
 */
class WatchedScene {
  readonly #deps: FileWatchDeps;
  /** Version of the record that was checked last. */
  #version: string;
  /** Versions that this one has replaced; some callers still hold their records for a moment. */
  readonly #outdated = new Set<string>();
  /** The record that has replaced them. */
  #successor: Scene | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;
  /** The look that a caller has waited for in vain. */
  #hanging: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;
  #refused: Refusal | null = null;
  #listed: { readonly version: string; readonly files: SceneFileList } | null = null;
  /** The state of files that was last reported not to fit. */
  #reported: string | null = null;

  constructor(deps: FileWatchDeps, version: string) {
    this.#deps = deps;
    this.#version = version;
  }

  /** Whether this is, or was, the version of the record. */
  hasVersion(version: string): boolean {
    return this.#version === version || this.#outdated.has(version);
  }

  async check(scene: Scene): Promise<Scene> {
    const ageMs = this.#deps.nowMs() - this.#lookedMs;
    if (ageMs >= LOOK_EVERY_MS && this.#looking === null) {
      this.#looking = this.#look(this.#toCurrent(scene)).finally(() => {
        this.#looking = null;
      });
      // Nobody may be waiting for it: then it runs in the background.
      this.#looking.catch(this.#deps.onFailure);
    }
    if (ageMs >= WAIT_AFTER_MS && this.#looking !== null) await this.#waitFor(this.#looking);
    if (this.#renewing !== null) await this.#renewing;
    if (this.#refused !== null) throw this.#refused.error;
    return this.#toCurrent(scene);
  }

  async renew(scene: Scene): Promise<void> {
    // Other work has met the same file before.
    if (this.#version !== scene.version) return;
    const current = this.#toCurrent(scene);
    await this.#startRenewing(current, await this.#readSeen(scene));
    if (this.#refused !== null) throw this.#refused.error;
  }

  #toCurrent(scene: Scene): Scene {
    return scene.version === this.#version || this.#successor === null ? scene : this.#successor;
  }

  /** The files of a record, which every look needs. */
  #listFiles(scene: Scene): SceneFileList {
    if (this.#listed?.version !== scene.version)
      this.#listed = { version: scene.version, files: listSceneFiles(scene) };
    return this.#listed.files;
  }

  async #readSeen(scene: Scene): Promise<SeenFiles> {
    const files = this.#listFiles(scene);
    const stamps = await Promise.all(files.map(({ href }) => this.#deps.readStamp(href)));
    return new Map(files.map(({ href }, i) => [href, stamps[i] ?? null]));
  }

  async #look(scene: Scene): Promise<void> {
    const seen = await this.#readSeen(scene);
    const found = this.#listFiles(scene).map(({ href, stamp }) => [stamp, seen.get(href) ?? null] as const);
    const isChanged = found.some(([stamp, now]) => stamp !== null && now !== null && stamp !== now);
    const isRemote = found.some(([, now]) => now === null);
    const refused = this.#refused;
    if (isChanged) await this.#startRenewing(scene, seen);
    else if (refused !== null && isUnfit(refused.error) && isRemote) {
      if (this.#deps.nowMs() - refused.atMs >= RETRY_REMOTE_MS) await this.#startRenewing(scene, seen);
    } else {
      this.#refused = null;
      // A record without the state of a file could not show a change of it.
      if (found.some(([stamp, now]) => stamp === null && now !== null))
        await this.#replace(
          scene,
          withStamps(scene, (href) => seen.get(href) ?? null),
        );
    }
    this.#lookedMs = this.#deps.nowMs();
  }

  async #waitFor(looking: Promise<void>): Promise<void> {
    if (this.#hanging === looking) return;
    // While headers are read the disk answers: that is waited for, however long it takes.
    if (!(await settlesWithin(looking, LONGEST_WAIT_MS))) this.#hanging = looking;
  }

  /** Never rejects: a failure is remembered until the next look. */
  #startRenewing(scene: Scene, seen: SeenFiles): Promise<void> {
    const state = JSON.stringify([...seen.values()]);
    // Nothing has changed since the files did not fit. The disk does not show remote files: they are read again.
    const isKnown = this.#refused?.seen === state && isUnfit(this.#refused.error);
    if (isKnown && [...seen.values()].every((stamp) => stamp !== null)) return Promise.resolve();
    this.#renewing ??= this.#renewRecord(scene)
      .then(
        () => {
          this.#refused = null;
        },
        (error: unknown) => this.#refuse(scene, error, state),
      )
      .finally(() => {
        this.#renewing = null;
        this.#lookedMs = this.#deps.nowMs();
      });
    return this.#renewing;
  }

  #refuse({ viewId }: Scene, error: unknown, seen: string): void {
    this.#refused = { error, seen, atMs: this.#deps.nowMs() };
    if (!isUnfit(error) || this.#reported === seen) return;
    this.#reported = seen;
    this.#deps.onUnfit(viewId, error);
  }

  async #renewRecord(scene: Scene): Promise<void> {
    const files = await this.#deps.renewFiles(scene);
    if (await this.#replace(scene, files)) this.#deps.onRenewed(scene.viewId);
  }

  /** True when the record was changed by us; when somebody else has changed it, that record counts. */
  async #replace(scene: Scene, files: SceneFiles): Promise<boolean> {
    const { version, ...record } = scene;
    const { assets, cloudMask } = scene;
    const before: SceneFiles = { assets, ...(cloudMask === undefined ? {} : { cloudMask }) };
    if (JSON.stringify(files) === JSON.stringify(before)) return false;
    const renewed = { ...record, ...files };
    // Pictures do not depend on the catalog: the record as it would be written is right, and the same after a restart.
    const goOnWithout = (): true => {
      this.#follow(toScene(renewed), version);
      return true;
    };
    const isOurs = this.#write(renewed, version).then(
      ({ current, isMine }) => {
        this.#follow(current, version);
        return isMine;
      },
      (error: unknown) => {
        this.#deps.onFailure(error);
        return goOnWithout();
      },
    );
    return (await settlesWithin(isOurs, LONGEST_WRITE_MS)) ? isOurs : goOnWithout();
  }

  async #write(
    record: NewScene,
    version: string,
  ): Promise<{ readonly current: Scene | null; readonly isMine: boolean }> {
    const { scenes } = this.#deps;
    const mine = await scenes.replace(record, version);
    return { current: mine ?? (await scenes.findByViewId(record.viewId)), isMine: mine !== null };
  }

  /** From now on this record replaces the one with that version. */
  #follow(current: Scene | null, version: string): void {
    if (current === null || current.version === version || current.version === this.#version) return;
    this.#outdated.add(this.#version);
    this.#outdated.delete(current.version);
    this.#version = current.version;
    this.#successor = current;
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

/** The scene as its files are now, with the earlier one that these inputs look back to, when they do. */
export type CompareScene = (scene: Scene, inputs: readonly BandInput[]) => Promise<ComparedScene>;

interface CompareDeps {
  readonly scenes: Pick<SceneStore, 'search'>;
  /** Every scene that is about to be read goes through it, the earlier one too. */
  readonly watch: Pick<FileWatch, 'check'>;
  readonly nowMs: () => number;
}

/** Tiles of one view come within seconds; a scene ingested during that time is noticed soon after. */
const FRESH_MS = 30_000;
const MOST_COMPARED = 64;

/** Builds the search for earlier scenes. It caches for a short time what it found, and no failures. */
export function makeCompareScene({ scenes, watch, nowMs }: CompareDeps): CompareScene {
  // The same object as long as it is cached: plans are cached by it.
  const recent = makeTtlCache<ComparedScene>({
    name: 'earlier-scenes',
    nowMs,
    freshMs: FRESH_MS,
    max: MOST_COMPARED,
  });
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
