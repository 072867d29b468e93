import type { SceneStore } from '../../catalog/index.ts';
import type { CoverageStore } from '../../coverage/index.ts';
import type { FieldStore } from '../../fields/index.ts';
import type { KeyStore, RateStore, RotationStore, SecretStore } from '../../keys/index.ts';
import type { AreaStore, ColormapStore, RecipeStore } from '../../library/index.ts';
import type { KnownSceneStore } from '../../live/index.ts';
import type { ContrastStore, IntensityStore } from '../../render/index.ts';
import type { CallbackStore, ResultPlaceStore, TaskStore } from '../../tasks/index.ts';
import type { DemStore } from '../../terrain/index.ts';
import type { WatchStore } from '../../watch/index.ts';
import type { SceneStatisticsStore } from '../../zonal/index.ts';

/** All ports over one database. Each adapter opens one, and `test/ports` checks it against the same contract. */
export interface Store {
  readonly keys: KeyStore;
  readonly secrets: SecretStore;
  readonly rotations: RotationStore;
  readonly rates: RateStore;
  readonly scenes: SceneStore;
  readonly knownScenes: KnownSceneStore;
  readonly contrasts: ContrastStore;
  readonly intensities: IntensityStore;
  readonly areas: AreaStore;
  readonly colormaps: ColormapStore;
  readonly recipes: RecipeStore;
  readonly fields: FieldStore;
  readonly dems: DemStore;
  readonly tasks: TaskStore;
  readonly statistics: SceneStatisticsStore;
  readonly coverage: CoverageStore;
  readonly callbacks: CallbackStore;
  readonly resultPlaces: ResultPlaceStore;
  readonly watches: WatchStore;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Rejects when nothing can be written; `thoroughly` tries a write, otherwise the database is only inspected. */
  checkWrites(options: { readonly thoroughly: boolean }): Promise<void>;
  /** Resolves when all work is done and every connection is closed. */
  close(): Promise<void>;
}
