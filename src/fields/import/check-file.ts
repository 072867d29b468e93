/** The job that reads a file of fields and checks its rows: on a thread of the pool, with bounded memory. */

import type { JobHandlers, JobType } from '../../pool/index.ts';
import type { ShapeFormat } from '../../vector/index.ts';
import { openLines } from '../line-file.ts';
import type { CheckedRow, RowOptions } from './check-row.ts';
import { checkRow } from './check-row.ts';

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
}

/** Jobs on files of fields. */
export type FieldImportJobs = { 'check-fields': JobType<CheckFileInput, CheckedFile> };

/** Their handlers. */
export const fieldImportJobs = {
  async 'check-fields'({ path, format, out, options, maxRows }, { signal }) {
    // Loaded with the first file: every pixel thread would hold all formats.
    const { defaultVectorLimits, readShapes } = await import('../../vector/index.ts');
    const file = openLines(out);
    const seen = new Set<string>();
    let rows = 0;
    let hasMore = false;
    try {
      for await (const found of readShapes(path, { format, limits: defaultVectorLimits, signal })) {
        if (rows === maxRows) {
          hasMore = true;
          break;
        }
        rows += 1;
        await file.add([refuseRepeated(checkRow(found, options), seen)]);
      }
    } finally {
      await file.close();
    }
    return { rows, hasMore };
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
