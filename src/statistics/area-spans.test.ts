import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countPixels, cutSpans, toSpans } from './area-spans.ts';

const anyMask = fc
  .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      mask: fc.uint8Array({ minLength: width * height, maxLength: width * height, max: 1 }),
      x: fc.nat(width - 1),
      y: fc.nat(height - 1),
    }),
  );

test('property: the runs of any window are its pixels in the mask', () => {
  fc.assert(
    fc.property(anyMask, ({ mask, width, height, x, y }) => {
      const spans = toSpans(mask, width);
      assert.equal(countPixels(spans), mask.filter((one) => one === 1).length);
      const window = { x, y, width: width - x, height: Math.max(1, height - y - 1) };
      const drawn = new Uint8Array(window.width * window.height);
      const cut = cutSpans(spans, window);
      for (let i = 0; i < cut.length; i += 2) drawn.fill(1, cut[i], cut[i + 1]);
      const wanted = drawn.map((_, i) => {
        const [column, row] = [x + (i % window.width), y + Math.floor(i / window.width)];
        return mask[row * width + column] as number;
      });
      assert.deepEqual(drawn, wanted);
    }),
    { numRuns: 300 },
  );
});

test('a run ends with its row, and an empty mask has none', () => {
  assert.deepEqual([...toSpans(Uint8Array.of(0, 1, 1, 1, 1, 0), 3)], [0, 1, 3, 1, 0, 2]);
  assert.equal(toSpans(new Uint8Array(6), 3).length, 0);
});
