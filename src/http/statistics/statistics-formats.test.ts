import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MultiPolygonGeometry } from '../../geo/index.ts';
import type { AnsweredStatistics } from './statistics-formats.ts';
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
const answered: AnsweredStatistics = {
  taskId: 't',
  stored: {
    kind: 'scenes',
    isList: true,
    order: {
      from: '2026-01-01',
      to: '2026-12-31',
      datasets: ['sentinel2'],
      expressions: ['NDVI', 'where(B04>1,B04,"x")'],
      area,
      limit: 10,
      clouds: { maxPercent: null, masked: 'all', level: null },
      histogram: null,
    },
  },
  document: {
    expressions: ['NDVI', 'where(B04>1,B04,"x")'],
    isList: true,
    scenes: [scene],
    failures: [],
  },
};

test('CSV: a row for each scene and expression; commas and quotes are quoted; no value is an empty cell', () => {
  const lines = toStatisticsCsv(answered).split('\r\n');
  assert.deepEqual(lines, [
    'date,scene_id,view_id,cloud,expression,count,average,min,max,std,variance,median,q1,q3,p10,p90,notes',
    '2026-06-21,one,S2/1,12.5,NDVI,2,0.375,0.25,0.5,0.125,0.015625,0.375,0.3125,0.4375,0.275,0.475,"partial coverage; a, b"',
    '2026-06-21,one,S2/1,12.5,"where(B04>1,B04,""x"")",0,,,,,,,,,,,"partial coverage; a, b"',
    '',
  ]);
});

test('JSON and GeoJSON say the same numbers', () => {
  const { results } = toStatisticsJson(answered) as {
    results: readonly { values: Readonly<Record<string, { average: number | null; count: number }>> }[];
  };
  assert.deepEqual(results[0]?.values.NDVI, statistics);
  const { features } = toStatisticsGeoJson(answered) as {
    features: readonly { geometry: unknown; properties: Readonly<Record<string, unknown>> }[];
  };
  assert.deepEqual(features[0]?.geometry, { type: 'MultiPolygon', coordinates: [[ring]] });
  assert.deepEqual([features[0]?.properties.NDVI_average, features[0]?.properties.NDVI_count], [0.375, 2]);
});

test('soil moisture has its root zone in all of them', () => {
  const wet: AnsweredStatistics = {
    taskId: 't',
    stored: {
      kind: 'soil-moisture',
      isList: true,
      order: {
        where: { type: 'Point', coordinates: [2, 42] },
        from: '2026-01-01',
        to: '2026-01-02',
        limit: 5,
      },
    },
    document: {
      expressions: ['soilmoisture'],
      isList: true,
      scenes: [{ ...scene, values: [statistics] }],
      failures: [],
      rootZones: [0.31],
    },
  };
  const json = JSON.stringify(toStatisticsJson(wet));
  assert.match(json, /"root_zone":0\.31/);
  assert.match(toStatisticsCsv(wet), /,root_zone,notes\r\n.*,0\.31,/);
  const { features } = toStatisticsGeoJson(wet) as { features: readonly { geometry: unknown }[] };
  assert.deepEqual(features[0]?.geometry, { type: 'Point', coordinates: [2, 42] });
});

test('an area that would be repeated too often is refused as GeoJSON', () => {
  const large: MultiPolygonGeometry = {
    type: 'MultiPolygon',
    coordinates: [[Array.from({ length: 10_000 }, (_, i) => [i / 1e5, (i * i) / 1e10] as const)]],
  };
  if (answered.stored.kind !== 'scenes') return assert.fail();
  const many: AnsweredStatistics = {
    ...answered,
    stored: { ...answered.stored, order: { ...answered.stored.order, area: large } },
    document: { ...answered.document, scenes: Array.from({ length: 101 }, () => scene) },
  };
  assert.throws(() => toStatisticsGeoJson(many), { code: 'geojson-too-large' });
});
