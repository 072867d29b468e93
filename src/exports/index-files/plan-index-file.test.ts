import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import type { Asset, Scene, SceneStore } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { isSwathError, sourceBroken } from '../../errors.ts';
import type { CogOptions } from '../../formats/cog/index.ts';
import { createCog } from '../../formats/cog/index.ts';
import { openTiff, readBlock } from '../../formats/tiff/index.ts';
import { LON_LAT_GRID, toOutline } from '../../geo/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import type { ByteSource } from '../../sources/index.ts';
import type { ExportArea } from '../export.ts';
import type { ExportJobs } from '../export-jobs.ts';
import { makeExportJobs } from '../export-jobs.ts';
import type { IndexOrder } from './plan-index-file.ts';
import { makePlanIndexFile, planFileExpressions } from './plan-index-file.ts';

const SIZE = { width: 40, height: 30 };
const transform = [500_000, 10, 0, 4_700_000, 0, -10] as const;
const isCode = (code: string) => (error: unknown) => isSwathError(error) && error.code === code;

let folder = '';
let scene: Scene;

/** Bands whose values tell the column or the row; 0 means no data. */
const values: Readonly<Record<string, (x: number, y: number) => number>> = {
  B04: (x, y) => (x === 3 && y === 2 ? 0 : 100 + x),
  B08: (x, y) => (x === 5 && y === 4 ? 0 : 300 + y),
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'index-test-'));
  const assets: Record<string, Asset> = {};
  const options: CogOptions = {
    ...SIZE,
    bandCount: 1,
    type: 'uint16',
    epsg: 32_631,
    transform,
    nodata: 0,
    compression: 'deflate',
    predictor: 2,
    blockSize: 16,
  };
  for (const [band, valueAt] of Object.entries(values)) {
    const cog = await createCog(join(folder, `${band}.tif`), options);
    const pixels = new Uint16Array(40 * 30).map((_, i) => valueAt(i % 40, Math.floor(i / 40)));
    await cog.writeRows([pixels], 30);
    const { overviews } = await cog.finish();
    const common = {
      bandIndex: 0,
      transform,
      ...SIZE,
      type: 'uint16',
      scale: 1,
      offset: 0,
      overviews,
    } as const;
    assets[band] = { ...common, href: `${band}.tif`, epsg: 32_631, nodata: 0 };
  }
  scene = toScene(makeScene(21, { assets }));
});
after(() => rm(folder, { recursive: true, force: true }));

function makePlan(watch = { renew: async () => {} }) {
  const files = { dataDir: folder, folders: [] };
  const tools = makeThreadTools({ files, blocks: makeBlockCache(2 ** 20).handle });
  const pool = makeRunnerHere<ExportJobs>(makeExportJobs(tools));
  const scenes = { findByViewId: async () => scene } as unknown as SceneStore;
  return { pool, plan: makePlanIndexFile({ scenes, compareScene: async (found) => found, watch, pool }) };
}

const order: IndexOrder = {
  viewId: 'S2/31/T/DH/2026/6/21/0',
  sceneName: '31/T/DH/2026/6/21/0',
  sensor: 'S2',
  expressions: 'NDVI',
  nameAlias: null,
  area: null,
};

/** Writes a file and reads it again: its facts, and the pixels of each band. */
async function write(wanted: Partial<IndexOrder>) {
  const planned = await makePlan().plan({ ...order, ...wanted });
  const path = join(folder, 'result.tif');
  const progress: number[] = [];
  try {
    await planned.write(path, { ticket: aTicket, onProgress: (done) => progress.push(done) });
    assert.equal(progress.at(-1), planned.blocks);
    const bytes = await readFile(path);
    assert.ok(bytes.length <= planned.estimatedBytes);
    const source: ByteSource = {
      id: path,
      version: '1',
      size: bytes.length,
      read: async (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)),
      close: async () => {},
    };
    const tiff = await openTiff(source);
    const [image] = tiff.images;
    const bands: Float32Array[] = [];
    for (let band = 0; band < image.bandCount; band++) {
      const { pixels, width } = await readBlock(tiff, image, { band, column: 0, row: 0 });
      const own = new Float32Array(image.width * image.height);
      for (let y = 0; y < image.height; y++) {
        own.set((pixels as Float32Array).subarray(y * width, y * width + image.width), y * image.width);
      }
      bands.push(own);
    }
    return { planned, tiff, image, bands };
  } finally {
    await rm(path, { force: true });
  }
}

