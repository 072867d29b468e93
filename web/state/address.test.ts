import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import type { Address } from './address.ts';
import { parseAddress, toAddress } from './address.ts';
import { PLAIN_CHOICE } from './series-state.ts';
import { PLAIN_QUERY } from './viewer-state.ts';
import { NO_ZONES } from './zones-state.ts';

const EMPTY: Address = {
  view: null,
  sceneId: null,
  dataset: null,
  picture: PLAIN_PICTURE,
  opacity: 1,
  query: PLAIN_QUERY,
  panel: undefined,
  area: null,
  series: null,
  zones: null,
};

test('a written state reads back the same', () => {
  const plain: Address = {
    ...EMPTY,
    view: { zoom: 9.25, lat: 42.6113, lon: 2.4013 },
    sceneId: 'S2A_tile_20260621_31TDH_0',
    dataset: 'sentinel2l2a',
    picture: { ...PLAIN_PICTURE, bands: 'B12,B8A,B04' },
  };
  assert.equal(
    toAddress(plain),
    '#map=9.25/42.61130/2.40130&scene=S2A_tile_20260621_31TDH_0&dataset=sentinel2l2a&bands=B12,B8A,B04',
  );
  assert.deepEqual(parseAddress(toAddress(plain)), plain);

  const full: Address = {
    ...plain,
    picture: {
      bands: '(NIR - RED)/(NIR+RED) * 100%7',
      colormap: 'viridis_r',
      contrast: { min: -0.5, max: 0.75 },
      resampling: 'near',
      isCalibrated: true,
      isPansharpened: true,
      isCloudMasked: true,
    },
    opacity: 0.4,
    query: {
      from: '2026-01-01',
      to: '2026-06-30',
      maxCloudPercent: 20,
      datasets: ['sentinel2', 'landsat8'],
      where: { kind: 'point', point: { lat: 42.5, lon: 2.25 } },
      day: '2026-06-21',
    },
    panel: 'look',
    area: {
      outline: {
        type: 'Polygon',
        coordinates: [
          [
            [2.1, 42.5],
            [2.2, 42.5],
            [2.2, 42.600001],
            [2.1, 42.5],
          ],
        ],
      },
      name: null,
    },
    series: PLAIN_CHOICE,
    zones: NO_ZONES.choice,
  };
  assert.deepEqual(parseAddress(toAddress(full)), full);
  for (const panel of ['settings', null] as const) {
    assert.equal(parseAddress(toAddress({ ...EMPTY, panel })).panel, panel);
  }
});

test('an empty address is an empty state and the other way round', () => {
  assert.deepEqual(parseAddress(''), EMPTY);
  assert.deepEqual(parseAddress('#'), EMPTY);
  assert.equal(toAddress(EMPTY), '');
  assert.equal(toAddress({ ...EMPTY, panel: 'find' }), '');
});

test('a bad part is ignored and the good ones stay', () => {
  const { view, sceneId, picture } = parseAddress('#map=9/95/2&scene=S2A_1&bands=B04');
  assert.deepEqual({ view, sceneId, bands: picture.bands }, { view: null, sceneId: 'S2A_1', bands: 'B04' });
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
    '#dataset=../x',
    '#dataset=Sentinel 2',
    '#bands=',
    '#bands=<img>"',
    '#contrast=2,1',
    '#contrast=1e9,2',
    '#clouds=101',
    '#from=yesterday',
    '#where=91,0',
    '#sets=../x',
    '#panel=nothing',
    '#resample=magic',
    '#area=1,2;3,4',
    '#series=x',
    '#series=../x;NDVI;;;30;',
    '#zones=NDVI;99;0',
    '#area=1,2;3,4;5,95',
    '#area=1,2;3,4;5,<b>',
    '#opacity=101',
    '#colormap=',
    '#colormap=jet%26MIN_MAX=0,1',
  ];
  for (const hash of hashes) assert.deepEqual(parseAddress(hash), EMPTY, hash);
});

test('a map dragged around the world writes the longitude people know', () => {
  assert.match(toAddress({ ...EMPTY, view: { zoom: 3, lat: 0, lon: 362.5 } }), /\/2\.50000$/);
  assert.match(toAddress({ ...EMPTY, view: { zoom: 3, lat: 0, lon: -190 } }), /\/170\.00000$/);
});

test('every view the map can have survives within a metre or so', () => {
  const view = fc.record({
    zoom: fc.double({ min: 0, max: 24, noNaN: true }),
    lat: fc.double({ min: -85, max: 85, noNaN: true }),
    lon: fc.double({ min: -179.999, max: 179.999, noNaN: true }),
  });
  fc.assert(
    fc.property(view, (given) => {
      const read = parseAddress(toAddress({ ...EMPTY, view: given })).view;
      assert.ok(read);
      assert.ok(Math.abs(read.zoom - given.zoom) <= 0.006);
      assert.ok(Math.abs(read.lat - given.lat) <= 1e-5 && Math.abs(read.lon - given.lon) <= 1e-5);
    }),
  );
});

test('no text makes the reader throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseAddress(text)));
});
