/** Areas of classes over the world's wildfire and flood, through a real service: the hectares are those of the truth. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTiff } from '../../src/formats/tiff/index.ts';
import { readBand } from '../../src/formats/tiff/testing/read-band.ts';
import type { World } from '../../world/ground/world.ts';
import { epsg, frame, spots } from '../../world/setting.ts';
import { ONE_THREAD, SERVICE_KEY } from '../support/start-swath.ts';
import { FIRE_SIDE_M, toFirePart } from './fire-parts.ts';
import { FLOOD, floodParts } from './flood-parts.ts';
import type { ServedProducts } from './serve-products.ts';
import { serveProducts } from './serve-products.ts';
import { openWorld } from './shared-world.ts';
import type { TrueGround } from './true-ground.ts';
import { around, isWater, surveyTruth, TRUTH_M, toHectares, toPolygon } from './true-ground.ts';

const FIRE = { before: '2026-08-02', after: '2026-08-17' } as const;

let world: World;
let served: ServedProducts;
before(async () => {
  world = await openWorld();
  served = await serveProducts({
    dataDir: mkdtempSync(join(tmpdir(), 'swath-classes-')),
    parts: [toFirePart('l2a', FIRE.before, 20), toFirePart('l2a', FIRE.after, 20), ...floodParts],
    env: { SWATH_DEMO: 'off', ...ONE_THREAD },
  });
});
after(() => served?.remove());

interface Measured {
  readonly separability: number | null;
  readonly classes: readonly { readonly label: string; readonly hectares: number }[];
}

async function send(body: object): Promise<Response> {
  const response = await fetch(`${served.swath.url}/api/classes`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) assert.fail(`${response.status} ${await response.text()}`);
  return response;
}

const measure = async (body: object): Promise<Measured> => (await (await send(body)).json()) as Measured;

const viewIdOf = (date: string): string => {
  const scene = served.scenes.find(({ acquiredAt }) => acquiredAt.startsWith(date));
  assert.ok(scene, date);
  return scene.viewId;
};

const near = (hectares: number, truth: number, share: number): void =>
  assert.ok(Math.abs(hectares / truth - 1) <= share, `${hectares} ha measured, ${truth} ha are true`);

const sum = (classes: Measured['classes'], labels: RegExp): number =>
  classes.filter(({ label }) => labels.test(label)).reduce((total, { hectares }) => total + hectares, 0);

/** The class of each square, from the image of the classes; 0 where it has none. */
async function readClasses(body: object, { x, y, columns, cover }: TrueGround) {
  const bytes = new Uint8Array(await (await send({ ...body, format: 'geotiff' })).arrayBuffer());
  const tiff = await openTiff({
    id: 'classes',
    version: '1',
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + length),
    close: async () => {},
  });
  const [image] = tiff.images;
  const pixels = await readBand(tiff, image, 0);
  const [left = 0, pixelM = 1, , top = 0] = tiff.transform ?? [];
  assert.equal(tiff.epsg, epsg);
  return cover.map((_, i) => {
    const east = frame.west + x + ((i % columns) + 0.5) * TRUTH_M;
    const north = frame.north - y - (Math.floor(i / columns) + 0.5) * TRUTH_M;
    const [column, row] = [Math.floor((east - left) / pixelM), Math.floor((top - north) / pixelM)];
    return column >= 0 && column < image.width ? (pixels[row * image.width + column] ?? 0) : 0;
  });
}

/** Of the squares that were found, the share that is true; of those that are true, the share that was found. */
function compare(found: readonly boolean[], truth: readonly boolean[]) {
  const both = found.filter((one, i) => one && truth[i]).length;
  return { right: both / found.filter(Boolean).length, seen: both / truth.filter(Boolean).length };
}

test('burn severity: the ground that burnt is measured within 5 %, where it burnt', async () => {
  const box = around(spots.fire, FIRE_SIDE_M - 400);
  const body = {
    geometry: toPolygon(box),
    preset: 'burn-severity',
    view_id: viewIdOf(FIRE.after),
    before_view_id: viewIdOf(FIRE.before),
  };
  const { classes } = await measure(body);
  const truth = surveyTruth(world, box, FIRE.after);
  // The lowest class of severity begins where a tenth of the plants is gone.
  const isBurnt = Array.from(truth.burn, (severity) => severity / 255 >= 0.1);
  near(sum(classes, /severity$/), toHectares(isBurnt.filter(Boolean).length), 0.05);
  // Ground whose cover is burnt has lost a third.
  const isBlack = truth.cover.map((cover) => cover === 'burnt');
  near(sum(classes, /(moderate.*|high) severity$/), toHectares(isBlack.filter(Boolean).length), 0.05);
  const numbers = await readClasses(body, truth);
  const { right, seen } = compare(
    numbers.map((number) => number >= 4),
    isBurnt,
  );
  assert.ok(right > 0.97 && seen > 0.93, `${right} ${seen}`);
});

for (const sideM of [4_000, 8_000]) {
  test(`water by radar: ${sideM} m around the flood it is measured within 10 %, where it stands`, async () => {
    const box = around(spots.flood, sideM);
    const body = { geometry: toPolygon(box), preset: 'radar-water', view_id: viewIdOf(FLOOD.after) };
    const { classes, separability } = await measure(body);
    const truth = surveyTruth(world, box, FLOOD.after);
    const wet = truth.cover.map(isWater);
    near(sum(classes, /water/), toHectares(wet.filter(Boolean).length), 0.1);
    assert.ok(separability !== null && separability > 0.75, `${separability}`);
    const numbers = await readClasses(body, truth);
    const { right, seen } = compare(
      numbers.map((number) => number === 1),
      wet,
    );
    assert.ok(right > 0.9 && seen > 0.85, `${right} ${seen}`);
  });
}

test('the speckle filter makes water and land differ more', async () => {
  const body = {
    geometry: toPolygon(around(spots.flood, 4_000)),
    preset: 'radar-water',
    view_id: viewIdOf(FLOOD.after),
  };
  const [filtered, raw] = [await measure(body), await measure({ ...body, speckle: 'none' })];
  assert.ok(filtered.separability! > raw.separability!, `${filtered.separability} ${raw.separability}`);
});
