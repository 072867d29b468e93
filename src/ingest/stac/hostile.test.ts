import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import { runTimed } from '../../testing/run-timed.ts';
import { completeItem } from './complete-item.ts';
import { parseItem } from './item.ts';
import type { ItemContext } from './plan-item.ts';
import { planItem } from './plan-item.ts';
import type { StacFilters } from './source/source.ts';
import { isWanted } from './source/source.ts';
import { earthSearchItem, landsatItem, modisItem, naipItem, sentinel1Item } from './testing/make-items.ts';

const context: ItemContext = {
  location: { kind: 'url', url: 'https://stac.example/items/1' },
  rules: { isAllowedHref: () => true, toHref: () => assert.fail('A local file was requested.') },
  findScene: async () => null,
  probe: false,
};
const filters: StacFilters = {
  bbox: [170, -80, -170, 80],
  date: { from: '2020-01-01', to: '2023-01-01' },
  maxCloudPercent: 50,
  limit: 1,
  collections: [],
};

type Node = Record<string, unknown>;

/** All values inside a document, as pairs of their parent and key. */
function nodesOf(value: unknown): [Node, string][] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [[value as Node, name], ...nodesOf(inner)]);
}

const anything = fc.oneof(
  fc.constantFrom(
    ...[null, true, -1, 0, 1e308, -1e308, 2 ** 53, '', '.', '..', 'file:///etc/passwd', 'EPSG:999999'],
    ...['https://[::1', 's3://', '\0', '9999-99-99T99:99:99Z', 'NaN', [], {}, [[]], [[[[]]]]],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

test('an item with any value at any position becomes a scene or is refused', async () => {
  const items = [
    () => earthSearchItem(3),
    () => naipItem(1),
    () => landsatItem('L1TP'),
    () => landsatItem('L2SP'),
    () => modisItem(),
    () => sentinel1Item(),
  ];
  let scenes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...items),
      fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 4 }),
      async (make, changes) => {
        const item = structuredClone(make());
        for (const [number, value] of changes) {
          const nodes = nodesOf(item);
          const [node, name] = nodes[number % nodes.length]!;
          node[name] = structuredClone(value);
        }
        try {
          const parsed = parseItem(item);
          isWanted(parsed, filters);
          const { scene } = await completeItem(await planItem(parsed, context), { doors: null, context });
          assert.ok(Object.keys(scene.assets).length > 0);
          for (const [node, name] of nodesOf(scene)) {
            const value = node[name];
            const isKept = value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
            assert.ok(isKept, `A store could not hold ${name}.`);
          }
          scenes++;
        } catch (error) {
          if (!isSwathError(error) || error.tag === 'internal') throw error;
          assert.ok(error.message.length < 500, error.message);
        }
      },
    ),
    { numRuns: 600 },
  );
  assert.ok(scenes > 50, 'Most changes are harmless.');
});

test('an outline of very many points takes little time', async () => {
  const item = naipItem(1);
  const ring = Array.from({ length: 90_000 }, (_, i) => [
    -86 + Math.cos(i / 10) / 9,
    31 + Math.sin(i / 10) / 9,
  ]);
  const { tookMs } = await runTimed(async () => {
    const parsed = parseItem({ ...item, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } });
    await completeItem(await planItem(parsed, context), { doors: null, context });
  }, 2_000);
  assert.ok(tookMs < 2_000, `${tookMs} ms`);
});
