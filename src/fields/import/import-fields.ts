/** Imports of files: rows are checked on another thread, and stored some hundred at a time. */

import type { JobRunner, Ticket } from '../../pool/index.ts';
import { runPatiently } from '../../pool/index.ts';
import { MIB } from '../../units.ts';
import type { ShapeFormat } from '../../vector/index.ts';
import type { FieldShape } from '../field.ts';
import type { FieldPut } from '../field-store.ts';
import type { Fields } from '../fields.ts';
import type { FieldImportJobs } from '../file-jobs.ts';
import { openLines, readLines } from '../line-file.ts';
import type { CheckedRow, ColumnNames } from './check-row.ts';
import type { Spot } from './find-turned.ts';

/** What a file is, and how its rows become fields. Plain JSON: tasks store it. */
export interface ImportOrder {
  /** Null: the content decides. */
  readonly format: ShapeFormat | null;
  readonly columns: ColumnNames;
  /** The group of all rows; null for that of each row. */
  readonly group: string | null;
  /** A digest of the bytes. */
  readonly digest: string;
}

/** What became of a row. */
export interface ImportedRow {
  readonly row: number;
  /** As the file has it. */
  readonly id: string | null;
  /** The id of the field; null if the row was refused. */
  readonly field: string | null;
  readonly status: 'created' | 'updated' | 'unchanged' | 'refused';
  /** Why it was refused. */
  readonly code: string | null;
  readonly message: string | null;
  /** What to look at, of a row that was taken as it is; null for nothing. */
  readonly warning: string | null;
}

/** How many rows a file had, and what became of them. */
export interface ImportCounts {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** What to look at in the file as a whole; null for nothing. */
  readonly warning: string | null;
}

