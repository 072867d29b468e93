import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeToMs } from './cf.ts';
import { parseFileDate } from './grid-file.ts';

const iso = (units: string, value: number, calendar = ''): string =>
  new Date(makeToMs(units, calendar)(value)).toISOString().slice(0, 19);

test('times are read in the units that datasets use', () => {
  assert.equal(iso('days since 1970-01-01 00:00:00', 20_000), '2024-10-04T00:00:00');
  assert.equal(iso('hours since 1900-01-01 00:00:00.0', 1_000_000), '2014-01-29T16:00:00');
  assert.equal(iso('seconds since 2000-01-01T12:00:00Z', 86_400), '2000-01-02T12:00:00');
  assert.equal(iso('minutes since 2026-5-2 6:30', 30), '2026-05-02T07:00:00');
  assert.equal(iso('days since 2000-01-01 00:00 +02:00', 1), '2000-01-01T22:00:00');
  assert.equal(iso('Days since 1858-11-17', 60_000.5, 'gregorian'), '2023-02-25T12:00:00');
});

test('invalid units, calendars and times are refused', () => {
  for (const units of [
    'months since 2000-01-01',
    'days',
    'days since yesterday',
    'days since 2000-13-01',
    '',
  ])
    assert.throws(() => makeToMs(units, ''), { code: 'time-units' }, units);
  assert.throws(() => makeToMs('days since 2000-01-01', '360_day'), { code: 'time-calendar' });
  for (const value of [Number.NaN, 1e12, -1e9])
    assert.throws(() => makeToMs('days since 2000-01-01', '')(value), { code: 'bad-time' }, String(value));
});

test('dates are found in file names', () => {
  const day = (name: string): string | null => {
    const ms = parseFileDate(name);
    return ms === null ? null : new Date(ms).toISOString().slice(0, 10);
  };
  assert.equal(day('ESACCI-SOILMOISTURE-L3S-SSMV-COMBINED-20260502000000-fv08.1.nc'), '2026-05-02');
  assert.equal(day('SMAP_L3_SM_P_E_20260502_R19240_001.h5'), '2026-05-02');
  assert.equal(day('ssm_2026-05-02.tif'), '2026-05-02');
  assert.equal(day('ssm_2026_05_02.tif'), '2026-05-02');
  assert.equal(day('202605021200_x.nc'), '2026-05-02');
  assert.equal(day('MOD.A2026122.h18.tif'), '2026-05-02');
  assert.equal(day('tile_12345678.tif'), null);
  assert.equal(day('x_20260230.tif'), null);
  assert.equal(day('none.nc'), null);
});
