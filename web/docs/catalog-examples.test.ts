import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toExamples } from './catalog-examples.ts';

test('examples come from the scene: ids, the centre of its footprint and the tile there', () => {
  const hit = {
    view_id: 'S2L2A/10/U/EU/2026/6/21/1',
    satellite: 'sentinel2l2a',
    dataGeometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-122.44, 48.2],
          [-122.36, 48.2],
          [-122.36, 48.24],
          [-122.44, 48.24],
          [-122.44, 48.2],
        ],
      ],
    },
  };
  const sensors = [{ dataset: 'sentinel2l2a', compositions: [{ bands: 'B04,B03,B02' }] }];
  assert.deepEqual(Object.fromEntries(toExamples(hit, sensors)), {
    view_id: 'S2L2A/10/U/EU/2026/6/21/1',
    sensor: 'S2L2A',
    scene_id: '10/U/EU/2026/6/21/1',
    z: '12',
    x: '655',
    y: '1420',
    lat: '48.2200',
    lon: '-122.4000',
    bands: 'B04,B03,B02',
  });
});
