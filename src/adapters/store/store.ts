import type { Changes, CountNews } from '../../async/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import type { CoverageStore } from '../../coverage/index.ts';
import type { FieldStore } from '../../fields/index.ts';
import type { KeyStore, RateStore, RotationStore, SecretStore, UsageStore } from '../../keys/index.ts';
import type { AreaStore, ColormapStore, DatasetTextStore, RecipeStore } from '../../library/index.ts';
import type { KnownSceneStore, SyncNoteStore } from '../../live/index.ts';
import type { ContrastStore, IntensityStore } from '../../render/index.ts';
import type { PersonStore, SessionStore } from '../../sign-in/index.ts';
import type { CallbackStore, ResultPlaceStore, TaskStore } from '../../tasks/index.ts';
import type { DemStore } from '../../terrain/index.ts';
import type { WatchStore } from '../../watch/index.ts';
import type { SceneStatisticsStore } from '../../zonal/index.ts';

/**
 * The kinds of things whose changes are reported. A change of a scene may change the scene of a name too; the kinds of names report new scenes.
 * Elevation models, and the kinds of names, are reported without ids. Outlines of fields are among the areas.
 */
export type ChangeKind =
  | 'keys'
  | 'sessions'
  | 'scenes'
  | 'scene-names'
  | 'known-scenes'
  | 'known-scene-names'
  | 'recipes'
  | 'dems'
  | 'areas'
  | 'colormaps';

/** A lock that a process holds until it releases it or ends. */
export interface StoreLock {
  release(): Promise<void>;
}

/** All ports over one database. Each adapter opens one, and `test/ports` checks it against the same contract. */
export interface Store {
  readonly keys: KeyStore;
  readonly secrets: SecretStore;
  readonly rotations: RotationStore;
  readonly rates: RateStore;
  readonly usage: UsageStore;
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly scenes: SceneStore;
  readonly knownScenes: KnownSceneStore;
  readonly syncNotes: SyncNoteStore;
  readonly contrasts: ContrastStore;
  readonly intensities: IntensityStore;
  readonly areas: AreaStore;
  readonly colormaps: ColormapStore;
  readonly recipes: RecipeStore;
  readonly datasetTexts: DatasetTextStore;
  readonly fields: FieldStore;
  readonly dems: DemStore;
  readonly tasks: TaskStore;
  readonly statistics: SceneStatisticsStore;
  readonly coverage: CoverageStore;
  readonly callbacks: CallbackStore;
  readonly resultPlaces: ResultPlaceStore;
  readonly watches: WatchStore;
  /** Changes that other processes make, for caches in front of this store; not reported where look-ups need no cache. */
  changes(kind: ChangeKind): Changes;
  /** How nodes send each other what they count; with SQLite one process takes all requests, so nothing is sent. */
  readonly countNews: CountNews;
  /** Locks a name among all processes of this database; null if another process holds the lock. */
  tryLock(name: string): Promise<StoreLock | null>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Rejects when nothing can be written; `thoroughly` tries a write, otherwise the database is only inspected. */
  checkWrites(options: { readonly thoroughly: boolean }): Promise<void>;
  /** Resolves when all work is done and every connection is closed. */
  close(): Promise<void>;
}
