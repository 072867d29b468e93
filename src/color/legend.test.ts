import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Colormap, ColorPlan } from './index.ts';
import { paintColorbar, planColormap, toLegend } from './index.ts';
import { toTicks } from './legend.ts';

const named = (name: string): Colormap => ({ kind: 'named', name, isReversed: false });
const eightBit = { min: 0, max: 255 };

test('a continuous colormap has 256 colours and 255 thresholds between', () => {
  const legend = toLegend(planColormap(named('viridis'), { colorsLimit: null, range: null }), eightBit);
  assert.equal(legend.colors.length, 256);
  assert.equal(legend.thresholds.length, 255);
  assert.equal(legend.colors[0], '#440154');
  assert.deepEqual(legend.thresholds.slice(0, 2), [0.99609375, 1.9921875]);
  assert.equal(legend.thresholds.at(-1), 254.00390625);
});

test('MIN_MAX and LIMIT give five colours from -1 to 1', () => {
  const range = { min: -1, max: 1 };
  const legend = toLegend(planColormap(named('RdYlGn'), { colorsLimit: 5, range }), eightBit);
  assert.equal(legend.colors.join(' '), '#a50026 #f88d52 #ffffbf #86cb66 #006837');
  const rounded = legend.thresholds.map((value) => Number(value.toFixed(12)));
  assert.deepEqual(rounded, [-0.6, -0.2, 0.2, 0.6]);
});

test('a discrete colormap has its own colours only', () => {
  const legend = toLegend(planColormap(named('Accent'), { colorsLimit: 3, range: null }), { min: 0, max: 8 });
  assert.equal(legend.colors.length, 8);
  assert.deepEqual(legend.thresholds, [1, 2, 3, 4, 5, 6, 7]);
});

test('the legend of a palette has the values and labels of its colours', () => {
  const values: ColorPlan = {
    kind: 'values',
    colors: 'ff000000ff00',
    values: [6, 4],
    labels: ['Water', 'Plants'],
  };
  assert.deepEqual(toLegend(values, eightBit), {
    colors: ['#ff0000', '#00ff00'],
    thresholds: [],
    values: [6, 4],
    labels: ['Water', 'Plants'],
  });
  const bits: ColorPlan = { kind: 'bits', colors: 'ff000000ff00', bits: [[15, 14], [0]] };
  assert.deepEqual(toLegend(bits, eightBit).values, ['(15,14)', '0']);
});

test('a grey picture has a legend too: levels begin half a level before their value', () => {
  const { colors, thresholds } = toLegend(null, { min: 0, max: 2550 });
  assert.equal(colors.length, 256);
  assert.deepEqual([colors[0], colors[10], colors[255]], ['#000000', '#0a0a0a', '#ffffff']);
  assert.deepEqual([thresholds.length, thresholds[0], thresholds[254]], [255, 5, 2545]);
});

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

test('classes are equally wide, or to scale if there is a range', () => {
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

test('ticks are at round numbers within the range, eleven at most', () => {
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
