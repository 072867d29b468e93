import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageOrder } from '../../exports/index.ts';
import { OTHER_KEY } from '../testing/make-test-app.ts';
import { makeOgcApp } from './testing/make-ogc-app.ts';

/** The application over one scene; orders are noted and answered with a byte. */
function makeOgc() {
  const orders: CoverageOrder[] = [];
  const app = makeOgcApp({
    planCoverage: async (order) => {
      orders.push(order);
      return {
        content: JSON.stringify([order.bands, order.grid, order.scene?.version]),
        read: async () => Uint8Array.of(orders.length),
      };
    },
  });
  const { sceneLayer } = app;
  const toPath = (query: Readonly<Record<string, string>>, name = sceneLayer): string =>
    `/ogc/collections/${name}/coverage?${new URLSearchParams(query).toString()}`;
  const order = async (
    query: Readonly<Record<string, string>>,
    name = sceneLayer,
  ): Promise<CoverageOrder> => {
    const answer = await app.call(toPath(query, name));
    assert.equal(answer.status, 200, await answer.clone().text());
    return orders.at(-1) ?? assert.fail();
  };
  return { ...app, toPath, order };
}

const BOX = { bbox: '541000,5338000,547000,5343000', 'bbox-crs': 'EPSG:32610' };

test('a box in metres has the pixels of the finest band, in its own reference system', async () => {
  const { order, scene } = makeOgc();
  const { grid, bands, scene: only } = await order({ ...BOX, properties: 'B04,B11' });
  assert.deepEqual(grid, {
    epsg: 32_610,
    transform: [541_000, 10, 0, 5_343_000, 0, -10],
    width: 600,
    height: 500,
  });
  assert.deepEqual([bands, only?.viewId], ['B04,B11', scene.viewId]);
  const { grid: coarse } = await order({ ...BOX, properties: 'B11' });
  assert.deepEqual([coarse.width, coarse.height], [300, 250]);
});

test('a coverage can be scaled by factor, by axis or by size; one side follows from the other', async () => {
  const { order } = makeOgc();
  const sizeOf = async (scale: Readonly<Record<string, string>>) => {
    const { grid } = await order({ ...BOX, properties: 'B04', ...scale });
    return [grid.width, grid.height];
  };
  assert.deepEqual(await sizeOf({ 'scale-factor': '4' }), [150, 125]);
  assert.deepEqual(await sizeOf({ 'scale-axes': 'E(2),N(5)' }), [300, 100]);
  assert.deepEqual(await sizeOf({ 'scale-size': 'E(60),N(70)' }), [60, 70]);
  assert.deepEqual(await sizeOf({ scaleSize: 'Long(60)' }), [60, 50]);
});

test('a subset selects a box by axis names, and its time axis means datetime', async () => {
  const { order } = makeOgc();
  const subset = 'Lat(48.2:48.24),Lon(-122.44:-122.37),time("2026-06-01":"2026-06-21")';
  const { grid, mosaic } = await order({ subset, 'scale-size': 'Lat(40),Lon(70)' }, 'sentinel2');
  assert.deepEqual([grid.epsg, grid.width, grid.height], [4_326, 70, 40]);
  assert.ok(
    Math.abs((grid.transform[0] ?? 0) + 122.44) < 1e-12 && Math.abs((grid.transform[3] ?? 0) - 48.24) < 1e-12,
  );
  assert.deepEqual(mosaic.search.period, { from: '2026-06-01', to: '2026-06-21' });
  const turned = await order({
    bbox: '48.2,-122.44,48.24,-122.37',
    'bbox-crs': 'http://www.opengis.net/def/crs/EPSG/0/4326',
    'scale-size': 'Lat(40),Lon(70)',
    crs: '[EPSG:32610]',
  });
  assert.deepEqual([turned.grid.epsg, turned.grid.width, turned.grid.height], [32_610, 70, 40]);
});

