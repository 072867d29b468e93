import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../src/testing/test-size.ts';
import type { CornerRing, MaskPart } from './mask-outline.ts';
import { traceMask } from './mask-outline.ts';

const toMask = (...rows: string[]) => ({
  width: rows[0]!.length,
  height: rows.length,
  pixels: Uint8Array.from(rows.join(''), (pixel) => (pixel === '#' ? 1 : 0)),
});

const areaOf = (ring: CornerRing): number =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0] * y - x * ring[i]![1], 0) / 2;

/** Whether a position lies inside of a part: a line to the east crosses its rings an odd number of times. */
const isInside = (part: MaskPart, x: number, y: number): boolean =>
  part.flatMap((ring) =>
    ring.slice(1).filter(([toX, toY], i) => {
      const [fromX, fromY] = ring[i]!;
      return fromX === toX && fromX > x && Math.min(fromY, toY) < y && Math.max(fromY, toY) > y;
    }),
  ).length %
    2 ===
  1;

test('a square, a ring with a hole, and pixels that touch at a corner are outlined', () => {
  assert.deepEqual(traceMask(toMask('...', '.#.', '...')), [
    [
      [
        [2, 1],
        [2, 2],
        [1, 2],
        [1, 1],
        [2, 1],
      ],
    ],
  ]);
  const [ring, ...others] = traceMask(toMask('###', '#.#', '###'));
  assert.deepEqual([others.length, ring!.map(areaOf)], [0, [9, -1]]);
  // two parts, because they hang together by a corner only
  assert.deepEqual(
    traceMask(toMask('#.', '.#')).map((part) => part.map(areaOf)),
    [[1], [1]],
  );
  // one part that comes back to itself by a corner: its hole touches the outline there
  assert.deepEqual(
    traceMask(toMask('###', '#.#', '##.')).map((part) => part.map(areaOf)),
    [[8, -1]],
  );
});

test('an empty mask has no parts, a full one has a single outline', () => {
  assert.deepEqual(traceMask(toMask('..', '..')), []);
  assert.deepEqual(
    traceMask(toMask('####', '####')).map((part) => part.map((ring) => ring.length)),
    [[5]],
  );
});

test('outlines of any mask fill exactly its pixels, and none touches itself', () => {
  const masks = fc
    .integer({ min: 1, max: 9 })
    .chain((width) =>
      fc
        .integer({ min: 1, max: 9 })
        .chain((height) =>
          fc
            .array(fc.boolean(), { minLength: width * height, maxLength: width * height })
            .map((flags) => ({ width, height, pixels: Uint8Array.from(flags, Number) })),
        ),
    );
  fc.assert(
    fc.property(masks, (mask) => {
      const parts = traceMask(mask);
      mask.pixels.forEach((pixel, i) => {
        const [x, y] = [(i % mask.width) + 0.5, Math.floor(i / mask.width) + 0.5];
        assert.equal(parts.filter((part) => isInside(part, x, y)).length, pixel);
      });
      for (const [outline, ...holes] of parts) {
        assert.ok(areaOf(outline!) > 0 && holes.every((hole) => areaOf(hole) < 0));
        for (const ring of [outline!, ...holes]) {
          assert.deepEqual(ring.at(-1), ring[0]);
          assert.equal(new Set(ring.map(String)).size, ring.length - 1);
        }
      }
    }),
    { numRuns: casesOf(400) },
  );
});
