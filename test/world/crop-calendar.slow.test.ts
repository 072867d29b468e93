/** A year of a field, as statistics tell it: its crop calendar and its clouds are those of the world. */

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeProjection } from '../../src/proj/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { findTruth } from '../../world/demo/truth.ts';
import type { Field, Locations } from '../../world/ground/ground.ts';
import type { World } from '../../world/ground/world.ts';
import type { SkyPlan } from '../../world/light/exposure.ts';
import { expose } from '../../world/light/index.ts';
import { epsg, frame, spots } from '../../world/setting.ts';
import { askStatistics } from '../support/ask-statistics.ts';
import type { ServedProducts } from './serve-products.ts';
import { serveProducts } from './serve-products.ts';
import { openWorld } from './shared-world.ts';

const clear: SkyPlan = { seed: 1, opaque: 0, cirrus: 0, haze: 0 };

/** From before the sowing to after the harvest, some of them through clouds. */
const shots: readonly { readonly date: string; readonly sky: SkyPlan }[] = [
  { date: '2026-02-10', sky: clear },
  { date: '2026-04-12', sky: clear },
  { date: '2026-05-10', sky: { seed: 247, opaque: 0.5, cirrus: 0.1, haze: 0.1 } },
  { date: '2026-05-28', sky: clear },
  { date: '2026-06-19', sky: clear },
  { date: '2026-07-10', sky: { seed: 11, opaque: 0.6, cirrus: 0, haze: 0 } },
  { date: '2026-07-20', sky: clear },
  { date: '2026-08-25', sky: clear },
  { date: '2026-10-01', sky: clear },
];
const toMs = (date: string): number => Date.parse(`${date}T19:10:00Z`);

const sensor = sensorByDataset('sentinel2l2a')!;
let world: World;
let field: Field;
let window: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
let served: ServedProducts;

const boxOf = ({ ring }: Field) => {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return { minX: Math.min(...xs), maxX: Math.max(...xs), minY: Math.min(...ys), maxY: Math.max(...ys) };
};

/** The middle of a field's corners; of most fields it lies inside. */
const insideOf = ({ ring }: Field) => ({
  x: ring.slice(1).reduce((sum, [x]) => sum + x, 0) / (ring.length - 1),
  y: ring.slice(1).reduce((sum, [, y]) => sum + y, 0) / (ring.length - 1),
});

const ndviAt = (one: Field, date: string) =>
  findTruth(world, insideOf(one), { sensor, atMs: toMs(date), sky: null }).field;

/** The field around the farm whose NDVI rises most from winter to summer, of those of a few hectares. */
function chooseField(): Field {
  const { x, y } = spots.farm;
  const near = world.ground.fieldsIn({ minX: x - 1200, minY: y - 1200, maxX: x + 1200, maxY: y + 1200 });
  const rises = near.flatMap((one) => {
    const { minX, maxX, minY, maxY } = boxOf(one);
    const sideM = Math.max(maxX - minX, maxY - minY);
    const [winter, summer] = [ndviAt(one, '2026-02-10'), ndviAt(one, '2026-06-19')];
    const isInside = winter?.id === one.id && summer?.id === one.id;
    if (!isInside || sideM < 250 || sideM > 800) return [];
    return [{ one, rise: summer.meanNdvi - winter.meanNdvi }];
  });
  return rises.toSorted((a, b) => b.rise - a.rise)[0]!.one;
}

before(async () => {
  world = await openWorld();
  field = chooseField();
  const { minX, maxX, minY, maxY } = boxOf(field);
  // On the 60 m that Sentinel-2's grids share, with some ground around the field.
  const floor = (metres: number): number => Math.floor((metres - 60) / 60) * 60;
  const ceil = (metres: number): number => Math.ceil((metres + 60) / 60) * 60;
  const [x, y] = [floor(minX), floor(minY)];
  window = { x, y, width: ceil(maxX) - x, height: ceil(maxY) - y };
  const parts = shots.map(({ date, sky }): DemoPart => {
    const plan = {
      satellite: 'S2A',
      atMs: toMs(date),
      sequence: 0,
      baseline: '05.11',
      sky,
      seed: 7,
      window,
    } as const;
    return { key: `calendar-${date}`, cost: 1, kind: 'sentinel2-l2a', plan };
  });
  served = await serveProducts({ parts, dataDir: mkdtempSync(join(tmpdir(), 'swath-calendar-')) });
});
after(() => served.remove());

