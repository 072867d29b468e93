import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { countPixels, toSpans } from './area-spans.ts';

test('property: the runs of a mask are its pixels', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100, max: 1 }), (mask) => {
      const spans = toSpans(mask);
      const drawn = new Uint8Array(mask.length);
      for (let i = 0; i < spans.length; i += 2) drawn.fill(1, spans[i], spans[i + 1]);
      assert.deepEqual(drawn, mask);
      assert.equal(countPixels(spans), mask.filter((one) => one === 1).length);
    }),
    { numRuns: casesOf(300) },
  );
});

test('neighbours are one run, and an empty mask has none', () => {
  assert.deepEqual([...toSpans(Uint8Array.of(0, 1, 1, 1, 1, 0, 1))], [1, 5, 6, 7]);
  assert.equal(toSpans(new Uint8Array(6)).length, 0);
});