test('expressions compute with stored numbers, and with physical values if the order says so', async () => {
  const at = async (wanted: Partial<IndexOrder>) =>
    (await write({ expressions: 'B04', ...wanted })).bands[0]?.[1];
  assert.deepEqual([await at({}), await at({ calibrated: false })], [101, 101]);
  assert.equal(await at({ calibrated: true }), Math.fround(0.0101));
});

test('the description of a file lists everything that is read for each of its bands', async () => {
  const [west, south] = makePixelMapping(LON_LAT_GRID, scene.assets.B04 as Asset).toTarget(10, 20);
  const [east, north] = makePixelMapping(LON_LAT_GRID, scene.assets.B04 as Asset).toTarget(30, 5);
  const bounds = { minX: west, minY: south, maxX: east, maxY: north };
  const planned = await makePlan().plan({
    ...order,
    expressions: 'NDVI,B04',
    area: { kind: 'bounds', bounds },
  });
  const content = await planned.describe();
  if (content.kind !== 'pixels') assert.fail(content.kind);
  assert.deepEqual(
    content.images.map(({ bands, isStored, plan: { inputs } }) => [
      bands,
      isStored,
      inputs.map(({ band, warp }) => [band, warp?.window.x, warp?.window.width, warp?.isCopy]),
    ]),
    [
      [
        'NDVI',
        false,
        [
          ['B08', 10, 20, true],
          ['B04', 10, 20, true],
        ],
      ],
      ['B04', false, [['B04', 10, 20, true]]],
    ],
  );
});

test('a file of the whole scene has its grid, its values and holes where a band has any', async () => {
  const { planned, tiff, image, bands } = await write({});
  assert.deepEqual(
    [planned.fileName, planned.contentType, planned.blocks],
    ['S2-31-T-DH-2026-6-21-0_NDVI.TIF', 'image/tiff', 1],
  );
  assert.deepEqual([tiff.epsg, tiff.transform, tiff.nodata], [32_631, transform, -9999]);
  assert.deepEqual([image.width, image.height, image.type, image.blockWidth], [40, 30, 'float32', 512]);
  assert.equal(image.compression, 'deflate');
  assert.deepEqual(
    tiff.bands.map(({ description }) => description),
    ['NDVI'],
  );
  const expected = new Float32Array(40 * 30).map((_, i) => {
    const [red, nir] = [values.B04!(i % 40, Math.floor(i / 40)), values.B08!(i % 40, Math.floor(i / 40))];
    return red === 0 || nir === 0 ? -9999 : Math.fround(nir - red) / Math.fround(nir + red);
  });
  assert.deepEqual(bands, [expected]);
});

test('several expressions become bands in their order; NaN is written as nodata, infinity as a value', async () => {
  const expressions = 'B04, 1.0/(B04-101.0), sqrt(B04-110.0), B08*2';
  const { bands, tiff } = await write({ expressions, nameAlias: 'All of it' });
  assert.equal(bands.length, 4);
  assert.deepEqual([bands[0]![0], bands[0]![3 + 2 * 40]], [100, -9999]);
  assert.deepEqual([bands[1]![0], bands[1]![1]], [-1, Number.POSITIVE_INFINITY]);
  assert.deepEqual([bands[2]![9], bands[2]![10], bands[2]![14]], [-9999, 0, 2]);
  assert.deepEqual([bands[3]![0], bands[3]![5 + 4 * 40]], [600, -9999]);
  assert.deepEqual(
    tiff.bands.map(({ description }) => description),
    expressions.split(', '),
  );
});

/** Positions in the scene in degrees. */
const toDegrees = (col: number, row: number) =>
  makePixelMapping(LON_LAT_GRID, { epsg: 32_631, transform, ...SIZE }).toTarget(col, row);

test('a cropped file is a window of the grid, with holes outside an outline', async () => {
  const ring = [toDegrees(10, 5), toDegrees(19.4, 5), toDegrees(10, 14.4), toDegrees(10, 5)];
  const area: ExportArea = {
    kind: 'outline',
    outline: toOutline({ type: 'Polygon', coordinates: [ring] }),
  };
  const { tiff, image, bands } = await write({ area, expressions: 'B04' });
  assert.deepEqual([image.width, image.height], [9, 9]);
  assert.deepEqual(tiff.transform, [500_100, 10, 0, 4_699_950, 0, -10]);
  for (let y = 0; y < 9; y++) {
    for (let x = 0; x < 9; x++) {
      // the diagonal itself may fall to either side
      if (x + y === 9) continue;
      assert.equal(bands[0]![y * 9 + x], x + y < 9 ? 110 + x : -9999, `${x} ${y}`);
    }
  }
});

