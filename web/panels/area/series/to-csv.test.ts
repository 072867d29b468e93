import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv, toDaysCsv, toScenesCsv } from './to-csv.ts';

test('cells with commas, quotation marks and line breaks are quoted, others are not', () => {
  assert.equal(toCsv([['a', 'b,c', 'd"e', 'f\ng', null, -0.5]]), 'a,"b,c","d""e","f\ng",,-0.5\r\n');
});

test('a scene has a row with every metric of every index, in full precision', () => {
  const metrics = { average: 0.123456789012, min: -1, max: 1, std: 0, median: null, p10: -0.5, p90: 0.5 };
  const csv = toScenesCsv([
    {
      date: '2026-06-21',
      sceneId: 'one',
      viewId: 'S2/1',
      cloudPercent: 12.5,
      notes: ['partial coverage', 'a, b'],
      values: { NDVI: metrics },
    },
  ]);
  assert.equal(
    csv,
    'date,scene_id,view_id,cloud,NDVI_average,NDVI_min,NDVI_max,NDVI_std,NDVI_median,NDVI_p10,NDVI_p90,notes\r\n' +
      '2026-06-21,one,S2/1,12.5,0.123456789012,-1,1,0,,-0.5,0.5,"partial coverage; a, b"\r\n',
  );
});

test('a day has a row, with empty cells for unknown values', () => {
  const weather = {
    day: '2026-06-21',
    minC: 4.5,
    maxC: 20,
    rainMm: null,
    growingDegrees: 2.25,
    evaporationMm: 4,
    balanceMm: null,
    isForecast: false,
  };
  assert.equal(
    toDaysCsv([{ day: '2026-06-21', weather, soil: null, growthSum: 520.5, balanceSum: null }]).split(
      '\r\n',
    )[1],
    '2026-06-21,4.5,20,,false,,,2.25,4,,520.5,',
  );
});
