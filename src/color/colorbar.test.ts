import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toTicks } from './colorbar.ts';
import type { ColorPlan } from './index.ts';
import { paintColorbar, planColormap } from './index.ts';

const size = { width: 256, height: 24 };
const at = (rgba: Uint8Array, width: number, x: number, y: number): string =>
  Buffer.from(rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)).toString('hex');

test('a bar of 256 pixels has a column for each colour', () => {
  const viridis = planColormap(
    { kind: 'named', name: 'viridis', isReversed: false },
    { colorsLimit: null, range: null },
  );
  const rgba = paintColorbar(viridis, { size, range: null });
  assert.equal(rgba.length, 256 * 24 * 4);
  for (const [x, color] of [
    [0, '440154ff'],
    [64, '3b528bff'],
    [255, 'fde725ff'],
  ] as const) {
    assert.equal(at(rgba, 256, x, 0), color);
    assert.equal(at(rgba, 256, x, 23), color);
  }
});

const classes: ColorPlan = {
  kind: 'steps',
  colors: 'ff000000ff000000ff',
  thresholds: [1, 4],
  thresholdsOf: 'values',
};

test('classes are equally wide, or to the scale of a range', () => {
  const small = { width: 6, height: 1 };
  const row = (range: { min: number; max: number } | null): string => {
    // without the ticks, which would cover a bar of one pixel's height
    const rgba = paintColorbar(classes, { size: { ...small, height: 3 }, range });
    return [0, 1, 2, 3, 4, 5]
      .map((x) => 'rgb'[['ff0000ff', '00ff00ff', '0000ffff'].indexOf(at(rgba, 6, x, 0))])
      .join('');
  };
  assert.equal(row(null), 'rrggbb');
  assert.equal(row({ min: 0, max: 6 }), 'rgggbb');
});

test('a range has ticks at round numbers, black on light and white on dark', () => {
  const grey = planColormap(
    { kind: 'named', name: 'gray', isReversed: false },
    { colorsLimit: null, range: { min: 0, max: 1 } },
  );
  const rgba = paintColorbar(grey, { size, range: { min: 0, max: 1 } });
  assert.equal(at(rgba, 256, 51, 23), 'ffffffff');
  assert.equal(at(rgba, 256, 51, 10), '333333ff');
  assert.equal(at(rgba, 256, 204, 23), '000000ff');
});

test('ticks', () => {
  const rounded = (min: number, max: number): number[] =>
    toTicks({ min, max }).map((tick) => Number(tick.toPrecision(12)));
  assert.deepEqual(rounded(0, 1), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  assert.deepEqual(rounded(0, 255), [0, 50, 100, 150, 200, 250]);
  assert.deepEqual(rounded(-0.37, 0.21), [-0.3, -0.2, -0.1, 0, 0.1, 0.2]);
  for (const [min, max] of [
    [-3e38, 3e38],
    [1e-30, 2e-30],
    [5, 5.0001],
    [1218, 8792],
  ] as const) {
    const ticks = toTicks({ min, max });
    assert.ok(ticks.length >= 2 && ticks.length <= 11, `${min} ${max}: ${ticks}`);
    assert.ok(
      ticks.every((tick) => tick >= min && tick <= max),
      `${ticks}`,
    );
  }
});