/** The field in longitude and latitude. */
function toGeometry() {
  const { inverse } = makeProjection(4326, epsg);
  return {
    type: 'Polygon',
    coordinates: [field.ring.map(([x, y]) => inverse(frame.west + x, frame.north - y))],
  };
}

/** The pixels of the field of one size, by row and column in the window. */
function pixelsOf(sideM: number): Locations {
  const [columns, rows] = [window.width / sideM, window.height / sideM];
  const indices = Array.from({ length: columns * rows }, (_, i) => i);
  return {
    width: columns,
    height: rows,
    sideM,
    x: Float64Array.from(indices, (i) => window.x + ((i % columns) + 0.5) * sideM),
    y: Float64Array.from(indices, (i) => window.y + (Math.floor(i / columns) + 0.5) * sideM),
  };
}

/** The share of the field's pixels of 10 m whose pixel of 20 m lies under an opaque cloud, in percent. */
function trueClouds(date: string, sky: SkyPlan): number {
  const coarse = pixelsOf(20);
  const survey = world.ground.survey(coarse);
  const { opaque } = expose(world, { survey, atMs: toMs(date), bands: [], sky, level: 'surface' });
  const { fieldId } = world.ground.survey(pixelsOf(10));
  let [cloudy, all] = [0, 0];
  for (const [i, id] of fieldId.entries()) {
    if (id !== field.id) continue;
    const [column, row] = [i % (2 * coarse.width), Math.floor(i / (2 * coarse.width))];
    all += 1;
    cloudy += opaque[(row >> 1) * coarse.width + (column >> 1)] as number;
  }
  return (100 * cloudy) / all;
}

const params = () => ({
  date_start: '2026-01-01',
  date_end: '2026-12-31',
  sensors: ['sentinel2l2a'],
  bm_type: 'NDVI',
  geometry: toGeometry(),
  max_cloud_cover_in_aoi: 100,
});

test('NDVI of a field follows its crop calendar, and clouds are those of the sky', async () => {
  const { result, errors } = await askStatistics(served.swath.url, '/api/gdw/api', params());
  assert.deepEqual(errors, []);
  assert.deepEqual(
    result.map(({ date }) => date),
    shots.map(({ date }) => date).toReversed(),
  );
  const curve: number[] = [];
  for (const { date, sky } of shots) {
    const found = result.find((scene) => scene.date === date);
    const truth = ndviAt(field, date)?.meanNdvi ?? Number.NaN;
    const clouds = trueClouds(date, sky);
    // The pixel at a corner may belong to the field or to its neighbour.
    assert.ok(Math.abs(Number(found?.cloud) - clouds) < 0.5, `${date}: ${found?.cloud} % and not ${clouds}`);
    if (sky !== clear) continue;
    assert.ok(
      Math.abs(Number(found?.average) - truth) < 0.003,
      `${date}: ${found?.average} and not ${truth}`,
    );
    curve.push(Number(found?.average));
  }
  const highest = Math.max(...curve);
  assert.ok(highest - curve[0]! > 0.25, `rises from ${curve[0]} to ${highest}`);
  assert.ok(highest - curve.at(-1)! > 0.2, `falls from ${highest} to ${curve.at(-1)}`);
  const cloudy = shots.filter(({ date, sky }) => trueClouds(date, sky) > 1);
  assert.ok(cloudy.length > 0, 'some of the skies have clouds over the field');
});

test('a limit of clouds leaves out the dates on which the sky has more', async () => {
  const { result, errors } = await askStatistics(served.swath.url, '/api', {
    ...params(),
    max_cloud_cover_in_aoi: 0,
  });
  const cloudy = shots.filter(({ date, sky }) => trueClouds(date, sky) > 0).map(({ date }) => date);
  assert.deepEqual(errors.map(({ date }) => date).toSorted(), cloudy);
  assert.equal(result.length, shots.length - cloudy.length);
});
