/** One real service with the demo scene, asked the way a client would. */
import assert from 'node:assert/strict';
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { openTiff, readBlock } from '../../src/formats/tiff/index.ts';
import { makeOpenSource } from '../../src/sources/index.ts';
import { whenHolds } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import type { DemoGrid } from '../support/demo-grid.ts';
import { listDemoTiles, readDemoGrid, toMercator } from '../support/demo-grid.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';

const { viewId: VIEW, folder: FOLDER, dataset: DATASET } = DEMO_SCENE;
const AWAY = '10/0/0';

let swath: RunningSwath;
let grid: DemoGrid;
/** Tiles wholly inside of the scene, of zooms 14 and 15, and one on its edge. */
let [INSIDE, EDGE, CLOSER]: [string, string, readonly string[]] = ['', '', []];
before(async () => {
  swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'warn' } });
  await waitUntilReady(swath.url);
  grid = await readDemoGrid(swath.dataDir);
  const { inside, edge } = listDemoTiles(grid, 14);
  [INSIDE = '', EDGE = ''] = [inside[0], edge[0]];
  CLOSER = listDemoTiles(grid, 15).inside;
  assert.ok(CLOSER.length >= 12);
});
after(async () => {
  await swath?.stop();
  rmSync(swath.dataDir, { recursive: true });
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(swath.url + path, { headers: { 'x-api-key': SERVICE_KEY, ...headers } });
const render = (tile: string, query = '', bands = 'B04,B03,B02') =>
  ask(`/api/render/${VIEW}/${bands}/${tile}${query}`);

async function readPixels(response: Response): Promise<Uint8Array> {
  assert.equal(response.status, 200, await response.clone().text());
  const { data, info } = await sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [256, 256]);
  return data;
}

test('search finds the demo scene, and its tile template works', async () => {
  const response = await fetch(`${swath.url}/api/lms/search/v2/${DATASET}`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({
      search: {
        shape: { type: 'Point', coordinates: grid.toDegrees([300, 300]) },
        cloudCoverage: { to: 20 },
      },
    }),
  });
  const { meta, results } = (await response.json()) as {
    meta: { found: number };
    results: { view_id: string; tms: string }[];
  };
  assert.equal(meta.found, 1);
  assert.equal(results[0]?.view_id, VIEW);
  const [z = '', x = '', y = ''] = INSIDE.split('/');
  const url =
    results[0]?.tms.replace('{band}', 'B08').replace('{z}', z).replace('{x}', x).replace('{y}', y) ?? '';
  assert.equal((await fetch(`${url}?api_key=${SERVICE_KEY}`)).status, 200);
});

/** How the provider says to turn the file's numbers into reflectance: baselines differ, and so do their copies. */
function readCalibration(): { readonly scale: number; readonly offset: number } {
  const [name = ''] = globSync('*.json', { cwd: join(swath.dataDir, FOLDER) });
  const item = JSON.parse(readFileSync(join(swath.dataDir, FOLDER, name), 'utf8')) as {
    properties: Record<string, unknown>;
    assets: { red: { 'raster:bands': { scale: number; offset: number }[] } };
  };
  const [band] = item.assets.red['raster:bands'];
  assert.ok(band !== undefined);
  // Both fields of the item agree: without the flag the offset would have to be added.
  assert.equal(item.properties['earthsearch:boa_offset_applied'], band.offset === 0);
  return band;
}

test('a tile shows the right pixel of the file at every position', async () => {
  const pixels = await readPixels(
    await render(INSIDE, '?RESAMPLE=near&MIN_MAX=0,5000&mimetype=image/png', 'B04'),
  );
  const { scale, offset } = readCalibration();
  const source = await makeOpenSource({ dataDir: swath.dataDir })(`${FOLDER}/B04.tif`);
  const tiff = await openTiff(source);
  const [image] = tiff.images;
  const tile = INSIDE.split('/').map(Number) as [number, number, number];
  let compared = 0;
  for (let row = 3; row < 256; row += 7) {
    for (let column = 2; column < 256; column += 5) {
      const [px, py] = grid.fromMercator(toMercator(tile, column + 0.5, row + 0.5));
      // A centre within a hundredth of a pixel of an edge may fall to either side.
      if ([px, py].some((position) => Math.abs(position - Math.round(position)) < 0.01)) continue;
      const [column0, row0] = [Math.floor(px / image.blockWidth), Math.floor(py / image.blockHeight)];
      const block = await readBlock(tiff, image, { band: 0, column: column0, row: row0 });
      const stored =
        block.pixels[
          (Math.floor(py) % image.blockHeight) * image.blockWidth + (Math.floor(px) % image.blockWidth)
        ];
      // A contrast counts ten-thousandths of reflectance, whatever the file counts.
      const value = Math.round(((stored as number) * scale + offset) * 10_000);
      const level = Math.min(255, Math.max(0, Math.floor((value / 5000) * 255 + 0.5)));
      assert.equal(pixels[(row * 256 + column) * 4], level, `at column ${column}, row ${row}`);
      compared += 1;
    }
  }
  await source.close();
  assert.ok(compared > 1_500);
});