/** One import. */
export interface ImportWork {
  readonly owner: string;
  readonly order: ImportOrder;
  /** The file. */
  readonly path: string;
  /** A path of our own for the checked rows. */
  readonly checkedPath: string;
  /** A file with more rows is not imported here. */
  readonly maxRows: number;
  readonly ticket: Ticket;
  /** Takes what became of rows, in their order. */
  readonly report: (rows: readonly ImportedRow[]) => Promise<void> | void;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Imports a file. Resolves to null if it has more rows than it may; nothing is stored then. */
export type ImportFields = (work: ImportWork) => Promise<ImportCounts | null>;

/** Imports a file of any length, and writes the report to a path: `{"report": […], "rows": …, "created": …}`. */
export async function importWithReport(
  importFields: ImportFields,
  work: Omit<ImportWork, 'report' | 'maxRows'>,
  path: string,
): Promise<void> {
  const file = openLines(path);
  try {
    await file.addText('{"report":[');
    let separator = '\n';
    const counts = await importFields({
      ...work,
      maxRows: Number.POSITIVE_INFINITY,
      async report(rows) {
        if (rows.length === 0) return;
        await file.addText(`${separator}${rows.map((row) => JSON.stringify(row)).join(',\n')}`);
        separator = ',\n';
      },
    });
    await file.addText(`\n],${JSON.stringify(counts).slice(1)}\n`);
  } finally {
    await file.close();
  }
}

interface ImportDeps {
  readonly fields: Pick<Fields, 'putMany' | 'findLimit'>;
  readonly checkFile: ReturnType<typeof makeCheckFile>;
}

/** Whether no scene shows the ground of rows, and scenes show it with latitude and longitude swapped. */
type FindSwapped = (spots: readonly Spot[]) => Promise<boolean>;

/** Memory of the job: a row and its outline, the ids of a million rows. */
const JOB_BYTES = 128 * MIB;

/** Rows that are stored in one transaction, and characters of them: each takes a few milliseconds of this thread. */
const MAX_ROWS = 200;
const MAX_CHARS = 2 ** 18;

/** Nothing is repaired: a field may lie there. */
const TURNED =
  'With latitude and longitude swapped, this field would lie among the others of the file: check the order of its positions. It is stored as it is.';

const SWAPPED =
  'No scene of this service shows a field of this file, and with latitude and longitude swapped scenes would: check the order of its positions. They are taken as they are.';

/** Builds the checking of files: rows go to a path as JSON, with what is wrong with those that cannot be used. */
export const makeCheckFile =
  (pool: JobRunner<FieldImportJobs>, findSwapped: FindSwapped = async () => false) =>
  async ({
    owner,
    order: { format, columns, group, digest },
    path,
    checkedPath: out,
    maxRows,
    ticket,
  }: Pick<ImportWork, 'owner' | 'order' | 'path' | 'checkedPath' | 'maxRows' | 'ticket'>) => {
    const options = { columns, group, digest: `${owner} ${digest}` };
    const input = { path, format, out, options, maxRows };
    const job = { ...ticket, bytes: JOB_BYTES };
    const { spots, ...checked } = await runPatiently(pool, 'check-fields', input, job);
    const isSwapped = !checked.hasMore && spots.length > 0 && (await findSwapped(spots));
    return { ...checked, warning: isSwapped ? SWAPPED : null };
  };

/** Builds imports. The same file leads to the same state, however often it is imported and wherever an import ended. */
export const makeImportFields =
  ({ fields, checkFile }: ImportDeps): ImportFields =>
  async ({ owner, order, path, checkedPath: out, maxRows, ticket, report, onProgress = () => {} }) => {
    const checking = { owner, order, path, checkedPath: out, maxRows, ticket };
    const { rows: total, hasMore, turned, warning } = await checkFile(checking);
    if (hasMore) return null;
    const isTurned = new Set(turned);
    const { fields: max } = await fields.findLimit(owner);
    const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
    onProgress({ done: 0, total });
    for await (const batch of readBatches(out)) {
      ticket.signal?.throwIfAborted();
      const rows = await store(owner, batch);
      for (const { status } of rows) counts[status] += 1;
      counts.rows += rows.length;
      await report(rows);
      onProgress({ done: counts.rows, total });
    }
    return { ...counts, warning };

    async function store(key: string, batch: readonly CheckedRow[]): Promise<readonly ImportedRow[]> {
      const drafts = batch.flatMap((row) => ('draft' in row ? [row.draft] : []));
      const puts = (await fields.putMany(key, drafts)).values();
      return batch.map((row) => ('draft' in row ? toImported(row, puts.next().value) : toRefused(row)));
    }

    function toImported({ row, id }: CheckedRow, put: FieldPut | undefined): ImportedRow {
      const { status, id: field } = put ?? { status: 'full', id: '' };
      if (status === 'created' || status === 'updated' || status === 'unchanged') {
        const warning = isTurned.has(row) ? TURNED : null;
        return { row, id, field, status, code: null, message: null, warning };
      }
      return toRefused({
        row,
        id,
        code: 'too-many-fields',
        message: `This key may have ${max} fields, with 4 KiB each on average: there is no room for this one.`,
      });
    }
  };

const toRefused = ({ row, id, code, message }: Extract<CheckedRow, { code: string }>): ImportedRow => ({
  row,
  id,
  field: null,
  status: 'refused',
  code,
  message,
  warning: null,
});

/** The checked rows of a file, some at a time. */
async function* readBatches(path: string): AsyncGenerator<readonly CheckedRow[]> {
  let batch: CheckedRow[] = [];
  let chars = 0;
  for await (const line of readLines(path)) {
    batch.push(JSON.parse(line) as CheckedRow);
    chars += line.length;
    if (batch.length < MAX_ROWS && chars < MAX_CHARS) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The rows of a checked file that can be used, as shapes, some at a time; one without an id is called by its row. */
export async function* listCheckedShapes(path: string): AsyncGenerator<readonly FieldShape[]> {
  for await (const batch of readBatches(path)) {
    yield batch.flatMap((checked) => {
      if (!('draft' in checked)) return [];
      const { externalId, name, sownOn = null, outline } = checked.draft;
      const id = checked.id ?? String(checked.row);
      const geometry = JSON.parse(outline.geometry) as FieldShape['geometry'];
      return [{ id, externalId, name: name ?? id, sownOn, geometry }];
    });
  }
}
