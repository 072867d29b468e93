import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesFilters, toMatchedFields, toScene } from '../../../catalog/index.ts';
import { box, makeScene } from '../../../catalog/testing/make-scene.ts';
import { isSwathError } from '../../../errors.ts';
import { sensorByDataset } from '../../../sensors/index.ts';
import { casesOf } from '../../../testing/test-size.ts';
import { parseShape } from '../item-shapes.ts';
import { isMet } from './evaluate.ts';
import type { Condition, ReadCondition } from './filter-tree.ts';
import { makeLike, resolveShapes } from './filter-tree.ts';
import { pushDown, toConjuncts } from './push-down.ts';
import { readCql2Json, readQuery } from './read-cql2-json.ts';
import { readCql2Text } from './read-cql2-text.ts';

/** Cloud cover 21, acquired on 2026-06-21 at 10:50:31 UTC over 2 to 3 degrees east. */
const scene = toScene(makeScene(21));

const resolve = (read: ReadCondition): Promise<Condition> =>
  resolveShapes(read, (geometry) =>
    parseShape(geometry, { name: 'filter', parseArea: async (area) => area as never }),
  );

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (isSwathError(error)) return error.message;
    throw error;
  }
  return '';
};

/** The same condition in both forms, and whether the scene meets it. */
const CASES: readonly (readonly [text: string, json: unknown, isMet: boolean])[] = [
  ['eo:cloud_cover = 21', { op: '=', args: [{ property: 'eo:cloud_cover' }, 21] }, true],
  ['21 < eo:cloud_cover', { op: '<', args: [21, { property: 'eo:cloud_cover' }] }, false],
  ['eo:cloud_cover <> 20', { op: '<>', args: [{ property: 'eo:cloud_cover' }, 20] }, true],
  [
    "NOT (eo:cloud_cover > 10 AND collection = 'sentinel2')",
    {
      op: 'not',
      args: [
        {
          op: 'and',
          args: [
            { op: '>', args: [{ property: 'eo:cloud_cover' }, 10] },
            { op: '=', args: [{ property: 'collection' }, 'sentinel2'] },
          ],
        },
      ],
    },
    false,
  ],
  [
    "collection = 'naip' OR properties.platform = 'sentinel-2a'",
    {
      op: 'or',
      args: [
        { op: '=', args: [{ property: 'collection' }, 'naip'] },
        { op: '=', args: [{ property: 'properties.platform' }, 'sentinel-2a'] },
      ],
    },
    true,
  ],
  [
    "CASEI(platform) = casei('SENTINEL-2A')",
    {
      op: '=',
      args: [
        { op: 'casei', args: [{ property: 'platform' }] },
        { op: 'casei', args: ['SENTINEL-2A'] },
      ],
    },
    true,
  ],
  ["platform LIKE 'sentinel%a'", { op: 'like', args: [{ property: 'platform' }, 'sentinel%a'] }, true],
  [
    "platform NOT LIKE 'sentinel-_a'",
    { op: 'not', args: [{ op: 'like', args: [{ property: 'platform' }, 'sentinel-_a'] }] },
    false,
  ],
  [
    'eo:cloud_cover BETWEEN 21 AND 22',
    { op: 'between', args: [{ property: 'eo:cloud_cover' }, 21, 22] },
    true,
  ],
  [
    'eo:cloud_cover NOT IN (20, 22)',
    { op: 'not', args: [{ op: 'in', args: [{ property: 'eo:cloud_cover' }, [20, 22]] }] },
    true,
  ],
  ['updated IS NULL', { op: 'isNull', args: [{ property: 'updated' }] }, true],
  ['datetime IS NOT NULL', { op: 'not', args: [{ op: 'isNull', args: [{ property: 'datetime' }] }] }, true],
  // What compares with a missing value is neither true nor false.
  [
    'NOT sat:absolute_orbit = 5',
    { op: 'not', args: [{ op: '=', args: [{ property: 'sat:absolute_orbit' }, 5] }] },
    false,
  ],
  [
    "datetime >= TIMESTAMP('2026-06-21T10:50:31Z')",
    { op: '>=', args: [{ property: 'datetime' }, { timestamp: '2026-06-21T10:50:31Z' }] },
    true,
  ],
  [
    "datetime < '2026-06-21T12:50:31+02:00'",
    { op: '<', args: [{ property: 'datetime' }, '2026-06-21T12:50:31+02:00'] },
    false,
  ],
  [
    "T_DURING(datetime, INTERVAL('2026-06-21', '2026-06-21'))",
    { op: 't_during', args: [{ property: 'datetime' }, { interval: ['2026-06-21', '2026-06-21'] }] },
    true,
  ],
  [
    "T_AFTER(datetime, DATE('2026-06-21'))",
    { op: 't_after', args: [{ property: 'datetime' }, { date: '2026-06-21' }] },
    false,
  ],
  [
    'S_INTERSECTS(geometry, POINT(2.5 42.5))',
    { op: 's_intersects', args: [{ property: 'geometry' }, { type: 'Point', coordinates: [2.5, 42.5] }] },
    true,
  ],
  [
    'S_DISJOINT(geometry, LINESTRING(1 40, 1.9 44))',
    {
      op: 's_disjoint',
      args: [
        { property: 'geometry' },
        {
          type: 'LineString',
          coordinates: [
            [1, 40],
            [1.9, 44],
          ],
        },
      ],
    },
    true,
  ],
  [
    'S_INTERSECTS(geometry, BBOX(2.9, 42.9, 4, 44))',
    { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [2.9, 42.9, 4, 44] }] },
    true,
  ],
  [
    'S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(0 0), MULTIPOINT((2 42), (9 9))))',
    {
      op: 's_intersects',
      args: [
        { property: 'geometry' },
        {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Point', coordinates: [0, 0] },
            {
              type: 'MultiPoint',
              coordinates: [
                [2, 42],
                [9, 9],
              ],
            },
          ],
        },
      ],
    },
    true,
  ],
  ['TRUE', true, true],
  ["\"swath:scene_id\" = 'it''s'", { op: '=', args: [{ property: 'swath:scene_id' }, "it's"] }, false],
];

