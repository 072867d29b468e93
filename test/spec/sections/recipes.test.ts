/** Recipes draw, measure and order what the addresses of pictures, mosaics and tasks do, byte by byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaBounds } from '../../../src/geo/index.ts';
import { keepArea, ringAround } from '../areas.ts';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import { measureNow, middle, toParams, toPolygon } from '../statistics.ts';
import { makeFile, pollToEnd } from '../tasks.ts';

interface Recipe {
  readonly id: string;
  readonly public: { readonly token: string } | null;
}

const aStyle = { MIN_MAX: '0,4000', RESAMPLE: 'cubic' };

const toBody = (more: object = {}) => ({
  name: 'Fields',
  scenes: { view_id: sceneOf('l2a').viewId },
  bands: 'B04,B03,B02',
  style: aStyle,
  ...more,
});

async function make(more: object = {}): Promise<Recipe> {
  const response = await call('/api/recipes', { body: toBody(more) });
  assert.ok([200, 201].includes(response.status), await response.clone().text());
  return (await response.json()) as Recipe;
}

/** The middle of the scene as an image: a zoom and bounds in degrees. */
function positionOf(): string {
  const { west, south, east, north } = areaBounds(sceneOf('l2a').footprint);
  const [dx, dy] = [(east - west) / 8, (north - south) / 8];
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  return `12/${lon - dx};${lon + dx};4326/${lat + dy};${lat - dy};4326`;
}

async function read(path: string, options: Parameters<typeof call>[1] = {}) {
  const response = await call(path, options);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, `${path}: ${bytes.toString().slice(0, 300)}`);
  return {
    bytes,
    headers: response.headers,
    json: () => JSON.parse(bytes.toString()) as Record<string, unknown>,
  };
}

const queryOf = (style: object): string => new URLSearchParams({ ...style }).toString();

test('recipes POST: the id is derived from the content, and the list has the recipe by name', async () => {
  const { id } = await make({ name: 'A list of recipes begins here' });
  assert.equal((await make({ name: 'Again' })).id, id);
  const { recipes } = (await read('/api/recipes')).json() as { recipes: { id: string }[] };
  assert.ok(recipes.some((recipe) => recipe.id === id));
  const refused = await call('/api/recipes', { body: toBody({ bands: 'B99' }) });
  assert.equal(refused.status, 422, 'no such band');
});

test('recipes tile: a tile has the same bytes and ETag as the picture with the same query', async () => {
  const band = await readBand('l2a', 'B04');
  const cropper_ref = await keepArea(ringAround(band, [10, 10], [40, 40]));
  const cases = [
    { bands: 'B04,B03,B02', style: aStyle },
    { bands: '(B08-B04)/(B08+B04)', style: { COLORMAP: 'RdYlGn', MIN_MAX: '0,1', cropper_ref } },
    { bands: 'B04,B03,B02', style: { STRETCH: 'natural', MASKING: 'CLOUD' } },
  ];
  for (const { bands, style } of cases) {
    const { id } = await make({ bands, style });
    const own = await read(`/api/recipes/${id}/${positionOf()}`);
    const address = `/api/render/${sceneOf('l2a').viewId}/${bands}/${positionOf()}?${queryOf(style)}`;
    const picture = await read(address);
    assert.deepEqual(own.bytes, picture.bytes, bands);
    assert.equal(own.headers.get('etag'), picture.headers.get('etag'));
    assert.equal(own.headers.get('content-type'), picture.headers.get('content-type'));
    const [mine, theirs] = [
      (await read(`/api/recipes/${id}/${positionOf()}?explain=1`)).json(),
      (await read(`${address}&explain=1`)).json(),
    ];
    for (const part of ['explains', 'etag', 'scenes', 'grid', 'steps'])
      assert.deepEqual(mine[part], theirs[part], part);
    const legend = await read(`/api/recipes/${id}/legend`);
    assert.deepEqual(legend.json(), (await read(address.replace('/render/', '/render/legend/'))).json());
  }
});

test('recipes tilejson: the tiles that it names exist', async () => {
  const { id } = await make();
  const { tiles, bounds, minzoom, maxzoom, tilejson } = (
    await read(`/api/recipes/${id}/tilejson.json`)
  ).json() as { tiles: string[]; bounds: number[]; minzoom: number; maxzoom: number; tilejson: string };
  assert.equal(tilejson, '3.0.0');
  const whole = areaBounds(sceneOf('l2a').footprint);
  for (const [i, side] of [whole.west, whole.south, whole.east, whole.north].entries()) {
    assert.ok(Math.abs((bounds[i] ?? 0) - side) < 1e-8);
  }
  const [lon, lat] = [(whole.west + whole.east) / 2, (whole.south + whole.north) / 2];
  for (const z of [minzoom, maxzoom]) {
    const x = Math.floor(((lon + 180) / 360) * 2 ** z);
    const y = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z);
    const address = tiles[0]?.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
    const { bytes } = await read(new URL(address ?? '').pathname);
    assert.ok(bytes.length > 100, `zoom ${z}`);
  }
});

