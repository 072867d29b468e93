import type { LonLatBounds } from '../../geo/index.ts';
import type { Dem, DemFile, ListedDem } from './dem.ts';

/** A layer of a model: its files as ingested (0), or one of its overview mosaics. */
export interface DemLayer {
  readonly dem: string;
  readonly overview: number;
}

/** Where elevation models are stored. Writes are on disk when they resolve. */
export interface DemStore {
  /** Stores what is said of a model, or replaces it; files of the model stay. */
  putDem(dem: Dem): Promise<void>;
  /** Stores files, or replaces those of equal id; all or none. The model of each must be stored. */
  putFiles(files: readonly DemFile[]): Promise<void>;
  /** Models by the operator's order, then the finest first, then by name. Models without files are left out. */
  list(): Promise<readonly ListedDem[]>;
  find(name: string): Promise<Dem | null>;
  /**
   * Files of these layers whose bounds meet, edges included, at most `limit` of them, ordered by id. Bounds may exceed
   * ±180 and meet what lies there a turn further.
   */
  findFiles(layers: readonly DemLayer[], bounds: LonLatBounds, limit: number): Promise<readonly DemFile[]>;
  /** All files of a layer, ordered by id, in pages. */
  listFiles(layer: DemLayer): AsyncIterable<DemFile>;
  /** Removes files by id; unknown ids are ignored. */
  removeFiles(ids: readonly string[]): Promise<void>;
  /** Removes a model with all its files; resolves to the number of files as ingested, null if there is no such model. */
  removeDem(name: string): Promise<number | null>;
}