test('both forms of CQL2 mean the same and match the same items', async () => {
  for (const [text, json, isTrue] of CASES) {
    assert.equal(isMet(await resolve(readCql2Text(text)), scene), isTrue, text);
    assert.equal(isMet(await resolve(readCql2Json(json)), scene), isTrue, JSON.stringify(json));
  }
});

test('the query extension has the operators of its specification', async () => {
  const judge = async (query: unknown) => isMet(await resolve(readQuery(query)), scene);
  assert.equal(await judge({ 'eo:cloud_cover': { gte: 21, lt: 22 }, platform: { neq: 'x' } }), true);
  assert.equal(await judge({ platform: { startsWith: 'sentinel', endsWith: '2a', contains: '-' } }), true);
  assert.equal(await judge({ platform: { contains: '%' } }), false);
  assert.equal(await judge({ 'eo:cloud_cover': { in: [1, 2] } }), false);
  assert.match(
    refusal(() => readQuery({ 'eo:cloud_cover': { near: 3 } })),
    /operator near/,
  );
  assert.match(
    refusal(() => readQuery({ 'eo:cloud_cover': 3 })),
    /object of operators/,
  );
});

test('invalid filters are refused with the position of the error', () => {
  for (const [text, words] of [
    ['eo:cloud_cover <', /needs a property or a value at its end/],
    ['eo:cloud_cover < 10 AND', /at its end/],
    ['(eo:cloud_cover < 10', /needs \)/],
    ['eo:cloud_cover < 10 20', /ends too early before "20"/],
    ['a ; DROP TABLE scenes', /cannot be read at character 2/],
    ['s_within(geometry, POINT(0 0)) = 3', /function s_within, which is not supported/],
    ["datetime > TIMESTAMP('yesterday')", /needs a time such as/],
    ['S_INTERSECTS(geometry, CIRCLE(1 2))', /needs a geometry/],
    ["'unclosed", /cannot be read at character 1/],
  ] as const)
    assert.match(
      refusal(() => readCql2Text(text)),
      words,
      text,
    );
  for (const [json, words] of [
    ['eo:cloud_cover < 10', /must be made of/],
    [{ op: 'eval', args: ['1'] }, /operator eval, which is not supported/],
    [{ op: '=', args: [{ property: 'id' }] }, /needs two arguments/],
    [{ op: '=', args: [{ property: 'id' }, { function: {} }] }, /neither a property/],
    [{ op: 's_intersects', args: [{ property: 'bbox' }, {}] }, /property geometry only/],
  ] as const)
    assert.match(
      refusal(() => readCql2Json(json)),
      words,
    );
});

