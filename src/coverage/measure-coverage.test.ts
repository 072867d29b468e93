import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { NewScene, Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { toTestArea, toTestAsset, writeTestScene } from '../zonal/testing/statistics-here.ts';
import type { SceneCoverage } from './measure-coverage.ts';
import { makeCoverageHere, makeJobsHere, makeMemoryStore } from './testing/coverage-here.ts';

/** Pixels of a classification of 20 m: three cells by two. */
const MASK = { width: 300, height: 200, pixelM: 20 };
const CLEAR = 4;
const CLOUD = 9;
const CIRRUS = 10;
const NO_DATA = 0;

let folder = '';
let jobs: ReturnType<typeof makeJobsHere>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverage-test-'));
  jobs = makeJobsHere(folder);
});
after(() => rm(folder, { recursive: true, force: true }));

const levelOf = (day: number, more: Partial<NewScene> = {}): Partial<NewScene> => ({
  viewId: `S2L2A/31/T/DH/2026/6/${day}/0`,
  dataset: 'sentinel2l2a',
  cloudMask: { kind: 'classes', band: 'SCL' },
  ...more,
});

/** A scene of a day: clear, with clouds in a column of pixels for each day, cirrus at the right and no data at the bottom. */
const makeDay = (day: number): Promise<Scene> =>
  writeTestScene(
    folder,
    {
      SCL: {
        ...MASK,
        valueAt(col, row) {
          if (row >= 160) return NO_DATA;
          if (col >= 280) return CIRRUS;
          return col < 10 * day ? CLOUD : CLEAR;
        },
      },
    },
    levelOf(day),
  );

/** A box in pixels of the mask. */
const areaOf = (left: number, top: number, right: number, bottom: number) =>
  toTestArea([2 * left, 2 * top, 2 * right, 2 * bottom]).geometry;

const plain = (found: readonly SceneCoverage[]) =>
  found.map(({ cloudPercent, dataPercent }) => [cloudPercent, dataPercent]);

test('percentages of clouds in the data, and of data in the area, are correct across cell edges', async () => {
  const scenes = [await makeDay(1), await makeDay(13), await makeDay(20)];
  const { measure } = makeCoverageHere(jobs, { scenes });
  const ask = async (...box: Parameters<typeof areaOf>) =>
    plain(await measure({ hits: scenes, area: areaOf(...box) }, aTicket));
  // 100 columns from 80 on, of which 0, 50 and all are clouds; 80 rows with data, 20 without.
  assert.deepEqual(await ask(80, 80, 180, 180), [
    [0, 80],
    [50, 80],
    [100, 80],
  ]);
  // Cirrus does not count, as in pictures.
  assert.deepEqual(await ask(270, 10, 300, 20), [
    [0, 100],
    [0, 100],
    [0, 100],
  ]);
  assert.deepEqual(await ask(10, 170, 20, 180), [
    [null, 0],
    [null, 0],
    [null, 0],
  ]);
  // A third of the area lies beyond the image.
  assert.deepEqual((await ask(-5, 10, 10, 20))[0], [100, 66.67]);
  assert.deepEqual((await ask(-30, 10, -20, 20))[0], [null, 0]);
  assert.deepEqual(await measure({ hits: [], area: areaOf(0, 0, 1, 1) }, aTicket), []);
});

test('masks are read once, for the same area and for adjacent ones', async () => {
  const scenes = [await makeDay(3), await makeDay(4)];
  const store = makeMemoryStore();
  const first = makeCoverageHere(jobs, { scenes, store });
  const area = areaOf(100, 10, 140, 20);
  const found = await first.measure({ hits: scenes, area }, aTicket);
  assert.deepEqual(first.takeJobs().toSorted(), ['count-cells', 'cover-cells', 'read-cells', 'read-cells']);
  assert.deepEqual(await first.measure({ hits: scenes, area }, aTicket), found);
  assert.deepEqual(first.takeJobs(), ['count-cells']);
  await first.measure({ hits: scenes, area: areaOf(20, 30, 60, 50) }, aTicket);
  assert.deepEqual(first.takeJobs(), ['cover-cells', 'count-cells'], 'its cell is known');
  await first.measure({ hits: scenes, area: areaOf(20, 120, 60, 140) }, aTicket);
  assert.deepEqual(
    first.takeJobs(),
    ['cover-cells', 'read-cells', 'read-cells', 'count-cells'],
    'the cell below it is not',
  );
  assert.equal(store.cells.size, 6);
  assert.ok(
    [...store.cells.values()].every(({ pixels }) => pixels.length < 700),
    'packed',
  );

  // Another process, which has no record in its memory and needs none.
  const other = makeCoverageHere(jobs, { scenes: [], store });
  assert.deepEqual(await other.measure({ hits: scenes, area }, aTicket), found);
  assert.deepEqual(other.takeJobs(), ['cover-cells', 'count-cells']);
});

test('scenes with different grids, like those of Landsat, are measured together', async () => {
  const scenes: Scene[] = [];
  for (let day = 1; day <= 20; day += 1) {
    // Each ends one pixel further to the right.
    const width = MASK.width + day;
    const valueAt = (col: number): number => (col < 10 * day ? CLOUD : CLEAR);
    scenes.push(
      await writeTestScene(folder, { SCL: { ...MASK, width, valueAt } }, levelOf(day, { sceneId: 'wide' })),
    );
  }
  const { measure, takeJobs } = makeCoverageHere(jobs, { scenes });
  const request = { hits: scenes, area: areaOf(0, 50, 200, 60) };
  const found = plain(await measure(request, aTicket));
  assert.deepEqual(
    found,
    scenes.map((_, i) => [5 * (i + 1), 100]),
  );
  const kinds = takeJobs();
  assert.equal(kinds.filter((kind) => kind === 'cover-cells').length, 2);
  assert.equal(kinds.filter((kind) => kind === 'count-cells').length, 1);
  assert.deepEqual(plain(await measure(request, aTicket)), found);
  assert.deepEqual(takeJobs(), ['count-cells']);
});

