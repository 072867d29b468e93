import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PLAIN_CHOICE, parseSeriesChoice, SERIES_LAYERS, toSeriesText } from './series-state.ts';

test('a choice reads back the same', () => {
  const full = {
    dataset: 'sentinel2l2a',
    indices: ['NDVI', 'PR_FD', 'NDMI'],
    from: '2024-01-01',
    to: '2026-12-31',
    maxCloudPercent: 0,
    layers: SERIES_LAYERS,
    views: ['years', 'spread'] as const,
  };
  for (const choice of [PLAIN_CHOICE, full, { ...full, layers: [], views: [] }]) {
    assert.deepEqual(parseSeriesChoice(toSeriesText(choice)), choice);
  }
  assert.equal(
    toSeriesText(full),
    'sentinel2l2a;NDVI,PR_FD,NDMI;2024-01-01;2026-12-31;0;temperature,rain,growth,evaporation,balance,soil;years,spread',
  );
});

test('hostile or mistyped strings are not read as a choice', () => {
  const texts = [
    null,
    '',
    ';;;;;',
    ';NDVI;;;30',
    ';NDVI;;;101;',
    ';NDVI;yesterday;;30;',
    ';NDVI;2026-99-99;;30;',
    ';NDVI;;2026-02-30;30;',
    ';A,B,C,D;;;30;',
    ';<b>;;;30;',
    '../x;NDVI;;;30;',
    ';NDVI;;;30;sunshine',
    ';NDVI;;;30;;centuries',
    ';NDVI;;;30;;years;',
  ];
  for (const text of texts) assert.equal(parseSeriesChoice(text), null, String(text));
  fc.assert(fc.property(fc.string(), (text) => void parseSeriesChoice(text)));
});
