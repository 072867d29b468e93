import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../adapters/sqlite/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import type { ShapeFormat } from '../../vector/index.ts';
import { makeExportFields } from '../export-fields.ts';
import type { Fields } from '../fields.ts';
import { makeFields } from '../fields.ts';
import type { FieldFileJobs } from '../file-jobs.ts';
import { fieldFileJobs } from '../file-jobs.ts';
import type { ColumnNames } from './check-row.ts';
import type { ImportedRow } from './import-fields.ts';
import { importWithReport, makeCheckFile, makeImportFields } from './import-fields.ts';

const directory = await mkdtemp(join(tmpdir(), 'swath-import-'));
const store = openSqliteStore(directory);
after(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

const pool = makeRunnerHere<FieldFileJobs>(fieldFileJobs);
const checkFile = makeCheckFile(pool);
const fields = makeFields({ store: store.fields, maxPerOwner: 5_000, now: () => new Date() });
const usual: ColumnNames = { id: null, name: null, group: null, crop: null, sownOn: null };

interface Given {
  readonly format?: ShapeFormat | null;
  readonly columns?: Partial<ColumnNames>;
  readonly group?: string | null;
  readonly maxRows?: number;
  readonly fields?: Pick<Fields, 'putMany' | 'limit'>;
  readonly checkFile?: typeof checkFile;
}

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

const square = (west: number, south = 40, side = 0.01) => ({
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

const feature = (id: string | number | null, geometry: unknown, properties: object = {}) => ({
  type: 'Feature',
  ...(id === null ? {} : { id }),
  properties,
  geometry,
});

const collection = (...features: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });

const listAll = (owner: string) =>
  store.fields.list({ owner, order: { by: 'name', descending: false }, after: null, limit: 5_000 });

/** Without what differs from one import to the next. */
const readState = async (owner: string) =>
  (await listAll(owner)).map(({ createdAt: _c, updatedAt: _u, areaRef: _r, owner: _o, ...field }) => field);

test('columns with usual names are found, and the others are properties', async () => {
  const { rows, counts } = await run(
    'usual',
    collection(
      feature('a', square(1), {
        Name: 'One',
        FARM: 'North',
        culture: 'rye',
        sowing_date: '2026/04/20',
        soil: 3,
      }),
      feature(7, square(2), { external_id: 'b', name: '' }),
      feature(null, square(3), { id: 12, title: 'Three' }),
      feature(null, square(4), {}),
    ),
  );
  assert.deepEqual(counts, { rows: 4, created: 4, updated: 0, unchanged: 0, refused: 0, warning: null });
  assert.deepEqual(
    rows.map(({ row, id, status }) => [row, id, status]),
    [
      [1, 'a', 'created'],
      [2, 'b', 'created'],
      [3, '12', 'created'],
      [4, null, 'created'],
    ],
  );
  const stored = new Map((await listAll('usual')).map((field) => [field.id, field]));
  const one = stored.get(rows[0]?.field ?? '');
  assert.deepEqual(
    [one?.externalId, one?.name, one?.group, one?.crop, one?.sownOn, one?.properties],
    ['a', 'One', 'North', 'rye', '2026-04-20', { soil: 3 }],
  );
  assert.ok(Math.abs((one?.hectares ?? 0) - 94.6) < 0.5, String(one?.hectares));
  assert.equal(stored.get(rows[1]?.field ?? '')?.name, 'b', 'a nameless one is called by its id');
  assert.equal(stored.get(rows[2]?.field ?? '')?.name, 'Three');
});

test('columns are named by parameters, and a group stands for all rows', async () => {
  const properties = {
    key: 'k1',
    label: 'Label',
    name: 'Name',
    hof: 'Nord',
    frucht: 'Weizen',
    saat: '2026-03-01',
  };
  const text = collection(feature(1, square(1), properties));
  const columns = { id: 'KEY', name: 'label', group: 'hof', crop: 'frucht', sownOn: 'saat' };
  await run('named', text, { columns });
  const [field] = await listAll('named');
  assert.deepEqual(
    [field?.externalId, field?.name, field?.group, field?.crop, field?.sownOn, field?.properties],
    ['k1', 'Label', 'Nord', 'Weizen', '2026-03-01', { name: 'Name' }],
  );
  await run('named', text, { columns, group: 'All' });
  assert.equal((await listAll('named'))[0]?.group, 'All');
  const { rows } = await run('named', text, { columns: { id: 'nowhere' } });
  assert.deepEqual([rows[0]?.status, rows[0]?.code], ['refused', 'no-id-column']);
});

test('a hostile collection gets a report for each row, and the rows that can be stored are', async () => {
  const ring = (count: number) =>
    Array.from({ length: count }, (_, i) => [
      10 + Math.cos((2 * Math.PI * i) / count),
      45 + Math.sin((2 * Math.PI * i) / count),
    ]);
  const text = collection(
    feature('good', square(5)),
    feature('cross', {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    }),
    feature('none', null),
    feature('empty', { type: 'Polygon', coordinates: [] }),
    feature('line', {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    }),
    feature('flat', {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [2, 0],
          [0, 0],
        ],
      ],
    }),
    feature('long', { type: 'Polygon', coordinates: [ring(20_000)] }),
    feature('longest', { type: 'Polygon', coordinates: [ring(1_000_000)] }),
    feature('across', {
      type: 'Polygon',
      coordinates: [
        [
          [179.9, 10],
          [-179.9, 10],
          [-179.9, 10.1],
          [179.9, 10.1],
          [179.9, 10],
        ],
      ],
    }),
    feature('turned', {
      type: 'Polygon',
      coordinates: [
        [
          [48, -122],
          [48.1, -122],
          [48.1, -122.1],
          [48, -122],
        ],
      ],
    }),
    feature('far', {
      type: 'Polygon',
      coordinates: [
        [
          [600, 95],
          [601, 95],
          [601, 96],
          [600, 95],
        ],
      ],
    }),
    feature('good', square(6)),
    feature('name', square(7), { name: 'x'.repeat(200) }),
    feature('day', square(8), { sown_on: 'in spring' }),
    feature('last', square(9)),
  );
  const { rows, counts } = await run('hostile', text);
  assert.deepEqual(
    rows.map(({ id, status, code }) => [id, status === 'refused' ? code : status]),
    [
      ['good', 'created'],
      ['cross', 'area-self-crossing'],
      ['none', 'area-geometry-missing'],
      ['empty', 'area-rings-missing'],
      ['line', 'area-type'],
      ['flat', 'area-no-area'],
      ['long', 'area-vertices'],
      // Too long to be read as a row: not even its id.
      [null, 'bad-row'],
      ['across', 'created'],
      ['turned', 'field-axis-order'],
      ['far', 'area-range'],
      ['good', 'field-repeated'],
      ['name', 'bad-name'],
      ['day', 'bad-sown-on'],
      ['last', 'created'],
    ],
  );
  for (const { status, message, field } of rows) {
    if (status === 'refused') assert.match(message ?? '', /^[A-Z].*\.$/);
    assert.equal(field === null, status === 'refused');
  }
  assert.deepEqual([counts?.created, counts?.refused], [3, 12]);
  const [across] = await store.fields.list({
    owner: 'hostile',
    order: { by: 'name', descending: false },
    after: null,
    limit: 9,
    at: [-179.95, 10.05],
  });
  assert.equal(across?.externalId, 'across');
});

