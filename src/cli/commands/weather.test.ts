import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './parse-command.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

test('ingest weather: defaults, and all options', () => {
  assert.deepEqual(parse('ingest weather /mnt/era5'), {
    name: 'ingest weather',
    from: '/mnt/era5',
    data: 'default',
    kind: null,
    runMs: null,
    accumulated: null,
    runs: 4,
    station: { longitude: null, latitude: null, elevationM: null },
    report: null,
    json: false,
  });
  const all =
    'ingest weather https://x/f.grib2 --name gfs --kind forecast --run 2026-11-16T06 --runs 2 --accumulated run --latitude -47.6 --longitude 122.3 --elevation 50 --report out.json --json';
  assert.deepEqual(parse(all), {
    name: 'ingest weather',
    from: 'https://x/f.grib2',
    data: 'gfs',
    kind: 'forecast',
    runMs: Date.UTC(2026, 10, 16, 6),
    accumulated: 'run',
    runs: 2,
    station: { longitude: 122.3, latitude: -47.6, elevationM: 50 },
    report: 'out.json',
    json: true,
  });
});

test('weather list and remove', () => {
  assert.deepEqual(parse('weather list --json'), { name: 'weather list', json: true });
  assert.deepEqual(parse('weather remove era5'), { name: 'weather remove', data: 'era5' });
});

test('help, and mistakes with a sentence', () => {
  for (const line of ['weather', 'weather --help', 'weather list -h', 'ingest weather --help'])
    assert.deepEqual(parse(line), { name: 'help', topic: 'weather' }, line);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ingest weather', /From where/],
    ['ingest weather a b', /Unexpected argument "b"/],
    ['ingest weather x --name ../x', /lower-case/],
    [`ingest weather x --name ${'a'.repeat(51)}`, /at most 50/],
    ['ingest weather x --kind hindcast', /--kind takes one of: history, forecast/],
    ['ingest weather x --accumulated week', /--accumulated/],
    ['ingest weather x --run 2026-02-30T06', /--run/],
    ['ingest weather x --run 6', /--run/],
    ['ingest weather x --runs 0', /--runs/],
    ['ingest weather x --latitude 91', /--latitude/],
    ['weather show', /"weather show"/],
    ['weather remove', /Which data cube/],
  ];
  for (const [line, message] of wrong)
    assert.throws(() => parse(line), { code: /usage|unknown-command/, message }, line);
});
