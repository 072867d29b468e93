import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cube } from '../cubes/index.ts';
import type { StationSet } from '../weather/index.ts';
import { runIngestGrids } from './cubes.ts';
import { parseCommand } from './parse-command.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';
import type { IngestWeatherCommand } from './weather.ts';
import { runWeather } from './weather.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

test('ingest weather has defaults, and accepts all options', () => {
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

test('weather list and remove are parsed', () => {
  assert.deepEqual(parse('weather list --json'), { name: 'weather list', json: true });
  assert.deepEqual(parse('weather remove era5'), { name: 'weather remove', data: 'era5' });
});

test('help is printed, and mistakes are explained', () => {
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

const runMs = Date.UTC(2026, 10, 16, 6);
const cube: Cube = {
  name: 'gfs-20261116t06',
  grid: { west: 10, north: 50, lonStep: 0.25, latStep: 0.25, width: 8, height: 4 },
  stepHours: 1,
  variables: { temperature: { units: 'degC', longName: 'Temperature' } },
  firstStep: runMs / 3_600_000,
  lastStep: runMs / 3_600_000 + 72,
  kind: 'forecast',
  runMs,
  sourceCount: 2,
};
const set: StationSet = {
  name: 'farm',
  sources: {},
  stations: [
    {
      id: 'a',
      longitude: 10,
      latitude: 50,
      elevationM: null,
      stepHours: 24,
      firstStep: 20_000,
      stepCount: 3,
      variables: ['temperatureMin'],
    },
  ],
};

/** Weather of which nothing is really removed; says what was. */
function makeWeather({ cubeList = [cube], sets = [set] } = {}) {
  const removed: string[] = [];
  return {
    removed,
    cubes: { list: async () => cubeList, remove: async (name: string) => removed.push(name) > 0 },
    stations: {
      list: async () => sets,
      async remove(name: string) {
        const isThere = sets.some((one) => one.name === name);
        if (isThere) removed.push(name);
        return isThere;
      },
    },
  };
}

test('data cubes and stations are listed', async () => {
  const { terminal, out } = makeFakeTerminal();
  await runWeather({ name: 'weather list', json: false }, { ...makeWeather(), terminal });
  assert.equal(
    out(),
    [
      'name             days                      step  cells  size   west, south, east, north       files  kind      variables',
      'gfs-20261116t06  2026-11-16 to 2026-11-19  hour  8 × 4  0.25°  9.875, 49.125, 11.875, 50.125  2      forecast  temperature',
      'stations of  number  days                      variables',
      'farm         1       2024-10-04 to 2024-10-06  temperatureMin',
      '',
    ].join('\n'),
  );
  const json = makeFakeTerminal();
  await runWeather({ name: 'weather list', json: true }, { ...makeWeather(), terminal: json.terminal });
  assert.deepEqual(JSON.parse(json.out()), { cubes: [cube], stations: [set] });
  const empty = makeFakeTerminal();
  const none = makeWeather({ cubeList: [], sets: [] });
  await runWeather({ name: 'weather list', json: false }, { ...none, terminal: empty.terminal });
  assert.match(empty.out(), /swath ingest weather/);
});

test('a name removes a data cube, all runs of a forecast, or stations', async () => {
  for (const [data, wanted, isDone] of [
    ['gfs', ['gfs-20261116t06'], true],
    ['gfs-20261116t06', ['gfs-20261116t06'], true],
    ['farm', ['farm'], true],
    ['x', [], false],
  ] as const) {
    const { terminal, err } = makeFakeTerminal();
    const weather = makeWeather();
    assert.equal(await runWeather({ name: 'weather remove', data }, { ...weather, terminal }), isDone);
    assert.deepEqual(weather.removed, wanted);
    if (!isDone) assert.match(err(), /no weather x/);
  }
});

test('the summary names the added and removed runs, and the rows of tables', async () => {
  const run = async (fields: number, rows: number) => {
    const { terminal, out } = makeFakeTerminal();
    const command = parseCommand(['ingest', 'weather', 'x', '--name', 'gfs']) as IngestWeatherCommand;
    const isFine = await runIngestGrids(command, {
      terminal,
      outputMode: 0o640,
      formats: 'GRIB',
      ingest: async () => ({
        cube: 'gfs',
        cubes: fields === 0 ? [] : ['gfs-20261116t06'],
        files: [
          ...(fields === 0 ? [] : [{ file: 'a', outcome: 'ingested' as const, fields }]),
          ...(rows === 0 ? [] : [{ file: 'b', outcome: 'ingested' as const, rows }]),
        ],
        totals: { ingested: 1, unchanged: 0, broken: 0 },
        stopped: false,
        removed: fields === 0 ? [] : ['gfs-20261115t06'],
      }),
    });
    assert.equal(isFine, true);
    return out();
  };
  assert.equal(
    await run(3, 0),
    'Done, data cubes gfs-20261116t06: 1 file with 3 fields, 0 unchanged, removed gfs-20261115t06.\n',
  );
  assert.equal(await run(0, 2), 'Done, stations gfs: 1 file with 2 rows, 0 unchanged.\n');
});
