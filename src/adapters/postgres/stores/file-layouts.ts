/** What the files of scenes share, in PostgreSQL, and the files of records, which name it. */
import { makePause } from '../../../async/index.ts';
import type { FiledHit } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import { internal } from '../../errors.ts';
import { listLayouts, MAX_LAYOUTS, parseFilesColumn, toFiles } from '../../sql/hit-pages.ts';
import type { SceneRow } from '../../sql/scenes.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** What the files of a record are read from: its rest, unless its column of files is of its version. */
export interface FilesRow {
  readonly hit: string;
  readonly files: string | null;
  readonly rest: string | null;
}

/**
 * The columns of `FilesRow`, of the table `r`: with the rest in the same statement, or the record could be gone by the next one.
 * `parseFilesColumn` says how the version is found.
 */
export const FILES_COLUMNS = `r.hit, r.files,
  CASE WHEN starts_with(r.files, left(right(r.hit, 18), 16)) THEN NULL ELSE r.rest END AS rest`;

/** Layouts that a node keeps in memory: a few kilobytes each. */
const MAX_TEXTS = 1_024;

const ADD = `INSERT INTO file_layouts (id, content)
  SELECT id, content FROM unnest(?::text[], ?::text[]) AS row(id, content)
  WHERE (SELECT count(*) FROM file_layouts) < ${MAX_LAYOUTS}
  ON CONFLICT (id) DO NOTHING`;

/** Layouts are added before the records that name them, and never removed. */
export function makeFileLayouts(client: SqlClient) {
  /** Ids of layouts that the database has. */
  const kept = makeLru<true>({ max: MAX_LAYOUTS });
  const texts = makeLru<string>({ max: MAX_TEXTS });

  async function readTexts(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const id of ids) {
      const text = texts.get(id);
      if (text !== undefined) found.set(id, text);
    }
    const missing = [...ids].filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const rows = await client.query<{ id: string; content: string }>({
      sql: 'SELECT id, content FROM file_layouts WHERE id = ANY(?::text[])',
      values: [missing],
    });
    for (const { id, content } of rows) {
      texts.set(id, content);
      found.set(id, content);
    }
    return found;
  }

  return {
    /** Keeps the layouts of rows, as long as there is room; the ids of those that are kept. */
    async keep(rows: readonly Pick<SceneRow, 'files'>[]): Promise<ReadonlySet<string>> {
      const wanted = listLayouts(rows);
      const news = wanted.filter(({ id }) => kept.get(id) === undefined);
      if (news.length === 0) return new Set(wanted.map(({ id }) => id));
      const ids = news.map(({ id }) => id);
      await client.query({ sql: ADD, values: [ids, news.map(({ text }) => text)] });
      const stored = await client.query<{ id: string }>({
        sql: 'SELECT id FROM file_layouts WHERE id = ANY(?::text[])',
        values: [ids],
      });
      for (const { id } of stored) kept.set(id, true);
      return new Set(wanted.filter(({ id }) => kept.get(id)).map(({ id }) => id));
    },

    /** The files of records, without blocking the thread for long. */
    async readFiles(rows: readonly FilesRow[]): Promise<readonly FiledHit['files'][]> {
      const columns = rows.map(({ hit, files }) => parseFilesColumn(hit, files));
      const found = await readTexts(new Set(columns.flatMap((column) => column?.layoutId ?? [])));
      const pause = makePause();
      const files: FiledHit['files'][] = [];
      for (const [i, column] of columns.entries()) {
        await pause();
        if (column === null) files.push(toFiles({ rest: rows[i]?.rest ?? '{}' }));
        else {
          const layout = found.get(column.layoutId);
          if (layout === undefined)
            throw internal('store-corrupt', 'The database lacks a layout that a record names.');
          files.push({ layout, places: column.places });
        }
      }
      return files;
    },
  };
}
