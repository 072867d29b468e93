/** A PlanetScope order as Planet delivers it: ingested by the command, found, drawn and masked by the service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import {
  kindOf,
  PLANETSCOPE_GRID,
  storedAt,
  writePlanetScope,
} from '../../src/ingest/families/testing/planetscope-product.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { sensors } from '../../src/sensors/index.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const ID = '20230915_103045_12_24c8';
const { epsg, west, north, pixel, size } = PLANETSCOPE_GRID;
const headers = { 'x-api-key': SERVICE_KEY };

let dataDir = '';
let swath: RunningSwath;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swath-planetscope-'));
  await writePlanetScope(join(dataDir, 'order', 'PSScene'), { id: ID });
  const { status, stdout, stderr } = await runSwath(['ingest', 'folder', join(dataDir, 'order'), '--json'], {
    SWATH_DATA: dataDir,
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, new RegExp(`"viewId": ?"PS/${ID}"`));
  swath = await startSwath({ dataDir, env: ONE_THREAD });
});

after(async () => {
  await swath?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The whole scene, pixel for pixel: its rectangle in its own reference system. */
async function draw(bands: string, query: string): Promise<(column: number, row: number) => number[]> {
  const [east, south] = [west + size * pixel, north - size * pixel];
  const bounds = `${west};${east};${epsg}/${north};${south};${epsg}`;
  const address = `${swath.url}/api/render/PS/${ID}/${bands}/12/${bounds}?TILE_SIZE=${size},${size}&mimetype=image/png&RESAMPLE=near&${query}`;
  const answer = await fetch(address, { headers });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { data, info } = await sharp(await answer.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [size, size]);
  return (column, row) => [...data.subarray(4 * (row * size + column), 4 * (row * size + column) + 4)];
}

const projection = makeProjection(epsg, 4326);
const toDegrees = (column: number, row: number) =>
  projection.forward(west + column * pixel, north - row * pixel);

type Position = readonly [column: number, row: number];
const FIELD: Position = [150, 150];
const SOIL: Position = [220, 150];
const CLOUD: Position = [256, 200];
const HAZE: Position = [256, 470];
const NOTHING: Position = [10, 10];

test('the chosen positions show what they should', () => {
  const kinds = [FIELD, SOIL, CLOUD, HAZE, NOTHING].map((position) => kindOf(...position));
  assert.deepEqual(kinds, ['field', 'soil', 'cloud', 'haze', 'nothing']);
});

test('a search of all datasets at once finds it', async () => {
  const answer = await fetch(`${swath.url}/api/lms/search/v2`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      search: { satellites: sensors.map(({ dataset }) => dataset), cloudCoverage: { to: 5 } },
    }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { results } = (await answer.json()) as { results: readonly Record<string, unknown>[] };
  assert.deepEqual(
    results.map(({ view_id, satellite, sceneID, date }) => [view_id, satellite, sceneID, date]),
    [[`PS/${ID}`, 'planetscope', ID, '2023-09-15']],
  );
});

test('bands are drawn in their order, and nothing beyond the frame', async () => {
  const at = await draw('RED,GREEN,BLUE', 'MIN_MAX=0,3000');
  // Red, green and blue are the sixth, fourth and second of eight.
  const wanted = (position: Position) =>
    [5, 3, 1].map((band) => Math.min(255, (255 * storedAt(band, ...position)) / 3000));
  for (const position of [FIELD, SOIL, CLOUD, HAZE]) {
    const [red = 0, green = 0, blue = 0, alpha] = at(...position);
    for (const [i, level] of [red, green, blue].entries())
      assert.ok(Math.abs(level - wanted(position)[i]!) <= 1, `${position}: ${[red, green, blue]}`);
    assert.equal(alpha, 255);
  }
  assert.equal(at(...NOTHING)[3], 0);
});

test('values are reflectance, and indices follow', async () => {
  const [column, row] = FIELD;
  const [lon, lat] = toDegrees(column + 0.5, row + 0.5);
  const ask = async (bands: string, query = '') => {
    const answer = await fetch(`${swath.url}/api/render/PS/point/${ID}/${bands}/${lat}/${lon}${query}`, {
      headers,
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { index_value: number }).index_value;
  };
  assert.equal(await ask('NIR'), 4200);
  assert.ok(Math.abs((await ask('NIR', '?CALIBRATE=1')) - 0.42) < 1e-6);
  assert.ok(Math.abs((await ask('NDVI')) - (4200 - 350) / (4200 + 350)) < 1e-6);
});

test('UDM2 clouds are drawn over a picture, haze is not by default, and outside the data there are none', async () => {
  const at = await draw('RED,GREEN,BLUE', 'MIN_MAX=0,3000&MASKING=CLOUD&MASK_COLOR=ff0000');
  assert.deepEqual(at(...CLOUD), [255, 0, 0, 255]);
  for (const position of [FIELD, SOIL, HAZE]) assert.notDeepEqual(at(...position).slice(0, 3), [255, 0, 0]);
  assert.equal(at(...NOTHING)[3], 0);
});

test('clouds are counted among pixels with data', async () => {
  const pixels = Array.from({ length: size * size }, (_, i) => kindOf(i % size, Math.floor(i / size)));
  const shareOf = (...kinds: readonly string[]) =>
    (100 * pixels.filter((kind) => kinds.includes(kind)).length) /
    pixels.filter((kind) => kind !== 'nothing').length;
  const count = async (query: string) => {
    const answer = await fetch(`${swath.url}/api/render/PS/ir/${ID}/RED?${query}`, { headers });
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { cloud: number }).cloud;
  };
  assert.ok(Math.abs((await count('')) - shareOf('cloud')) < 0.1);
  const [lon, lat] = toDegrees(0, 0);
  const box = `BBOX=${lon},${lat - 0.02},${lon + 0.03},${lat}`;
  assert.ok(Math.abs((await count(`only_opaque_cloud=0&${box}`)) - shareOf('cloud', 'haze')) < 0.5);
});
