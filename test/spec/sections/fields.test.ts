/** Fields are stored and found, and stand for areas wherever these are named: the same bytes come out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaBounds } from '../../../src/geo/index.ts';
import { keepArea, ringAround } from '../areas.ts';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import { measureNow, middle, toParams, toPolygon } from '../statistics.ts';

interface WireField {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

let last = 0;

async function store(geometry: object, more: object = {}): Promise<WireField> {
  last += 1;
  const body = { name: `Field ${last}`, geometry, ...more };
  const response = await call('/api/fields', { body });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as WireField;
}

const read = async (path: string, options: Parameters<typeof call>[1] = {}) => {
  const response = await call(path, options);
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return (await response.json()) as Record<string, unknown>;
};

const outline = async () => toPolygon(await readBand('l2a', 'B04'), await middle());

test('fields POST: a field reads back as it was stored, with its size', async () => {
  const geometry = await outline();
  const { id } = await store(geometry, { external_id: 'spec', crop: 'wheat', properties: { a: 1 } });
  const field = await read(`/api/fields/${id}`);
  assert.deepEqual([field.external_id, field.crop, field.properties], ['spec', 'wheat', { a: 1 }]);
  assert.ok((field.hectares as number) > 1);
  const again = await call('/api/fields', { body: { external_id: 'spec', geometry } });
  assert.equal(again.status, 409);
});

test('fields list: it can be filtered by group, position and box, and read page by page', async () => {
  const geometry = await outline();
  const { id } = await store(geometry, { group: 'listed' });
  const other = await store(geometry, { group: 'listed' });
  const { west, south, east, north } = areaBounds(geometry as never);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  for (const where of [`lon=${lon}&lat=${lat}`, `bbox=${west},${south},${east},${north}`]) {
    const { fields } = (await read(`/api/fields?group=listed&${where}`)) as { fields: WireField[] };
    assert.deepEqual(
      fields.map((field) => field.id),
      [id, other.id],
    );
  }
  const away = (await read(`/api/fields?group=listed&lon=${lon}&lat=${-lat}`)) as { fields: WireField[] };
  assert.deepEqual(away.fields, []);
  const first = (await read('/api/fields?group=listed&limit=1')) as { next: string };
  const second = (await read(`/api/fields?group=listed&limit=1&after=${first.next}`)) as {
    fields: WireField[];
    next: null;
  };
  assert.deepEqual([second.fields[0]?.id, second.next], [other.id, null]);
});

test('fields change: a change with If-Match needs the current version', async () => {
  const { id } = await store(await outline());
  const change = (headers: Record<string, string>) =>
    call(`/api/fields/${id}`, { method: 'PATCH', body: { crop: `rye ${headers['if-match']}` }, headers });
  assert.equal((await change({ 'if-match': '"1"' })).status, 200);
  assert.equal((await change({ 'if-match': '"1"' })).status, 412);
  assert.equal((await change({ 'if-match': '"2"' })).status, 200);
  assert.equal((await call(`/api/fields/${id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await call(`/api/fields/${id}`)).status, 404);
});

test('fields field: pictures and statistics equal those of the same area', async () => {
  const band = await readBand('l2a', 'B04');
  const ring = ringAround(band, [10, 10], [40, 40]);
  const ref = await keepArea(ring);
  const { id } = await store({ type: 'Polygon', coordinates: [ring] });
  const { west, south, east, north } = areaBounds(sceneOf('l2a').footprint);
  const path = `/api/render/${sceneOf('l2a').viewId}/B04,B03,B02/12/${west};${east};4326/${north};${south};4326`;
  const draw = async (query: string) => {
    const response = await call(`${path}?MIN_MAX=0,4000&${query}`);
    assert.equal(response.status, 200, await response.clone().text());
    return Buffer.from(await response.arrayBuffer());
  };
  const [byField, byArea, whole] = [
    await draw(`field=${id}`),
    await draw(`cropper_ref=${ref}`),
    await draw(''),
  ];
  assert.ok(byField.equals(byArea));
  assert.ok(!byField.equals(whole));
  const box = await middle();
  const params = await toParams('l2a', {}, box);
  const field = await store(toPolygon(band, box));
  const { geometry: _outline, ...rest } = params;
  const answers = await Promise.all(
    [params, { ...rest, field: field.id }].map(async (one) => (await measureNow(one as never)).json()),
  );
  const [own, theirs] = answers as { results: unknown[] }[];
  assert.equal(own?.results.length, 1);
  assert.deepEqual(theirs?.results, own?.results);
});

test('fields groups: a group is counted, shared without a key, and deleted', async () => {
  const group = 'A shared farm';
  await store(await outline(), { group });
  const body = { group, public: true };
  const shared = (await read('/api/fields/groups', { method: 'PATCH', body })) as {
    fields: number;
    public: { token: string };
  };
  assert.equal(shared.fields, 1);
  const path = `/api/public/${shared.public.token}/fields`;
  const { fields } = (await read(path, { apiKey: null })) as { fields: WireField[] };
  assert.equal(fields.length, 1);
  const deleted = await read(`/api/fields?group=${encodeURIComponent(group)}`, { method: 'DELETE' });
  assert.deepEqual(deleted, { deleted: 1 });
  assert.equal((await call(path, { apiKey: null })).status, 410);
});

test('fields import: the report covers each row, and a second import of the file changes nothing', async () => {
  const features = [
    { type: 'Feature', id: 'imported', properties: { farm: 'Imported' }, geometry: await outline() },
    { type: 'Feature', id: 'bad', properties: {}, geometry: null },
  ];
  const body = { type: 'FeatureCollection', features };
  const first = await read('/api/fields/import', { body });
  assert.deepEqual([first.created, first.refused], [1, 1]);
  const again = await read('/api/fields/import', { body });
  assert.deepEqual([again.unchanged, again.refused], [1, 1]);
});

test('fields export: an import can read the exported file', async () => {
  await store(await outline(), { group: 'exported', external_id: 'exported' });
  const response = await call('/api/fields/export?group=exported');
  assert.equal(response.status, 200);
  const body = (await response.json()) as { features: unknown[] };
  assert.equal(body.features.length, 1);
  assert.equal((await read('/api/fields/import', { body })).unchanged, 1);
});