test('recipes point: the answer has the value of its expression', async () => {
  const { id } = await make({ bands: 'NDVI', style: { CALIBRATE: 1 } });
  const { west, south, east, north } = areaBounds(sceneOf('l2a').footprint);
  const place = `${(south + north) / 2}/${(west + east) / 2}`;
  const [sensor, ...name] = sceneOf('l2a').viewId.split('/');
  const own = await read(`/api/recipes/${id}/point/${place}`);
  const other = await read(`/api/render/${sensor}/point/${name.join('/')}/NDVI/${place}?CALIBRATE=1`);
  assert.deepEqual(own.json(), other.json());
});

test('recipes statistics: they equal those of its scene in an area', async () => {
  const { id } = await make({ bands: 'NDVI', style: {} });
  const geometry = toPolygon(await readBand('l2a', 'B04'), await middle());
  const own = await call(`/api/recipes/${id}/statistics`, { body: { geometry } });
  const expected = await measureNow(await toParams('l2a', { geometry, expressions: ['NDVI'] }));
  const [mine, theirs] = (await Promise.all([own.json(), expected.json()])) as { results: object[] }[];
  assert.equal(mine?.results.length, 1);
  assert.deepEqual(mine?.results, theirs?.results);
});

/** A part of the scene. */
function bboxOf(): readonly number[] {
  const { west, south, east, north } = areaBounds(sceneOf('l2a').footprint);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  return [lon, lat, lon + (east - west) / 8, lat + (north - south) / 8];
}

/** Orders a file of a recipe and downloads it. */
async function download(id: string, body: object): Promise<Buffer> {
  const ordered = await call(`/api/recipes/${id}/download`, { body });
  assert.equal(ordered.status, 202, await ordered.clone().text());
  const { task_id: taskId } = (await ordered.json()) as { task_id: string };
  const { response, body: poll } = await pollToEnd(taskId);
  assert.equal(response.status, 303, JSON.stringify(poll));
  return (await read(response.headers.get('location') ?? '', { apiKey: null })).bytes;
}

test('recipes download: the file contains the picture', async () => {
  const bbox = bboxOf();
  const { id } = await make();
  const own = await download(id, { bbox, format: 'png', name_alias: 'x' });
  const other = await makeFile('jpeg', {
    view_id: sceneOf('l2a').viewId,
    bm_type: 'B04,B03,B02',
    levels: '0,4000',
    resample: 'cubic',
    format: 'png',
    name_alias: 'x',
    bbox,
  });
  assert.deepEqual(own, other.bytes);
});

test('recipes search: a tile has the same bytes as the mosaic with the same query', async () => {
  const month = sceneOf('l2a').acquiredAt.slice(0, 7);
  const { id } = await make({
    scenes: { search: { sensors: ['S2L2A'], period: month } },
    selection: 'median',
    mask: 'none',
  });
  const own = await read(`/api/recipes/${id}/${positionOf()}`);
  const query = queryOf({ ...aStyle, selection: 'median', mask: 'none' });
  const mosaic = await read(`/api/mosaic/S2L2A/${month}/B04,B03,B02/${positionOf()}?${query}`);
  assert.deepEqual(own.bytes, mosaic.bytes);
  assert.equal(own.headers.get('etag'), mosaic.headers.get('etag'));
  for (const end of ['legend', 'tilejson.json']) await read(`/api/recipes/${id}/${end}`);
  const bbox = bboxOf();
  const file = await download(id, { bbox, format: 'png', name_alias: 'x' });
  const other = await makeFile('jpeg', {
    mosaic: { sensors: 'S2L2A', period: month, selection: 'median', mask: 'none' },
    bm_type: 'B04,B03,B02',
    levels: '0,4000',
    resample: 'cubic',
    format: 'png',
    name_alias: 'x',
    bbox,
  });
  assert.deepEqual(file, other.bytes);
});

test('recipes public: a recipe can be viewed without a key until it ends', async () => {
  const { id, public: terms } = await make({ bands: 'B08', public: { rate_per_minute: 100 } });
  const address = `/api/public/${terms?.token}`;
  const own = await read(`/api/recipes/${id}/${positionOf()}`);
  const open = await read(`${address}/${positionOf()}?MIN_MAX=0,1`, { apiKey: null });
  assert.deepEqual(open.bytes, own.bytes);
  assert.equal(open.headers.get('access-control-allow-origin'), '*');
  assert.equal(open.headers.get('ratelimit-limit'), '100');
  for (const end of ['legend', 'tilejson.json']) await read(`${address}/${end}`, { apiKey: null });
  assert.equal((await call(`${address}/statistics`, { apiKey: null, body: {} })).status, 404);
  const ended = await call(`/api/recipes/${id}`, { method: 'PATCH', body: { public: null } });
  assert.equal(ended.status, 200);
  assert.equal((await call(`${address}/${positionOf()}`, { apiKey: null })).status, 410);
  assert.equal((await call(`/api/recipes/${id}`, { method: 'DELETE' })).status, 204);
});