test('the default picture is opaque JPEG inside, transparent PNG at the edge and outside', async () => {
  const inside = await render(INSIDE);
  assert.equal(inside.headers.get('content-type'), 'image/jpeg');
  const pixels = await readPixels(inside);
  const mean = pixels.reduce((sum, value, i) => sum + (i % 4 === 3 ? 0 : value), 0) / (256 * 256 * 3);
  assert.ok(mean > 40 && mean < 200, `the contrast leaves a mean level of ${mean}`);

  const edge = await render(EDGE);
  assert.equal(edge.headers.get('content-type'), 'image/png');
  const alphas = new Set((await readPixels(edge)).filter((_, i) => i % 4 === 3));
  assert.deepEqual([...alphas].sort(), [0, 255]);

  const away = await render(AWAY);
  assert.equal(away.headers.get('content-type'), 'image/png');
  assert.ok((await readPixels(away)).every((value) => value === 0));
  const black = await render(AWAY, '?mimetype=image/jpeg');
  assert.equal(black.headers.get('content-type'), 'image/jpeg');
});

test('features at the edge of a tile continue in its neighbour', async () => {
  const [, x = 0, y = 0] = INSIDE.split('/').map(Number);
  const query = '?RESAMPLE=near&mimetype=image/png&MIN_MAX=0,5000';
  const upper = await readPixels(await render(`15/${2 * x}/${2 * y}`, query, 'B08'));
  const right = await readPixels(await render(`15/${2 * x + 1}/${2 * y}`, query, 'B08'));
  // At zoom 15 a source pixel spans three tile pixels, so most neighbours over the edge are the same pixel.
  let equal = 0;
  for (let row = 0; row < 256; row += 1)
    equal += Number(upper[(row * 256 + 255) * 4] === right[row * 256 * 4]);
  assert.ok(equal > 120, `${equal} of 256 rows go on over the edge`);
});

test('the same tile has the same ETag, and a 304 renders nothing', async () => {
  const first = await render(INSIDE);
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[0-9a-f]{32}"$/);
  const again = await ask(`/api/render/${VIEW}/B04,B03,B02/${INSIDE}`, { 'if-none-match': etag });
  assert.equal(again.status, 304);
  assert.equal((await again.arrayBuffer()).byteLength, 0);
  assert.deepEqual(
    new Uint8Array(await (await render(INSIDE)).arrayBuffer()),
    new Uint8Array(await first.arrayBuffer()),
  );
});

test('concurrent equal tiles share a render', async () => {
  const countJoined = async () => {
    const text = await (await ask('/metrics')).text();
    return Number(/swath_pool_jobs_total\{outcome="joined"\} (\d+)/.exec(text)?.[1]);
  };
  // Each time another picture: requests that a busy machine sends too late find the one of the first.
  let maximum = 4321;
  await whenHolds(async () => {
    const before = await countJoined();
    const query = `?MIN_MAX=0,${maximum++}`;
    const answers = await Promise.all(Array.from({ length: 100 }, () => render(INSIDE, query)));
    // More than one key may have inside of different ones: these share one slot.
    assert.ok(answers.every(({ status }) => status === 200));
    const joined = (await countJoined()) - before;
    assert.ok(joined >= 10, `${joined} of 100 equal requests shared another's render`);
  });
});

test('HEAD of a tile has the headers of GET', async () => {
  const url = `${swath.url}/api/render/${VIEW}/B04,B03,B02/${INSIDE}`;
  const headers = { 'x-api-key': SERVICE_KEY };
  const [get, head] = [await fetch(url, { headers }), await fetch(url, { headers, method: 'HEAD' })];
  const { byteLength } = await get.arrayBuffer();
  assert.ok(byteLength > 1000);
  for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
    assert.equal(head.headers.get(name), get.headers.get(name), name);
  }
  assert.equal(head.headers.get('content-length'), String(byteLength));
  assert.equal((await head.arrayBuffer()).byteLength, 0);
});

test('a damaged or missing file is 502, never a hole and never cached; once restored, it is drawn again', async () => {
  const path = join(swath.dataDir, FOLDER, 'B05.tif');
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  truncateSync(path, 40_000);
  const broken = await render(INSIDE, '?MIN_MAX=0,5000', 'B05');
  assert.equal(broken.status, 502);
  assert.equal(broken.headers.get('cache-control'), 'no-store');
  const body = (await broken.json()) as { error: string };
  assert.ok(!body.error.includes(swath.dataDir), 'no path in an answer');
  // The log names scene and band.
  await swath.printed(/S2L2A\/10\/U\/EU\/2026\/6\/21\/1 B05/);
  renameSync(copy, path);
  assert.equal((await render(INSIDE, '?MIN_MAX=0,5000', 'B05')).status, 200);
});

test('unknown scenes, bands and tiles are refused as the interface documents', async () => {
  assert.equal((await ask(`/api/render/S2L2A/10/U/EU/2026/6/22/1/B04/${INSIDE}`)).status, 404);
  assert.equal((await render('14/1/99999999')).status, 404);
  const wrong = await render(INSIDE, '', 'B99');
  assert.equal(wrong.status, 422);
  assert.equal(((await wrong.json()) as { status: boolean }).status, false);
  const raw = await ask('/api/render/S2/..%2f..%2f..%2fetc/passwd/B04/0/0/0');
  assert.equal(raw.status, 404);
});

test('SIGTERM under load answers every request, cuts off none, and then exits with 0', async () => {
  const tiles = CLOSER.slice(0, 12).map((tile, i) => render(tile, `?MIN_MAX=0,${5000 + i}`));
  // As soon as the first answer is there, the others are under way.
  await Promise.race(tiles);
  const ended = swath.stop('SIGTERM');
  const statuses = (await Promise.all(tiles)).map(({ status }) => status);
  assert.ok(
    statuses.every((status) => status === 200 || status === 503),
    statuses.join(),
  );
  assert.equal(await ended, 0);
});
