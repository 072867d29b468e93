import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PLAIN_PICTURE } from '../scenes/picture.ts';
import { NO_TERRAIN } from '../scenes/terrain.ts';
import type { Position } from '../shapes/shape.ts';
import type { Address } from './address.ts';
import { parseAddress, toAddress } from './address.ts';
import { PLAIN_CLEAR_VIEW } from './clear-view.ts';
import { PLAIN_QUERY } from './search-state.ts';
import { PLAIN_CHOICE } from './series-state.ts';
import { NO_ZONES } from './zones-state.ts';

const EMPTY: Address = {
  view: null,
  sceneId: null,
  dataset: null,
  clearView: PLAIN_CLEAR_VIEW,
  picture: PLAIN_PICTURE,
  opacity: 1,
  query: PLAIN_QUERY,
  panel: undefined,
  terrain: NO_TERRAIN,
  area: null,
  line: null,
  comparison: null,
  animation: null,
  series: null,
  zones: null,
  seriesForm: 'chart',
};

const SQUARE: readonly Position[] = [
  [-122.4, 48.2],
  [-122.390001, 48.2],
  [-122.390001, 48.21],
  [-122.4, 48.2],
];
const HOLE: readonly Position[] = [
  [-122.396, 48.202],
  [-122.395, 48.202],
  [-122.395, 48.203],
  [-122.396, 48.202],
];

test('a written state reads back the same', () => {
  const plain: Address = {
    ...EMPTY,
    view: { zoom: 9.25, lat: 42.6113, lon: 2.4013 },
    sceneId: 'S2A_tile_20260621_31TDH_0',
    dataset: 'sentinel2l2a',
    clearView: null,
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
      contrast: {
        min: -0.5,
        max: 0.75,
        others: [
          { min: 0, max: 1 },
          { min: 2, max: 3.25 },
        ],
      },
      stretch: 'auto',
      resampling: 'near',
      isCalibrated: true,
      isPansharpened: true,
      isSpeckleFiltered: true,
      isCloudMasked: true,
      clip: '0123456789abcdef0123456789abcdef',
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
    terrain: { layer: 'slope', exaggeration: 1.5, pitchDeg: 55, bearingDeg: -20 },
    area: { type: 'Polygon', coordinates: [SQUARE, HOLE] },
    line: SQUARE.slice(0, 3),
    series: PLAIN_CHOICE,
    seriesForm: 'scenes',
    zones: NO_ZONES.choice,
  };
  assert.deepEqual(parseAddress(toAddress(full)), full);
  for (const panel of ['settings', null] as const) {
    assert.equal(parseAddress(toAddress({ ...EMPTY, panel })).panel, panel);
  }
});

test('an empty address is an empty state and vice versa', () => {
  assert.deepEqual(parseAddress(''), EMPTY);
  assert.deepEqual(parseAddress('#'), EMPTY);
  assert.equal(toAddress(EMPTY), '');
  assert.equal(toAddress({ ...EMPTY, panel: 'find' }), '');
});

test('an invalid part is ignored and the valid ones are kept', () => {
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
    '#contrast=1,2,3,4',
    '#contrast=1,2,3,4,6,5',
    '#clouds=101',
    '#from=yesterday',
    '#where=91,0',
    '#sets=../x',
    '#panel=nothing',
    '#resample=magic',
    '#opacity=101',
    '#terrain=magic',
    '#relief=1.5',
    '#relief=0.5,55,0',
    '#relief=9,55,0',
    '#relief=1,80,0',
    '#relief=1,55,200',
    '#relief=1,55,NaN',
    '#relief=1e0,55,0',
    '#colormap=',
    '#colormap=jet%26MIN_MAX=0,1',
    '#clip=',
    '#clip=0123456789ABCDEF0123456789ABCDEF',
    '#clip=0123456789abcdef0123456789abcdef0',
    '#clip=../../../etc/passwd0000000000000000',
    '#area=',
    '#area=1,2;3,4',
    '#area=1,2;3,4;<img src=x>,5',
    '#area=1,2;3,4;5,95',
    `#area=1,2;${'3,4;'.repeat(2000)}5,6`,
    '#line=1,2',
    '#series=x',
    '#series=../x;NDVI;;;30;',
    '#zones=NDVI;99;0',
    '#series.as=scenes',
    '#line=1,2;javascript:alert(1)',
  ];
  for (const hash of hashes) assert.deepEqual(parseAddress(hash), EMPTY, hash);
});

test('a map dragged around the world writes a longitude within ±180°', () => {
  assert.match(toAddress({ ...EMPTY, view: { zoom: 3, lat: 0, lon: 362.5 } }), /\/2\.50000$/);
  assert.match(toAddress({ ...EMPTY, view: { zoom: 3, lat: 0, lon: -190 } }), /\/170\.00000$/);
});

