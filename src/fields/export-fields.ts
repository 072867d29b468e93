/** Exports: fields as a table of shapes in a file, written on a thread of the pool. */

import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import { MIB } from '../units.ts';
import type { FieldSelection } from './field.ts';
import type { FieldStore, ShapePosition, StoredShape } from './field-store.ts';
import type { FieldExportJobs, FieldFormat } from './file-jobs.ts';
import { openLines } from './line-file.ts';

/** One export. */
export interface ExportWork {
  readonly selection: FieldSelection;
  readonly format: FieldFormat;
  /** Where the file goes, and a path of our own for the rows before. */
  readonly path: string;
  readonly linesPath: string;
  readonly ticket: Ticket;
}

/** Writes the fields of a selection to a file; resolves to their number. */
export type ExportFields = (work: ExportWork) => Promise<number>;

const JOB_BYTES = 128 * MIB;

/** A page of the store: it passes through this thread as text. */
const PAGE = { limit: 500, bytes: 2 ** 19 } as const;

/** Builds exports: pages of the store go to a file as text, which a job turns into a table. */
export const makeExportFields =
  ({
    store,
    pool,
  }: {
    readonly store: Pick<FieldStore, 'listShapes'>;
    readonly pool: JobRunner<FieldExportJobs>;
  }): ExportFields =>
  async ({ selection, format, path, linesPath, ticket }) => {
    const file = openLines(linesPath);
    let count = 0;
    let after: ShapePosition | null = null;
    try {
      for (;;) {
        ticket.signal?.throwIfAborted();
        const page: readonly StoredShape[] = await store.listShapes(selection, { ...PAGE, after });
        const last = page.at(-1);
        if (last === undefined) break;
        after = { hilbert: last.hilbert, id: last.id };
        count += page.length;
        await file.add(page);
      }
    } finally {
      await file.close();
    }
    await runPatiently(
      pool,
      'write-fields',
      { lines: linesPath, path, format },
      { ...ticket, bytes: JOB_BYTES },
    );
    return count;
  };
