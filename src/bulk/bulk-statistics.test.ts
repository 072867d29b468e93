import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { makeBlockCache, makeThreadTools } from '../blocks/index.ts';
import type { Scene } from '../catalog/index.ts';
import { sourceBroken, unavailable } from '../errors.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { makeFolderBlobs } from '../objects/blob-store.ts';
import { listAll } from '../objects/testing/blob-store-contract.ts';
import type { JobRunner } from '../pool/index.ts';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import { makeRandom } from '../stack/testing/put-scenes.ts';
import { askDuckDb } from '../vector/testing/duckdb.ts';
import type { StatisticsJobs } from '../zonal/index.ts';
import { makeStatisticsJobs } from '../zonal/index.ts';
import { makeMeasureHere, toTestArea, writeTestScene } from '../zonal/testing/statistics-here.ts';
import type { BulkOrder, OrderedShape } from './bulk-order.ts';
import { makeBulkStatistics } from './bulk-statistics.ts';
import type { JoinedColumn, ReadDaily } from './joined-days.ts';
import type { BulkJobs } from './measure-window.ts';
import { makeBulkJobs } from './measure-window.ts';

type Jobs = BulkJobs & StatisticsJobs;

const SIDE = 120;
const fine = { width: SIDE, height: SIDE, pixelM: 10 };
const order: BulkOrder = {
  from: '2026-01-01',
  to: '2026-12-31',
  datasets: ['sentinel2'],
  expressions: ['NDVI', 'B04'],
  clouds: { maxPercent: null, masked: 'none', level: null },
  shapes: { kind: 'fields' },
  weights: 'centres',
  limit: null,
  format: 'csv',
  layout: 'long',
};

let folder = '';
let scenes: readonly Scene[];
let handlers: ReturnType<typeof makeBulkJobs> & ReturnType<typeof makeStatisticsJobs>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bulk-run-'));
  const random = makeRandom(5);
  const band = { ...fine, valueAt: () => 1 + 9_000 * random() };
  scenes = await Promise.all(
    [3, 2, 1].map((day) =>
      writeTestScene(
        folder,
        { B04: band, B08: band },
        {
          viewId: `S2/31/T/DH/2026/6/${day}/0`,
          sceneId: `scene-${day}`,
          acquiredAt: `2026-06-0${day}T10:00:00Z`,
          footprint: toTestArea([0, 0, SIDE, SIDE]).geometry,
        },
      ),
    ),
  );
  const files = { dataDir: folder, folders: [] };
  const thread = makeThreadTools({ files, blocks: makeBlockCache(16 * 2 ** 20).handle });
  handlers = { ...makeBulkJobs(thread), ...makeStatisticsJobs(thread) };
});
after(() => rm(folder, { recursive: true, force: true }));

const geometries: readonly MultiPolygonGeometry[] = [
  toTestArea([5, 5, 25, 25]).geometry,
  toTestArea([50, 50, 80, 90], [100, 100, 110, 110]).geometry,
  toTestArea([-30, -30, -10, -10]).geometry,
];
const shapes = geometries.map(
  (geometry, i): OrderedShape => ({
    id: `id-${i}`,
    externalId: i === 0 ? 'ex, 0' : null,
    name: `Field ${i}`,
    sownOn: null,
    geometry,
  }),
);

interface Kit {
  readonly blobFolder: string;
  readonly pool?: JobRunner<Jobs>;
  readonly listed?: readonly OrderedShape[];
  readonly readDaily?: ReadDaily;
}

function makeKit({
  blobFolder,
  pool = makeRunnerHere<Jobs>(handlers),
  listed = shapes,
  readDaily = () => assert.fail('nothing is joined'),
}: Kit) {
  const blobs = makeFolderBlobs({ folder: blobFolder });
  const bulk = makeBulkStatistics({
    scenes: {
      search: async ({ offset, limit }) => ({
        found: scenes.length,
        scenes: scenes.slice(offset, offset + limit),
      }),
      findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null,
    },
    compareScene: async (scene) => scene,
    watch: { renew: () => assert.fail('no file has changed') },
    pool,
    threads: 1,
    blobs,
    async *listShapes() {
      yield listed;
    },
    readDaily,
    atOnce: 2,
    onFailure: () => {},
    windowPx: 64,
  });
  return {
    blobs,
    async run(more: Partial<BulkOrder> = {}, signal: AbortSignal = aTicket.signal) {
      const staged = await blobs.stage('task-1.1');
      const progress: { done: number; total: number; storedBytes: number }[] = [];
      try {
        await bulk.run(
          { id: 'task-1', owner: 'me', order: { ...order, ...more }, collection: null },
          { path: staged.path, ticket: { ...aTicket, signal }, onProgress: (one) => progress.push(one) },
        );
        return { bytes: await readFile(staged.path), progress };
      } finally {
        await staged.discard();
      }
    },
  };
}