test('a new version of a scene is read again, and a hit without a version uses that of its record', async () => {
  const before = await makeDay(5);
  const { version: _, ...record } = before;
  const renewed = toScene({ ...record, cloudPercent: 77 });
  const scenes = [before];
  const { measure, takeJobs } = makeCoverageHere(jobs, { scenes });
  const area = areaOf(0, 0, 100, 100);
  assert.deepEqual(plain(await measure({ hits: [before], area }, aTicket)), [[50, 100]]);
  takeJobs();
  scenes[0] = renewed;
  assert.deepEqual(plain(await measure({ hits: [renewed], area }, aTicket)), [[50, 100]]);
  assert.deepEqual(takeJobs(), ['read-cells', 'count-cells']);
  // As live catalogs list it.
  assert.deepEqual(plain(await measure({ hits: [{ ...renewed, version: '' }], area }, aTicket)), [[50, 100]]);
  assert.deepEqual(takeJobs(), ['count-cells']);
});

test('a scene without a cloud mask has only data, and says why; one without a regular grid has nothing', async () => {
  const band = { width: 100, height: 100, pixelM: 10, valueAt: (col: number) => (col < 25 ? 0 : 900) };
  const bare = await writeTestScene(folder, { B04: band }, { viewId: 'S2/31/T/DH/2026/6/9/0' });
  const lattice = { cols: [0, 10], rows: [0, 10], x: [2, 3, 2, 3], y: [43, 43, 42, 42] };
  const radar: Scene = {
    ...toScene({
      ...bare,
      viewId: 'S1/1',
      dataset: 'sentinel1',
      assets: { VV: { ...toTestAsset('VV', { width: 10, height: 10, pixelM: 10 }), lattice } },
    }),
  };
  const scenes = [bare, radar];
  const { measure } = makeCoverageHere(jobs, { scenes });
  const found = await measure({ hits: scenes, area: toTestArea([0, 0, 50, 50]).geometry }, aTicket);
  assert.deepEqual(plain(found), [
    [null, 50],
    [null, null],
  ]);
  assert.deepEqual(
    found.map(({ problem }) => problem?.code),
    ['no-cloud-mask', 'no-grid'],
  );
});

test('a scene whose file is missing has a problem, and the others are measured', async () => {
  const good = await makeDay(6);
  const gone = toScene({
    ...good,
    ...levelOf(7),
    assets: { SCL: { ...good.assets.SCL!, href: 'no-such-file.tif' } },
  } as NewScene);
  const unlisted = { ...good, viewId: 'S2L2A/31/T/DH/2026/6/8/0' };
  const { measure } = makeCoverageHere(jobs, { scenes: [good, gone] });
  const found = await measure({ hits: [gone, good, unlisted], area: areaOf(0, 0, 120, 10) }, aTicket);
  assert.deepEqual(plain(found), [
    [null, null],
    [50, 100],
    [null, null],
  ]);
  assert.equal(found[2]?.problem?.code, 'scene-gone');
  assert.ok(found[0]?.problem !== null && found[1]?.problem === null);
});

test('the work of a call is bounded: the first scenes are measured, at least one, and the next call continues', async () => {
  const scenes = [await makeDay(1), await makeDay(2), await makeDay(3)];
  const area = areaOf(0, 0, 300, 100);
  const small = { ms: Number.POSITIVE_INFINITY, cells: 100, readCells: 6 };
  const { measure, takeJobs } = makeCoverageHere(jobs, { scenes, limits: small });
  const all = { hits: scenes, area };
  assert.equal((await measure(all, aTicket)).length, 2, 'three cells each');
  await turn();
  takeJobs();
  assert.equal((await measure(all, aTicket)).length, 3);
  assert.deepEqual(takeJobs(), ['read-cells', 'count-cells'], 'two were stored');

  const fewCells = makeCoverageHere(jobs, { scenes, limits: { ...small, cells: 1, readCells: 1 } });
  assert.equal((await fewCells.measure(all, aTicket)).length, 1);
});

test('after the time limit of a call no further scenes are started', async () => {
  const scene = await makeDay(2);
  const hits = Array.from({ length: 250 }, () => scene);
  let clockMs = 0;
  const { measure } = makeCoverageHere(jobs, {
    scenes: [scene],
    limits: { ms: 100, cells: Number.POSITIVE_INFINITY, readCells: Number.POSITIVE_INFINITY },
    nowMs: () => (clockMs += 60),
  });
  assert.equal((await measure({ hits, area: areaOf(0, 0, 10, 10) }, aTicket)).length, 200);
});

test('a search ends when its client disconnects', async () => {
  const scene = await makeDay(2);
  const { measure } = makeCoverageHere(jobs, { scenes: [scene] });
  const aborted = AbortSignal.abort();
  await assert.rejects(
    measure({ hits: [scene], area: areaOf(0, 0, 10, 10) }, { ...aTicket, signal: aborted }),
    { tag: 'cancelled' },
  );
});
