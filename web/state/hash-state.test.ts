import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHash, toHash } from './hash-state.ts';

const EMPTY = { view: null, sceneId: null, dataset: null, bands: null, colormap: null };

test('a written state reads back the same', () => {
  const state = {
    view: { zoom: 9.25, lat: 42.6113, lon: 2.4013 },
    sceneId: 'S2A_tile_20260621_31TDH_0',
    dataset: 'sentinel2l2a',
    bands: 'B12,B8A,B04',
    colormap: null,
  };
  const hash = toHash(state);
  assert.equal(
    hash,
    '#map=9.25/42.61130/2.40130&scene=S2A_tile_20260621_31TDH_0&dataset=sentinel2l2a&bands=B12,B8A,B04',
  );
  assert.deepEqual(parseHash(hash), state);

  const colored = { ...state, bands: 'NDVI', colormap: 'viridis' };
  assert.match(toHash(colored), /&bands=NDVI&colormap=viridis$/);
  assert.deepEqual(parseHash(toHash(colored)), colored);
});

test('an empty address is an empty state and the other way round', () => {
  assert.deepEqual(parseHash(''), EMPTY);
  assert.deepEqual(parseHash('#'), EMPTY);
  assert.equal(toHash(EMPTY), '');
});

test('an address without a dataset, as older ones are, still names its scene', () => {
  const state = parseHash('#scene=S2A_1&bands=B04');
  assert.deepEqual(state, { ...EMPTY, sceneId: 'S2A_1', bands: 'B04' });
});

test('a bad part is ignored and the good ones stay', () => {
  const { view, sceneId, bands } = parseHash('#map=9/95/2&scene=S2A_1&bands=B04,B03,B02');
  assert.deepEqual({ view, sceneId, bands }, { view: null, sceneId: 'S2A_1', bands: 'B04,B03,B02' });
});

test('hostile or mistyped parts are ignored', () => {
  const hashes = [
    '#map=1e9/0/0',
    '#map=NaN/0/0',
    '#map=1/2',
    '#map=25/0/0',
    '#map=3/0/181',
    '#scene=../../etc',
    '#scene=<img src=x>',
    `#scene=${'a'.repeat(121)}`,
    '#bands=B04,B03',
    '#bands=B04,B03,B02,B01',
    '#bands=B04,,B02',
    '#dataset=../x',
    '#dataset=Sentinel 2',
    '#bands=B04/../x',
    '#bands=',
    '#colormap=',
    '#colormap=jet%26MIN_MAX=0,1',
  ];
  for (const hash of hashes) assert.deepEqual(parseHash(hash), EMPTY, hash);
});

test('a map dragged around the world writes the longitude people know', () => {
  assert.match(toHash({ ...EMPTY, view: { zoom: 3, lat: 0, lon: 362.5 } }), /\/2\.50000$/);
  assert.match(toHash({ ...EMPTY, view: { zoom: 3, lat: 0, lon: -190 } }), /\/170\.00000$/);
});

test('every view the map can have survives within a metre or so', () => {
  const view = fc.record({
    zoom: fc.double({ min: 0, max: 24, noNaN: true }),
    lat: fc.double({ min: -85, max: 85, noNaN: true }),
    lon: fc.double({ min: -179.999, max: 179.999, noNaN: true }),
  });
  fc.assert(
    fc.property(view, (given) => {
      const read = parseHash(toHash({ ...EMPTY, view: given })).view;
      assert.ok(read);
      assert.ok(Math.abs(read.zoom - given.zoom) <= 0.006);
      assert.ok(Math.abs(read.lat - given.lat) <= 1e-5 && Math.abs(read.lon - given.lon) <= 1e-5);
    }),
  );
});

test('no text makes the reader throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseHash(text)));
});