const withKit = async <Result>(work: (kit: Kit) => Promise<Result>): Promise<Result> => {
  const blobFolder = await mkdtemp(join(tmpdir(), 'bulk-blobs-'));
  try {
    return await work({ blobFolder });
  } finally {
    await rm(blobFolder, { recursive: true, force: true });
  }
};

/** The cells of a CSV without quotes in it. */
const toRows = (bytes: Buffer): readonly Record<string, string>[] => {
  const [header = '', ...lines] = bytes.toString().trim().split(/\r?\n/);
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.replace('"ex, 0"', 'ex 0').split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
};

test('a row for each field, scene and expression, with the numbers of single areas', () =>
  withKit(async (kit) => {
    const { bytes, progress } = await makeKit(kit).run();
    const rows = toRows(bytes);
    // Two of the fields lie in the three scenes.
    assert.equal(rows.length, 2 * 3 * 2);
    assert.deepEqual(
      rows.slice(0, 7).map((row) => [row.field_id, row.external_id, row.date, row.scene_id, row.expression]),
      [
        ['id-0', 'ex 0', '2026-06-03', 'scene-3', 'NDVI'],
        ['id-0', 'ex 0', '2026-06-03', 'scene-3', 'B04'],
        ['id-0', 'ex 0', '2026-06-02', 'scene-2', 'NDVI'],
        ['id-0', 'ex 0', '2026-06-02', 'scene-2', 'B04'],
        ['id-0', 'ex 0', '2026-06-01', 'scene-1', 'NDVI'],
        ['id-0', 'ex 0', '2026-06-01', 'scene-1', 'B04'],
        ['id-1', '', '2026-06-03', 'scene-3', 'NDVI'],
      ],
    );
    const area = toTestArea([5, 5, 25, 25]);
    const [alone] = await makeMeasureHere(folder)({ scene: scenes[0] as Scene, expressions: ['NDVI'], area });
    const { variance: _, ...summary } = alone?.statistics ?? { variance: 0 };
    const [row] = rows;
    for (const [name, value] of Object.entries(summary)) assert.equal(Number(row?.[name]), value, name);
    assert.equal(Number(row?.data_percent), 100);
    assert.ok(progress.length > 3 && progress.every(({ done, total }) => total >= done));
  }));

test('the wide layout has a row for each field and scene, and a limit takes the newest', () =>
  withKit(async (kit) => {
    const long = toRows((await makeKit(kit).run()).bytes);
    const wide = toRows((await makeKit(kit).run({ layout: 'wide', limit: 2 })).bytes);
    assert.deepEqual(
      wide.map((row) => [row.field_id, row.date]),
      ['id-0', 'id-1'].flatMap((id) => ['2026-06-03', '2026-06-02'].map((date) => [id, date])),
    );
    assert.equal(wide[0]?.B04_median, long[1]?.median);
    assert.equal(wide[0]?.NDVI_p90, long[0]?.p90);
  }));

test('work that is stopped again and again measures no part twice, and ends with the same bytes', () =>
  withKit(async (kit) => {
    const wanted = (await withKit((other) => makeKit(other).run())).bytes;
    const measured: string[] = [];
    let attempts = 0;
    for (let bytes: Buffer | null = null; bytes === null; attempts += 1) {
      const killed = new AbortController();
      const here = makeRunnerHere<Jobs>(handlers);
      let jobs = 0;
      const pool: JobRunner<Jobs> = {
        async run(kind, input, ticket) {
          // The process dies some jobs later than the last time.
          jobs += 1;
          if (jobs > 2 + attempts) killed.abort(new Error('killed'));
          killed.signal.throwIfAborted();
          return here.run(kind, input, ticket);
        },
      };
      const known = new Set(
        (await listAll(makeFolderBlobs({ folder: kit.blobFolder }))).map(({ key }) => key),
      );
      const result = await makeKit({ ...kit, pool })
        .run({}, killed.signal)
        .catch((error: unknown) => {
          assert.ok(killed.signal.aborted, String(error));
          return null;
        });
      for (const { kind, input } of here.asked) {
        if (kind !== 'measure-window') continue;
        const { viewId } = (input as { piece: { pixels: { viewId: string } } }).piece.pixels;
        const position = scenes.findIndex((scene) => scene.viewId === viewId);
        assert.ok(!known.has(`task-1.part-0-${position}`), 'a stored part is not measured');
        measured.push(viewId);
      }
      bytes = result?.bytes ?? null;
      if (bytes !== null) assert.deepEqual(bytes, wanted);
      assert.ok(attempts < 60, 'each attempt comes further');
    }
    assert.ok(attempts > 4 && new Set(measured).size === 3);
  }));

