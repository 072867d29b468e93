/** The jobs on files of fields, for threads of the pool: one reads and checks them, one writes them. */

import type { JobHandlers, JobType } from '../pool/index.ts';
import type { Column, ColumnValues, ShapeFormat, TableFormat } from '../vector/index.ts';
import type { StoredShape } from './field-store.ts';
import type { CheckedRow, RowOptions } from './import/check-row.ts';
import { checkRow } from './import/check-row.ts';
import type { Spot } from './import/find-turned.ts';
import { makeRowPlaces } from './import/find-turned.ts';
import { openLines, readLines } from './line-file.ts';

/** A file that is to be checked. */
interface CheckFileInput {
  readonly path: string;
  /** Null: the content decides. */
  readonly format: ShapeFormat | null;
  /** Where the checked rows go: JSON, one in a line. */
  readonly out: string;
  readonly options: RowOptions;
  /** With more rows the job ends early, and says so. */
  readonly maxRows: number;
}

/** What is in a file. */
interface CheckedFile {
  readonly rows: number;
  /** There are more rows than the job was to check. */
  readonly hasMore: boolean;
  /** Rows that cannot be used, and the first of them. */
  readonly refused: number;
  readonly faults: readonly RefusedRow[];
  /** Rows that would lie among the others with their axes swapped. */
  readonly turned: readonly number[];
  /** Where the rows lie, roughly. */
  readonly spots: readonly Spot[];
}

/** A row that cannot be used. */
type RefusedRow = Extract<CheckedRow, { code: string }>;

/** Refused rows that an answer names; a report has all of them. */
const MAX_FAULTS = 1_000;

/** The job that reads a file and checks its rows. */
export type FieldImportJobs = { 'check-fields': JobType<CheckFileInput, CheckedFile> };

/** Its handler, with bounded memory. */
const fieldImportJobs = {
  async 'check-fields'({ path, format, out, options, maxRows }, { signal }) {
    // Loaded with the first file: every pixel thread would hold all formats.
    const { defaultVectorLimits, readShapes } = await import('../vector/index.ts');
    const file = openLines(out);
    const seen = new Set<string>();
    const places = makeRowPlaces();
    const faults: RefusedRow[] = [];
    let [rows, refused] = [0, 0];
    let hasMore = false;
    try {
      for await (const found of readShapes(path, { format, limits: defaultVectorLimits, signal })) {
        if (rows === maxRows) {
          hasMore = true;
          break;
        }
        rows += 1;
        const checked = refuseRepeated(checkRow(found, options), seen);
        if ('draft' in checked) places.add(checked.row, checked.draft.outline.bounds);
        else {
          refused += 1;
          if (faults.length < MAX_FAULTS) faults.push(checked);
        }
        await file.add([checked]);
      }
    } finally {
      await file.close();
    }
    return { rows, hasMore, refused, faults, turned: places.findTurned(), spots: places.listSpots() };
  },
} satisfies JobHandlers<FieldImportJobs>;

/** A file cannot say two things of one field. */
function refuseRepeated(checked: CheckedRow, seen: Set<string>): CheckedRow {
  if (!('draft' in checked)) return checked;
  const { row, id, draft } = checked;
  const key = draft.externalId === null ? `ours ${draft.id}` : `theirs ${draft.externalId}`;
  if (!seen.has(key)) {
    seen.add(key);
    return checked;
  }
  return { row, id, code: 'field-repeated', message: 'An earlier row of the file has the same id.' };
}

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

/** The job that writes a file. */
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

/** Its handler. */
const fieldExportJobs = {
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

/** Jobs that read and write files of fields. */
export type FieldFileJobs = FieldExportJobs & FieldImportJobs;

/** Their handlers. */
export const fieldFileJobs: JobHandlers<FieldFileJobs> = { ...fieldExportJobs, ...fieldImportJobs };
