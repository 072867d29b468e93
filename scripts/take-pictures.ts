/**
 * Takes the pictures of the documentation and writes its gallery, from a real service with the demo world; those of the
 * viewer in a real browser: `npm run pictures`. `--data DIR` takes a data directory in which `swath demo` has been run
 * already; `--only viewer` takes those of the viewer alone, in about two minutes, `--only jobs` those of its twelve jobs,
 * `--only earth` those of the viewer over a made-up Earth, and `--only gallery` all others.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEMO_SCENE } from '../test/support/demo-data.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../test/support/start-swath.ts';
import { drawFieldCurve } from './draw-field-curve.ts';
import type { Mosaic } from './draw-mosaic.ts';
import { drawMosaic } from './draw-mosaic.ts';
import { takeGallery } from './gallery/take-gallery.ts';
import { takeEarthPictures } from './take-earth-pictures.ts';
import { takeViewerPictures } from './take-viewer-pictures.ts';

const NATURAL = '&STRETCH=natural';

const FOLDER = 'docs/images';

/** What docs/use/demo-world.md shows: from far above, fields in false colours and by NDVI, the flood by radar. */
async function planMosaics(url: string): Promise<Readonly<Record<string, Mosaic>>> {
  const fields = { longitude: -122.4025, latitude: 48.2216, zoom: 14, tiles: 3 };
  const plain = { longitude: -122.4, latitude: 48.225, zoom: 12, tiles: 2 };
  return {
    'world-true-colour': {
      viewId: 'S2L2A/10/U/EU/2025/7/17/1',
      bands: 'B04,B03,B02',
      query: NATURAL,
      longitude: -122.26,
      latitude: 48.255,
      zoom: 9,
      tiles: 2,
    },
    'world-false-colour': {
      ...fields,
      viewId: DEMO_SCENE.viewId,
      bands: 'B08,B04,B03',
      query: NATURAL,
    },
    'world-ndvi': { ...fields, viewId: DEMO_SCENE.viewId, bands: 'NDVI' },
    'world-radar': { ...plain, viewId: await findRadar(url, '2025-12-11'), bands: 'VV', query: NATURAL },
  };
}

/** Names of Sentinel-1 products end in arbitrary numbers. */
async function findRadar(url: string, date: string): Promise<string> {
  const response = await fetch(`${url}/api/lms/search/v2/sentinel1`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ search: { date: { from: date, to: date } } }),
  });
  const { results } = (await response.json()) as { results: readonly { view_id: string }[] };
  if (results[0] === undefined) throw new Error(`no Sentinel-1 scene of ${date}`);
  return results[0].view_id;
}

const keep = (name: string, bytes: Uint8Array): void => {
  writeFileSync(join(FOLDER, name), bytes);
  console.log(`${FOLDER}/${name}: ${bytes.length} bytes`);
};

/** All but those of the viewer. */
async function takeOthers(url: string): Promise<void> {
  for (const [name, mosaic] of Object.entries(await planMosaics(url))) {
    keep(`${name}.jpg`, await drawMosaic(url, mosaic));
  }
  keep('field-curve.svg', Buffer.from(await drawFieldCurve(url, SERVICE_KEY)));
  await takeGallery(url, keep);
}

/** Those of the demo world, all or some. */
async function takeOfDemo(data: string | undefined, only: string | undefined): Promise<void> {
  const dataDir = data ?? mkdtempSync(join(tmpdir(), 'swath-pictures-'));
  if (data === undefined) await runSwath(['demo'], { SWATH_DATA: dataDir });
  const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'warn' } });
  try {
    await waitUntilReady(swath.url);
    if (only === undefined || only === 'gallery') await takeOthers(swath.url);
    if (only !== 'gallery')
      await takeViewerPictures(swath.url, keepOfViewer, { areJobsOnly: only === 'jobs' });
  } finally {
    await swath.stop();
    if (data === undefined) rmSync(dataDir, { recursive: true });
  }
}

const keepOfViewer = (name: string, bytes: Uint8Array): void => keep(join('viewer', name), bytes);

const PARTS = ['viewer', 'jobs', 'gallery', 'earth'];
const { values } = parseArgs({ options: { data: { type: 'string' }, only: { type: 'string' } } });
if (values.only !== undefined && !PARTS.includes(values.only))
  throw new Error(`--only ${values.only}: there are ${PARTS.join(', ')}`);
mkdirSync(join(FOLDER, 'viewer'), { recursive: true });
if (values.only !== 'earth') await takeOfDemo(values.data, values.only);
if (values.only === undefined || values.only === 'earth') await takeEarthPictures(keepOfViewer);