test('the shapes of the first attempt are those of the result', () =>
  withKit(async (kit) => {
    const killed = new AbortController();
    const here = makeRunnerHere<Jobs>(handlers);
    const pool: JobRunner<Jobs> = {
      async run(kind, input, ticket) {
        if (kind === 'write-numbers') killed.abort(new Error('killed'));
        killed.signal.throwIfAborted();
        return here.run(kind, input, ticket);
      },
    };
    await assert.rejects(makeKit({ ...kit, pool }).run({}, killed.signal));
    const { bytes } = await makeKit({ ...kit, listed: [] }).run();
    assert.equal(toRows(bytes).length, 12);
  }));

test('every format has the same rows', () =>
  withKit(async (kit) => {
    const run = async (format: BulkOrder['format']) => (await makeKit(kit).run({ format })).bytes;
    const averages = toRows(await run('csv')).map((row) => Number(row.average));
    const { features } = JSON.parse((await run('geojson')).toString()) as {
      readonly features: readonly {
        readonly properties: Record<string, unknown>;
        readonly geometry: unknown;
      }[];
    };
    assert.deepEqual(
      features.map(({ properties }) => properties.average),
      averages,
    );
    assert.deepEqual(features[0]?.geometry, shapes[0]?.geometry);
    const arrow = tableFromIPC(await run('arrow'));
    assert.deepEqual(
      arrow.toArray().map((row) => (row as { average: number }).average),
      averages,
    );
    const path = join(kit.blobFolder, 'table.parquet');
    for (const format of ['parquet', 'geoparquet'] as const) {
      await writeFile(path, await run(format));
      const rows = await askDuckDb(`SELECT average FROM '${path}'`);
      assert.deepEqual(
        rows.map(({ average }) => average),
        averages,
      );
    }
  }));

test('by shares of pixels the count is the size of the field', () =>
  withKit(async (kit) => {
    const rows = toRows((await makeKit(kit).run({ weights: 'fractions', layout: 'wide' })).bytes);
    assert.ok(Math.abs(Number(rows[0]?.NDVI_count) - 400) < 0.01);
    assert.ok(Math.abs(Number(rows[0]?.data_percent) - 100) < 0.001);
  }));

test('an order without shapes is refused', () =>
  withKit(async (kit) => {
    await assert.rejects(makeKit({ ...kit, listed: [] }).run(), { code: 'no-shapes' });
  }));

test('a scene that cannot be read is named in the rows of its fields; with all broken the work fails', () =>
  withKit(async (kit) => {
    const failing = (viewIds: readonly string[]): JobRunner<Jobs> => {
      const here = makeRunnerHere<Jobs>(handlers);
      return {
        async run(kind, input, ticket) {
          const { piece } = input as { piece?: { pixels: { viewId: string } } };
          if (piece !== undefined && viewIds.includes(piece.pixels.viewId))
            throw sourceBroken('block-broken', 'A block is broken.');
          return here.run(kind, input, ticket);
        },
      };
    };
    const all = scenes.map(({ viewId }) => viewId);
    await assert.rejects(makeKit({ ...kit, pool: failing(all) }).run(), { code: 'bulk-computation' });
    const some = await makeKit({ ...kit, pool: failing(all.slice(0, 1)) }).run({ layout: 'wide' });
    const rows = toRows(some.bytes);
    assert.match(rows[0]?.notes ?? '', /could not be read: A block is broken/);
    assert.deepEqual([rows[0]?.scene_id, rows[0]?.NDVI_average], ['scene-3', '']);
    assert.notEqual(rows[1]?.NDVI_average, '');
    // The next attempt reads it.
    const { bytes } = await makeKit(kit).run({ layout: 'wide' });
    assert.notEqual(toRows(bytes)[0]?.NDVI_average, '');
  }));