test('the same file changes nothing the second time, with ids and without', async () => {
  for (const [owner, ids] of [
    ['with ids', true],
    ['without ids', false],
  ] as const) {
    const text = collection(...[1, 2, 3].map((n) => feature(ids ? n : null, square(n), { name: `F${n}` })));
    assert.equal((await run(owner, text)).counts?.created, 3);
    const before = await readState(owner);
    assert.equal((await run(owner, text)).counts?.unchanged, 3, owner);
    assert.deepEqual(await readState(owner), before);
  }
  const moved = collection(feature(1, square(1.5), { name: 'F1' }), feature(2, square(2), { name: 'F2' }));
  const { rows } = await run('with ids', moved);
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['updated', 'unchanged'],
  );
  assert.equal((await listAll('with ids')).length, 3, 'what the file does not name stays');
});

test('an import that ends in the middle leads to the same state when it runs again', async () => {
  const text = collection(
    ...Array.from({ length: 1_000 }, (_, n) =>
      feature(n % 3 === 0 ? null : n, square(n / 20), { name: `F${n}` }),
    ),
  );
  await run('in one go', text);
  for (const broken of [1, 3]) {
    const owner = `broken ${broken}`;
    let puts = 0;
    const killed: Pick<Fields, 'putMany' | 'limit'> = {
      limit: fields.limit,
      putMany(key, drafts) {
        puts += 1;
        if (puts > broken) throw new Error('killed');
        return fields.putMany(key, drafts);
      },
    };
    await assert.rejects(run(owner, text, { fields: killed }), /killed/);
    const { counts, done } = await run(owner, text);
    assert.deepEqual(
      [counts?.rows, counts?.created, counts?.unchanged],
      [1_000, 1_000 - 200 * broken, 200 * broken],
    );
    assert.deepEqual(done, [0, 200, 400, 600, 800, 1_000]);
    // Ids of rows without one depend on the owner.
    const withoutIds = async (key: string) => (await readState(key)).map(({ id: _, ...field }) => field);
    assert.deepEqual(await withoutIds(owner), await withoutIds('in one go'));
  }
});

