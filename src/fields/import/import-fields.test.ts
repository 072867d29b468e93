import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { aTicket } from '../../pool/testing/run-here.ts';
import { makeExportFields } from '../export-fields.ts';
import { makeCheckFile } from './import-fields.ts';
import { collection, feature, importHere, square } from './testing/import-here.ts';

const { close, directory, listAll, pool, readState, run, store } = await importHere();
after(close);

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

test('parameters can name columns, and one group for all rows', async () => {
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

test('a hostile collection gets a report for each row, and its valid rows are stored', async () => {
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

test('a row that would be among the others with its axes swapped is stored unchanged, with a warning', async () => {
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

test('a file that scenes cover only with its axes swapped is imported with one warning', async () => {
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

test('importing an export changes nothing', async () => {
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
