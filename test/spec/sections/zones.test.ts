/** Management zones through the service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import { middleOf, ndviOf, near, toPolygon } from '../statistics.ts';
import { readArchive } from '../tasks.ts';

interface ZonesAnswer {
  readonly epsg: number;
  readonly scenes: readonly { readonly view_id: string; readonly clear_percent: number }[];
  readonly features: readonly {
    readonly geometry: { readonly type: string };
    readonly properties: Readonly<Record<string, number>>;
  }[];
}

/** The middle of the scene before the fire. */
async function toBody(more: object = {}) {
  const band = await readBand('beforeFire', 'B04');
  const box = middleOf(band);
  return {
    box,
    band,
    body: { geometry: toPolygon(band, box), expression: 'NDVI', smoothing: 0, min_area_ha: 0, ...more },
  };
}

test('zones POST: quantile zones of a scene equal those computed from its pixels', async () => {
  const viewId = sceneOf('beforeFire').viewId;
  const { box, body } = await toBody({ view_ids: [viewId], zones: 4, method: 'quantiles' });
  const response = await call('/api/zones', { body });
  const answer = (await response.json()) as ZonesAnswer;
  assert.equal(response.status, 200, JSON.stringify(answer).slice(0, 500));
  assert.match(response.headers.get('content-type') ?? '', /^application\/geo\+json/);
  assert.deepEqual([answer.epsg, answer.scenes.map(({ view_id }) => view_id)], [32_610, [viewId]]);
  const values = (await ndviOf('beforeFire', box)).sort((a, b) => a - b);
  const quarter = values.length / 4;
  for (const [i, { properties, geometry }] of answer.features.entries()) {
    const own = values.slice(i * quarter, (i + 1) * quarter);
    assert.equal(geometry.type, 'MultiPolygon');
    near(properties.zone, i + 1);
    near(properties.percent, 25, 0.2);
    near(properties.mean, own.reduce((sum, value) => sum + value, 0) / own.length, 1e-3);
    // Pixels of 60 m.
    near(properties.hectares, 0.36 * own.length, 0.01 * own.length);
  }
  const found = await call('/api/zones', {
    body: { ...body, view_ids: undefined, date_start: '2026-08-01', date_end: '2026-08-10' },
  });
  assert.deepEqual(((await found.json()) as ZonesAnswer).features, answer.features);
});

test('zones prescription: rates are written to GeoJSON, a Shapefile and an ISOXML task', async () => {
  const { body } = await toBody({
    view_ids: [sceneOf('beforeFire').viewId, sceneOf('afterFire').viewId],
    zones: 2,
    rates: [150, 90],
    unit: 'kg/ha',
    product: 'Urea',
  });
  const { features } = (await (await call('/api/zones', { body })).json()) as ZonesAnswer;
  assert.deepEqual(
    features.map(({ properties }) => [properties.zone, properties.rate, properties.unit]),
    [
      [1, 150, 'kg/ha'],
      [2, 90, 'kg/ha'],
    ],
  );
  const readZip = async (format: string): Promise<ReadonlyMap<string, Buffer>> => {
    const response = await call('/api/zones', { body: { ...body, format } });
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="\w+\.zip"$/);
    return readArchive(Buffer.from(await response.arrayBuffer()));
  };
  const shapefile = await readZip('shapefile');
  assert.deepEqual([...shapefile.keys()].map((name) => name.split('.').at(-1)).sort(), [
    'cpg',
    'dbf',
    'prj',
    'shp',
    'shx',
  ]);
  const taskData = (await readZip('isoxml')).get('TASKDATA/TASKDATA.XML')?.toString() ?? '';
  assert.match(taskData, /<TZN A="1" B="Zone 1">.*<PDV A="0006" B="15000" C="PDT1" E="VPN1"\/><\/TZN>/);
  for (const [more, status, code] of [
    [{ rates: [1] }, 422, 'rates-and-zones'],
    [{ unit: 'cups' }, 400, 'bad-unit'],
    [{ format: 'isoxml', rates: undefined }, 400, 'bad-rates'],
    [{ zones: 8 }, 400, 'bad-zones'],
    [{ view_ids: ['S2L2A/10/U/EU/1999/1/1/0'] }, 404, 'unknown-scene'],
    [{ view_ids: undefined }, 400, 'bad-view-ids'],
    [{ view_ids: undefined, date_start: '2010-01-01', date_end: '2010-02-01' }, 422, 'no-clear-scene'],
    [{ expression: 'NOPE' }, 422, 'unknown-band'],
  ] as const) {
    const response = await call('/api/zones', { body: { ...body, ...more } });
    const answer = (await response.json()) as { readonly code: string };
    assert.deepEqual([response.status, answer.code], [status, code], JSON.stringify(more));
  }
});
