import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError, TEST_KEY } from '../testing/make-test-app.ts';
import { makeRecipeApp, VIEW_ID } from './testing/make-recipe-app.ts';

const TILE = '12/2075/1518';

test('a tile of a recipe is planned like the plain tile with the same address and query', async () => {
  const { create, call, planned, storeField, colormaps } = makeRecipeApp();
  const ref = await storeField();
  const colormap = await colormaps.create({ colors: ['#000000', '#ffffff'] }, 'configured');
  const styles = [
    { bands: 'B04,B03,B02', style: { MIN_MAX: '0,3000', cropper_ref: ref, RESAMPLE: 'cubic' } },
    { bands: '(B08-B04)/(B08+B04)', style: { COLORMAP: colormap, MIN_MAX: '0,1', CALIBRATE: '1' } },
    { bands: 'B04,B03,B02', style: { STRETCH: 'natural', GAMMA: '2', MASKING: 'CLOUD', MASK_COLOR: 'f00' } },
    { bands: 'B01', style: { PALETTE: '{"4":"#00ff00"}' } },
    {
      bands: 'B04',
      style: { CLUSTERING: 'kmeans', CLUSTERS_NO: '3', crs: 'EPSG:4326', TILE_SIZE: '300,200' },
    },
  ];
  const positions = [
    TILE,
    `${TILE}@2x.webp`,
    '12/2.4;2.6;4326/42.6;42.4;4326',
    '12/2.4%3B2.6%3B4326/42.4;42.6;4326',
  ];
  for (const { bands, style } of styles) {
    const { id } = await create({ bands, style });
    for (const position of positions) {
      const query = new URLSearchParams(style as unknown as Record<string, string>).toString();
      const address = `/api/render/${VIEW_ID}/${encodeURIComponent(bands)}/${position}?${query}`;
      const ofRecipe = await call(`/api/recipes/${id}/${position}`);
      assert.equal(ofRecipe.status, 200, await ofRecipe.clone().text());
      const mine = planned.at(-1);
      if (!('TILE_SIZE' in style && position.includes('@2x'))) {
        assert.equal((await call(address)).status, 200, address);
        assert.deepEqual(mine, planned.at(-1), address);
      }
      assert.equal(ofRecipe.headers.get('etag'), '"e1"');
      assert.equal(ofRecipe.headers.get('x-swath-scene'), VIEW_ID);
    }
  }
});

test('format and size come from the query, then from the ending, then from the recipe', async () => {
  const { create, call, planned } = makeRecipeApp();
  const { id } = await create({ style: { TILE_SIZE: '300,200', mimetype: 'image/jpeg' } });
  const cases = [
    [TILE, 'jpeg', 300],
    [`${TILE}.webp`, 'webp', 300],
    [`${TILE}@2x`, 'jpeg', 512],
    [`${TILE}@2x.webp?mimetype=image/png&TILE_SIZE=64,64`, 'png', 64],
  ] as const;
  for (const [end, format, width] of cases) {
    assert.equal((await call(`/api/recipes/${id}/${end}`)).status, 200, end);
    const { options, grid } = planned.at(-1) ?? assert.fail();
    assert.deepEqual([options.format, grid.width], [format, width], end);
  }
});

test('other parameters are ignored, and a header lists them', async () => {
  const { create, call, planned } = makeRecipeApp();
  const { id } = await create();
  await call(`/api/recipes/${id}/${TILE}`);
  const plain = planned.at(-1);
  const response = await call(
    `/api/recipes/${id}/${TILE}?MIN_MAX=5,6&COLORMAP=viridis&cropper_ref=${'0'.repeat(32)}&CALIBRATE=1&crs=EPSG:4326&bands=B08`,
  );
  assert.equal(response.status, 200);
  assert.deepEqual(planned.at(-1), plain);
  assert.match(response.headers.get('x-ignored-parameters') ?? '', /MIN_MAX.*COLORMAP.*cropper_ref/);
});

test('unknown tiles, malformed positions and malformed sizes are refused as for plain pictures', async () => {
  const { create, call } = makeRecipeApp();
  const { id } = await create();
  const cases = [
    ['3/9/0', 404, 'no-such-tile'],
    ['a/0/0', 400, 'bad-z'],
    ['12/1;1;4326/1;2;4326', 400, 'bad-bounds'],
    [`${TILE}?TILE_SIZE=9999,1`, 422, 'bad-tile-size'],
    [`${TILE}?mimetype=image/gif`, 400, 'bad-mimetype'],
    ['point/91/0', 400, 'bad-point'],
  ] as const;
  for (const [end, status, code] of cases) {
    const response = await call(`/api/recipes/${id}/${end}`);
    const error = await readError(response);
    assert.deepEqual([response.status, error.code], [status, code], end);
  }
});

test('a tile that the client already has is 304, without drawing', async () => {
  const { create, call, owners } = makeRecipeApp();
  const { id } = await create();
  const path = `/api/recipes/${id}/${TILE}`;
  assert.equal((await call(path, { headers: { 'if-none-match': '"e1"' } })).status, 304);
  assert.deepEqual(owners, []);
});

