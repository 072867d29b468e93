import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DailySource } from '../bulk/index.ts';
import type { Cubes } from '../cubes/index.ts';
import { makeCubes, toStep } from '../cubes/index.ts';
import { sourceBroken } from '../errors.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { makeSoilMoisture } from '../soil-moisture/index.ts';
import type { WeatherProvider } from '../weather/index.ts';
import { makeGridProvider, makeWeather, WEATHER_VARIABLES } from '../weather/index.ts';
import { makeReadDaily } from './read-daily.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-daily-'));
after(() => rmSync(directory, { recursive: true }));

const grid = { west: 30, north: 50, lonStep: 0.25, latStep: 0.25, width: 4, height: 4 };
const first = toStep(Date.parse('2025-01-01'), 24);

/** Days of all of 2025 and 2026, each cell with its own values. */
async function write(cubes: Cubes, variables: Readonly<Record<string, { units: string; longName: string }>>) {
  const writer = await cubes.openWriter('a', { grid, stepHours: 24, kind: 'history', runMs: null });
  const fields = Object.entries(variables).map(([variable, about], v) => ({
    variable,
    about,
    fields: Array.from({ length: 730 }, (_, i) => ({
      step: first + i,
      values: new Float32Array(16).map((_cell, cell) => v + cell + Math.sin(i / 9)),
    })),
  }));
  await writer.write(fields, new Map([['a.nc', '1']]));
}

/** Without memory for chunks: each that is read is counted. */
function makeCounted(subject: string) {
  const cubes = makeCubes({ directory, subject, cacheBytes: 0 });
  let chunks = 0;
  const counted: Cubes = {
    ...cubes,
    withState: (name, read) =>
      cubes.withState(name, (opened) =>
        read({
          ...opened,
          async readCells(range, cells) {
            const series = await opened.readCells(range, cells);
            // Series that are cached are the same objects.
            if (series.some((one) => !seen.has(one))) chunks += 1;
            for (const one of series) seen.add(one);
            return series;
          },
        }),
      ),
  };
  const seen = new WeakSet<object>();
  return { cubes: counted, countChunks: () => chunks };
}

const shapes = Array.from({ length: 40 }, (_, i) => {
  const [west, south] = [30.1 + 0.001 * i, 49.6];
  const geometry: MultiPolygonGeometry = {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [west, south],
          [west + 0.001, south],
          [west + 0.001, south + 0.001],
          [west, south + 0.001],
          [west, south],
        ],
      ],
    ],
  };
  return { geometry, from: '2026-03-01' };
});

const sources: readonly DailySource[] = [
  { kind: 'weather', variable: 'temperatureMax' },
  { kind: 'weather', variable: 'waterBalance' },
  { kind: 'growing-degrees', baseTemperature: 3 },
  { kind: 'soil-moisture', layer: 'surface' },
  { kind: 'soil-moisture', layer: 'rootZone' },
];
const { signal } = new AbortController();

test('many places get the same days as each alone, and share the cells of the grid', async () => {
  const weatherCubes = makeCounted('weather');
  const dayCubes = makeCubes({ directory, subject: 'weather-days' });
  const moistureCubes = makeCounted('soil-moisture');
  const { temperature: _, dewPoint: __, ...variables } = WEATHER_VARIABLES;
  await write(weatherCubes.cubes, variables);
  await write(moistureCubes.cubes, { surface: { units: 'm3 m-3', longName: 'Water' } });
  const weather = makeWeather({
    providers: [makeGridProvider({ cubes: weatherCubes.cubes, dayCubes, heights: null })],
    heights: null,
    wallClockMs: Date.now,
    onFailure: (_name, error) => assert.fail(String(error)),
  });
  const soilMoisture = makeSoilMoisture({ cubes: moistureCubes.cubes });
  const readDaily = makeReadDaily({ weather, soilMoisture });
  const to = '2026-05-31';
  const [alone] = await readDaily({ shapes: shapes.slice(0, 1), to, sources }, signal);
  const before = [weatherCubes.countChunks(), moistureCubes.countChunks()];
  const all = await readDaily({ shapes, to, sources }, signal);
  assert.equal(all.length, shapes.length);
  assert.deepEqual(all[0], alone);
  // All places lie between the same four cells.
  assert.deepEqual([weatherCubes.countChunks(), moistureCubes.countChunks()], before);
  for (const i of [0, 17, 39]) {
    const where = shapes[i]!.geometry;
    const days = (await weather.readDays({
      where,
      from: '2026-03-01',
      to,
      derived: ['growingDegreeDays', 'waterBalance'],
      baseTemperature: 3,
    }))!.days;
    const moisture = (await soilMoisture.read({ where, from: '2026-03-01', to }))!.days;
    const wanted = [
      days.map(({ temperatureMax }) => temperatureMax),
      days.map(({ derived }) => derived.waterBalance ?? Number.NaN),
      days.map(({ derived }) => derived.growingDegreeDays ?? Number.NaN),
      moisture.map(({ surface }) => surface ?? Number.NaN),
      moisture.map(({ rootZone }) => rootZone ?? Number.NaN),
    ].flat();
    assert.deepEqual([...all[i]!.values], wanted);
  }
});

test('a place that no source knows has no values; a failing source is an error', async () => {
  const soilMoisture = makeSoilMoisture({ cubes: makeCubes({ directory, subject: 'nothing' }) });
  const make = (readHistory: WeatherProvider['readHistory']) =>
    makeReadDaily({
      weather: makeWeather({
        providers: [{ name: 'one', readHistory, readForecast: async () => null }],
        heights: null,
        wallClockMs: Date.now,
        onFailure: () => {},
      }),
      soilMoisture,
    });
  const request = { shapes: shapes.slice(0, 3), to: '2026-03-02', sources };
  const none = await make(async () => null)(request, signal);
  assert.ok(
    none.length === 3 && none.every(({ values }) => values.length === 10 && values.every(Number.isNaN)),
  );
  const failing = make(async () => {
    throw sourceBroken('down', 'The server does not answer.');
  });
  await assert.rejects(failing(request, signal), { code: 'weather-unavailable' });
});
