import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import type { BulkOrder } from './bulk-order.ts';
import { makeBulkProgress } from './bulk-progress.ts';

const ORDER = {
  expressions: ['NDVI'],
  format: 'parquet',
  layout: 'long',
  limit: null,
} as unknown as BulkOrder;

test('property: progress is reported in whole numbers, which every store holds, and the last report says that all is done', () => {
  const work = fc.record({
    costs: fc.array(fc.double({ min: 1e-3, max: 1e5, noNaN: true }), { minLength: 1, maxLength: 12 }),
    shapes: fc.integer({ min: 1, max: 50_000 }),
    threads: fc.integer({ min: 1, max: 8 }),
    steps: fc.integer({ min: 1, max: 9 }),
    stepMs: fc.integer({ min: 1, max: 60_000 }),
    earlier: fc.nat(4),
  });
  fc.assert(
    fc.property(work, ({ costs, shapes, threads, steps, stepMs, earlier }) => {
      let nowMs = 0;
      const reports: { readonly done: number; readonly total: number }[] = [];
      const scenes = costs.map((ms) => ({ ms, shapes, grids: [0] }));
      const open = [...costs.keys()].slice(earlier);
      const plan = [{ shapes, viewIds: costs.map(String), costs: scenes }];
      const bulk = makeBulkProgress(
        { order: ORDER, plan, pending: [open], threads, nowMs: () => nowMs },
        (one) => reports.push(one),
      );
      const chunk = bulk.ofChunk(0);
      const shares = Array.from({ length: steps }, (_, i) => (i + 1) / steps);
      const spend = (): number => (nowMs += stepMs);
      if (open.length > 0) {
        spend();
        chunk.onCovered();
      }
      for (const scene of open) {
        for (const share of shares) {
          spend();
          chunk.onMeasured(scene, share);
        }
        chunk.onPartEnd(scene);
      }
      for (const share of shares) {
        spend();
        bulk.onWritten(share);
      }
      for (const { done, total } of reports) {
        assert.ok(
          Number.isSafeInteger(done) && Number.isSafeInteger(total) && done <= total,
          `${done} of ${total}`,
        );
      }
      assert.deepEqual(reports.at(-1), { done: 1, total: 1 });
    }),
    { numRuns: casesOf(1_000) },
  );
});
