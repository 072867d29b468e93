import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toColormapStops, toWireFunctions } from '../../src/http/reference.ts';
import { parseColormaps, parseFunctions } from './knowledge.ts';

test('all colormaps and functions of the server are understood', () => {
  const stops = toColormapStops();
  assert.equal(parseColormaps({ colormaps: stops }).length, stops.length);
  assert.ok(parseFunctions({ functions: toWireFunctions() }).includes('sqrt'));
});

test('colormaps with invalid colours and malformed answers are left out', () => {
  assert.deepEqual(parseColormaps({ colormaps: [{ name: 'x', colors: ['url(//evil.example)'] }, null] }), []);
  assert.deepEqual(parseColormaps('text'), []);
  assert.deepEqual(parseFunctions({ functions: [{}, { name: 'sin' }] }), ['sin']);
});