test('a legend describes the whole scene, and points return the values of its expressions', async () => {
  const { create, call, planned, points } = makeRecipeApp();
  const { id } = await create({ bands: 'NDVI', style: { CALIBRATE: true } });
  const legend = await call(`/api/recipes/${id}/legend`);
  assert.equal(legend.status, 200);
  const { bands } = (await legend.json()) as { bands: unknown };
  assert.deepEqual(bands, [{ band: 'NDVI', min: 0, max: 1 }]);
  assert.equal(planned.at(-1)?.options.calibrated, true);
  const point = await call(`/api/recipes/${id}/point/42.5/2.5`);
  assert.deepEqual(await point.json(), { index_value: 0.5 });
  assert.equal(points[0]?.bands, 'NDVI');
  assert.deepEqual([points[0]?.calibrated, points[0]?.point], [true, { lat: 42.5, lon: 2.5 }]);
  const natural = await create({ style: { STRETCH: 'natural' } });
  await call(`/api/recipes/${natural.id}/point/42.5/2.5`);
  assert.equal(points[1]?.calibrated, true, 'natural colour shows physical values');
});

test('points outside the area of a recipe have no value', async () => {
  const { create, call, points, storeField } = makeRecipeApp();
  const { id } = await create({ style: { cropper_ref: await storeField() } });
  assert.equal((await call(`/api/recipes/${id}/point/42.5/2.5`)).status, 200);
  for (const place of ['42.5/2.6', '42.44/2.5', '42.56/2.5', '42.5/2.44', '-42.5/2.5']) {
    const response = await call(`/api/recipes/${id}/point/${place}`);
    assert.deepEqual([response.status, (await readError(response)).code], [404, 'outside-area'], place);
  }
  assert.equal(points.length, 1, 'nothing is read for them');
});

test('TileJSON has the bounds, the zoom levels and the attribution of the scene', async () => {
  const { create, call } = makeRecipeApp({
    catalogs: [
      { name: 'c', title: 'C', datasets: ['sentinel2'], attribution: 'Thank C', pictureOrigins: [] },
    ],
    scene: { provenance: 'live' },
  });
  const { id } = await create();
  const read = async (query = '', key: string | null = TEST_KEY) =>
    (await (await call(`/api/recipes/${id}/tilejson.json${query}`, { key })).json()) as Record<
      string,
      unknown
    >;
  assert.deepEqual(await read(), {
    tilejson: '3.0.0',
    name: 'Fields',
    attribution: 'Thank C',
    scheme: 'xyz',
    tiles: [`http://swath.test/api/recipes/${id}/{z}/{x}/{y}`],
    minzoom: 5,
    maxzoom: 14,
    bounds: [2, 42, 3, 43],
    center: [2.5, 42.5, 5],
    tileSize: 256,
    expires: null,
  });
  const double = await read(`?SCALE=2&mimetype=image/webp&api_key=${TEST_KEY}&MIN_MAX=1,2`, null);
  assert.deepEqual(double.tiles, [
    `http://swath.test/api/recipes/${id}/{z}/{x}/{y}@2x?mimetype=image%2Fwebp&api_key=${TEST_KEY}`,
  ]);
  assert.equal(double.tileSize, 512);
});

test('TileJSON of a recipe with an area has its bounds, and its bands decide on the zoom', async () => {
  const { create, call, storeField } = makeRecipeApp();
  const read = async (more: object) => {
    const { id } = await create(more);
    return (await (await call(`/api/recipes/${id}/tilejson.json`)).json()) as Record<string, unknown>;
  };
  const cropped = await read({ style: { cropper_ref: await storeField() } });
  assert.deepEqual(cropped.bounds, [2.45, 42.45, 2.55, 42.55]);
  assert.equal(cropped.attribution, 'Contains modified Copernicus Sentinel data 2026');
  assert.equal((await read({ bands: 'B01' })).maxzoom, 11, 'its pixels have 60 m');
  const { id } = await create({ style: { crs: 'EPSG:4326' } });
  const refused = await call(`/api/recipes/${id}/tilejson.json`);
  assert.deepEqual([refused.status, (await readError(refused)).code], [422, 'no-map-tiles']);
});

test('a recipe whose parts were deleted is 410, and the owner learns which part', async () => {
  const { create, call, storeField, areas, colormaps, scenes } = makeRecipeApp();
  const ref = await storeField();
  const colormap = await colormaps.create({ colors: ['#000000', '#ffffff'] }, 'configured');
  const cropped = await create({ style: { cropper_ref: ref } });
  const colored = await create({ bands: 'NDVI', style: { COLORMAP: colormap } });
  const plain = await create();
  await areas.remove(ref, 'configured');
  await colormaps.remove(colormap, 'configured');
  const expectGone = async (id: string, end: string, what: string) => {
    const response = await call(`/api/recipes/${id}/${end}`);
    const { code, error } = await readError(response);
    assert.deepEqual([response.status, code], [410, 'recipe-part-gone'], end);
    assert.equal(error, `The ${what} of this recipe does not exist any more.`);
  };
  for (const end of [TILE, 'legend', 'tilejson.json', 'point/42.5/2.5'])
    await expectGone(cropped.id, end, `area ${ref}`);
  for (const end of [TILE, 'legend']) await expectGone(colored.id, end, `colormap ${colormap}`);
  scenes.clear();
  for (const end of ['legend', 'tilejson.json']) await expectGone(plain.id, end, `scene ${VIEW_ID}`);
});
