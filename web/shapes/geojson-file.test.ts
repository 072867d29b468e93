import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFileName, toGeoJson } from './geojson-file.ts';

test('a saved shape is one feature, with its name', () => {
  const outline = {
    type: 'Polygon',
    coordinates: [
      [
        [1, 2],
        [3, 2],
        [3, 4],
        [1, 2],
      ],
    ],
  } as const;
  assert.deepEqual(JSON.parse(toGeoJson(outline, 'North')), {
    type: 'Feature',
    properties: { name: 'North' },
    geometry: outline,
  });
});

test('a file name contains nothing that a file system or a shell could misread', () => {
  assert.equal(toFileName('Nordfeld Ö/2: ../x', 'area'), 'Nordfeld-Ö-2-x.geojson');
  assert.equal(toFileName('///', 'area'), 'area.geojson');
  assert.equal(toFileName(null, 'line'), 'line.geojson');
  assert.ok(toFileName('x'.repeat(500), 'area').length < 80);
});