test('every possible map view reads back within about a metre', () => {
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

test('an area or a line too long for the address is written as stored in this tab', () => {
  const ring = Array.from(
    { length: 500 },
    (_, i): Position => [i / 1000, Number(Math.sin(i / 80).toFixed(6))],
  );
  const address = { ...EMPTY, area: { type: 'Polygon', coordinates: [[...ring, ring[0]!]] } } as const;
  assert.equal(toAddress(address), '#area=stored');
  assert.equal(parseAddress('#area=stored').area, 'stored');
  assert.equal(toAddress({ ...EMPTY, line: ring }), '#line=stored');
  assert.equal(parseAddress('#line=stored').line, 'stored');
});

test('a search in the chosen area reads back', () => {
  const query = { ...PLAIN_QUERY, where: { kind: 'area' } } as const;
  assert.equal(toAddress({ ...EMPTY, query }), '#where=area');
  assert.deepEqual(parseAddress('#where=area').query, query);
});

test('no string makes the parser throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseAddress(text)));
});

test('a comparison and an animation are in the address; incomplete or invalid ones are ignored', () => {
  const side = (day: number) => ({
    sceneId: `S2A_tile_202606${day}_31TDH_0`,
    dataset: 'sentinel2l2a',
    picture: { ...PLAIN_PICTURE, bands: '(B08-B04)/(B08 + B04)', contrast: { min: -1, max: 1 } },
  });
  const comparison = {
    mode: 'difference' as const,
    left: side(11),
    right: side(21),
    split: 0.37,
    measure: 'NDVI',
    limit: 0.2,
  };
  const full: Address = { ...EMPTY, comparison };
  assert.deepEqual(parseAddress(toAddress(full)), full);
  const plain: Address = {
    ...EMPTY,
    comparison: { ...comparison, mode: 'swipe', split: 0.5, measure: null, limit: null },
  };
  assert.deepEqual(parseAddress(toAddress(plain)), plain);
  const clip = '0123456789abcdef0123456789abcdef';
  const toClipped = (one: ReturnType<typeof side>) => ({ ...one, picture: { ...one.picture, clip } });
  const clipped: Address = {
    ...EMPTY,
    picture: { ...PLAIN_PICTURE, clip },
    comparison: { ...comparison, left: toClipped(side(11)), right: toClipped(side(21)) },
  };
  assert.deepEqual(parseAddress(toAddress(clipped)), clipped);
  assert.equal(toAddress(clipped).split(clip).length, 2, 'the clip is written once');
  const film: Address = {
    ...EMPTY,
    animation: { framesPerSecond: 4, isLooping: false, maxCloudPercent: 10, date: '2026-06-21' },
  };
  assert.deepEqual(parseAddress(toAddress(film)), film);
  assert.deepEqual(parseAddress('#animate=2').animation, {
    framesPerSecond: 2,
    isLooping: true,
    maxCloudPercent: 30,
    date: null,
  });

  for (const hash of [
    '#compare=swipe',
    '#compare=swipe&left.scene=a',
    '#compare=swipe&left.scene=a&right.scene=<b>',
    '#compare=spin&left.scene=a&right.scene=b',
  ]) {
    assert.equal(parseAddress(hash).comparison, null, hash);
  }
  const odd = parseAddress('#compare=side&left.scene=a&right.scene=b&split=900&limit=-3&measure="x"');
  assert.deepEqual(
    [odd.comparison?.split, odd.comparison?.limit, odd.comparison?.measure],
    [0.5, null, null],
  );
  for (const hash of ['#animate=1000', '#animate=-1', '#animate=']) {
    assert.equal(parseAddress(hash).animation, null, hash);
  }
});

test('an address without a scene means a clear view, whose date and number of days are in the address', () => {
  assert.equal(toAddress(EMPTY), '');
  for (const [clearView, text] of [
    [{ date: '2026-06-21', days: 90 }, '#clear=2026-06-21'],
    [{ date: '2026-06-21', days: 5 }, '#clear=2026-06-21,5'],
    [{ date: null, days: 180 }, '#clear=,180'],
    [null, '#clear=off'],
  ] as const) {
    assert.equal(toAddress({ ...EMPTY, clearView }), text);
    assert.deepEqual(parseAddress(text).clearView, clearView);
  }
  assert.deepEqual(parseAddress('#clear=yesterday,7').clearView, PLAIN_CLEAR_VIEW);
  assert.equal(parseAddress('#scene=x&clear=2026-06-21').clearView, null);
});
