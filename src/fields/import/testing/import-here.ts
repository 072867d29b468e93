/** Imports files of fields into a store of its own, on the calling thread. */
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../adapters/sqlite/index.ts';
import { aTicket, makeRunnerHere } from '../../../pool/testing/run-here.ts';
import type { ShapeFormat } from '../../../vector/index.ts';
import type { Fields } from '../../fields.ts';
import { makeFields } from '../../fields.ts';
import type { FieldFileJobs } from '../../file-jobs.ts';
import { fieldFileJobs } from '../../file-jobs.ts';
import type { ColumnNames } from '../check-row.ts';
import type { ImportedRow } from '../import-fields.ts';
import { makeCheckFile, makeImportFields } from '../import-fields.ts';

export const usual: ColumnNames = { id: null, name: null, group: null, crop: null, sownOn: null };

interface Given {
  readonly format?: ShapeFormat | null;
  readonly columns?: Partial<ColumnNames>;
  readonly group?: string | null;
  readonly maxRows?: number;
  readonly fields?: Pick<Fields, 'putMany' | 'findLimit'>;
  readonly checkFile?: ReturnType<typeof makeCheckFile>;
}

export const square = (west: number, south = 40, side = 0.01) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});

export const feature = (id: string | number | null, geometry: unknown, properties: object = {}) => ({
  type: 'Feature',
  ...(id === null ? {} : { id }),
  properties,
  geometry,
});

export const collection = (...features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });

/** Opens a store for one test file, and what imports into it; `close` removes both. */
export async function importHere() {
  const directory = await mkdtemp(join(tmpdir(), 'swath-import-'));
  const store = openSqliteStore(directory);
  /** For the end of a test file. */
  async function close(): Promise<void> {
    await store.close();
    await rm(directory, { recursive: true });
  }

  const pool = makeRunnerHere<FieldFileJobs>(fieldFileJobs);
  const checkFile = makeCheckFile(pool);
  const fields = makeFields({ store: store.fields, maxPerOwner: 5_000, now: () => new Date() });
  let files = 0;

  /** Imports a text as the file of a key. */
  async function run(owner: string, text: string | Uint8Array, given: Given = {}) {
    files += 1;
    const path = join(directory, `file ${files}`);
    await writeFile(path, text);
    const rows: ImportedRow[] = [];
    const done: number[] = [];
    const counts = await makeImportFields({
      fields: given.fields ?? fields,
      checkFile: given.checkFile ?? checkFile,
    })({
      owner,
      order: {
        format: given.format ?? null,
        columns: { ...usual, ...given.columns },
        group: given.group ?? null,
        digest: hash('sha256', text, 'hex'),
      },
      path,
      checkedPath: `${path}.rows`,
      maxRows: given.maxRows ?? 10_000,
      ticket: aTicket,
      report: (some) => void rows.push(...some),
      onProgress: (progress) => done.push(progress.done),
    });
    return { counts, rows, done };
  }

  const listAll = (owner: string) =>
    store.fields.list({ owner, order: { by: 'name', descending: false }, after: null, limit: 5_000 });

  /** Without what differs from one import to the next. */
  const readState = async (owner: string) =>
    (await listAll(owner)).map(({ createdAt: _c, updatedAt: _u, areaRef: _r, owner: _o, ...field }) => field);

  return { directory, store, pool, fields, checkFile, run, listAll, readState, close };
}
