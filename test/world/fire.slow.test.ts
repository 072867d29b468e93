/** PR_FD over the world's wildfire, through a real service: it shows what burnt, and nothing before it did. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { sensorByAbbreviation } from '../../src/sensors/index.ts';
import { toLocalPoint } from '../../world/demo/truth.ts';
import { covers } from '../../world/ground/ground.ts';
import type { World } from '../../world/ground/world.ts';
import { expose } from '../../world/light/index.ts';
import { spots } from '../../world/setting.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import { atMs, CLEAR, FIRE_SIDE_M, toFirePart } from './fire-parts.ts';
import { toSpectral } from './see-product.ts';
import { copyParts, openWorld } from './shared-world.ts';

/** The fire burnt from 9 to 11 August. */
const [LONG_BEFORE, BEFORE, AFTER] = ['2026-07-18', '2026-08-02', '2026-08-17'] as const;

let world: World;
let swath: RunningSwath;
before(async () => {
  world = await openWorld();
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-fire-'));
  const parts = [
    ...[LONG_BEFORE, BEFORE, AFTER].map((date) => toFirePart('l2a', date)),
    ...[BEFORE, AFTER].map((date) => toFirePart('l1c', date)),
  ];
  await copyParts(parts, ({ key }) => join(dataDir, 'products', key));
  const { status, stderr } = await runSwath(['ingest', 'folder', join(dataDir, 'products')], {
    SWATH_DATA: dataDir,
    SWATH_DEMO: 'off',
  });
  assert.equal(status, 0, stderr);
  swath = await startSwath({ dataDir, env: { SWATH_LOG: 'warn', ...ONE_THREAD } });
});
after(async () => {
  await swath?.stop();
  rmSync(swath.dataDir, { recursive: true });
});

const TILE = { z: 11, x: 330, y: 711 };
/** Grey levels from black to white, so that a level is a fifth of a unit. */
const [LOW, HIGH] = [-10, 41];
/** Locations to look at, in pixels of the tile. */
const STEP_PX = 6;

const toDate = (date: string): string => date.split('-').map(Number).join('/');

