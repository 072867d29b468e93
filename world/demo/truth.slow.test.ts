import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeProjection } from '../../src/proj/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { makeClimate } from '../climate/climate.ts';
import type { Field, Locations } from '../ground/ground.ts';
import { covers } from '../ground/ground.ts';
import { makeGround } from '../ground/index.ts';
import type { World } from '../ground/world.ts';
import { WORLD_SEED } from '../ground/world.ts';
import type { SkyPlan } from '../light/exposure.ts';
import { toPalette } from '../light/index.ts';
import type { TileWindow } from '../products/sentinel2/plan.ts';
import { writeSentinel2L2a } from '../products/sentinel2/write-sentinel2-l2a.ts';
import { epsg, fire, flood, frame, spots, toDay } from '../setting.ts';
import { readImage } from '../testing/read-image.ts';
import type { Truth } from './truth.ts';
import { findTruth, noonOf, toLocalPoint } from './truth.ts';

const sensor = sensorByDataset('sentinel2l2a')!;
const atMs = Date.parse('2026-06-21T19:10:00Z');
const clear: SkyPlan = { seed: 1, opaque: 0, cirrus: 0, haze: 0 };

// some seconds of work, so every test here looks at the same ground
let world: World;
let directory: string;
before(() => {
  const climate = makeClimate(WORLD_SEED);
  world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  directory = mkdtempSync(join(tmpdir(), 'swath-truth-'));
});
after(() => rmSync(directory, { recursive: true }));

/** Writes a small Level-2A product and opens its images. */
async function takePicture(window: TileWindow, sky: SkyPlan, sequence: number) {
  await writeSentinel2L2a(
    { satellite: 'S2A', atMs, sequence, baseline: '05.11', window, sky, seed: 5 },
    { world, directory },
  );
  const folder = readdirSync(directory).find((name) => name.includes(`_${sequence}_L2A`))!;
  return async (band: string) => (await readImage(join(directory, folder, `${band}.tif`))).bands[0]!;
}

const truthAt = (x: number, y: number, time = atMs, sky: SkyPlan | null = null): Truth =>
  findTruth(world, { x, y }, { sensor, atMs: time, sky });

function boxOf({ ring }: Field) {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return { minX: Math.min(...xs), maxX: Math.max(...xs), minY: Math.min(...ys), maxY: Math.max(...ys) };
}

/** Counts the sides that a ray to the east crosses. */
function isInRing(ring: Field['ring'], x: number, y: number): boolean {
  let isInside = false;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[ax, ay], [bx, by]] = [ring[i]!, ring[i + 1]!];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) isInside = !isInside;
  }
  return isInside;
}

/** Middles of pixels inside of a field, in local metres. */
function pixelsIn(field: Field, window: TileWindow): { readonly index: number; x: number; y: number }[] {
  const columns = window.width / 10;
  return Array.from({ length: columns * (window.height / 10) }, (_, index) => ({
    index,
    x: window.x + ((index % columns) + 0.5) * 10,
    y: window.y + (Math.floor(index / columns) + 0.5) * 10,
  })).filter(({ x, y }) => isInRing(field.ring, x, y));
}

test('the mean NDVI of a field equals that of its pixels in a product, at any location in it', async () => {
  const { x, y } = spots.farm;
  const near = world.ground.fieldsIn({ minX: x - 1500, minY: y - 1500, maxX: x + 1500, maxY: y + 1500 });
  const sizeOf = (field: Field) => {
    const { minX, maxX, minY, maxY } = boxOf(field);
    return Math.max(maxX - minX, maxY - minY);
  };
  const field = near.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]!;
  assert.ok(sizeOf(field) > 800, 'a large one');
  const { minX, maxX, minY, maxY } = boxOf(field);
  const floor = (metres: number) => Math.floor(metres / 60) * 60;
  const window = {
    x: floor(minX),
    y: floor(minY),
    width: floor(maxX - floor(minX)) + 60,
    height: floor(maxY - floor(minY)) + 60,
  };
  const read = await takePicture(window, clear, 0);
  const [red, nir] = [await read('B04'), await read('B08')];
  const pixels = pixelsIn(field, window);
  assert.ok(pixels.length > 500, `${pixels.length} pixels`);
  let sum = 0;
  for (const { index } of pixels) sum += (nir[index]! - red[index]!) / (nir[index]! + red[index]!);
  const measured = sum / pixels.length;
  const ends = [
    pixels[0]!,
    pixels.at(-1)!,
    pixels.toSorted((a, b) => a.x - b.x)[0]!,
    pixels.toSorted((a, b) => b.x - a.x)[0]!,
  ];
  for (const end of ends) {
    const { field: found } = truthAt(end.x, end.y);
    assert.equal(found?.id, field.id);
    assert.ok(Math.abs(found.meanNdvi - measured) < 0.001, `${found.meanNdvi}, in the product ${measured}`);
  }
});

