import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from '../texts/de.ts';
import { en } from '../texts/en.ts';
import { formatPosition as toPosition, formatTimings as toTimings } from './readout-text.ts';

const formatPosition = (position: Parameters<typeof toPosition>[0]) => toPosition(position, en);
const formatTimings = (durationsMs: readonly number[]) => toTimings(durationsMs, en);

test('a position names its hemispheres and has digits to match the zoom', () => {
  assert.equal(formatPosition({ lat: 42.61128, lon: 2.40131, zoom: 9.27 }), '42.611° N  2.401° E · zoom 9.3');
  assert.equal(formatPosition({ lat: -33.5, lon: -70.66, zoom: 2 }), '33.5° S  70.7° W · zoom 2.0');
  assert.equal(
    formatPosition({ lat: 0, lon: 370.123456789, zoom: 18 }),
    '0.00000° N  10.12346° E · zoom 18.0',
  );
});

test('German positions have a decimal comma', () => {
  assert.equal(toPosition({ lat: 42.61128, lon: 2.40131, zoom: 9.27 }, de).split(' ')[0], '42,611°');
});

test('tile timings give a count and the median', () => {
  assert.equal(formatTimings([]), '');
  assert.equal(formatTimings([4.26]), '1 tile · median 4.3 ms');
  assert.equal(formatTimings([900, 30, 20]), '3 tiles · median 30 ms');
});