async function draw(sensor: string, date: string, query = `?MIN_MAX=${LOW},${HIGH}&RESAMPLE=near`) {
  const { z, x, y } = TILE;
  const path = `${sensor}/10/U/EU/${toDate(date)}/0/PR_FD/${z}/${x}/${y}${query}`;
  const response = await fetch(`${swath.url}/api/render/${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get('content-type'), 'image/png');
  const rgba = await sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
  return rgba;
}

/** What a drawn pixel says; null where it is transparent. */
const valueAt = (rgba: Buffer, at: number): number | null =>
  rgba[4 * at + 3] === 0 ? null : LOW + ((rgba[4 * at] as number) / 255) * (HIGH - LOW);

const s2 = sensorByAbbreviation('S2L2A');
assert.ok(s2);
/** Bands of PR_FD, as the world is asked for them. */
const bands = s2.bands.filter(({ name }) => ['B04', 'B08', 'B8A', 'B09', 'B11', 'B12'].includes(name));

interface Sample {
  readonly at: number;
  readonly hadTrees: boolean;
  readonly isBare: boolean;
  readonly isBurnt: boolean;
  /** FIDET of the day after minus that of the day before. */
  readonly change: number;
}

/** Locations of the tile that the scenes show, with what the world knows of them. */
function listSamples(): readonly Sample[] {
  const samples = { at: [] as number[], x: [] as number[], y: [] as number[] };
  const side = 2 ** TILE.z;
  const reachM = FIRE_SIDE_M / 2 - 200;
  for (let row = 3; row < 256; row += STEP_PX) {
    for (let column = 3; column < 256; column += STEP_PX) {
      const longitude = ((TILE.x + (column + 0.5) / 256) / side) * 360 - 180;
      const mercator = Math.PI * (1 - (2 * (TILE.y + (row + 0.5) / 256)) / side);
      const { x, y } = toLocalPoint(longitude, (Math.atan(Math.sinh(mercator)) * 180) / Math.PI);
      if (Math.abs(x - spots.fire.x) > reachM || Math.abs(y - spots.fire.y) > reachM) continue;
      samples.at.push(row * 256 + column);
      // The middle of the pixel of 60 m that it lies in.
      samples.x.push(Math.floor(x / 60) * 60 + 30);
      samples.y.push(Math.floor(y / 60) * 60 + 30);
    }
  }
  const survey = world.ground.survey({
    width: samples.at.length,
    height: 1,
    sideM: 60,
    x: Float64Array.from(samples.x),
    y: Float64Array.from(samples.y),
  });
  const see = (date: string) => {
    const { painted, planes } = expose(world, {
      survey,
      bands: bands.map(toSpectral),
      atMs: atMs(date),
      sky: CLEAR,
      level: 'surface',
    });
    const plane = (name: string) => planes[bands.findIndex((band) => band.name === name)] as Float32Array;
    const share = (one: string, other: string, i: number): number =>
      (plane(one)[i]! - plane(other)[i]!) / (plane(one)[i]! + plane(other)[i]!);
    const fidet = (i: number): number => plane('B12')[i]! / (plane('B8A')[i]! * plane('B09')[i]!);
    return { cover: painted.cover, share, fidet };
  };
  const [old, now] = [see(BEFORE), see(AFTER)];
  return samples.at.map((at, i) => ({
    at,
    hadTrees: old.share('B08', 'B04', i) >= 0.5 && old.share('B08', 'B11', i) >= 0.1,
    isBare: old.share('B08', 'B04', i) < 0.45,
    isBurnt: covers[now.cover[i] as number] === 'burnt',
    change: now.fidet(i) - old.fidet(i),
  }));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

for (const sensor of ['S2L2A', 'S2']) {
  test(`${sensor}: burnt forest stands out, other forest does not, and what was none is transparent`, async () => {
    const rgba = await draw(sensor, AFTER);
    const found = listSamples().map((sample) => ({ ...sample, value: valueAt(rgba, sample.at) }));
    const forest = found.filter(({ hadTrees, value }) => hadTrees && value !== null);
    const burnt = forest.filter(({ isBurnt }) => isBurnt);
    const spared = forest.filter(({ isBurnt }) => !isBurnt);
    assert.ok(forest.length > 0.95 * found.filter(({ hadTrees }) => hadTrees).length);
    assert.ok(burnt.length > 30 && spared.length > 50, `${burnt.length} burnt, ${spared.length} not`);
    const valuesOf = (samples: typeof found) => samples.map(({ value }) => value as number);
    assert.ok(median(valuesOf(burnt)) > 5, `${median(valuesOf(burnt))}`);
    assert.ok(Math.abs(median(valuesOf(spared))) < 0.5, `${median(valuesOf(spared))}`);
    const bare = found.filter(({ isBare }) => isBare);
    assert.ok(bare.length > 5 && bare.every(({ value }) => value === null), `${bare.length} without trees`);
    if (sensor === 'S2') return;
    // Ground reflectance is known: what is drawn is the change, to a grey level and the noise of the detectors.
    const off = forest.map(({ value, change }) => Math.abs((value as number) - change) / (1 + change / 20));
    assert.ok(median(off) < 0.25, `${median(off)}`);
  });
}

test('between two scenes before the fire next to nothing changed', async () => {
  const rgba = await draw('S2L2A', BEFORE);
  const values = Array.from({ length: 256 * 256 }, (_, at) => valueAt(rgba, at)).filter((v) => v !== null);
  assert.ok(values.length > 5_000, `${values.length}`);
  const changed = values.filter((value) => Math.abs(value) > 3).length;
  assert.ok(changed < 0.01 * values.length, `${changed} of ${values.length}`);
});

test('without an earlier scene all is transparent, with the contrast of the scene as well', async () => {
  for (const [sensor, date] of [
    ['S2L2A', LONG_BEFORE],
    ['S2', BEFORE],
  ] as const) {
    assert.ok((await draw(sensor, date, '')).every((level) => level === 0));
  }
  const stretched = await draw('S2L2A', AFTER, '');
  const levels = new Set(stretched.filter((_, i) => i % 4 === 0));
  assert.ok(levels.size > 100, 'its own contrast is measured over both scenes');
});

const ask = async (path: string) => {
  const response = await fetch(`${swath.url}/api/render/${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('points and ranges of the change are those of its picture', async () => {
  const scene = (date: string): string => `10/U/EU/${toDate(date)}/0`;
  const rgba = await draw('S2L2A', AFTER);
  const [{ at } = { at: 0 }] = listSamples().filter(
    (sample) => sample.isBurnt && sample.hadTrees && (valueAt(rgba, sample.at) ?? 0) > 5,
  );
  const side = 2 ** TILE.z;
  const lon = ((TILE.x + ((at % 256) + 0.5) / 256) / side) * 360 - 180;
  const mercator = Math.PI * (1 - (2 * (TILE.y + (Math.floor(at / 256) + 0.5) / 256)) / side);
  const latLon = `${(Math.atan(Math.sinh(mercator)) * 180) / Math.PI}/${lon}`;
  const value = (await ask(`S2L2A/point/${scene(AFTER)}/PR_FD/${latLon}`)).body.index_value;
  assert.ok(typeof value === 'number' && Math.abs(value - (valueAt(rgba, at) as number)) <= 0.11, `${value}`);
  assert.deepEqual((await ask(`S2L2A/point/${scene(LONG_BEFORE)}/PR_FD/${latLon}`)).body, {
    index_value: null,
  });
  const range = (await ask(`S2L2A/ir/${scene(AFTER)}/PR_FD?cloud=0`)).body;
  assert.ok((range.max as number) > 5 && (range.min as number) < 1, JSON.stringify(range));
  assert.equal((await ask(`S2L2A/ir/${scene(LONG_BEFORE)}/PR_FD`)).status, 422);
});
