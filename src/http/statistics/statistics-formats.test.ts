import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AreaGeometry, MultiPolygonGeometry, PointGeometry } from '../../geo/index.ts';
import type { StatisticsDocument } from '../../tasks/index.ts';
import { toStatisticsCsv, toStatisticsGeoJson, toStatisticsJson } from './statistics-formats.ts';

const statistics = {
  count: 2,
  average: 0.375,
  min: 0.25,
  max: 0.5,
  std: 0.125,
  variance: 0.015625,
  median: 0.375,
  q1: 0.3125,
  q3: 0.4375,
  p10: 0.275,
  p90: 0.475,
};
const ring = Array.from({ length: 5 }, (_, i) => [i % 2, i % 3] as const);
const area: MultiPolygonGeometry = { type: 'MultiPolygon', coordinates: [[ring]] };
const scene = {
  viewId: 'S2/1',
  sceneId: 'one',
  date: '2026-06-21',
  cloudPercent: 12.5,
  notes: ['partial coverage', 'a, b'],
  values: [statistics, null],
  histograms: null,
};
const document: StatisticsDocument = {
  expressions: ['NDVI', 'where(B04>1,B04,"x")'],
  isList: true,
  scenes: [scene],
  failures: [],
};

const readFeatures = (given: StatisticsDocument, where: AreaGeometry | PointGeometry = area) =>
  (
    toStatisticsGeoJson(given, where) as {
      readonly features: readonly {
        readonly geometry: unknown;
        readonly properties: Readonly<Record<string, unknown>>;
      }[];
    }
  ).features;

test('CSV: a row for each scene and expression; commas and quotes are quoted; no value is an empty cell', () => {
  const lines = toStatisticsCsv(document).split('\r\n');
  assert.deepEqual(lines, [
    'date,scene_id,view_id,cloud,expression,count,average,min,max,std,variance,median,q1,q3,p10,p90,notes',
    '2026-06-21,one,S2/1,12.5,NDVI,2,0.375,0.25,0.5,0.125,0.015625,0.375,0.3125,0.4375,0.275,0.475,"partial coverage; a, b"',
    '2026-06-21,one,S2/1,12.5,"where(B04>1,B04,""x"")",0,,,,,,,,,,,"partial coverage; a, b"',
    '',
  ]);
});

test('JSON and GeoJSON contain the same numbers', () => {
  const { results } = toStatisticsJson(document, { taskId: 't', histogram: null }) as {
    results: readonly { values: Readonly<Record<string, { average: number | null; count: number }>> }[];
  };
  assert.deepEqual(results[0]?.values.NDVI, statistics);
  const [first] = readFeatures(document);
  assert.deepEqual([first?.properties.NDVI_average, first?.properties.NDVI_count], [0.375, 2]);
});

test('soil moisture has its root zone in every format', () => {
  const wet: StatisticsDocument = {
    expressions: ['soilmoisture'],
    isList: true,
    scenes: [{ ...scene, values: [statistics] }],
    failures: [],
    rootZones: [0.31],
  };
  const json = JSON.stringify(toStatisticsJson(wet, { taskId: 't', histogram: null }));
  assert.match(json, /"root_zone":0\.31/);
  assert.match(toStatisticsCsv(wet), /,root_zone,notes\r\n.*,0\.31,/);
  const point = { type: 'Point', coordinates: [2, 42] } as const;
  assert.deepEqual(readFeatures(wet, point)[0]?.geometry, point);
});

test('the area is in GeoJSON once, however many scenes there are', () => {
  const many = { ...document, scenes: Array.from({ length: 500 }, () => scene) };
  const features = readFeatures(many);
  assert.equal(features.length, 500);
  assert.deepEqual(features[0]?.geometry, { type: 'MultiPolygon', coordinates: [[ring]] });
  assert.ok(features.slice(1).every(({ geometry }) => geometry === null));
});
