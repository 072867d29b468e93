import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseExpressions } from '../bandmath/index.ts';
import type { CachedPixels } from '../blocks/index.ts';
import { loadKernels, makeComputeBands } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { makeCachedPoints } from './cached-points.ts';
import type { PointInput, PointPlan } from './plan/point-plan.ts';
import { makeReadPoint } from './read-point.ts';

const BANDS = ['B04', 'B08'];
const names = {
  all: BANDS,
  find: (name: string) => ({ kind: 'band' as const, name, resolutionM: 10 }),
};

function planOf(bands: string, inputs: readonly Partial<PointInput>[]): PointPlan {
  const tree = parseExpressions(bands, names);
  return {
    viewId: 'a/b',
    sceneVersion: '1',
    tree,
    inputs: tree.inputs.map(({ band }, i) => ({
      band,
      href: `${band}.tif`,
      bandIndex: 0,
      nodata: 0,
      rule: 'plain',
      parameters: [],
      second: null,
      pixel: { x: 3, y: 4 },
      ...inputs[i],
    })),
  };
}

/** Pixels by their band. */
const pixelsOf = (samples: Readonly<Record<string, number | null>>): CachedPixels => ({
  knows: ({ band }) => band in samples,
  learn: () => {},
  find: ({ band }) => samples[band],
});

/** The values that a thread finds for the same samples. */
async function readOnThread(plan: PointPlan, samples: Readonly<Record<string, number | null>>) {
  const kernels = loadKernels();
  const job = makeReadPoint({
    kernels,
    compute: makeComputeBands(kernels),
    async readWindow({ band }, sink) {
      sink.begin();
      const pixels = Float32Array.of(samples[band] ?? 0);
      sink.add({ pixels, width: 1, height: 1, corner: { x: 0, y: 0 }, mask: null });
    },
  });
  const context = { signal: new AbortController().signal, cancelled: () => false, report: () => {} };
  return (await job({ plan, asksBlocks: false }, context)).values;
}

test('a point of cached pixels has the values that a thread computes, to the bit', async () => {
  const sample = fc.option(fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.float({ min: 1, noNaN: true })));
  const rule = fc.constantFrom<Pick<PointInput, 'rule' | 'parameters'>>(
    { rule: 'plain', parameters: [] },
    { rule: 'shifted', parameters: [-1000] },
    { rule: 'linear', parameters: [-1000.3, 0.0001] },
  );
  const bands = fc.constantFrom(
    'B04',
    'B08,B04',
    '(B08-B04)/(B08+B04)',
    '-abs(B04-1.1)*B08/3',
    'B04/(B08-B08)',
  );
  await fc.assert(
    fc.asyncProperty(bands, rule, rule, sample, sample, async (text, first, second, B04, B08) => {
      const plan = planOf(text, [first, second]);
      const samples = { B04, B08 };
      const found = makeCachedPoints(pixelsOf(samples)).find(plan);
      assert.deepEqual(found, await readOnThread(plan, samples));
    }),
    { numRuns: casesOf(100) },
  );
});

test('a band that the point lies outside of has no value', () => {
  const plan = planOf('B04,B08', [{ pixel: null }]);
  assert.deepEqual(makeCachedPoints(pixelsOf({ B08: 7 })).find(plan), [null, 7]);
});

test('a thread reads what is not cached, and computes what is not exact in every engine', () => {
  const points = makeCachedPoints(pixelsOf({ B04: 5 }));
  assert.deepEqual(points.find(planOf('B04', [])), [5]);
  const others = [
    planOf('B04-B08', []),
    planOf('sin(B04)', []),
    planOf('B04', [{ rule: 'thermal', parameters: [1, 2, 3, 4] }]),
    planOf('B04', [{ second: 2 }]),
    planOf('B04', [{ bits: [] }]),
  ];
  for (const plan of others) assert.equal(points.find(plan), null);
});

test('a thread is asked for the blocks of files that are not known, and only for expressions that need no thread', () => {
  const learned: string[] = [];
  const points = makeCachedPoints({
    ...pixelsOf({ B04: 5 }),
    learn: ({ href }) => void learned.push(href),
  });
  assert.equal(points.asksBlocks(planOf('B04', [])), false);
  assert.equal(points.asksBlocks(planOf('B04-B08', [])), true);
  assert.equal(points.asksBlocks(planOf('sin(B08)', [])), false);
  const blocks = { key: [1, 2, 3, 4] } as never;
  points.learn(planOf('B08,B04', []), [blocks, null]);
  assert.deepEqual(learned, ['B08.tif']);
});
