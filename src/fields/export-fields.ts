/** Exports: fields as a table of shapes in a file, written on a thread of the pool. */

import type { JobHandlers, JobRunner, JobType, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import { MIB } from '../units.ts';
import type { Column, ColumnValues, TableFormat } from '../vector/index.ts';
import type { FieldSelection } from './field.ts';
import type { FieldStore, ShapePosition, StoredShape } from './field-store.ts';
import { openLines, readLines } from './line-file.ts';

/** Formats of exports. */
export type FieldFormat = Extract<TableFormat, 'geojson' | 'csv' | 'geoparquet' | 'geopackage' | 'shapefile'>;

/** The columns of an export; an import of the file finds them again. */
const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'external_id', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'group', type: 'text' },
  { name: 'crop', type: 'text' },
  { name: 'sown_on', type: 'date' },
  { name: 'hectares', type: 'number' },
  { name: 'properties', type: 'text' },
  { name: 'geometry', type: 'geometry' },
] as const satisfies readonly Column[];

/** Jobs that write files of fields. */
export type FieldExportJobs = {
  'write-fields': JobType<
    {
      /** Fields as JSON, one in a line, as the store has them. */
      readonly lines: string;
      readonly path: string;
      readonly format: FieldFormat;
    },
    null
  >;
};

/** Rows that are written together. */
const BATCH = 500;

/** Their handlers. */
export const fieldExportJobs = {
  async 'write-fields'({ lines, path, format }, { signal }) {
    // Loaded with the first file: every pixel thread would hold all formats.
    const { writeTable } = await import('../vector/index.ts');
    const writer = await writeTable(path, format, COLUMNS, { layer: 'fields' });
    try {
      let shapes: StoredShape[] = [];
      const write = async (): Promise<void> => {
        await writer.write({ rows: shapes.length, columns: toColumns(shapes) });
        shapes = [];
      };
      for await (const line of readLines(lines)) {
        signal?.throwIfAborted();
        shapes.push(JSON.parse(line) as StoredShape);
        if (shapes.length === BATCH) await write();
      }
      if (shapes.length > 0) await write();
      await writer.finish();
      return null;
    } catch (error) {
      await writer.discard();
      throw error;
    }
  },
} satisfies JobHandlers<FieldExportJobs>;

const toColumns = (shapes: readonly StoredShape[]): readonly ColumnValues[] => [
  shapes.map(({ id }) => id),
  shapes.map(({ externalId }) => externalId),
  shapes.map(({ name }) => name),
  shapes.map(({ group }) => group),
  shapes.map(({ crop }) => crop),
  shapes.map(({ sownOn }) => sownOn),
  shapes.map(({ hectares }) => Math.round(hectares * 1e4) / 1e4),
  shapes.map(({ properties }) => properties),
  shapes.map(({ geometry }) => JSON.parse(geometry) as object),
];

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
