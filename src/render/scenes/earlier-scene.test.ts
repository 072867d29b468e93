import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset, NewScene, Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { chooseEarlier, planEarlierSearch } from './earlier-scene.ts';

const TILE = { utmZone: 31, latitudeBand: 'T', gridSquare: 'DH' };
const BANDS = ['B02', 'B04'];

/** A scene of a day; the hour differs, as it does from pass to pass. */
function sceneOf(date: string, more: Partial<NewScene> = {}): Scene {
  const [year, month, day] = date.split('-').map(Number);
  return toScene(
    makeScene(21, {
      viewId: `S2/31/T/DH/${year}/${month}/${day}/0`,
      acquiredAt: `${date}T10:50:31.000Z`,
      cloudPercent: 3,
      fields: TILE,
      ...more,
    }),
  );
}

const scene = sceneOf('2026-08-17');
const chosen = (...candidates: Scene[]) => chooseEarlier(scene, candidates, BANDS)?.viewId ?? null;
const suits = (date: string, more: Partial<NewScene> = {}): boolean => chosen(sceneOf(date, more)) !== null;

test('the search is for the same tile, 5 to 60 days before, the newest first', () => {
  assert.deepEqual(planEarlierSearch(scene), {
    datasets: [
      {
        id: 'sentinel2',
        filters: [
          { field: 'utmZone', kind: 'one-of', values: [31] },
          { field: 'latitudeBand', kind: 'one-of', values: ['T'] },
          { field: 'gridSquare', kind: 'one-of', values: ['DH'] },
          { field: 'date', kind: 'range', from: '2026-06-18', to: '2026-08-12' },
        ],
      },
    ],
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: 100,
  });
  assert.equal(planEarlierSearch(sceneOf('2026-08-17', { fields: {} })), null, 'no tile, no search');
});

test('days follow the calendar: five days later is the next pass, whatever the minute', () => {
  assert.ok(suits('2026-08-12', { acquiredAt: '2026-08-12T10:59:59.000Z' }));
  assert.ok(!suits('2026-08-13'));
  assert.ok(suits('2026-06-18', { acquiredAt: '2026-06-18T01:00:00.000Z' }));
  assert.ok(!suits('2026-06-17', { acquiredAt: '2026-06-17T23:00:00.000Z' }));
  assert.ok(!suits('2026-08-17'), 'not itself');
  assert.ok(!suits('2026-08-22'), 'not a later one');
});

test('clouds must be few and known, and the orbit must not cut off the tile', () => {
  assert.ok(suits('2026-08-02', { cloudPercent: 20 }));
  assert.ok(!suits('2026-08-02', { cloudPercent: 20.1 }));
  assert.ok(!chooseEarlier(scene, [{ ...sceneOf('2026-08-02'), cloudPercent: null }], BANDS));
  assert.ok(suits('2026-08-02', { coveragePercent: 80 }));
  assert.ok(!suits('2026-08-02', { coveragePercent: 79 }));
  assert.ok(suits('2026-08-02', { coveragePercent: null }));
});

test('the earlier scene must show the same ground in every band, at any resolution', () => {
  const file = scene.assets.B04 as Asset;
  const withFile = (more: Partial<Asset>) =>
    suits('2026-08-02', { assets: { ...scene.assets, B04: { ...file, ...more } } });
  assert.ok(withFile({ transform: [500000, 20, 0, 4700000, 0, -20], width: 512, height: 512 }));
  assert.ok(!withFile({ transform: [500000, 20, 0, 4700000, 0, -20] }), 'a larger rectangle');
  assert.ok(!withFile({ transform: [500040, 10, 0, 4700000, 0, -10] }), 'moved by some pixels');
  assert.ok(!withFile({ epsg: 32632 }));
  assert.ok(!suits('2026-08-02', { assets: { B02: file } }), 'a band is missing');
  assert.ok(!suits('2026-08-02', { dataset: 'sentinel2l2a' }));
});

test('the latest suitable scene is chosen, the fullest of one day, in any order', () => {
  const candidates = [
    sceneOf('2026-08-12', { cloudPercent: 90 }),
    sceneOf('2026-08-07', { coveragePercent: 85 }),
    sceneOf('2026-08-07', { viewId: 'S2/31/T/DH/2026/8/7/1', coveragePercent: 95 }),
    sceneOf('2026-08-07', { viewId: 'S2/31/T/DH/2026/8/7/2', coveragePercent: 95 }),
    sceneOf('2026-08-02'),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(candidates, { minLength: 5 }), (shuffled) => {
      assert.equal(chosen(...shuffled), 'S2/31/T/DH/2026/8/7/2');
    }),
    { numRuns: 30 },
  );
  assert.equal(chosen(), null);
});
