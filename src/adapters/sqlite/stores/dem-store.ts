import { compareTexts } from '../../../catalog/index.ts';
import type { LonLatBounds } from '../../../geo/index.ts';
import type { DemLayer, DemStore } from '../../../terrain/index.ts';
import type { ListedRow } from '../../sql/dems.ts';
import { LISTED_DEMS, makeDemList, parseDem, parseDemFile, toDemBox, toDemFileRow } from '../../sql/dems.ts';
import type { LonSpan } from '../../sql/lon-spans.ts';
import { toSpans } from '../../sql/lon-spans.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

/**
 * Values of the statements: 1 to 6 are three spans of longitudes, west and east of each; 7 and 8 south and north; 9 the
 * limit; then low and high of the box in the index, or the number of the layer.
 */
const SPANS = ['west <= ?2 AND east >= ?1', 'west <= ?4 AND east >= ?3', 'west <= ?6 AND east >= ?5'];

const ARMS = SPANS.map((span) => `SELECT number FROM dem_boxes WHERE low <= ?11 AND high >= ?10 AND ${span}`);

/** The exact comparison: the index has 32-bit numbers, rounded outwards, and also finds boxes that nearly meet. */
const MEETS = `south <= ?8 AND north >= ?7 AND (${SPANS.join(' OR ')})`;

/**
 * From this many boxes on, files are scanned in the order of their ids. Ids do not depend on the place of a file, so the
 * first matches come soon: a query for the whole world does not sort all files.
 */
const MANY_BOXES = 256;

/** Counts boxes up to `MANY_BOXES`. */
const COUNT = `SELECT count(*) AS n FROM (${ARMS.join(' UNION ALL ')} LIMIT ${MANY_BOXES})`;

/** Begins with the boxes; UNION drops duplicates from two spans. */
export const NEAR = `SELECT id, record FROM (${ARMS.join(' UNION ')}) b CROSS JOIN dem_files f ON f.number = b.number
  WHERE ${MEETS} ORDER BY id LIMIT ?9`;

/** The index has all compared columns: only the returned records are read. */
export const WALK = `SELECT id, record FROM dem_files INDEXED BY dem_files_in_order
  WHERE layer = ?10 AND ${MEETS} ORDER BY id LIMIT ?9`;

/** A span that meets no file, for the spans that a query does not use. */
const NOWHERE: LonSpan = { west: 1_000, east: -1_000 };

interface FoundFile {
  readonly id: string;
  readonly record: string;
}

/** Builds the look-up of files within bounds, by layer: returns their records, ordered by id. */
function makeDemFileLookup(database: Lookups) {
  const layerNumber = database.prepare<{ number: number }>(
    'SELECT number FROM dem_layers WHERE dem = ? AND overview = ?',
  );
  const count = database.prepare<{ n: number }>(COUNT);
  const near = database.prepare<FoundFile>(NEAR);
  const walk = database.prepare<FoundFile>(WALK);

  const findLayers = (layers: readonly DemLayer[]): readonly number[] => {
    const numbers = layers.flatMap(({ dem, overview }) => layerNumber.get(dem, overview)?.number ?? []);
    return [...new Set(numbers)];
  };

  function findInLayer(layer: number, bounds: LonLatBounds, limit: number): readonly FoundFile[] {
    const [first = NOWHERE, second = NOWHERE, third = NOWHERE] = toSpans(bounds);
    const spans = [first, second, third].flatMap(({ west, east }) => [west, east]);
    const values = [...spans, bounds.south, bounds.north, limit];
    const { low, high } = toDemBox(layer, bounds);
    const n = count.get(...values, low, high)?.n ?? 0;
    if (n === 0) return [];
    return n < MANY_BOXES ? near.all(...values, low, high) : walk.all(...values, layer);
  }

  return (layers: readonly DemLayer[], bounds: LonLatBounds, limit: number): readonly string[] => {
    const numbers = limit > 0 ? findLayers(layers) : [];
    const found = numbers.flatMap((layer) => findInLayer(layer, bounds, limit));
    // Files of a single layer are already sorted.
    if (numbers.length > 1) found.sort((a, b) => compareTexts(a.id, b.id));
    return found.slice(0, limit).map(({ record }) => record);
  };
}

interface DemStoreDeps {
  /** For look-ups by an index, on the calling thread. */
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

const PUT = `INSERT INTO dems (name, record) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET record = excluded.record`;

/** Files that `listFiles` reads in one batch. */
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
