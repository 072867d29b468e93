import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cube, GridReport } from '../cubes/index.ts';
import { runIngestGrids } from './cubes.ts';
import { parseCommand } from './parse-command.ts';
import type { IngestSoilMoistureCommand } from './soil-moisture.ts';
import { runSoilMoisture } from './soil-moisture.ts';
import { makeFakeTerminal } from './testing/fake-terminal.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter((word) => word !== ''));

test('ingest soilmoisture has defaults, and accepts all options', () => {
  assert.deepEqual(parse('ingest soilmoisture /mnt/sm'), {
    name: 'ingest soilmoisture',
    from: '/mnt/sm',
    cube: 'default',
    variable: null,
    porosity: null,
    report: null,
    json: false,
  });
  const all = 'ingest soilmoisture x.nc --name ascat --variable ssm --porosity 0.45 --report out.json --json';
  assert.deepEqual(parse(all), {
    name: 'ingest soilmoisture',
    from: 'x.nc',
    cube: 'ascat',
    variable: 'ssm',
    porosity: 0.45,
    report: 'out.json',
    json: true,
  });
});

test('soilmoisture list and remove are parsed', () => {
  assert.deepEqual(parse('soilmoisture list --json'), { name: 'soilmoisture list', json: true });
  assert.deepEqual(parse('soilmoisture remove ascat'), { name: 'soilmoisture remove', cube: 'ascat' });
});

test('help is printed, and mistakes are explained', () => {
  for (const line of [
    'soilmoisture',
    'soilmoisture --help',
    'soilmoisture list -h',
    'ingest soilmoisture --help',
  ])
    assert.deepEqual(parse(line), { name: 'help', topic: 'soilmoisture' }, line);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['ingest soilmoisture', /From where/],
    ['ingest soilmoisture a b', /Unexpected argument "b"/],
    ['ingest soilmoisture x --name ../x', /lower-case/],
    ['ingest soilmoisture x --porosity 45', /--porosity/],
    ['ingest soilmoisture x --porosity 0.95', /--porosity/],
    ['soilmoisture show', /"soilmoisture show"/],
    ['soilmoisture remove', /Which data cube/],
    ['soilmoisture remove UP', /lower-case/],
  ];
  for (const [line, message] of wrong)
    assert.throws(() => parse(line), { code: /usage|unknown-command/, message }, line);
});

const cube: Cube = {
  name: 'default',
  grid: { west: -122.95, north: 48.75, lonStep: 0.1, latStep: 0.1, width: 16, height: 12 },
  stepHours: 24,
  variables: { surface: { units: 'm3 m-3', longName: 'Water' } },
  firstStep: 19_997,
  lastStep: 20_000,
  sourceCount: 2,
};
const cubes = { list: async () => [cube], remove: async (name: string) => name === 'default' };

test('cubes are listed with their days, grid and files', async () => {
  const { terminal, out } = makeFakeTerminal();
  await runSoilMoisture({ name: 'soilmoisture list', json: false }, { cubes, terminal });
  assert.equal(
    out(),
    [
      'name     days                      step  cells    size  west, south, east, north  files',
      'default  2024-10-01 to 2024-10-04  day   16 × 12  0.1°  -123, 47.6, -121.4, 48.8  2',
      '',
    ].join('\n'),
  );
  const json = makeFakeTerminal();
  await runSoilMoisture({ name: 'soilmoisture list', json: true }, { cubes, terminal: json.terminal });
  assert.deepEqual(JSON.parse(json.out()), [cube]);
  const empty = makeFakeTerminal();
  const none = { ...cubes, list: async () => [] };
  await runSoilMoisture(
    { name: 'soilmoisture list', json: false },
    { cubes: none, terminal: empty.terminal },
  );
  assert.match(empty.out(), /swath ingest soilmoisture/);
});

test('a cube is removed, or reported as missing', async () => {
  const { terminal, out, err } = makeFakeTerminal();
  assert.equal(
    await runSoilMoisture({ name: 'soilmoisture remove', cube: 'default' }, { cubes, terminal }),
    true,
  );
  assert.match(out(), /Removed the data cube default/);
  assert.equal(await runSoilMoisture({ name: 'soilmoisture remove', cube: 'x' }, { cubes, terminal }), false);
  assert.match(err(), /no data cube x/);
});

const report: GridReport = {
  cube: 'default',
  cubes: ['default'],
  files: [
    { file: 'a.nc', outcome: 'ingested', fields: 30 },
    { file: 'b.nc', outcome: 'unchanged' },
    { file: 'c.nc', outcome: 'broken', code: 'x', reason: 'It is cut off.' },
  ],
  totals: { ingested: 1, unchanged: 1, broken: 1 },
  stopped: false,
};

test('an ingest prints progress, a summary and broken files', async () => {
  const run = async (words: readonly string[], given: Partial<GridReport> = {}) => {
    const { terminal, out, err } = makeFakeTerminal();
    const command = parseCommand(['ingest', 'soilmoisture', 'x', ...words]) as IngestSoilMoistureCommand;
    const isFine = await runIngestGrids(command, {
      terminal,
      formats: 'NetCDF',
      outputMode: 0o640,
      async ingest(onProgress) {
        onProgress(0.5);
        return { ...report, ...given };
      },
    });
    return { isFine, out: out(), err: err() };
  };
  assert.deepEqual(await run([]), {
    isFine: false,
    out: 'Ingesting 50 %\nDone, data cube default: 1 file with 30 fields, 1 unchanged, 1 broken.\n',
    err: 'broken c.nc: It is cut off.\n',
  });
  const json = await run(['--json']);
  assert.deepEqual([JSON.parse(json.out), json.err], [report, '']);
  const fine = await run([], { files: [], totals: { ingested: 0, unchanged: 0, broken: 0 } });
  assert.deepEqual([fine.isFine, /Nothing found/.test(fine.out)], [true, true]);
  const stopped = await run([], { stopped: true, totals: { ingested: 1, unchanged: 1, broken: 0 } });
  assert.deepEqual([stopped.isFine, /Stopped before the end/.test(stopped.out)], [false, true]);
});