test('filters are bounded in depth, conditions, geometries and string length', () => {
  const deep = `${'('.repeat(5_000)}TRUE${')'.repeat(5_000)}`;
  assert.match(
    refusal(() => readCql2Text(deep)),
    /nests deeper than 32 levels/,
  );
  assert.match(
    refusal(() => readCql2Text(`${'NOT '.repeat(5_000)}TRUE`)),
    /nests deeper/,
  );
  const wide = Array.from({ length: 2_000 }, (_, i) => `gsd = ${i}`).join(' OR ');
  assert.match(
    refusal(() => readCql2Text(wide)),
    /more than 1000 conditions/,
  );
  const shapes = Array.from({ length: 9 }, () => 'S_INTERSECTS(geometry, POINT(1 1))').join(' OR ');
  assert.match(
    refusal(() => readCql2Text(shapes)),
    /more than 8 geometries/,
  );
  assert.match(
    refusal(() => readCql2Text(`id = '${'x'.repeat(301)}'`)),
    /more than 300 characters/,
  );
  assert.match(
    refusal(() => readCql2Text(`id = '${'x'.repeat(70_000)}'`)),
    /longer than 65536/,
  );
  let nested: unknown = true;
  for (let i = 0; i < 40; i += 1) nested = { op: 'not', args: [nested] };
  assert.match(
    refusal(() => readCql2Json(nested)),
    /nests deeper/,
  );
});

test('property: any string is parsed or refused, and never fails otherwise', () => {
  const words = [
    '(',
    ')',
    ',',
    '=',
    '<',
    'AND',
    'OR',
    'NOT',
    'id',
    "'a'",
    '1',
    'IN',
    'LIKE',
    'BETWEEN',
    'IS',
    'NULL',
  ];
  const more = [
    'S_INTERSECTS',
    'geometry',
    'POLYGON',
    'T_AFTER',
    'datetime',
    'INTERVAL',
    'CASEI',
    'TRUE',
    '-1e5',
    '"x"',
  ];
  const any = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fc.constantFrom(...words, ...more), { maxLength: 30 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(any, (text) => {
      try {
        readCql2Text(text);
      } catch (error) {
        assert.ok(isSwathError(error) && error.code === 'bad-filter', String(error));
      }
    }),
    { numRuns: casesOf(2_000) },
  );
});

test('property: any JSON is parsed or refused, and never fails otherwise', () => {
  const any = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.record({
        op: fc.constantFrom(
          'and',
          'or',
          'not',
          '=',
          'in',
          'like',
          'between',
          'isNull',
          's_intersects',
          't_during',
        ),
        args: fc.array(tie('node'), { maxLength: 3 }),
      }),
      fc.record({ property: fc.constantFrom('id', 'datetime', 'geometry', '__proto__') }),
    ),
  })).node;
  fc.assert(
    fc.property(any, (node) => {
      try {
        readCql2Json(node);
      } catch (error) {
        assert.ok(isSwathError(error) && error.code === 'bad-filter', String(error));
      }
    }),
    { numRuns: casesOf(2_000) },
  );
});

test('a pattern with many % is matched without exponential backtracking', () => {
  const matches = makeLike(`${'%a'.repeat(140)}b`, false);
  assert.equal(matches('a'.repeat(300)), false);
  assert.equal(makeLike('%a_c%', true)('XXAbC'), true);
  assert.equal(makeLike('100\\%', false)('100%'), true);
  assert.equal(makeLike('', false)(''), true);
});

test('property: the conditions pushed down to search and the remaining ones find exactly the matching scenes', async () => {
  const sensor = sensorByDataset('sentinel2')!;
  const scenes = Array.from({ length: 28 }, (_, i) =>
    toScene(makeScene(i + 1, { footprint: box(i / 10, 42, i / 10 + 1, 43) })),
  );
  const anyCondition = fc.oneof(
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>=', '=', '<>'), fc.integer({ min: 0, max: 30 }))
      .map(([op, value]) => `eo:cloud_cover ${op} ${value}`),
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>=', '='), fc.integer({ min: 1, max: 28 }))
      .map(([op, day]) => `datetime ${op} TIMESTAMP('2026-06-${String(day).padStart(2, '0')}T10:50:31Z')`),
    fc.constantFrom(
      "platform = 'sentinel-2a'",
      "platform = 'Sentinel-2A'",
      "collection <> 'sentinel2'",
      'gsd <= 10',
      "swath:scene_id LIKE '%1_31TDH%'",
      'eo:cloud_cover IN (3, 4, 5)',
      "T_BEFORE(datetime, TIMESTAMP('2026-06-10T10:50:31Z'))",
    ),
  );
  const any = fc.array(anyCondition, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(any, (parts) => {
      const condition = readCql2Text(parts.join(' AND ')) as Condition;
      const pushed = pushDown(toConjuncts(condition), sensor);
      const found =
        pushed === null
          ? []
          : scenes.filter(
              (one) =>
                matchesFilters(toMatchedFields(one), pushed.filters) &&
                pushed.rest.every((rest) => isMet(rest, one)),
            );
      assert.deepEqual(
        found,
        scenes.filter((one) => isMet(condition, one)),
      );
    }),
    { numRuns: casesOf(500) },
  );
});
