import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate, formatPosition, formatTimings } from './readout-text.ts';

test('a position names its hemispheres and has digits to match the zoom', () => {
  assert.equal(formatPosition({ lat: 42.61128, lon: 2.40131, zoom: 9.27 }), '42.611° N  2.401° E · zoom 9.3');
  assert.equal(formatPosition({ lat: -33.5, lon: -70.66, zoom: 2 }), '33.5° S  70.7° W · zoom 2.0');
  assert.equal(
    formatPosition({ lat: 0, lon: 370.123456789, zoom: 18 }),
    '0.00000° N  10.12346° E · zoom 18.0',
  );
});

test('tile timings give a count and the median', () => {
  assert.equal(formatTimings([]), '');
  assert.equal(formatTimings([4.26]), '1 tile · median 4.3 ms');
  assert.equal(formatTimings([900, 30, 20]), '3 tiles · median 30 ms');
});

test('a day is written for people, and what is no day is left alone', () => {
  assert.equal(formatDate('2026-06-21'), '21 Jun 2026');
  assert.equal(formatDate('2026-13-41'), '2026-13-41');
  assert.equal(formatDate('yesterday'), 'yesterday');
});