test('rows beyond the limit of the key are refused, and a long file is left to a task', async () => {
  const few = makeFields({ store: store.fields, maxPerOwner: 2, now: () => new Date() });
  const text = collection(...[1, 2, 3].map((n) => feature(n, square(n))));
  const { rows } = await run('few', text, { fields: few });
  assert.deepEqual(
    rows.map(({ status, code }) => code ?? status),
    ['created', 'created', 'too-many-fields'],
  );
  assert.equal((await run('long', text, { maxRows: 2 })).counts, null);
  assert.equal(await store.fields.count({ owner: 'long' }), 0);
});

test('CSV with WKT is read, and a file that is not a table is refused as a whole', async () => {
  const csv = 'id,name,wkt\r\n1,"One, two","POLYGON((1 40,1.1 40,1.1 40.1,1 40))"\r\n2,Bad,"POLYGON((1"\r\n';
  const { rows } = await run('csv', csv, { format: 'csv' });
  assert.deepEqual(
    rows.map(({ id, status, code }) => [id, code ?? status]),
    [
      ['1', 'created'],
      [rows[1]?.id, 'bad-row'],
    ],
  );
  await assert.rejects(run('csv', '{"type": "Feature', { format: 'geojson' }), { tag: 'bad-input' });
});

test('an export is imported again without a change', async () => {
  const exportFields = makeExportFields({ store: store.fields, pool });
  const before = await readState('usual');
  for (const format of ['geojson', 'csv', 'geoparquet', 'geopackage', 'shapefile'] as const) {
    const path = join(directory, `export.${format}`);
    const count = await exportFields({
      selection: { owner: 'usual' },
      format,
      path,
      linesPath: `${path}.rows`,
      ticket: aTicket,
    });
    assert.equal(count, 4);
    const { rows } = await run('usual', await readFile(path), { format });
    assert.deepEqual(
      rows.map(({ code, status }) => code ?? status),
      Array(4).fill('unchanged'),
      format,
    );
    assert.deepEqual(await readState('usual'), before);
  }
});

test('the report of a task is one JSON document', async () => {
  const path = join(directory, 'reported');
  await writeFile(path, collection(feature(1, square(1)), feature(2, null)));
  const order = { format: null, columns: usual, group: null, digest: 'd' };
  const work = { owner: 'reported', order, path, checkedPath: `${path}.rows`, ticket: aTicket };
  await importWithReport(makeImportFields({ fields, checkFile }), work, `${path}.json`);
  const report = JSON.parse(await readFile(`${path}.json`, 'utf8')) as {
    report: ImportedRow[];
    rows: number;
  };
  assert.equal(report.rows, 2);
  assert.deepEqual(
    report.report.map(({ status }) => status),
    ['created', 'refused'],
  );
  await writeFile(path, collection());
  await importWithReport(makeImportFields({ fields, checkFile }), work, `${path}.json`);
  assert.deepEqual(JSON.parse(await readFile(`${path}.json`, 'utf8')).report, []);
});

test('a row that would lie among the others with its axes swapped is stored as it is, with a warning', async () => {
  const at = (lon: number, lat: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [lon, lat],
        [lon + 0.01, lat],
        [lon + 0.01, lat + 0.01],
        [lon, lat],
      ],
    ],
  });
  const others = Array.from({ length: 12 }, (_, i) => feature(`f${i}`, at(11 + i / 50, 48)));
  const { rows, counts } = await run('warned', collection(...others, feature('turned', at(48, 11))));
  assert.equal(counts?.created, 13);
  const warned = rows.filter(({ warning }) => warning !== null);
  assert.deepEqual(
    warned.map(({ id, status }) => [id, status]),
    [['turned', 'created']],
  );
  assert.match(warned[0]?.warning ?? '', /swapped/);
  const stored = (await listAll('warned')).find(({ externalId }) => externalId === 'turned');
  assert.ok(Math.abs((stored?.bounds.west ?? 0) - 48) < 1e-6);
});

test('a file whose ground no scene shows, unless all of it is swapped, is imported with one warning', async () => {
  const asked: unknown[] = [];
  const swapped = makeCheckFile(pool, async (spots) => {
    asked.push(spots);
    return true;
  });
  // Many fields of two districts.
  const rows = Array.from({ length: 40 }, (_, i) => feature(i, square((i % 2) * 20 + i / 1_000)));
  const { counts } = await run('swapped', collection(...rows), { checkFile: swapped });
  assert.equal(counts?.created, 40);
  assert.match(counts?.warning ?? '', /with latitude and longitude swapped scenes would/);
  assert.deepEqual(
    asked.map((spots) => (spots as readonly number[][]).map(([lon = 0]) => Math.floor(lon))),
    [[0, 20]],
    'a place for each district',
  );
  assert.equal((await run('swapped', collection(...rows))).counts?.warning, null);
});
