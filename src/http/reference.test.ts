import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../sensors/index.ts';
import { makeTestApp } from './testing/make-test-app.ts';

const { call } = makeTestApp();
const read = async <Body>(path: string): Promise<Body> => {
  const response = await call(path, { key: null });
  assert.equal(response.status, 200, path);
  return (await response.json()) as Body;
};

interface WireSensor {
  readonly dataset: string;
  readonly bands: readonly object[];
  readonly compositions: readonly object[];
  readonly indices: readonly { readonly name: string; readonly expression: string; readonly kind: string }[];
  readonly pansharpening: boolean;
  readonly cloud_mask: boolean;
  readonly cloud_cover: boolean;
  readonly fields: Readonly<Record<string, string>>;
}

test('every sensor is listed with its bands, compositions, indices and search fields, without a key', async () => {
  const { sensors: listed } = await read<{ sensors: WireSensor[] }>('/api/sensors');
  assert.deepEqual(
    listed.map(({ dataset }) => dataset),
    sensors.map(({ dataset }) => dataset),
  );
  const of = (dataset: string): WireSensor => listed.find((one) => one.dataset === dataset)!;
  const s2 = of('sentinel2');
  assert.deepEqual(s2.bands[3], {
    name: 'B04',
    role: 'RED',
    kind: 'reflective',
    centre_nm: 664.6,
    width_nm: 30,
    resolution: 10,
  });
  assert.deepEqual(s2.compositions[1], { name: 'false-colour', bands: ['B08', 'B04', 'B03'] });
  const ndvi = s2.indices.find(({ name }) => name === 'NDVI');
  assert.equal(ndvi?.expression, '(B08-B04)/(B08+B04)');
  assert.equal(ndvi?.kind, 'index');
  assert.ok(s2.cloud_mask && s2.cloud_cover && !s2.pansharpening);
  const { sceneID, date, cloudCoverage, processedL2A, dataGeometry, path } = s2.fields;
  assert.deepEqual(
    [sceneID, date, cloudCoverage, processedL2A, dataGeometry, path],
    ['string', 'date', 'number', 'boolean', 'geometry', undefined],
  );
  assert.ok(of('landsat8').pansharpening);
  const radar = of('sentinel1');
  assert.deepEqual(
    radar.indices.slice(0, 2).map(({ name }) => name),
    ['VV_DB', 'VH_DB'],
  );
  assert.ok(!radar.cloud_mask && !radar.cloud_cover);
});

test('colormaps are listed with the colours at both ends, and without their reversed forms', async () => {
  const { colormaps } = await read<{ colormaps: { name: string; type: string; colors: string[] }[] }>(
    '/api/colormaps',
  );
  const viridis = colormaps.find(({ name }) => name === 'viridis');
  // The ends of matplotlib's table.
  assert.equal(viridis?.colors[0], '#440154');
  assert.equal(viridis?.colors.at(-1), '#fde725');
  assert.equal(viridis?.colors.length, 17);
  const tab10 = colormaps.find(({ name }) => name === 'tab10');
  assert.equal(tab10?.type, 'discrete');
  assert.equal(tab10?.colors.length, 10);
  assert.ok(colormaps.every(({ name }) => !name.endsWith('_r')));
});

test('functions are listed with the number of their operands', async () => {
  const { functions } = await read<{ functions: { name: string }[] }>('/api/functions');
  assert.deepEqual(
    functions.find(({ name }) => name === 'where'),
    { name: 'where', min_args: 3, max_args: 3 },
  );
  const names = functions.map(({ name }) => name);
  assert.deepEqual(names, [...names].sort());
});

test('a client that has the list can revalidate it with its ETag', async () => {
  for (const path of ['/api/sensors', '/api/colormaps', '/api/functions']) {
    const etag = (await call(path, { key: null })).headers.get('etag');
    assert.ok(etag !== null, path);
    const again = await call(path, { key: null, headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304, path);
  }
});

test('the list of sensors says where scenes come from', async () => {
  const catalogs = [
    {
      name: 'earth-search',
      title: 'Earth Search',
      datasets: ['sentinel2l2a'],
      attribution: 'Contains modified Copernicus Sentinel data.',
      pictureOrigins: ['https://files.example'],
    },
  ];
  const live = makeTestApp({ catalogs });
  const listed = (await (await live.call('/api/sensors', { key: null })).json()) as Record<string, unknown>;
  assert.deepEqual(listed.catalogs, [
    {
      name: 'earth-search',
      title: 'Earth Search',
      datasets: ['sentinel2l2a'],
      attribution: 'Contains modified Copernicus Sentinel data.',
      picture_origins: ['https://files.example'],
    },
  ]);
  const own = await read<{ catalogs: unknown[]; demo: boolean }>('/api/sensors');
  assert.deepEqual([own.catalogs, own.demo], [[], false]);
});
