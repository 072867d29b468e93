import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNoiseXml } from '../testing/product-texts.ts';
import { parseSentinel1Noise } from './tables.ts';

const pixels = [0, 40, 80];
const range = [
  { line: 0, pixels, values: [100, 200, 150] },
  { line: 667, pixels, values: [110, 220, 165] },
];

test('noise is a table over the image and factors along the lines of its blocks', () => {
  const azimuth = [{ line: 0, pixels: [0, 39], values: [1, 1.2, 1, 1.2] }];
  const noise = parseSentinel1Noise(toNoiseXml('VH', { range, azimuth }), 'x');
  assert.deepEqual(noise, {
    polarisation: 'VH',
    range: { lines: [0, 667], pixels, values: [100, 200, 150, 110, 220, 165] },
    azimuth: [
      {
        firstLine: 0,
        lastLine: 99,
        firstPixel: 0,
        lastPixel: 39,
        lines: [0, 10, 20, 30],
        values: [1, 1.2, 1, 1.2],
      },
    ],
  });
});

test('noise of older processors is one list without factors', () => {
  const noise = parseSentinel1Noise(toNoiseXml('VV', { range, azimuth: null }), 'x');
  assert.deepEqual([noise.range.values[1], noise.azimuth], [200, []]);
});

test('values on straight lines are dropped, and steps between swaths stay', () => {
  const many = Array.from({ length: 600 }, (_, i) => i * 40);
  const level = (pixel: number) => (pixel < 12_000 ? 100 + pixel / 100 : 400);
  const lines = [0, 667, 1334].map((line) => ({ line, pixels: many, values: many.map(level) }));
  const noise = parseSentinel1Noise(toNoiseXml('VV', { range: lines, azimuth: [] }), 'x');
  assert.deepEqual(noise.range.lines, [0, 1334]);
  assert.deepEqual(noise.range.pixels, [0, 11_960, 12_000, 23_960]);
  assert.deepEqual(noise.range.values.slice(0, 4), [100, 219.6, 400, 400]);
});

test('lines with different pixels are interpolated at the pixels of all lines', () => {
  const ragged = [
    { line: 0, pixels: [0, 100], values: [0, 100] },
    { line: 10, pixels: [20, 60, 80], values: [50, 10, 70] },
  ];
  const { range: table } = parseSentinel1Noise(toNoiseXml('HH', { range: ragged, azimuth: [] }), 'x');
  assert.deepEqual(table.pixels, [0, 20, 60, 80, 100]);
  assert.deepEqual(table.values, [0, 20, 60, 80, 100, 50, 50, 10, 70, 70]);
});

test('an invalid noise file is refused', () => {
  const azimuth = [{ line: 0, pixels: [0, 39], values: [1, 1.2] }];
  const xml = toNoiseXml('VV', { range, azimuth });
  const refuse = (text: string, code: string) => {
    assert.notEqual(text, xml);
    assert.throws(() => parseSentinel1Noise(text, 'x'), { code });
  };
  refuse(xml.replace('>0 40 80<', '>40 0 80<'), 'metadata-bad-table');
  refuse(xml.replace('>0 40 80<', '>0 40<'), 'metadata-bad-table');
  refuse(xml.replace('>100 200 150<', '>100 -200 150<'), 'metadata-bad-table');
  refuse(xml.replace('<line>667</line>', '<line>0</line>'), 'metadata-bad-table');
  refuse(xml.replace('>1 1.2<', '>1<'), 'metadata-bad-table');
  refuse(xml.replace('>1 1.2<', '>one two<'), 'metadata-incomplete');
  refuse(xml.replace('<lastRangeSample>39<', '<lastRangeSample>far<'), 'metadata-incomplete');
  refuse(toNoiseXml('VV', { range: [], azimuth }), 'metadata-bad-table');
  refuse(xml.replace('<polarisation>VV', '<polarisation>XX'), 'metadata-wrong-kind');
  refuse('<calibration/>', 'metadata-wrong-kind');
});
