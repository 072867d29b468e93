import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStationTable } from './parse-station-table.ts';

const nowhere = { id: 'x', longitude: null, latitude: null, elevationM: null };
const somewhere = { id: 'x', longitude: 10, latitude: 50, elevationM: 100 };
const DAY = Date.UTC(2026, 4, 1) / 86_400_000;
const numbers = (series: Float32Array | undefined): readonly number[] =>
  [...series!].map((value) => Number(value.toFixed(3)) + 0);

test('days of two stations are read with units in the headers, gaps and unneeded columns', () => {
  const { series, rowCount } = parseStationTable(
    [
      '\ufeffdate,station,latitude,longitude,elevation (m),tmin_c,temp_max [°F],rain_in,wind (km/h),RH,remarks',
      '2026-05-01,north,50.5,10,320,1.5,50,1,36,80,"wet, cold"',
      '2026-05-03,north,50.5,10,320,-2,,0,NA,-9999,=cmd()',
      '',
      '20260502,"south (hill)",49.5,10,,3,59,0.1,7.2,55,"say ""no"""',
    ].join('\r\n'),
    nowhere,
  );
  const [north, south] = series;
  assert.equal(rowCount, 3);
  assert.deepEqual(north!.station, {
    id: 'north',
    longitude: 10,
    latitude: 50.5,
    elevationM: 320,
    stepHours: 24,
    firstStep: DAY,
    stepCount: 3,
    variables: ['temperatureMin', 'temperatureMax', 'precipitation', 'windSpeed', 'relativeHumidity'],
  });
  const gap = Number.NaN;
  assert.deepEqual(numbers(north!.values.temperatureMin), [1.5, gap, -2]);
  assert.deepEqual(numbers(north!.values.temperatureMax), [10, gap, gap]);
  assert.deepEqual(numbers(north!.values.precipitation), [25.4, gap, 0]);
  assert.deepEqual(numbers(north!.values.windSpeed), [10, gap, gap]);
  assert.deepEqual(numbers(north!.values.relativeHumidity), [80, gap, gap]);
  assert.deepEqual([south!.station.id, south!.station.elevationM], ['south (hill)', null]);
});

test('hours are read: sums cover the hour before, time zones apply, semicolons and decimal commas are accepted', () => {
  const { series } = parseStationTable(
    ['time;temp;rain', '2026-05-01T06:00Z;1,5;0,25', '2026-05-01 09:00+02:00;2,5;0'].join('\n'),
    somewhere,
  );
  const { station, values } = series[0]!;
  assert.deepEqual(
    [station.id, station.stepHours, station.firstStep, station.stepCount],
    ['x', 1, DAY * 24 + 5, 3],
  );
  assert.deepEqual(numbers(values.temperature), [Number.NaN, 1.5, 2.5]);
  assert.deepEqual(numbers(values.precipitation), [0.25, 0, Number.NaN]);
  const split = parseStationTable('date,time,temp\n2026-05-01,07:00,3', somewhere);
  assert.equal(split.series[0]!.station.firstStep, DAY * 24 + 7);
});

test('invalid tables are refused with the line number', () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ['', /empty/],
    ['date,tmin', /no rows/],
    ['tmin,tmax\n1,2', /Line 1 .*no column is a date/],
    ['date,remarks\n2026-05-01,x', /Line 1 .*no column is known weather/],
    ['date,rain (furlongs)\n2026-05-01,1', /Line 1 .*"furlongs" is not a unit/],
    ['date,tmin,temp_min\n2026-05-01,1,2', /Line 1 .*two columns are temperatureMin/],
    ['date,tmin\n2026-05-01,1\n2026-05-01,2', /Line 3 .*line 2 has the same time/],
    ['date,tmin\n2026-02-30,1', /Line 2 .*does not exist/],
    ['date,tmin\n01.05.2026,1', /Line 2 .*neither a day nor a time/],
    ['date,tmin\n2026-05-01,1,2', /Line 2 .*3 cells, and the head 2/],
    ['date,tmin\n2026-05-01,=1+1', /Line 2 .*"=1\+1" in the column "tmin" is not a number/],
    ['date,tmin\n2026-05-01,200', /Line 2 .*200 in the column "tmin" cannot be/],
    ['date,tmin\n2026-05-01,0x10', /Line 2 .*not a number/],
    ['date,tmin\n2026-05-01,"1', /Line 2 .*not closed/],
    ['date,tmin\n2026-05-01,"1"2', /Line 2 .*follows a quotation mark/],
    ['date,tmin\n2026-05-01,1"2', /Line 2 .*inside of a cell/],
    ['date,tmin\n2026-05-01T06:30Z,1', /Line 2 .*whole hour/],
    ['date,tmin\n2026-05-01,1\n2026-05-02T00:00Z,1', /Line 3 .*some rows have an hour/],
    ['date,station,tmin\n2026-05-01,=cmd|x,1', /Line 2 .*cannot be the name/],
    ['date,lat,tmin\n2026-05-01,95,1', /Line 2 .*not a latitude/],
    ['date,station,lat,tmin\n2026-05-01,a,50,1\n2026-05-02,a,51,1', /Line 3 .*is elsewhere/],
    [`date,tmin\n2026-05-01,${'1'.repeat(70_000)}`, /Line 2 .*more than 65536 characters/],
  ];
  for (const [text, message] of rows)
    assert.throws(
      () => parseStationTable(text, somewhere),
      { code: 'bad-table', message },
      text.slice(0, 60),
    );
  assert.throws(() => parseStationTable('date,tmin\n2026-05-01,1', nowhere), { message: /--longitude/ });
});
