/**
 * The way of a user through each preset, with the catalog replaced by a local one in the same style: search, tiles of
 * scenes that nobody ingested, points, statistics, orders and thumbnails. The numbers are those of the made-up ground.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heightAt } from '../../src/live/testing/dem-items.ts';
import type { FakeStac } from '../../src/live/testing/fake-stac.ts';
import { expectNdvi, reflectanceOf, SQUARE_M, toStored } from '../../src/live/testing/ground.ts';
import { readImage } from '../../world/testing/read-image.ts';
import type { LiveService } from './live-service.ts';
import {
  colorAt,
  expectSomething,
  readPicture,
  startFake,
  startLiveService,
  toEntry,
  toTilePath,
} from './live-service.ts';
import { boxOf, CLEAR_CROP, CORNER_CROP, fieldAround, positionOf } from './made-places.ts';
import type { PresetWorld } from './preset-worlds.ts';
import { DEM_CELL, makeWillRead, WORLDS } from './preset-worlds.ts';

const folder = mkdtempSync(join(tmpdir(), 'swath-walk-'));
after(() => rmSync(folder, { recursive: true }));

/** Sums of 32 bit numbers. */
const SLACK = 2e-6;
const near = (found: number | null | undefined, wanted: number, slack = SLACK): void =>
  assert.ok(typeof found === 'number' && Math.abs(found - wanted) <= slack, `${found}, not ${wanted}`);

const dayOf = ({ date }: { readonly date: string }): string => date.slice(0, 10);

for (const world of WORLDS) describe(world.preset, () => walk(world));