test('impossible orders are refused before anything is read', async () => {
  const { plan, pool } = makePlan();
  const far: ExportArea = { kind: 'bounds', bounds: { minX: 100, minY: 10, maxX: 101, maxY: 11 } };
  await assert.rejects(plan({ ...order, area: far }), isCode('area-outside-scene'));
  await assert.rejects(plan({ ...order, expressions: 'B11' }), isCode('no-such-band-file'));
  await assert.rejects(plan({ ...order, sensor: 'X9' }), isCode('unknown-sensor'));
  await assert.rejects(plan({ ...order, expressions: 'NDVI(' }), isSwathError);
  assert.equal(pool.asked.length, 0);
});

test('a scene whose files were replaced is looked up again and written from the start', async () => {
  let renewed = 0;
  const { plan, pool } = makePlan({
    renew: async () => {
      renewed += 1;
    },
  });
  const planned = await plan(order);
  const run = pool.run.bind(pool);
  let calls = 0;
  pool.run = (kind, input, ticket) => {
    calls += 1;
    return calls === 1
      ? Promise.reject(sourceBroken('source-changed', 'A file of this scene was replaced.'))
      : run(kind, input, ticket);
  };
  const path = join(folder, 'again.tif');
  await planned.write(path, { ticket: aTicket, onProgress() {} });
  assert.deepEqual([renewed, calls], [1, 2]);
  await rm(path);
});

test('a file that fails or is cancelled leaves nothing', async () => {
  const { plan, pool } = makePlan();
  const planned = await plan(order);
  const listed = await readdir(folder);
  const path = join(folder, 'gone.tif');
  const aborted = { ...aTicket, signal: AbortSignal.abort() };
  await assert.rejects(planned.write(path, { ticket: aborted, onProgress() {} }), isCode('cancelled'));
  pool.run = () => Promise.reject(sourceBroken('tiff-block-damaged', 'A block is damaged.'));
  await assert.rejects(
    planned.write(path, { ticket: aTicket, onProgress() {} }),
    isCode('tiff-block-damaged'),
  );
  assert.deepEqual(await readdir(folder), listed);
});

test('each job states its memory, and uses the ticket of the caller', async () => {
  const { plan, pool } = makePlan();
  const planned = await plan(order);
  const path = join(folder, 'ticket.tif');
  await planned.write(path, { ticket: { ...aTicket, owner: 'someone', lane: 'task' }, onProgress() {} });
  await rm(path);
  assert.deepEqual(
    pool.asked.map(({ kind, ticket }) => [kind, ticket.owner, ticket.lane, ticket.bytes > 40 * 30 * 4]),
    [['export-index-part', 'someone', 'task', true]],
  );
});

const sensor = sensorByAbbreviation('S2') as Sensor;
const describe = (text: string) => planFileExpressions(text, sensor).descriptions;

test('each expression is a band, described by its text', () => {
  assert.deepEqual(describe('ndvi'), ['ndvi']);
  assert.deepEqual(describe('B04, maximum(B03,B02) ,(B08-B04)/(B08+B04)'), [
    'B04',
    'maximum(B03,B02)',
    '(B08-B04)/(B08+B04)',
  ]);
  assert.deepEqual(describe('ISTACK, B04'), ['NDVI', 'NDWI', 'NDSI', 'B04']);
  const { tree, descriptions } = planFileExpressions('B02,B03,B04,B08,NDVI', sensor);
  assert.equal(tree.outputs.length, descriptions.length);
});

test('ten expressions make a file, eleven are refused', () => {
  const times = (count: number) => Array.from({ length: count }, (_, i) => `B04*${i + 1}.0`).join();
  assert.equal(describe(times(10)).length, 10);
  assert.throws(() => describe(times(11)), isSwathError);
});

test('expressions without bands or over whole windows are refused', () => {
  assert.throws(() => describe('1.0+2'), isCode('no-band'));
  assert.throws(() => describe('B04, 3.0'), isCode('no-band'));
  assert.throws(() => describe('unwrap(B04)'), isCode('needs-window'));
  assert.throws(() => describe('B99'), isSwathError);
});