test('a whole layer without a scale gets as many pixels as fit into a response', async () => {
  const { order } = makeOgc();
  const { grid, bands } = await order({}, 'sentinel2');
  const count = bands.split(',').length;
  assert.ok(count > 8);
  const samples = grid.width * grid.height * count;
  assert.ok(samples <= 2 ** 24, `${samples}`);
  assert.ok(samples > 2 ** 23, `${samples}`);
});

test('a client that already has the file gets 304 until the scene or the order changes', async () => {
  const app = makeOgc();
  const ask = async (query: Readonly<Record<string, string>>, etag: string | null) => {
    const answer = await app.call(app.toPath(query), {
      headers: etag === null ? {} : { 'if-none-match': etag },
    });
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', bytes: await answer.bytes() };
  };
  const query = { ...BOX, properties: 'B04' };
  const first = await ask(query, null);
  assert.deepEqual([first.status, first.bytes.length], [200, 1]);
  assert.match(first.etag, /^"[\w-]+"$/);
  const second = await ask(query, first.etag);
  assert.deepEqual([second.status, second.etag, second.bytes.length], [304, first.etag, 0]);
  assert.equal((await ask({ ...BOX, properties: 'B08' }, first.etag)).status, 200);
  app.scene.version = 'v2';
  assert.equal((await ask(query, first.etag)).status, 200);
});

test('the description of a layer says what its bands are', async () => {
  const { call, scene } = makeOgc();
  const answer = await call(`/ogc/collections/${scene.dataset}`);
  const { rangeType } = (await answer.json()) as {
    rangeType: { field: { name: string; description: string }[] };
  };
  const described = new Map(rangeType.field.map(({ name, description }) => [name, description]));
  assert.equal(described.get('B08'), 'near infrared, 832.8 nm, 10 m');
  assert.equal(described.get('B10'), 'cirrus, 1373.5 nm, 60 m');
});

test('a recipe is a coverage for its owner, with its own bands', async () => {
  const app = makeOgc();
  const { id } = await app.create({});
  const { bands } = await app.order({ ...BOX }, `recipe.${id}`);
  assert.ok(bands.length > 0);
  const refused = await app.call(app.toPath(BOX, `recipe.${id}`), { key: OTHER_KEY });
  assert.equal(refused.status, 404);
});

test('an invalid request is refused as a problem document with our code', async () => {
  const { call, toPath } = makeOgc();
  const refused: readonly (readonly [Readonly<Record<string, string>>, number, string])[] = [
    [{ ...BOX, properties: 'B04+B08' }, 400, 'bad-properties'],
    [{ ...BOX, properties: '' }, 400, 'bad-properties'],
    [{ ...BOX, subset: 'E(1:2)' }, 400, 'bad-subset'],
    [{ subset: 'Lat(1:2' }, 400, 'bad-subset'],
    [{ subset: 'Lat(1)' }, 400, 'bad-subset'],
    [{ subset: 'Lat(1:2),N(1:2)' }, 400, 'bad-subset'],
    [{ subset: 'Height(1:2)' }, 400, 'bad-subset'],
    [{ subset: `Lat(${'1'.repeat(500)}:2)` }, 400, 'bad-subset'],
    [{ subset: 'Lat(2:1),Lon(1:2)' }, 400, 'bad-bbox'],
    [{ ...BOX, 'scale-factor': '0' }, 400, 'bad-scale'],
    [{ ...BOX, 'scale-factor': '2', 'scale-size': 'E(2)' }, 400, 'bad-scale'],
    [{ ...BOX, 'scale-size': 'E(0)' }, 400, 'bad-scale'],
    [{ ...BOX, 'scale-size': 'time(1)' }, 400, 'bad-scale'],
    [{ ...BOX, f: 'netcdf' }, 400, 'bad-format'],
    [{ ...BOX, 'bbox-crs': 'EPSG:9999' }, 422, 'unknown-crs'],
  ];
  for (const [query, status, code] of refused) {
    const answer = await call(toPath(query));
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    const problem = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, problem.code], [status, code], JSON.stringify(query));
  }
  const terrain = await call(toPath({}, 'terrain.slope'));
  assert.deepEqual([terrain.status, ((await terrain.json()) as { code: string }).code], [422, 'no-coverage']);
});
