/** Values of all fields over the last months: one order of statistics, whose table is a CSV file. */
import { asRecord, asText } from '../scenes/read-json.ts';
import { addDays } from './days.ts';
import { unknownForm } from './failure.ts';
import type { TaskFileParts, TaskFollowing } from './task-file.ts';
import { readTaskFile } from './task-file.ts';

/** A clear value of a field. */
export interface FieldValue {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly value: number;
}

/** Values by the id of the field, oldest first, one a day. */
export type FieldValues = ReadonlyMap<string, readonly FieldValue[]>;

/** What is measured. */
export interface ValuesOrder {
  readonly dataset: string;
  readonly index: string;
  /** The last day; the values are of the half year before. */
  readonly to: string;
  /** What changes when fields do: the table of other fields is another one. */
  readonly revision: string;
}

const HALF_YEAR_DAYS = 183;
/** Of a field; cloudier scenes say little about it. */
const MAX_CLOUD_PERCENT = 30;
/** Of a field that a scene must show. */
const MIN_DATA_PERCENT = 60;

/** Rows of a CSV text, whose cells may be quoted, and hold commas and line breaks then. */
export function* parseCsv(text: string): Generator<readonly string[]> {
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    // The empty match at the end of a text that ends with a line break.
    if (end === '' && row.length === 0 && quoted === undefined && plain === '') return;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    yield row;
    row = [];
  }
}

/** Reads the table: the fullest clear scene of each day. */
export const parseValues = (text: string, index: string): FieldValues => {
  const rows = parseCsv(text);
  const head = rows.next().value ?? [];
  const columns = ['field_id', 'date', `${index}_average`, 'cloud_percent', 'data_percent'].map((name) =>
    head.indexOf(name),
  );
  if (columns.includes(-1)) throw unknownForm();
  const [idAt = 0, dateAt = 0, valueAt = 0, cloudAt = 0, dataAt = 0] = columns;
  const found = new Map<string, Map<string, { readonly value: number; readonly data: number }>>();
  for (const row of rows) {
    const [value, data] = [row[valueAt] ?? '', Number(row[dataAt] ?? 0)];
    if (value === '' || data < MIN_DATA_PERCENT || Number(row[cloudAt] ?? 0) > MAX_CLOUD_PERCENT) continue;
    const id = row[idAt] ?? '';
    const days = found.get(id) ?? new Map<string, { value: number; data: number }>();
    found.set(id, days);
    const date = (row[dateAt] ?? '').slice(0, 10);
    const known = days.get(date);
    if (known === undefined || data > known.data) days.set(date, { value: Number(value), data });
  }
  return new Map(
    [...found].map(([id, days]) => [
      id,
      [...days].map(([date, { value }]) => ({ date, value })).toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    ]),
  );
};

/** Measures all fields of the key; the same order of the same fields is measured once. */
export const measureFields = async (
  parts: TaskFileParts,
  { dataset, index, to, revision }: ValuesOrder,
  following: TaskFollowing,
): Promise<FieldValues> => {
  const body = {
    type: 'mt_stats',
    params: {
      fields: 'all',
      bm_type: [index],
      sensors: [dataset],
      date_start: addDays(to, -HALF_YEAR_DAYS),
      date_end: to,
      max_cloud_cover_in_aoi: MAX_CLOUD_PERCENT,
      format: 'csv',
      layout: 'wide',
      reference: `viewer fields ${revision}`,
    },
  };
  const answer = await parts.api.call('api', { method: 'POST', body }, following.signal);
  const taskId = asText(asRecord(answer).task_id);
  if (taskId === null) throw unknownForm();
  return parseValues(await readTaskFile(parts, taskId, following), index);
};
