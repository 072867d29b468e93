import { redactAddresses } from '../../net/index.ts';
import type { LeftOut } from './source/dem-source.ts';

/**
 * The outcome for a file: `gone` files are in the catalog and no longer in the source, `pruned` ones have been taken out
 * of the catalog for that.
 */
export type DemFileOutcome = 'ingested' | 'unchanged' | 'skipped' | 'broken' | 'gone' | 'pruned';

/** One line of a report. */
export interface DemFileReport {
  readonly file: string;
  readonly outcome: DemFileOutcome;
  /** Whether an ingested file is new. */
  readonly change?: 'added' | 'replaced';
  /** Why it was skipped or is broken, for programs and for people. */
  readonly code?: string;
  readonly reason?: string;
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
  ...(reason === undefined ? {} : { reason: redactAddresses(reason) }),
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
