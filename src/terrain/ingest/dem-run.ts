import type { LonLatBounds } from '../../geo/index.ts';
import type { Dem, DemFile, DemOverview } from '../dems/dem.ts';
import type { DemStore } from '../dems/dem-store.ts';
import type { DemFileReport } from './dem-report.ts';
import type { HeightUnit } from './record/height-unit.ts';
import type { DemSource, SourceDoors } from './source/dem-source.ts';

/** Options of an ingest. What is null or left out follows from the files, or stays as the catalog has it. */
export interface IngestDemOptions extends SourceDoors {
  /** An absolute path of a folder, an image or a list; or an address of an image, a list, tiles or a bucket. */
  readonly from: string;
  readonly store: DemStore;
  readonly name?: string | null;
  readonly order?: number | null;
  readonly unit?: HeightUnit | null;
  /** Counted from 0. */
  readonly bandIndex?: number | null;
  readonly nodata?: number | null;
  readonly gaps?: Dem['gaps'] | null;
  /** Null for no one; left out: as the catalog has it, or as the names of the files ask for. */
  readonly attribution?: string | null;
  /** The ground that a template has tiles of. */
  readonly bounds?: LonLatBounds | null;
  /** Takes files out of the catalog that are gone from the source. */
  readonly prune?: boolean;
  /** Reads every block of a new or changed image; rejects with what is wrong. Left out: files are taken unread. */
  readonly checkFile?: (file: DemFile, signal: AbortSignal | undefined) => Promise<void>;
  /** Makes overview mosaics after the files are stored. */
  readonly makeOverviews?: (
    dem: Dem,
    signal: AbortSignal | undefined,
    onProgress: (fraction: number) => void,
  ) => Promise<MadeOverviews>;
  readonly now?: () => Date;
  readonly onProgress?: (progress: DemProgress) => void;
  readonly onOverviewProgress?: (fraction: number) => void;
  /** Receives unexpected errors for the log; the file counts as broken. */
  readonly onBug?: (error: unknown, file: string) => void;
  /** Stops after the files at hand; those that are read by then are put. */
  readonly signal?: AbortSignal;
}

/** The overview mosaics that a model has now. */
export interface MadeOverviews {
  /** Null for no change. */
  readonly overviews: readonly DemOverview[] | null;
  /** Files of the model whose pixels cannot be read. If there are any, the mosaics were not replaced. */
  readonly damaged: readonly DamagedFile[];
}

/** A file whose header is fine and whose pixels cannot be read. */
export interface DamagedFile {
  readonly file: DemFile;
  /** What is wrong, for programs and for people. */
  readonly code: string;
  readonly message: string;
}

/** Progress of an ingest. */
export interface DemProgress {
  readonly done: number;
  readonly total: number;
}

/** What is known before the first file is read. */
export interface DemRun {
  readonly options: IngestDemOptions;
  readonly source: DemSource;
  /** Name of the model. */
  readonly dem: string;
  /** The model as the catalog had it. */
  readonly before: Dem | null;
  /** Its files by their addresses, as the catalog had them. */
  readonly known: ReadonlyMap<string, DemFile>;
}

/** What became of the items of the source. */
export interface TakenItems {
  readonly lines: readonly DemFileReport[];
  /** Names in reports by address, of all items, broken ones included. */
  readonly found: ReadonlyMap<string, string>;
  /** False if an item has no address that the catalog may refer to. */
  readonly isAllFound: boolean;
  /** Records of files that are damaged now; they are no longer in the catalog. */
  readonly dropped: readonly DemFile[];
  /** New and changed records, which are in the catalog now. */
  readonly ingested: readonly DemFile[];
  readonly stopped: boolean;
}
