import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LookupTable } from '../../../catalog/index.ts';
import { sentinel1Manifest, toAnnotationXml, toCalibrationXml } from '../testing/product-texts.ts';
import { parseSentinel1Annotation, parseSentinel1Manifest, parseSentinel1ProductInfo } from './metadata.ts';
import { parseSentinel1Calibration } from './tables.ts';

test('the manifest gives time, orbit and outline', () => {
  const manifest = parseSentinel1Manifest(sentinel1Manifest, 'manifest.safe');
  assert.equal(manifest.startedAt, '2021-08-09T17:39:53.153Z');
  assert.deepEqual([manifest.absoluteOrbit, manifest.pass, manifest.mode], [39156, 'ASCENDING', 'IW']);
  assert.deepEqual(manifest.footprint?.coordinates[0]?.[0], [1.51, 46.03]);
  assert.throws(() => parseSentinel1Manifest('<a/>', 'x'), { code: 'metadata-wrong-kind' });
});

test("the bucket's productInfo.json gives name, time and orbit", () => {
  const info = parseSentinel1ProductInfo(
    JSON.stringify({
      id: 'S1A_X',
      path: 'GRD/x',
      startTime: '2018-07-16T00:40:42',
      absoluteOrbitNumber: 22812,
    }),
    'productInfo.json',
  );
  assert.deepEqual(
    [info.name, info.startedAt, info.absoluteOrbit],
    ['S1A_X', '2018-07-16T00:40:42.000Z', 22812],
  );
});

test('the annotation gives polarisation, pass, size and the geolocation grid', () => {
  const annotation = parseSentinel1Annotation(toAnnotationXml('VH'), 'x');
  assert.deepEqual([annotation.polarisation, annotation.pass], ['VH', 'ASCENDING']);
  assert.deepEqual([annotation.width, annotation.height, annotation.grid.length], [2, 2, 4]);
  assert.deepEqual(annotation.grid[1], { line: 0, pixel: 1, position: [3, 46.1], heightM: 330 });
  const broken = toAnnotationXml('VH').replace('<latitude>46.1</latitude>', '<latitude>146</latitude>');
  assert.throws(() => parseSentinel1Annotation(broken, 'x'), { code: 'metadata-incomplete' });
});

/** The value of a table at a position: linear along the pixels, then between the lines. */
function lookUp({ lines, pixels, values }: LookupTable, line: number, pixel: number): number {
  const span = (axis: readonly number[], at: number) => {
    const i = Math.max(
      0,
      Math.min(
        axis.length - 2,
        axis.findLastIndex((value) => value <= at),
      ),
    );
    return { i, t: (at - axis[i]!) / (axis[i + 1]! - axis[i]!) };
  };
  const [row, col] = [span(lines, line), span(pixels, pixel)];
  const along = (r: number) => {
    const from = values[r * pixels.length + col.i]!;
    return from + col.t * (values[r * pixels.length + col.i + 1]! - from);
  };
  return along(row.i) + row.t * (along(row.i + 1) - along(row.i));
}

test('a calibration table is reduced to a hundredth of its numbers, within a thousandth of a decibel', () => {
  const lines = Array.from({ length: 27 }, (_, i) => i * 667);
  const pixels = Array.from({ length: 655 }, (_, i) => i * 40);
  // Like real tables: a curve from 600 down to 430 across, and almost constant along the track.
  const value = (line: number, pixel: number) => 430 + 170 * Math.exp(-pixel / 15_000) + line * 1e-6;
  const { polarisation, sigmaNought } = parseSentinel1Calibration(
    toCalibrationXml('VV', { lines, pixels, value }),
    'x',
  );
  assert.equal(polarisation, 'VV');
  assert.ok(sigmaNought.values.length <= 170, `${sigmaNought.values.length} numbers`);
  assert.equal(sigmaNought.values.length, sigmaNought.lines.length * sigmaNought.pixels.length);
  for (const line of lines) {
    for (const pixel of pixels) {
      const off = lookUp(sigmaNought, line, pixel) / value(line, pixel) - 1;
      assert.ok(Math.abs(20 * Math.log10(1 + off)) < 2e-3, `${off} at ${line}, ${pixel}`);
    }
  }
});

test('a bump in a calibration table stays', () => {
  const pixels = [0, 40, 80, 120, 160];
  const table = { lines: [0, 100], pixels, value: (_: number, pixel: number) => (pixel === 80 ? 700 : 600) };
  const { sigmaNought } = parseSentinel1Calibration(toCalibrationXml('VV', table), 'x');
  assert.equal(lookUp(sigmaNought, 50, 80), 700);
  assert.equal(lookUp(sigmaNought, 50, 40), 600);
});

test('an invalid calibration table is refused', () => {
  const table = { lines: [0, 100], pixels: [0, 40], value: () => 600 };
  const xml = toCalibrationXml('VV', table);
  const refuse = (text: string, code: string) =>
    assert.throws(() => parseSentinel1Calibration(text, 'x'), { code });
  refuse(xml.replace('>0 40<', '>40 0<'), 'metadata-bad-table');
  refuse(xml.replace('>0 40<', '>0 40 80<'), 'metadata-bad-table');
  refuse(xml.replace('<line>100</line>', '<line>0</line>'), 'metadata-bad-table');
  refuse(toCalibrationXml('VV', { ...table, value: () => 0 }), 'metadata-bad-table');
  refuse(xml.replace('6.000000e+2', 'many'), 'metadata-incomplete');
  refuse('<calibration/>', 'metadata-wrong-kind');
});
