/** What the OpenAPI document says of a body is what the service does: it takes what the schema accepts, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAreas } from '../areas/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../areas/testing/memory-areas.ts';
import { makeColormaps } from '../colormaps/index.ts';
import { makeMemoryColormaps, unlimitedColormaps } from '../colormaps/testing/memory-colormaps.ts';
import { makeDownloads } from '../exports/index.ts';
import type { Task, Tasks } from '../tasks/index.ts';
import type { AreaStatistics } from '../terrain/index.ts';
import { shownPathOf } from './endpoint/route.ts';
import { makeTestApp } from './testing/make-test-app.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const box = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

/** Values of every kind, to be put wherever a body has a value. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 3, -1, 1.5, 256, 1001, 1e9, 100_001],
  ...[
    '',
    'x',
    '1',
    '0',
    '-1',
    '01',
    '1.5',
    '20',
    '2000000',
    'asc',
    'discrete',
    'absolute',
    'Feature',
    '#ff0000',
  ],
  ...[
    [],
    [1],
    ['x'],
    [null],
    ['#ff0000'],
    ['#ff0000', '#00ff00'],
    [[0, '#ff0000']],
    [[0, 0, 0]],
    [[2, 0, 0]],
  ],
  ...[box, [box], [[box]], [[[0, 0]]], [[[0, 'x']]]],
  ...[
    {},
    { date: 'asc' },
    { date: 'down' },
    { date: 'asc', sceneID: 'asc' },
    { type: 'Polygon', coordinates: [box] },
  ],
];

/** Bodies that differ from one in a value at one path: replaced by every other, or left out. */
function* vary(body: unknown): Generator<unknown> {
  yield* VALUES;
  if (Array.isArray(body)) {
    for (const i of body.keys()) for (const other of vary(body[i])) yield body.with(i, other);
  } else if (isObject(body)) {
    for (const [name, value] of Object.entries(body)) {
      const { [name]: _, ...rest } = body;
      yield rest;
      for (const other of vary(value)) yield { ...body, [name]: other };
    }
  }
}

/** Rules that a schema leaves to its description: about several values at once, fields of datasets, valid rings. */
const RULES = [
  /^search\.\w+ (must|is not a field)/,
  /"labels" (belong to discrete|must be as many)/,
  /[Pp]ositions in "colors" must (not decrease|begin with 0)/,
  /all "colors" need positions/,
  /turns back onto itself|touches itself|encloses nothing|has fewer than four positions|lies outside of longitudes|crosses itself/,
  /either a geometry or a cropper_ref/,
  // Of tasks: whether there is such a scene, area or colormap, and numbers that depend on each other.
  /There is no (scene|sensor|area|colormap)/,
  /^bbox must|^Only one of bbox, geometry and cropper_ref/,
  // Of statistics: what a text or a list stands for.
  /^(expressions|sensors|date_start|date_end|geometry|limit|max_cloud_cover_in_aoi|cloud_masking_level|histogram\.\w+)\b|^No geometry|km²|^bm_type has/,
  /^levels must be two numbers|^bands is required|^px_size must be from/,
  // Of weather: one of two fields, and what texts stand for.
  /^Geometry or polygon_id are required|^(start_date|end_date|fields|base_temperature|days)\b/,
];

