import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound, unsupported } from '../../errors.ts';
import type { MosaicPictureRequest, Mosaics } from '../../mosaic/index.ts';
import { readError } from '../testing/make-test-app.ts';
import type { WireRecipe } from './testing/make-recipe-app.ts';
import { field, makeRecipeApp } from './testing/make-recipe-app.ts';

const TILE = '12/2075/1518';
const july = {
  name: 'July, cloud free',
  scenes: { search: { sensors: ['S2L2A', 'L8'], period: '2026-07', max_cloud: 30 } },
  bands: 'RED,GREEN,BLUE',
  style: { CALIBRATE: 1 },
  selection: 'median',
};

/** Recipes over mosaics that note what they are asked for. */
function makeMosaicApp(failure?: Error) {
  const asked: Partial<MosaicPictureRequest>[] = [];
  const measured: unknown[] = [];
  const plan = async (request: Partial<MosaicPictureRequest>) => {
    asked.push(request);
    if (failure !== undefined) throw failure;
    return { etag: 'm1', request, look: { color: null } } as never;
  };
  const mosaics: Partial<Mosaics> = {
    plan,
    planSomewhere: plan,
    render: async () => ({ bytes: Uint8Array.of(7), format: 'png', stagesMs: {}, etag: 'm1' }),
    async readValues(_, outline) {
      measured.push(outline);
      return {
        channels: [Float32Array.of(0.25)],
        mask: Uint8Array.of(1),
        counts: null,
        sources: [],
      } as never;
    },
    describe: async () => ({ found: 3, bounds: { west: 1, south: 41, east: 4, north: 44 }, hits: [] }),
    findContrast: async () => [{ min: 0, max: 1 }],
  };
  return { ...makeRecipeApp({ mosaics }), asked, measured };
}

/** What decides a picture. */
const decisive = ({ search, composition, bands, grid, options }: Partial<MosaicPictureRequest>) => ({
  search,
  composition,
  bands,
  grid,
  options,
});

test('a recipe of a search is stored and returned as it was sent', async () => {
  const { create, call, stored } = makeMosaicApp();
  const recipe = await create({ ...july, dilate: 60, mask: ['clouds', 'shadows'] });
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(recipe).filter(([name]) => !['id', 'tiles', 'tilejson'].includes(name)),
    ),
    {
      name: 'July, cloud free',
      created_at: '2026-07-01T12:00:00.000Z',
      scenes: july.scenes,
      bands: 'RED,GREEN,BLUE',
      style: { CALIBRATE: '1' },
      dilate: '60',
      mask: 'clouds,shadows',
      selection: 'median',
      public: null,
    },
  );
  assert.deepEqual(await (await call(`/api/recipes/${recipe.id}`)).json(), recipe);
  const again = await create({
    ...july,
    scenes: { search: { max_cloud: '30', period: '2026-07', sensors: 'S2L2A,L8' } },
    mask: 'clouds,shadows',
    dilate: '60',
    by: null,
  });
  assert.equal(again.id, recipe.id);
  assert.equal(stored.size, 1);
});

test('tiles of a recipe are planned like those of the mosaic with the same query', async () => {
  const { create, call, asked, storeField } = makeMosaicApp();
  const ref = await storeField();
  const recipes = [
    july,
    {
      ...july,
      selection: 'highest',
      by: 'NDVI',
      bands: 'NDVI',
      style: { COLORMAP: 'viridis', MIN_MAX: '0,1' },
    },
    { ...july, selection: 'percentile', percent: 25, mask: 'none', feather: 8, style: { cropper_ref: ref } },
    { ...july, selection: null, scenes: { search: { sensors: ['S2L2A'], period: '2026-W30', within: ref } } },
  ];
  for (const body of recipes) {
    const { id } = await create(body);
    const { sensors, period, ...conditions } = body.scenes.search as Record<string, unknown> & {
      sensors: string[];
      period: string;
    };
    const { name: _, scenes: _scenes, bands, style, ...composition } = body;
    const query = Object.entries({ ...conditions, ...composition, ...style }).flatMap(([key, value]) =>
      value === null ? [] : [[key, String(value)] as [string, string]],
    );
    for (const position of [TILE, `${TILE}@2x.webp`]) {
      const ofRecipe = await call(`/api/recipes/${id}/${position}`);
      assert.equal(ofRecipe.status, 200, await ofRecipe.clone().text());
      assert.equal(ofRecipe.headers.get('etag'), '"m1"');
      const mine = asked.at(-1) ?? assert.fail();
      const address = `/api/mosaic/${sensors.join()}/${period}/${bands}/${position}?${new URLSearchParams(query)}`;
      const ofMosaic = await call(address);
      assert.equal(ofMosaic.status, 200, await ofMosaic.clone().text());
      assert.deepEqual(decisive(mine), decisive(asked.at(-1) ?? assert.fail()), address);
    }
  }
});

