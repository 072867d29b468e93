import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTilejson, planOpacity } from './terrain.ts';

test('a TileJSON document has the tile address and the attribution', () => {
  const tiles = 'https://host/swath/api/render/terrain/{z}/{x}/{y}?format=hillshade';
  const body = { tiles: [tiles], minzoom: 1, maxzoom: 16, bounds: [-123, 47, -121, 49], attribution: '© A' };
  assert.deepEqual(parseTilejson(body), {
    template: tiles,
    minZoom: 1,
    maxZoom: 16,
    bounds: [-123, 47, -121, 49],
    attribution: '© A',
  });
  assert.equal(parseTilejson({ tiles: [tiles], bounds: [1, 'x'] })?.bounds, null);
});

test('a document without a tile address is refused', () => {
  for (const body of [null, {}, { tiles: [] }, { tiles: [7] }, { tiles: ['https://host/{z}/{x}/{y}'] }])
    assert.equal(parseTilejson(body), null);
});

test('a scene becomes translucent over terrain, and opaque again without it', () => {
  const over = planOpacity(1, 'none', 'hillshade');
  assert.ok(over > 0.3 && over < 0.9, String(over));
  assert.equal(planOpacity(over, 'hillshade', 'slope'), over);
  assert.equal(planOpacity(over, 'slope', 'none'), 1);
  assert.equal(planOpacity(over, 'slope', 'contours'), 1);
});

test('an opacity that the user has chosen stays', () => {
  assert.equal(planOpacity(0.3, 'none', 'hillshade'), 0.3);
  assert.equal(planOpacity(0.3, 'hillshade', 'none'), 0.3);
  assert.equal(planOpacity(1, 'hillshade', 'slope'), 1);
  assert.equal(planOpacity(1, 'none', 'contours'), 1);
});