function walk(world: PresetWorld) {
  const { preset, dataset, frame, viewIdOn, stored, items, foundBy, red, near: nir, env = {} } = world;
  let fake: FakeStac;
  let service: LiveService;
  const crop = positionOf(frame, CLEAR_CROP);
  const shape = { type: 'Point', coordinates: crop };
  const ndviOn = (day: string): number => expectNdvi('crop', day, stored);

  before(async () => {
    fake = await startFake(preset, items, makeWillRead('2022-09-23'));
    service = await startLiveService([toEntry(preset, fake)], { env });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
  });

  test('a search filters by dates, clouds and a point, and says how many hits there are and how that is known', async () => {
    const during = { from: '2022-04-01', to: '2022-08-01' };
    const clear = await service.search(dataset, {
      search: { date: during, cloudCoverage: { to: 50 }, shape },
    });
    assert.deepEqual(clear.results.map(dayOf), ['2022-07-21', '2022-05-18', '2022-04-16']);
    assert.equal(clear.meta.found, 3);
    assert.equal(clear.incomplete, null);
    const [first] = clear.meta.catalogs;
    assert.deepEqual([first?.name, first?.dataset, first?.problem], [preset, dataset, undefined]);
    assert.equal(clear.results[0]?.view_id, viewIdOn('2022-07-21'));

    const page = await service.search(dataset, { search: { date: during, shape }, limit: 1 });
    assert.deepEqual(page.results.map(dayOf), ['2022-07-21']);
    assert.deepEqual([page.meta.found, page.meta.catalogs[0]?.found_by], [4, foundBy]);
    const last = await service.search(dataset, { search: { date: during, shape }, limit: 1, page: 4 });
    assert.deepEqual(last.results.map(dayOf), ['2022-04-16']);

    const elsewhere = { type: 'Point', coordinates: [-100, 40] };
    assert.equal((await service.search(dataset, { search: { shape: elsewhere } })).meta.found, 0);
  });

  test('a tile of a scene that no search has shown has the right values in its pixels', async () => {
    const day = '2022-09-23';
    const viewId = viewIdOn(day);
    const composed = await service.ask(toTilePath(viewId, [nir, red, red].join(), crop));
    const first = await readPicture(composed);
    assert.deepEqual([first.width, first.height], [256, 256]);
    expectSomething(first);
    const grey = await service.drawTile(viewId, 'NDVI', crop, 'MIN_MAX=-1,1&RESAMPLE=near&CALIBRATE=1');
    const [level = 0, , , alpha] = colorAt(grey, crop);
    assert.equal(alpha, 255);
    near(level, ((ndviOn(day) + 1) / 2) * 255, 1);
  });

  test('a point returns its value', async () => {
    const day = '2022-07-21';
    const viewId = viewIdOn(day);
    near(await service.readPoint(viewId, 'NDVI', crop), ndviOn(day));
    near(await service.readPoint(viewId, red, crop), reflectanceOf('crop', 'red', day), stored.scale);
  });

  test('a mosaic works with scenes that were never ingested: the newest day, and the greenest', async () => {
    const sensor = viewIdOn('2022-07-21').split('/')[0];
    const readMosaic = async (query: string) => {
      const [lon, lat] = crop;
      const path = `/api/mosaic/point/${sensor}/2022-04-01..2022-08-31/NDVI/${lat}/${lon}`;
      const answer = await service.ask(`${path}?CALIBRATE=1&max_cloud=50&${query}`);
      return (await answer.json()) as { index_value: number; sources: readonly { view_id: string }[] };
    };
    const newest = await readMosaic('selection=newest');
    near(newest.index_value, ndviOn('2022-07-21'));
    assert.deepEqual(
      newest.sources.map((source) => source.view_id),
      [viewIdOn('2022-07-21')],
    );
    const days = ['2022-07-21', '2022-05-18', '2022-04-16'];
    const greenest = await readMosaic('selection=highest&by=NDVI');
    near(greenest.index_value, Math.max(...days.map(ndviOn)));
  });

  test('statistics over months have the NDVI of each clear day, and the cloudy one among the errors', async () => {
    const { result, errors } = await service.measure({
      bm_type: 'NDVI',
      sensors: [dataset],
      date_start: '2022-04-01',
      date_end: '2022-12-31',
      geometry: fieldAround(frame, CLEAR_CROP),
    });
    const days = result.map(({ date }) => String(date).slice(0, 10));
    assert.deepEqual(days, ['2022-09-23', '2022-07-21', '2022-05-18', '2022-04-16']);
    for (const [i, { average, cloud }] of result.entries()) {
      near(average as number, ndviOn(days[i]!));
      assert.equal(cloud, 0);
    }
    assert.equal(errors.length, 1);
    assert.match(JSON.stringify(errors[0]), /clouds/);
  });

  test('statistics exclude clouds pixel by pixel', async () => {
    // Half of the field is forest under clouds, the other half crop.
    const edge = { eastM: 40 * SQUARE_M, southM: 30.5 * SQUARE_M };
    const { results, errors } = await service.measureNow({
      expressions: 'NDVI',
      sensors: [dataset],
      date_start: '2022-05-01',
      date_end: '2022-05-31',
      geometry: fieldAround(frame, edge),
    });
    assert.deepEqual(errors, []);
    near(results[0]?.values.NDVI?.average, ndviOn('2022-05-18'));
    near(results[0]?.cloud, 50, 5);
  });

  test('a search by the clouds in a field ignores those of the scene, and repeats without reading a file', async () => {
    const field = fieldAround(frame, { eastM: 40 * SQUARE_M, southM: 30.5 * SQUARE_M });
    const search = { date: { from: '2022-04-01', to: '2022-08-01' }, shape: field };
    const body = {
      search: { ...search, cloudCoverageInArea: { to: 80 } },
      sort: { cloudCoverageInArea: 'desc' },
    };
    const { results, meta } = await service.search(dataset, body);
    // Half of the field is under the clouds of a corner of the scene; the one of June is all cloudy.
    assert.deepEqual(results.map(dayOf), ['2022-05-18', '2022-07-21', '2022-04-16']);
    near(results[0]?.cloudCoverageInArea, 50, 5);
    assert.deepEqual(
      results.map(({ dataCoverageInArea }) => dataCoverageInArea),
      [100, 100, 100],
    );
    assert.deepEqual(
      [meta.found, meta.in_area?.candidates, meta.in_area?.measured, meta.in_area?.remaining],
      [3, 4, 4, 0],
    );
    fake.calls.length = 0;
    assert.deepEqual((await service.search(dataset, body)).results, results);
    assert.deepEqual(
      fake.calls.filter(({ kind }) => kind === 'file'),
      [],
    );
  });

  test('orders return the values of an expression, and bands as delivered', async () => {
    const day = '2022-04-16';
    const bbox = boxOf(fieldAround(frame, CORNER_CROP));
    const order = { view_id: viewIdOn(day), bbox };
    const read = async (name: string, bytes: Buffer) => {
      writeFileSync(join(folder, name), bytes);
      return readImage(join(folder, name));
    };
    const ndvi = await read('ndvi', await service.order('bandmath', { ...order, bm_type: 'NDVI' }));
    assert.ok(ndvi.width >= 18 && ndvi.height >= 18);
    const values = [...ndvi.bands[0]!].filter((value) => Number.isFinite(value) && value > -1);
    assert.ok(values.length > 300);
    // Orders compute with stored numbers, of which only Sentinel-2's lose their offset.
    const { scale, offset } = dataset === 'landsat8' ? { ...stored, offset: 0 } : stored;
    const [r, n] = (['red', 'nir'] as const).map(
      (meaning) => toStored(reflectanceOf('crop', meaning, day), stored) * scale + offset,
    ) as [number, number];
    for (const value of values) near(value, (n - r) / (n + r));
    const bands = await read('bands', await service.order('lbe', { ...order, bands: [red, nir] }));
    for (const [i, meaning] of (['red', 'nir'] as const).entries()) {
      const wanted = toStored(reflectanceOf('crop', meaning, day), stored);
      assert.deepEqual(
        [...new Set(bands.bands[i]!)].filter((value) => value !== 0),
        [wanted],
      );
    }
  });

  test('thumbnails are the public one of the provider, or ours, which needs no key', async () => {
    const { results } = await service.search(dataset, { search: { date: { from: '2022-09-01' } } });
    const [{ thumbnail, view_id: viewId } = assert.fail()] = results;
    const isOurs = thumbnail.startsWith(`${service.swath.url}/api/render/thumbnails/`);
    assert.equal(isOurs, preset !== 'planetary-computer', thumbnail);
    if (!isOurs) assert.ok(thumbnail.startsWith('https://planetarycomputer.microsoft.com/'), thumbnail);
    const ours = isOurs
      ? await fetch(thumbnail)
      : await service.ask(`/api/render/${viewId.replace('/', '/thumb/')}.png`);
    const picture = await readPicture(ours);
    assert.equal(Math.max(picture.width, picture.height), 256);
    expectSomething(picture);
  });

  if (world.hasTerrain)
    test('heights come from the elevation model of the same catalog', async () => {
      // Pixels of the model are points on multiples of a second from the corner of the degree.
      const [column, row] = [1_230, 720];
      const [lon, lat] = [DEM_CELL.lon + column / 3_600, DEM_CELL.lat + 1 - row / 3_600];
      const answer = await service.ask(`/api/render/terrain/point/${lat}/${lon}`);
      assert.equal(answer.status, 200);
      near(((await answer.json()) as { index_value: number }).index_value, heightAt(column, row), 0.1);
      const [tile] = /\d+\/\d+\/\d+(?=\?)/.exec(toTilePath('', '', [lon, lat])) ?? [];
      expectSomething(await readPicture(await service.ask(`/api/render/terrain/${tile}.png`)));
    });

  test('each item was requested once, and requests identify the service', () => {
    const asked = fake.calls.filter(({ kind }) => kind === 'item').map(({ path }) => path);
    assert.deepEqual(asked.toSorted(), [...new Set(asked)].toSorted());
    for (const { kind, userAgent } of fake.calls)
      if (kind === 'search' || kind === 'item') assert.match(userAgent, /^Swath\//);
    const kinds = new Set(fake.calls.map(({ kind }) => kind));
    assert.ok(!kinds.has('unknown') && !kinds.has('landing'), 'a preset knows what its catalog can do');
    assert.equal(kinds.has('token'), preset === 'planetary-computer');
  });
}