test('a cloud is where the scene classification of a product marks it', async () => {
  const sky: SkyPlan = { seed: 247, opaque: 0.25, cirrus: 0.25, haze: 0.2 };
  const window = { x: 47_160, y: 61_920, width: 960, height: 960 };
  const classes = await (await takePicture(window, sky, 1))('SCL');
  const columns = 960 / 20;
  const kindOf = (number: number): Truth['cloud'] =>
    number === 8 || number === 9 ? 'opaque' : number === 10 ? 'cirrus' : number === 3 ? 'shadow' : 'none';
  const met = new Map<Truth['cloud'], number>();
  for (let index = 0; index < classes.length; index++) {
    const kind = kindOf(classes[index]!);
    const count = met.get(kind) ?? 0;
    // some of each kind, spread over the picture
    if (count >= 4 || index % 53 !== 0) continue;
    const x = window.x + ((index % columns) + 0.5) * 20;
    const y = window.y + (Math.floor(index / columns) + 0.5) * 20;
    assert.equal(truthAt(x, y, atMs, sky).cloud, kind, `at ${x} ${y}`);
    met.set(kind, count + 1);
  }
  for (const kind of ['opaque', 'cirrus', 'shadow', 'none'] as const) {
    assert.ok((met.get(kind) ?? 0) === 4, `${kind}: ${met.get(kind) ?? 0} locations`);
  }
  assert.equal(truthAt(47_500, 62_000).cloud, null, 'no sky, no answer');
});

test('the burn ratio falls between two dates where the fire was, and nowhere else', () => {
  const [before, later] = [Date.parse('2026-08-02T19:10:00Z'), Date.parse('2026-08-17T19:10:00Z')];
  let [burnt, whole, maxFall] = [0, 0, 0];
  for (let i = 0; i < 25; i++) {
    const [across, down] = [(i % 5) - 2, Math.floor(i / 5) - 2];
    const [x, y] = [fire.x + across * 3200, fire.y + down * 3200];
    const [old, young] = [truthAt(x, y, before), truthAt(x, y, later)];
    assert.notEqual(old.cover, 'burnt');
    const fell = old.indices.NBR! - young.indices.NBR!;
    const radii = Math.hypot((x - fire.x) / fire.radiusXM, (y - fire.y) / fire.radiusYM);
    if (young.cover === 'burnt') {
      burnt++;
      assert.ok(radii < 1.6, `burnt ${radii} radii from the middle`);
      // little where nothing but rock and grass could burn
      assert.ok(fell > 0.05, `fell by ${fell} at ${x} ${y}`);
      maxFall = Math.max(maxFall, fell);
    } else if (radii > 1.6) {
      whole++;
      assert.ok(Math.abs(fell) < 0.1, `fell by ${fell} at ${x} ${y}, where ${young.cover} is`);
    }
    // inside, some woods were scorched and some spared
    else assert.ok(fell > -0.1);
  }
  assert.ok(burnt >= 3 && whole >= 10, `${burnt} burnt, ${whole} whole`);
  assert.ok(maxFall > 0.4, `fell by ${maxFall} at most`);
});