test('legend, TileJSON, values and statistics are those of the mosaic', async () => {
  const { create, call, asked, measured, storeField } = makeMosaicApp();
  const ref = await storeField();
  const { id } = await create({ ...july, bands: 'NDVI', style: { CALIBRATE: 1, cropper_ref: ref } });
  const read = async (end: string, init: RequestInit = {}) => {
    const response = await call(`/api/recipes/${id}/${end}`, init);
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as Record<string, unknown>;
  };
  assert.deepEqual((await read('legend')).bands, [{ band: 'NDVI', min: 0, max: 1 }]);
  const { bounds, tiles, name, maxzoom } = await read('tilejson.json');
  assert.deepEqual(
    [bounds, tiles, name, maxzoom],
    [[2.45, 42.45, 2.55, 42.55], [`http://swath.test/api/recipes/${id}/{z}/{x}/{y}`], 'July, cloud free', 14],
  );
  assert.deepEqual(await read('point/42.5/2.5'), { index_value: 0.25, scenes: 1, sources: [] });
  assert.equal(asked.at(-1)?.options?.calibrated, true);
  const outside = await call(`/api/recipes/${id}/point/42.9/2.9`);
  assert.equal((await readError(outside)).code, 'outside-area');
  for (const init of [{ method: 'POST' }, { method: 'POST', body: JSON.stringify({ geometry: field }) }]) {
    const { bands } = (await read('statistics', init)) as { bands: { band: string; average: number }[] };
    assert.equal(bands[0]?.band, 'NDVI');
  }
  assert.equal(measured.length, 3);
  assert.deepEqual(measured[1], measured[2], 'the area of the recipe, and the same area in the body');
  assert.equal(asked.at(-1)?.options?.calibrated, true);
});

test('a public recipe of a search shows its mosaic and nothing else', async () => {
  const { publish, asked, call } = makeMosaicApp();
  const { recipe, visit } = await publish(july);
  await call(`/api/recipes/${recipe.id}/${TILE}`);
  const own = asked.at(-1) ?? assert.fail();
  const response = await visit(
    `${TILE}?selection=newest&max_cloud=100&mask=none&within=x&period=2025&sensors=S2&by=B08&explain=1`,
  );
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png', 'it is not explained');
  assert.deepEqual(decisive(asked.at(-1) ?? {}), decisive(own));
  for (const end of ['legend', 'tilejson.json', 'point/42.5/2.5']) {
    assert.equal((await visit(end)).status, 200, end);
  }
});

test('a search is validated strictly, and must find something that can be drawn', async () => {
  const { post, stored } = makeMosaicApp();
  const search = july.scenes.search;
  const cases: readonly (readonly [object, string])[] = [
    [{ scenes: { search: { ...search, sensors: [] } } }, 'bad-scenes'],
    [{ scenes: { search: { ...search, sensors: ['X9'] } } }, 'unknown-sensor'],
    [{ scenes: { search: { ...search, sensors: ['S2', 'S2'] } } }, 'bad-sensors'],
    [{ scenes: { search: { ...search, period: 7 } } }, 'bad-scenes'],
    [{ scenes: { search: { ...search, period: 'July' } } }, 'bad-period'],
    [{ scenes: { search: { ...search, max_cloud: 101 } } }, 'bad-max-cloud'],
    [{ scenes: { search: { ...search, clouds: 5 } } }, 'bad-scenes'],
    [{ scenes: { search, view_id: 'S2/31/T/DH/2026/6/21/0' } }, 'bad-scenes'],
    [{ scenes: { search: null } }, 'bad-scenes'],
    [{ selection: 'best' }, 'bad-selection'],
    [{ selection: 'highest' }, 'bad-selection'],
    [{ dilate: 9_999 }, 'bad-dilate'],
    [{ feather: {} }, 'bad-feather'],
    [{ scenes: { view_id: 'S2/31/T/DH/2026/6/21/0' } }, 'bad-selection'],
  ];
  for (const [more, code] of cases) {
    const response = await post('/api/recipes', { ...july, ...more });
    assert.deepEqual([response.status, (await readError(response)).code], [400, code], JSON.stringify(more));
  }
  const within = { search: { ...search, within: '0'.repeat(32) } };
  const gone = await post('/api/recipes', { ...july, scenes: within });
  assert.deepEqual([gone.status, (await readError(gone)).code], [404, 'unknown-area']);
  assert.equal(stored.size, 0);
  for (const [failure, status] of [
    [notFound('nothing-there', 'Nothing there.'), 404],
    [unsupported('sharpened-mosaic', 'Mosaics cannot be sharpened.'), 422],
    // Another picture of it may have fewer scenes.
    [unsupported('too-many-scenes', 'Too many.'), 201],
  ] as const) {
    const refused = await makeMosaicApp(failure).post('/api/recipes', july);
    assert.equal(refused.status, status, failure.code);
  }
});

test('the error names a deleted area, whichever of the two it was', async () => {
  const { create, call, areas, storeField } = makeMosaicApp();
  const ref = await storeField();
  const within: WireRecipe = await create({
    ...july,
    scenes: { search: { ...july.scenes.search, within: ref } },
  });
  await areas.remove(ref, 'configured');
  for (const end of [TILE, 'legend', 'tilejson.json', 'point/42.5/2.5']) {
    const response = await call(`/api/recipes/${within.id}/${end}`);
    const { code, error } = await readError(response);
    assert.deepEqual([response.status, code], [410, 'recipe-part-gone'], end);
    assert.equal(error, `The area ${ref} of this recipe does not exist any more.`);
  }
});
