import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canWrite, glyphRows, paintWatermark } from './watermark.ts';

const gray = (width: number, height: number) => ({
  rgba: new Uint8Array(width * height * 4).fill(128),
  width,
  height,
});

test('a watermark is visible all over the picture, on dark and on light background', () => {
  for (const ground of [0, 128, 255]) {
    const pixels = gray(512, 512);
    pixels.rgba.fill(ground);
    paintWatermark(pixels, 'Swath preview');
    for (const [left, top] of [
      [0, 0],
      [256, 0],
      [0, 256],
      [256, 256],
    ] as const) {
      let changed = 0;
      for (let y = top; y < top + 256; y++)
        for (let x = left; x < left + 256; x++) if (pixels.rgba[4 * (y * 512 + x)] !== ground) changed++;
      assert.ok(changed > 500, `${changed} pixels of ${ground} at ${left}, ${top}`);
    }
  }
});

test('lowercase letters are drawn as capitals, and everything stays within the picture', () => {
  const [small, capital] = [gray(40, 20), gray(40, 20)];
  paintWatermark(small, 'abc');
  paintWatermark(capital, 'ABC');
  assert.deepEqual(small.rgba, capital.rgba);
  paintWatermark(gray(1, 1), 'A very long text for one pixel');
});

test('characters missing from the font are refused', () => {
  assert.equal(canWrite('Swath preview 2026, (c) me & you'), true);
  assert.equal(canWrite('Žluťoučký'), false);
  assert.deepEqual(
    glyphRows('L')
      .map((row) => row.toString(2))
      .at(-1),
    '11111',
  );
});