/** Days whose numbers say which they are: hundreds of a source and the day of the year, and nothing on 31 May. */
const countDays: ReadDaily = async ({ shapes: asked, to, sources }) =>
  asked.map(({ from }) => {
    const [first, last] = [from, to].map((day) => Date.parse(day) / 86_400_000) as [number, number];
    const values = sources.flatMap((_, source) =>
      Array.from({ length: last - first + 1 }, (__, i) => {
        const day = new Date((first + i) * 86_400_000);
        const ofYear = (day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 0)) / 86_400_000;
        return ofYear === 151 ? Number.NaN : 1_000 * source + ofYear;
      }),
    );
    return { utcOffsetHours: 0, values: new Float64Array(values) };
  });

const joined: readonly JoinedColumn[] = [
  { name: 'rainfall', source: { kind: 'weather', variable: 'rainfall' }, over: { kind: 'day' } },
  {
    name: 'rainfall_since_last',
    source: { kind: 'weather', variable: 'rainfall' },
    over: { kind: 'since-last', fold: 'sum' },
  },
  {
    name: 'degrees',
    source: { kind: 'growing-degrees', baseTemperature: 5 },
    over: { kind: 'since', start: 'sowing' },
  },
];

test('joined columns follow the numbers in every format', () =>
  withKit(async (kit) => {
    const listed = shapes.map((shape, i) => ({ ...shape, sownOn: i === 0 ? '2026-06-02' : null }));
    const run = async (more: Partial<BulkOrder>) =>
      (await makeKit({ ...kit, listed, readDaily: countDays }).run({ joined, ...more })).bytes;
    const rows = toRows(await run({ layout: 'wide' }));
    assert.deepEqual(
      rows
        .slice(0, 4)
        .map((row) => [row.field_id, row.date, row.rainfall, row.rainfall_since_last, row.degrees]),
      [
        ['id-0', '2026-06-03', '154', '154', String(1_153 + 1_154)],
        ['id-0', '2026-06-02', '153', '153', '1153'],
        // The sum since 1 January has an unknown day, and the field was not sown yet.
        ['id-0', '2026-06-01', '152', '', ''],
        ['id-1', '2026-06-03', '154', '154', ''],
      ],
    );
    const wanted = toRows(await run({})).map((row) => Number(row.rainfall));
    assert.equal(wanted.length, 12);
    const { features } = JSON.parse((await run({ format: 'geojson' })).toString()) as {
      readonly features: readonly { readonly properties: Record<string, unknown> }[];
    };
    assert.deepEqual(
      features.map(({ properties }) => properties.rainfall),
      wanted,
    );
    assert.equal(features[4]?.properties.degrees, null);
    const arrow = tableFromIPC(await run({ format: 'arrow' }));
    assert.deepEqual(
      arrow.toArray().map((row) => (row as { rainfall: number }).rainfall),
      wanted,
    );
    const path = join(kit.blobFolder, 'table.parquet');
    for (const format of ['parquet', 'geoparquet'] as const) {
      await writeFile(path, await run({ format }));
      const read = await askDuckDb(`SELECT rainfall FROM '${path}'`);
      assert.deepEqual(
        read.map(({ rainfall }) => rainfall),
        wanted,
      );
    }
  }));

test('days that were joined are not read again after a kill, and the table has the same bytes', () =>
  withKit(async (kit) => {
    // Two blocks of fields.
    const many = Array.from({ length: 260 }, (_, i): OrderedShape => ({ ...shapes[0]!, id: `f-${i}` }));
    const more = { joined, layout: 'wide' } as const;
    const wanted = (
      await withKit((other) => makeKit({ ...other, listed: many, readDaily: countDays }).run(more))
    ).bytes;
    let reads = 0;
    const outage = unavailable('weather-unavailable', 'No provider of weather answers at the moment.');
    const failing: ReadDaily = (request, signal) => {
      reads += 1;
      return reads === 2 ? Promise.reject(outage) : countDays(request, signal);
    };
    await assert.rejects(makeKit({ ...kit, listed: many, readDaily: failing }).run(more), outage);
    const { bytes } = await makeKit({ ...kit, listed: many, readDaily: failing }).run(more);
    assert.equal(reads, 3, 'the first block was stored');
    assert.deepEqual(bytes, wanted);
  }));

test('progress counts what is stored, also by an earlier attempt', () =>
  withKit(async (kit) => {
    const first = await makeKit(kit).run();
    const stored = (await listAll(makeFolderBlobs({ folder: kit.blobFolder }))).reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
    assert.ok(stored > 3 * 4_096);
    assert.equal(first.progress.at(-1)?.storedBytes, stored);
    const again = await makeKit(kit).run();
    assert.equal(again.progress.at(-1)?.storedBytes, stored);
  }));
