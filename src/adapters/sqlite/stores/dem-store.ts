import type { DemStore } from '../../../terrain/index.ts';
import type { ListedRow } from '../../sql/dems.ts';
import { LISTED_DEMS, makeDemList, parseDem, parseDemFile, toDemFileRow } from '../../sql/dems.ts';
import type { Lookups } from '../database/lookups.ts';
import type { Ask } from '../threads/database-threads.ts';
import { makeDemFileLookup } from './dem-file-lookup.ts';

interface DemStoreDeps {
  /** For look-ups by an index, on the calling thread. */
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

const PUT = `INSERT INTO dems (name, record) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET record = excluded.record`;

/** Files read ahead by `listFiles`. */
const LIST_BATCH = 500;

/** Elevation models in SQLite. */
export function makeSqliteDemStore({ database, read, write }: DemStoreDeps): DemStore {
  const byName = database.prepare<{ record: string }>('SELECT record FROM dems WHERE name = ?');
  const listed = database.prepare<ListedRow>(LISTED_DEMS);
  const findRecords = makeDemFileLookup(database);
  const toDemList = makeDemList((name) => read('summarizeDem', name));

  return {
    async putDem(dem) {
      await write('run', PUT, [dem.name, JSON.stringify(dem)]);
    },
    async putFiles(files) {
      if (files.length > 0) await write('putDemFiles', files.map(toDemFileRow));
    },
    list: async () => toDemList(listed.all()),
    async find(name) {
      const row = byName.get(name);
      return row === undefined ? null : parseDem(row.record);
    },
    findFiles: async (layers, bounds, limit) => findRecords(layers, bounds, limit).map(parseDemFile),
    async *listFiles(layer) {
      let after = '';
      while (true) {
        const rows = await read('listDemFiles', layer, after, LIST_BATCH);
        for (const { record } of rows) yield parseDemFile(record);
        if (rows.length < LIST_BATCH) return;
        after = rows[LIST_BATCH - 1]?.id ?? after;
      }
    },
    async removeFiles(ids) {
      if (ids.length > 0) await write('removeDemFiles', ids);
    },
    removeDem: (name) => write('removeDem', name),
  };
}