/** Orders of all types, with every param. */
const view_id = 'S2/31/T/DH/2026/6/21/0';
const ORDERS: readonly unknown[] = [
  {
    type: 'lbe',
    params: {
      view_id,
      bands: ['B04'],
      merge: true,
      metadata: [{ label: 'tile', url: 'tile.xml' }],
      geometry: { type: 'Polygon', coordinates: [box] },
      cropper_ref: null,
    },
  },
  {
    type: 'jpeg',
    params: {
      view_id,
      bm_type: 'NDVI',
      resample: 'near',
      colormap: 'viridis',
      levels: '0,1',
      colors_limit: 5,
      calibrate: 1,
      size: 'L',
      georeference: 'world',
      format: 'png',
      pansharpening: false,
      colors: ['#ff0000', '#00ff00'],
      thresholds: [1],
      px_size: 60,
    },
  },
];
const STATISTICS = {
  type: 'mt_stats',
  params: {
    bm_type: 'NDVI',
    sensors: ['sentinel2'],
    date_start: '2026-01-01',
    date_end: '2026-12-31',
    geometry: { type: 'Polygon', coordinates: [box] },
    limit: 10,
    max_cloud_cover_in_aoi: 20,
    exclude_cover_pixels: true,
    cloud_masking_level: 3,
    histogram: { bins: 5, min: 0, max: 1 },
  },
};
/** Weather with every field, of a point. */
const HISTORY = {
  geometry: { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] } },
  polygon_id: '',
  start_date: '2026-05-01',
  end_date: '2026-05-02',
  fields: 'humidity',
  base_temperature: '5',
  step: 'day',
};
const moreBodies: Readonly<Record<string, readonly unknown[]>> = {
  '/api/cz/backend/forecast-history': [HISTORY],
  '/api': ORDERS,
  '/api/tasks/estimate': ORDERS,
  '/api/gdw/api': [STATISTICS],
};

const flat: AreaStatistics = { areaM2: 1, knownShare: 1, height: null, slope: null, pixelM: 1 };
const lineage = { source: 'a', runMs: null, method: 'interpolated', correctedToM: null } as const;
const noDays = { days: [], utcOffsetHours: 0, lineage };
const notPlanned = () => Promise.reject(new Error('not planned here'));
const { post, routes } = makeTestApp({
  tasks: {
    downloads: {
      ...makeDownloads(
        { bands: notPlanned, index: notPlanned, picture: notPlanned },
        { findByViewId: async () => null },
      ),
      plan: async () => ({
        fileName: 'a.TIF',
        contentType: 'image/tiff',
        estimatedBytes: 1,
        blocks: 1,
        write: notPlanned,
      }),
    },
    tasks: {
      create: async () => ({ id: 'a', reference: 'r' }) as Task,
      wait: async () => ({ id: 'a', state: 'running', progress: { done: 0, total: 1 } }) as Task,
    } as unknown as Tasks,
  },
  terrain: { readAreaStatistics: async () => flat },
  weather: {
    readDays: async () => noDays,
    readHours: async () => ({ hours: [], lineage }),
    readNormals: async () => ({ days: [], firstYear: 2025, lastYear: 2025, lineage }),
    readForecast: async () => noDays,
    readComingDays: async () => noDays,
  },
  scenes: { searchHits: async () => ({ found: 0, hits: [] }) },
  areas: makeAreas({ store: makeMemoryAreas().store, ...unlimitedAreas }),
  colormaps: makeColormaps({ store: makeMemoryColormaps().store, ...unlimitedColormaps }),
});

for (const { endpoint, ...route } of routes) {
  const { body } = endpoint;
  if (body === undefined) continue;
  test(`documented body: ${shownPathOf(route)}`, async () => {
    const path = route.path.replace(':dataset_id', 'sentinel2');
    const examples = [body.example, ...(moreBodies[route.path] ?? [])];
    let [accepted, refused] = [0, 0];
    for (const tried of [...examples, ...examples.flatMap((example) => [...vary(example)])]) {
      const isAccepted = body.schema.safeParse(tried).success;
      const response = await post(path, JSON.stringify(tried));
      const { error = '' } = (await response.json()) as { error?: string };
      const text = `${JSON.stringify(tried)}: ${response.status} ${error}`;
      if (isAccepted) {
        accepted += 1;
        assert.ok(response.ok || RULES.some((rule) => rule.test(error)), `accepted by the schema, ${text}`);
      } else {
        refused += 1;
        assert.ok([400, 404, 422].includes(response.status), `refused by the schema, ${text}`);
      }
    }
    assert.ok(
      examples.every((example) => body.schema.safeParse(example).success),
      'the examples',
    );
    assert.ok(accepted > 5 && refused > 50, `${accepted} accepted, ${refused} refused`);
  });
}
