import assert from 'node:assert/strict';
import { linkSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listLiveFiles } from '../support/live-files.ts';
import { ONE_THREAD, runSwath, startSwath } from '../support/start-swath.ts';
import { makeTaskClient } from '../support/task-client.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

const SCENES = 6;
const BANDS = ['B04', 'B08'];

/** The demo's scene, and the same files under other dates. */
async function makeData(): Promise<string> {
  const dataDir = await makeDemoData();
  made.push(dataDir);
  const source = join(dataDir, DEMO_SCENE.folder);
  for (let serial = 1; serial <= SCENES; serial += 1) {
    const id = `S2B_10UEU_2026070${serial}_0_L2A`;
    const folder = join(dataDir, 'series', id);
    mkdirSync(folder, { recursive: true });
    for (const band of BANDS) linkSync(join(source, `${band}.tif`), join(folder, `${band}.tif`));
    const item = {
      type: 'Feature',
      stac_version: '1.0.0',
      id,
      bbox: [-123, 48, -122, 49],
      properties: {
        datetime: `2026-07-0${serial}T19:00:00Z`,
        'eo:cloud_cover': 0,
        'earthsearch:boa_offset_applied': true,
        's2:processing_baseline': '05.11',
      },
      geometry: null,
      links: [],
      assets: Object.fromEntries(BANDS.map((band) => [band, { href: `./${band}.tif`, type: 'image/tiff' }])),
    };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(item));
  }
  const { status, stderr } = await runSwath(['ingest', 'folder', join(dataDir, 'series')], {
    SWATH_DATA: dataDir,
  });
  assert.equal(status, 0, stderr);
  return dataDir;
}

/** A worker that is silent for so long has died. */
const env = { ...ONE_THREAD, SWATH_TASK_LEASE_MS: '2000' };

/** Small fields side by side. */
const features = Array.from({ length: 1_500 }, (_, i) => {
  const [west, south] = [-122.44 + 0.0012 * (i % 50), 48.2 + 0.0012 * Math.floor(i / 50)];
  const ring = [
    [west, south],
    [west + 0.001, south],
    [west + 0.001, south + 0.001],
    [west, south + 0.001],
    [west, south],
  ];
  return { type: 'Feature', id: i, properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } };
});

const orderOf = (reference: string) => ({
  type: 'mt_stats',
  params: {
    bm_type: ['NDVI', 'B04', 'B08', 'B08/B04', 'B08-B04', 'B04+B08'],
    sensors: ['sentinel2l2a'],
    date_start: '2026-07-01',
    date_end: '2026-07-31',
    collection: { type: 'FeatureCollection', features },
    format: 'parquet',
    reference,
  },
});

/** Parts of tasks in the store of results, with the times at which they were stored. */
function listParts(dataDir: string): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  for (const path of listLiveFiles(join(dataDir, 'results'))) {
    const found = /\.part-\d+-\d+$/.test(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (found !== undefined) parts.set(path, found.mtimeMs);
  }
  return parts;
}

test('a service that is killed repeatedly continues from its stored parts, and the table is the same', async (t) => {
  const dataDir = await makeData();
  let id = '';
  let known: ReadonlyMap<string, number> = new Map();
  for (const parts of [1, 3]) {
    const swath = await startSwath({ dataDir, env });
    t.after(() => swath.stop('SIGKILL'));
    if (id === '') id = await makeTaskClient(swath).order(orderOf('killed'));
    await waitFor(() => listParts(dataDir).size >= parts);
    assert.equal(await swath.stop('SIGKILL'), 'SIGKILL');
    const now = listParts(dataDir);
    for (const [name, stored] of known) assert.equal(now.get(name), stored, 'no part is measured again');
    known = now;
  }
  const last = await startSwath({ dataDir, env });
  t.after(() => last.stop('SIGKILL'));
  const { order, readFile } = makeTaskClient(last);
  const resumed = await readFile(id);
  for (const [name, stored] of known) assert.equal(listParts(dataDir).get(name), stored);
  assert.deepEqual(resumed, await readFile(await order(orderOf('calm'))));
  assert.match(resumed.name, /\.parquet$/);
  assert.equal(await last.stop(), 0);
});
