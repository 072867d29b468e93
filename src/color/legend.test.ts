import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Colormap, ColorPlan } from './index.ts';
import { planColormap, toLegend } from './index.ts';

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

test('MIN_MAX and LIMIT: five colours from -1 to 1', () => {
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

test('palettes name what their colours stand for', () => {
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
