import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import { colorAt } from '../api/legend.ts';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import { limitOfDifferences, planRange, roundUp, toCodeTemplate, toDifferencePixels } from './difference.ts';
import { makeDifferenceColors, toDifferenceLegend } from './difference-colors.ts';

const range = { min: -1, max: 1 };
const colors = makeDifferenceColors([]);

/** A pixel as the server writes it for a value. */
const toPixel = (value: number): number[] => {
  const code = Math.floor(((value + 1) / 2) * 65_535);
  return [Math.floor(code / 256), code % 256, 0, 255];
};
const differenceOf = (left: readonly number[], right: readonly number[], limit: number): number[] => [
  ...toDifferencePixels(
    Uint8ClampedArray.from(left),
    Uint8ClampedArray.from(right),
    { range, limit },
    colors,
  ),
];

test('limits are round numbers', () => {
  assert.deepEqual([0.7, 0.5, 0.049, 3100, 0.95, 1e-6].map(roundUp), [0.8, 0.5, 0.05, 4000, 1, 1e-6]);
});

test('all values of both scenes fit, also those of a scene with one value', () => {
  assert.deepEqual(
    planRange([
      { min: -0.5, max: 0.9 },
      { min: -0.6, max: 0.8 },
    ]),
    { min: -0.6, max: 0.9 },
  );
  assert.deepEqual(planRange([{ min: 3, max: 3 }]), { min: 3, max: 4 });
});

test('the colours end where most differences do, neither at the few that clouds cause nor earlier', () => {
  const limitOf = (pairs: readonly (readonly [number, number])[]): number | null =>
    limitOfDifferences(
      Uint8ClampedArray.from(pairs.flatMap(([left]) => toPixel(left))),
      Uint8ClampedArray.from(pairs.flatMap(([, right]) => toPixel(right))),
      range,
    );
  const change = (by: number, count: number): [number, number][] =>
    Array.from({ length: count }, () => [0.1, 0.1 + by]);
  assert.equal(limitOf(change(0.74, 100)), 0.8, 'a season of growth is told apart');
  assert.equal(
    limitOf([...change(0.02, 99), ...change(0.8, 1)]),
    0.02,
    'one cloud does not hide small changes',
  );
  assert.equal(limitOf([...change(-0.3, 50), ...change(0, 50)]), 0.3, 'less counts like more');
  assert.ok((limitOf(change(0, 10)) ?? 0) > 0, 'scenes that are alike');
  assert.equal(
    limitOfDifferences(Uint8ClampedArray.of(0, 0, 0, 0), Uint8ClampedArray.of(0, 0, 0, 255), range),
    null,
  );
});

test('a tile is requested with the value in two channels, without loss', () => {
  const sensor = viewerSensorOf('sentinel2l2a');
  const scene = { tms: 'https://imagery.example/api/render/S2L2A/x/{band}/{z}/{x}/{y}', sensor } as Scene;
  const picture = { ...PLAIN_PICTURE, bands: 'NDVI', colormap: 'viridis', isCalibrated: true };
  const template = toCodeTemplate(scene, 'NDVI', { picture, range: { min: -0.5, max: 1.5 } });
  assert.equal(
    decodeURIComponent(template),
    'https://imagery.example/api/render/S2L2A/x/' +
      'floor(clip(((NDVI)-(-0.50))*32767.50,0.0,65535.0)/256.0),' +
      'floor(mod(clip(((NDVI)-(-0.50))*32767.50,0.0,65535.0),256.0)),0.0*(NDVI)' +
      '/{z}/{x}/{y}?MIN_MAX=0,255&CALIBRATE=1&COMPOSITE=1&mimetype=image/png',
  );
});

test('pixels are right minus left in the colours of the legend, transparent without data', () => {
  const legend = toDifferenceLegend(colors, 0.5);
  assert.ok(legend.kind === 'bar');
  for (const [left, right] of [
    [0.2, 0.2],
    [0.2, 0.46],
    [0.6, 0.26],
    [-0.9, 0.9],
  ] as const) {
    const [red, green, blue, alpha] = differenceOf(toPixel(left), toPixel(right), 0.5);
    const expected = colorAt(legend, right - left);
    const hex = `#${[red, green, blue].map((value) => value!.toString(16).padStart(2, '0')).join('')}`;
    assert.equal(hex, expected, `${right} - ${left}`);
    assert.equal(alpha, 255);
  }
  const empty = [0, 0, 0, 0];
  assert.deepEqual(differenceOf(empty, toPixel(0.5), 0.5), empty);
  assert.deepEqual(differenceOf(toPixel(0.5), empty, 0.5), empty);
});

test('no change has the middle colour, taken from the server if it knows the colormap', () => {
  const known = makeDifferenceColors([
    { name: 'BrBG', isDiscrete: false, colors: ['#000000', '#808080', '#ffffff'] },
  ]);
  assert.deepEqual([...known.slice(0, 3)], [0, 0, 0]);
  assert.deepEqual([...known.slice(127 * 3, 128 * 3)], [128, 128, 128]);
  assert.deepEqual([...known.slice(-3)], [255, 255, 255]);
});
