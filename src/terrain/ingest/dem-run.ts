import type { LonLatBounds } from '../../geo/index.ts';
import { redactAddresses } from '../../net/index.ts';
import type { Dem, DemFile, DemOverview, DemStore } from '../dem.ts';
import type { DemSource, LeftOut, SourceDoors } from './dem-source.ts';
import type { HeightUnit } from './read-dem-file.ts';

/** Options of an ingest. Those that are null or absent follow from the files, or stay as in the catalog. */
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
  /** Null for none; if absent, as in the catalog, or as the names of the files require. */
  readonly attribution?: string | null | undefined;
  /** The ground that a template has tiles of. */
  readonly bounds?: LonLatBounds | null;
  /** Takes files out of the catalog that are gone from the source. */
  readonly prune?: boolean;
  /** Reads every block of a new or changed image; rejects with the error. If absent, pixels are not checked. */
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
  /** Stops after the current files; files read until then are stored. */
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
  /** The error, for programs and for people. */
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

/** The outcome for the items of the source. */
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

/**
 * The outcome for a file: `gone` files are in the catalog and no longer in the source, `pruned` ones have been taken out
 * of the catalog for that.
 */
type DemFileOutcome = 'ingested' | 'unchanged' | 'skipped' | 'broken' | 'gone' | 'pruned';

/** One line of a report. */
export interface DemFileReport {
  readonly file: string;
  readonly outcome: DemFileOutcome;
  /** Whether an ingested file is new. */
  readonly change?: 'added' | 'replaced';
  /** Why it was skipped or is broken, for programs and for people. */
  readonly code?: string;
  readonly reason?: string | undefined;
  /** How many files were skipped for the same reason. */
  readonly files?: number;
}

/** The result of an ingest, as plain JSON. */
export interface DemReport {
  /** The model; null if the run was stopped before its name was known. */
  readonly dem: string | null;
  readonly totals: Readonly<Record<DemFileOutcome, number>>;
  readonly files: readonly DemFileReport[];
  /** About the model as a whole. */
  readonly notes: readonly string[];
  /** True if it was stopped before its end; another run continues from there. */
  readonly stopped: boolean;
  /** Why overview mosaics could not be made, for programs and for people; null if nothing went wrong. */
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

/** Counts the lines of a report, puts them in order, and removes secrets from addresses. */
export function toDemReport({
  dem,
  lines,
  notes,
  stopped,
  failure,
}: {
  readonly dem: string | null;
  readonly lines: readonly DemFileReport[];
  readonly notes: readonly string[];
  readonly stopped: boolean;
  readonly failure: DemReport['failure'];
}): DemReport {
  const totals = { ingested: 0, unchanged: 0, skipped: 0, broken: 0, gone: 0, pruned: 0 };
  for (const { outcome, files = 1 } of lines) totals[outcome] += files;
  const files = lines.map(withoutSecrets).sort((a, b) => (a.file < b.file ? -1 : 1));
  return { dem, totals, files, notes: notes.map(redactAddresses), stopped, failure };
}

const withoutSecrets = ({ file, reason, ...line }: DemFileReport): DemFileReport => ({
  file: redactAddresses(file),
  ...line,
  reason: reason && redactAddresses(reason),
});

/** Files that were left out, one line for each reason: a bucket may have a hundred thousand masks. */
export function toSkippedLines(skipped: readonly LeftOut[]): DemFileReport[] {
  return [...Map.groupBy(skipped, ({ code }) => code).values()].map((same) => {
    const { name, code, reason } = same[0]!;
    const line = { file: name, outcome: 'skipped', code, reason } as const;
    return same.length === 1 ? line : { ...line, files: same.length };
  });
}

/** The line of a file that cannot be read. */
export const toBrokenLine = (
  file: string,
  { code, message }: { readonly code: string; readonly message: string },
): DemFileReport => ({
  file,
  outcome: 'broken',
  code,
  reason: message,
});
