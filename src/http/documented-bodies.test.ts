/** What the OpenAPI document says of a body is what the service does: it takes what the schema accepts, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAreas } from '../areas/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../areas/testing/memory-areas.ts';
import { makeColormaps } from '../colormaps/index.ts';
import { makeMemoryColormaps, unlimitedColormaps } from '../colormaps/testing/memory-colormaps.ts';
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
  /is not closed|lies outside of longitudes|crosses itself/,
  /either a geometry or a cropper_ref/,
];

const flat: AreaStatistics = { areaM2: 1, knownShare: 1, height: null, slope: null, pixelM: 1 };
const { post, routes } = makeTestApp({
  terrain: { readAreaStatistics: async () => flat },
  scenes: { searchHits: async () => ({ found: 0, hits: [] }) },
  areas: makeAreas({ store: makeMemoryAreas().store, ...unlimitedAreas }),
  colormaps: makeColormaps({ store: makeMemoryColormaps().store, ...unlimitedColormaps }),
});

for (const { endpoint, ...route } of routes) {
  const { body } = endpoint;
  if (body === undefined) continue;
  test(`documented body: ${shownPathOf(route)}`, async () => {
    const path = route.path.replace(':dataset_id', 'sentinel2');
    assert.equal((await post(path, body.example)).status, 200, 'the example');
    let [accepted, refused] = [0, 0];
    for (const tried of vary(body.example)) {
      const isAccepted = body.schema.safeParse(tried).success;
      const response = await post(path, JSON.stringify(tried));
      const { error = '' } = (await response.json()) as { error?: string };
      const text = `${JSON.stringify(tried)}: ${response.status} ${error}`;
      if (isAccepted) {
        accepted += 1;
        assert.ok(
          response.status === 200 || RULES.some((rule) => rule.test(error)),
          `accepted by the schema, ${text}`,
        );
      } else {
        refused += 1;
        assert.ok([400, 404, 422].includes(response.status), `refused by the schema, ${text}`);
      }
    }
    assert.ok(accepted > 5 && refused > 50, `${accepted} accepted, ${refused} refused`);
  });
}
