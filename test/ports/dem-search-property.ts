import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLatBounds } from '../../src/geo/index.ts';
import type { DemFile, DemLayer } from '../../src/terrain/index.ts';
import { makeDem, makeDemFile } from '../../src/terrain/testing/fake-dem-store.ts';
import { casesOf } from '../../src/testing/test-size.ts';
import type { OpenStore } from './store-contract.ts';

const CATALOGS = 3;
const SEARCHES = 300;

const DEMS = ['a', 'b'];
const OVERVIEWS = [0, 1, 3];

/** Millionths of a degree, as a power of two: turning such a number around the world is exact, and 32 bits do not hold it. */
const STEP = 2 ** -20;
const anyDegrees = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(
    // Whole degrees, so that edges often meet.
    fc.integer({ min, max }),
    fc.integer({ min: min / STEP, max: max / STEP }).map((steps) => steps * STEP),
  );

const anySpan = (min: number, max: number, maxSize: number): fc.Arbitrary<readonly [number, number]> =>
  fc
    .tuple(anyDegrees(min, max), fc.oneof(anyDegrees(0, 3), anyDegrees(0, maxSize)))
    .map(([from, size]) => [from, from + size]);

/** Half of them near the antimeridian. */
const anyLons = fc.oneof(anySpan(-180, 180, 360), anySpan(175, 180, 10));
const anyLats = anySpan(-90, 85, 5);

/** Enough that some searches find few files, and others too many to look them up in the spatial index. */
const anyFiles: fc.Arbitrary<readonly DemFile[]> = fc
  .array(fc.tuple(anyLons, anyLats, fc.constantFrom(...DEMS), fc.constantFrom(...OVERVIEWS)), {
    minLength: 100,
    maxLength: 2_000,
    size: 'max',
  })
  .map((tuples) =>
    tuples.map(([[west, east], [south, north], dem, overview], i) =>
      makeDemFile(dem, 0, 0, {
        // 2,003 is prime: each number comes once.
        id: String((i * 7_919) % 2_003),
        overview,
        bounds: { west, south, east, north },
      }),
    ),
  );

/** Also beyond ±180 and around the world, and beyond the poles. */
const anyBounds: fc.Arbitrary<LonLatBounds> = fc
  .tuple(
    fc.oneof(anySpan(-180, 180, 30), anySpan(-186, -175, 10), anySpan(-900, 900, 720)),
    fc.oneof(anySpan(-90, 90, 10), anySpan(-200, 90, 300)),
  )
  .map(([[west, east], [south, north]]) => ({ west, south, east, north }));

const anyLayers = fc.array(
  fc.record({ dem: fc.constantFrom(...DEMS, 'absent'), overview: fc.constantFrom(...OVERVIEWS, 2) }),
  { maxLength: 5 },
);

/** Looks at every file, at each turn of the world. */
function findNaively(
  files: readonly DemFile[],
  layers: readonly DemLayer[],
  { west, south, east, north }: LonLatBounds,
): readonly string[] {
  const turns = Array.from({ length: 15 }, (_, i) => (i - 7) * 360);
  return files
    .filter(({ dem, overview }) => layers.some((one) => one.dem === dem && one.overview === overview))
    .filter(({ bounds }) => bounds.south <= north && bounds.north >= south)
    .filter(({ bounds }) => turns.some((turn) => bounds.west + turn <= east && bounds.east + turn >= west))
    .map(({ id }) => id)
    .sort();
}

/** Random files and random bounds: the index agrees with a look at every file. */
export function demSearchProperty(name: string, open: OpenStore): void {
  test(`${name} dems: property: a search finds the same files as a scan of all files`, async () => {
    for (const files of fc.sample(anyFiles, CATALOGS)) {
      const store = await open();
      for (const dem of DEMS) await store.dems.putDem(makeDem(dem));
      await store.dems.putFiles(files);
      await fc.assert(
        fc.asyncProperty(
          anyLayers,
          anyBounds,
          fc.integer({ min: 0, max: 50 }),
          async (layers, bounds, limit) => {
            const expected = findNaively(files, layers, bounds);
            const all = await store.dems.findFiles(layers, bounds, 10_000);
            assert.deepEqual(
              all.map(({ id }) => id),
              expected,
            );
            const some = await store.dems.findFiles(layers, bounds, limit);
            assert.deepEqual(some, all.slice(0, limit));
          },
        ),
        { numRuns: casesOf(SEARCHES) },
      );
      await store.close();
    }
  });
}
