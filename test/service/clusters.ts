/** Classes of the demo scene over HTTP: fitted to an area, without small patches, the same in every tile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { listDemoTiles } from '../support/demo-grid.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';

const demo = serveDemo();

const headers = { 'x-api-key': SERVICE_KEY };
const render = (tile: string, query: string) =>
  fetch(
    `${demo.swath.url}/api/render/${DEMO_SCENE.viewId}/NDVI/${tile}?CLUSTERING=kmeans&mimetype=image/png${query}`,
    {
      headers,
    },
  );

async function readPixels(tile: string, query: string): Promise<Uint32Array> {
  const response = await render(tile, query);
  assert.equal(response.status, 200, await response.clone().text());
  const rgba = await sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
  return new Uint32Array(new Uint8Array(rgba).buffer);
}

/** How often a pixel differs from the one to its left. */
const countEdges = (pixels: Uint32Array): number =>
  pixels.reduce((sum, value, i) => sum + (i > 0 && value !== pixels[i - 1] ? 1 : 0), 0);

test('a scene and an area have classes, with and without small patches', async () => {
  const [tile = ''] = listDemoTiles(demo.grid, 14).inside;
  const whole = await readPixels(tile, '&CLUSTERS_NO=4');
  assert.equal(new Set(whole).size, 4);

  const [middleX, middleY] = [demo.grid.width / 2, demo.grid.height / 2];
  const corner = (dx: number, dy: number) => demo.grid.toDegrees([middleX + dx, middleY + dy]);
  const ring = [
    corner(-150, -150),
    corner(150, -150),
    corner(150, 150),
    corner(-150, 150),
    corner(-150, -150),
  ];
  const created = await fetch(`${demo.swath.url}/api/render/cropper`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: [ring] },
    }),
  });
  const { cropper_ref: ref } = (await created.json()) as { cropper_ref: string };
  assert.match(ref, /^[0-9a-f]{32}$/);
  let [before, after] = [0, 0];
  for (const name of [...listDemoTiles(demo.grid, 14).inside, ...listDemoTiles(demo.grid, 14).edge]) {
    const [all, sieved] = [
      await readPixels(name, `&cropper_ref=${ref}`),
      await readPixels(name, `&cropper_ref=${ref}&MIN_AREA=5000`),
    ];
    // Both show the same ground.
    assert.ok(all.every((color, i) => (color === 0) === (sieved[i] === 0)));
    before += countEdges(all);
    after += countEdges(sieved);
  }
  assert.ok(before > 0 && after < 0.8 * before, `${after} edges of ${before} are left`);
});

test('MIN_AREA without an area is 422 with the reason', async () => {
  const [tile = ''] = listDemoTiles(demo.grid, 14).inside;
  const response = await render(tile, '&MIN_AREA=2000');
  assert.equal(response.status, 422);
  assert.match(((await response.json()) as { error: string }).error, /cropper_ref/);
});
