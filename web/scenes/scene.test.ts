import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import { parseScenePage as parsePage, planPick } from './scene.ts';

const SENSOR = viewerSensorOf('sentinel2');
const parseScenePage = (body: unknown) => parsePage(body, [SENSOR]);

const outline = {
  type: 'Polygon',
  coordinates: [
    [
      [2, 42],
      [3, 42],
      [3, 43],
      [2, 42],
    ],
  ],
};
const hit = {
  sceneID: 'S2A_tile_20260621_31TDH_0',
  view_id: 'S2/31/T/DH/2026/6/21/0',
  tms: 'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/{band}/{z}/{x}/{y}',
  date: '2026-06-21',
  cloudCoverage: 4.25,
  sunElevation: 67.1,
  dataCoveragePercentage: 88.5,
  satellite: 'sentinel2',
  dataGeometry: outline,
};

test('a hit becomes a scene', () => {
  const page = parseScenePage({ meta: { found: 7, page: 1 }, results: [hit] });
  assert.deepEqual(page, {
    found: 7,
    unreadable: 0,
    scenes: [
      {
        viewId: hit.view_id,
        id: hit.sceneID,
        sensor: SENSOR,
        date: hit.date,
        tms: hit.tms,
        outline,
        cloudPercent: 4.25,
        sunElevationDeg: 67.1,
        coveragePercent: 88.5,
        thumbnail: null,
      },
    ],
  });
});

test('missing facts are null, and the outline of the tile replaces that of the data', () => {
  const { cloudCoverage: _, sunElevation: __, dataGeometry, ...rest } = hit;
  const [scene] = parseScenePage({ results: [{ ...rest, tileGeometry: dataGeometry }] })?.scenes ?? [];
  assert.equal(scene?.cloudPercent, null);
  assert.equal(scene?.sunElevationDeg, null);
  assert.deepEqual(scene?.outline, outline);
});

test('hits that cannot be shown are counted, not hidden', () => {
  const page = parseScenePage({
    meta: {},
    results: [
      hit,
      { ...hit, tms: 'x' },
      { ...hit, dataGeometry: null },
      { ...hit, satellite: 'of-tomorrow' },
      { ...hit, view_id: undefined },
      5,
      null,
    ],
  });
  assert.equal(page?.scenes.length, 1);
  assert.equal(page?.unreadable, 6);
  assert.equal(page?.found, 7);
});

test('an answer that does not match the schema is null', () => {
  for (const body of [null, [], 'x', {}, { results: {} }]) assert.equal(parseScenePage(body), null);
});

test('a click selects the newest scene, and another click on the same location the next one', () => {
  assert.equal(planPick(['c', 'b', 'a'], null), 'c');
  assert.equal(planPick(['c', 'b', 'a'], 'elsewhere'), 'c');
  assert.equal(planPick(['c', 'b', 'a'], 'c'), 'b');
  assert.equal(planPick(['c', 'b', 'a'], 'a'), 'c');
  assert.equal(planPick([], 'a'), null);
});

test('a radar scene offers the polarisations that it has', () => {
  const radar = viewerSensorOf('sentinel1');
  const read = (polarization: unknown) =>
    parsePage({ results: [{ ...hit, satellite: 'sentinel1', polarization }] }, [radar])?.scenes[0]?.sensor;
  const namesOf = (polarization: unknown) => read(polarization)?.bands.map(({ name }) => name);
  assert.deepEqual(namesOf('DV'), ['VV', 'VH']);
  assert.deepEqual(namesOf('DH'), ['HH', 'HV']);
  assert.deepEqual(namesOf('SH'), ['HH']);
  assert.deepEqual(
    read('DH')?.compositions.map(({ bands }) => bands),
    ['HH', 'HV'],
  );
  assert.equal(read('DV'), read('DV'), 'scenes of equal bands have one sensor');
  for (const unknown of [undefined, 'XX', 5]) assert.equal(read(unknown), radar);
});

test('a page says what live catalogs have contributed', () => {
  const catalogs = [
    { name: 'a', dataset: 'sentinel2', found: 7, found_by: 'stated' },
    { name: 'b', dataset: 'landsat8', found: 501, found_by: 'at-least' },
    { name: 'c', dataset: 'modis', found: 0, found_by: 'at-least', problem: { code: 'catalog-slow' } },
  ];
  assert.deepEqual(parseScenePage({ meta: { found: 508, catalogs }, results: [] })?.notes, [
    { name: 'a', isAtLeast: false, problem: null },
    { name: 'b', isAtLeast: true, problem: null },
    { name: 'c', isAtLeast: true, problem: 'catalog-slow' },
  ]);
});