test('water covers the plain on the day of the flood, inside its box, and recedes', () => {
  const pixelM = 250;
  const [fromX, fromY] = [flood.fromX - 3000, flood.fromY - 3000];
  const width = Math.floor((flood.untilX + 3000 - fromX) / pixelM);
  const height = Math.floor((flood.untilY + 3000 - fromY) / pixelM);
  const indices = Array.from({ length: width * height }, (_, i) => i);
  const locations: Locations = {
    width,
    height,
    sideM: pixelM,
    x: Float64Array.from(indices, (i) => fromX + (i % width) * pixelM),
    y: Float64Array.from(indices, (i) => fromY + Math.floor(i / width) * pixelM),
  };
  const survey = world.ground.survey(locations);
  const on = (day: number) => world.ground.paint(survey, day, toPalette([]));
  const [dry, peak, after] = [on(flood.fromDay - 1), on(flood.peakDay), on(flood.untilDay + 1)];
  const isFlood = Array.from(peak.cover, (cover) => covers[cover] === 'flood');
  const km2 = (isFlood.filter(Boolean).length * pixelM ** 2) / 1e6;
  assert.ok(km2 > 8 && km2 < 200, `${km2} km² under water`);
  for (const [i, is] of isFlood.entries()) {
    const [x, y] = [locations.x[i]!, locations.y[i]!];
    assert.ok(Math.abs(dry.water[i]! - after.water[i]!) < 1e-6, 'the day after it is as the day before');
    if (!is) continue;
    // what was half a river yesterday is under water wholly
    assert.ok(peak.water[i]! > 0.5 && peak.water[i]! > dry.water[i]! + 0.2);
    assert.ok(x >= flood.fromX && x <= flood.untilX && y >= flood.fromY && y <= flood.untilY, `at ${x} ${y}`);
  }
  const grown = peak.water.reduce((sum, share, i) => sum + share - dry.water[i]!, 0);
  assert.ok(grown * pixelM ** 2 > 8e6);
  // and the question about one location says the same
  const spot = isFlood.indexOf(true);
  const [x, y] = [locations.x[spot]!, locations.y[spot]!];
  const coarse = sensorByDataset('modis')!;
  const at = (day: number) => findTruth(world, { x, y }, { sensor: coarse, atMs: noonOf(day), sky: null });
  assert.equal(at(flood.peakDay).cover, 'flood');
  assert.notEqual(at(flood.fromDay - 1).cover, 'flood');
  assert.ok(at(flood.peakDay).indices.NDWI! > at(flood.fromDay - 1).indices.NDWI! + 0.2);
});

test('height and slope match the ground, blurred to the pixels of the sensor', () => {
  const { heightAt } = world.ground;
  for (const [dataset, sideM] of [
    ['naip', 1],
    ['sentinel2l2a', 10],
  ] as const) {
    for (const { x, y } of [spots.summit, spots.forest, spots.fire, spots.farm, spots.lake]) {
      const asked = { sensor: sensorByDataset(dataset)!, atMs, sky: null };
      const { heightM, slopeDeg } = findTruth(world, { x, y }, asked);
      const known = heightAt(x, y, sideM);
      assert.ok(Math.abs(heightM - known) < 0.5, `${dataset}: ${heightM} m, not ${known}`);
      const [east, south] = [
        heightAt(x + sideM, y, sideM) - heightAt(x - sideM, y, sideM),
        heightAt(x, y + sideM, sideM) - heightAt(x, y - sideM, sideM),
      ];
      const slope = (Math.atan(Math.hypot(east, south) / (2 * sideM)) * 180) / Math.PI;
      assert.ok(Math.abs(slopeDeg - slope) < 4, `${dataset}: ${slopeDeg} degrees, not ${slope}`);
    }
  }
  assert.equal(truthAt(4000, 90_000).cover, 'sea');
  assert.equal(truthAt(4000, 90_000).heightM, 0);
});

test('indices match the surface', () => {
  const { bands, indices } = truthAt(spots.forest.x, spots.forest.y);
  const of = (name: string) => bands.find((band) => band.name === name)!.surface;
  assert.ok(Math.abs(indices.NDVI! - (of('B08') - of('B04')) / (of('B08') + of('B04'))) < 1e-5);
  assert.ok(indices.NDVI! > 0.6, 'a forest in June');
});

test('only locations in the world have a truth, and only for optical sensors', () => {
  const { forward } = makeProjection(epsg, 4326);
  const degrees = (x: number, y: number) => forward(frame.west + x, frame.north - y);
  for (const [x, y] of [
    [1, 1],
    [frame.sizeM - 1, 1],
    [1, frame.sizeM - 1],
    [frame.sizeM - 1, frame.sizeM - 1],
  ] as const) {
    const point = toLocalPoint(...(degrees(x, y) as [number, number]));
    assert.ok(Math.hypot(point.x - x, point.y - y) < 0.01);
  }
  for (const [x, y] of [
    [-1, 50_000],
    [50_000, -1],
    [frame.sizeM + 1, 50_000],
    [50_000, frame.sizeM + 1],
  ] as const) {
    const [longitude, latitude] = degrees(x, y);
    assert.throws(() => toLocalPoint(longitude, latitude), { tag: 'not-found', code: 'outside-world' });
  }
  assert.throws(() => toLocalPoint(57, -48.2), { code: 'outside-world' });
  assert.throws(() => toLocalPoint(Number.NaN, 48), { code: 'outside-world' });
  const radar = sensorByDataset('sentinel1')!;
  assert.throws(() => findTruth(world, spots.farm, { sensor: radar, atMs, sky: null }), {
    code: 'no-reflectance',
  });
  assert.equal(noonOf(toDay('2026-06-21')), Date.parse('2026-06-21T20:09:00Z'));
});
