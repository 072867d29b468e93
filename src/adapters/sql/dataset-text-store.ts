/** Texts of datasets in both databases, by statements that both understand. */
import type { DatasetText, DatasetTextStore } from '../../library/index.ts';
import type { Clause, Statements } from './sql.ts';
import { sql } from './sql.ts';

/** A text is compared as it is stored: JSON that was parsed is written with its names in the same order. */
const toContent = (text: DatasetText): string => JSON.stringify(text);

const toInsert = (dataset: string, after: string): Clause =>
  sql`INSERT INTO dataset_texts (dataset, content) VALUES (${dataset}, ${after})
    ON CONFLICT (dataset) DO NOTHING RETURNING dataset`;

const toUpdate = (dataset: string, before: string, after: string): Clause =>
  sql`UPDATE dataset_texts SET content = ${after} WHERE dataset = ${dataset} AND content = ${before} RETURNING dataset`;

const toDelete = (dataset: string, before: string): Clause =>
  sql`DELETE FROM dataset_texts WHERE dataset = ${dataset} AND content = ${before} RETURNING dataset`;

const LIST = sql`SELECT dataset, content FROM dataset_texts ORDER BY dataset`;

/** Where texts of datasets are stored. */
export const makeDatasetTextStore = ({ read, change }: Statements): DatasetTextStore => ({
  async list() {
    const rows = await read<{ readonly dataset: string; readonly content: string }>(LIST);
    // The content was checked before it was stored.
    return new Map(rows.map(({ dataset, content }) => [dataset, JSON.parse(content) as DatasetText]));
  },
  async replace(dataset, { before, after }) {
    if (before === null) return after === null || (await change(toInsert(dataset, toContent(after)))) === 1;
    const known = toContent(before);
    const clause = after === null ? toDelete(dataset, known) : toUpdate(dataset, known, toContent(after));
    return (await change(clause)) === 1;
  },
});
