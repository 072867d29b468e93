import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenMeteoServer } from '../testing/open-meteo-server.ts';
import { startOpenMeteoServer, truthOf } from '../testing/open-meteo-server.ts';
import { testWeatherProvider } from '../testing/weather-provider-contract.ts';
import type { WeatherVariable } from '../weather-series.ts';
import { WEATHER_VARIABLES } from '../weather-series.ts';
import { makeOpenMeteoFetch } from './ask-server.ts';
import type { OpenMeteoDeps } from './make-open-meteo.ts';
import { makeOpenMeteo } from './make-open-meteo.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 4, 20, 10, 20);
const ALL = Object.keys(WEATHER_VARIABLES) as WeatherVariable[];
const POINT = { type: 'Point', coordinates: [30.123_4, 50.2] } as const;
const history = { where: POINT, utcOffsetHours: 0, variables: ALL, isHourly: true } as const;

/** A provider of the server of the tests. */
function makeProvider({ url }: OpenMeteoServer, more: Partial<OpenMeteoDeps> = {}) {
  const servers = { forecastUrl: url, archiveUrl: url };
  return makeOpenMeteo({
    ...servers,
    fetch: makeOpenMeteoFetch({ ...servers, privateNetworks: ['127.0.0.0/8'] }),
    key: null,
    models: { forecast: null, archive: null },
    limits: { perMinute: 0, perHour: 0, perDay: 0 },
    retryDelayMs: 1,
    nowMs: () => NOW_MS,
    ...more,
  });
}

/** What a step of ours must say, by the formulas of the server. */
function expect(variable: WeatherVariable, timeMs: number): number {
  const [at, after] = [timeMs / 1_000, (timeMs + HOUR_MS) / 1_000];
  const lat = POINT.coordinates[1];
  switch (variable) {
    case 'temperature':
      return truthOf('temperature_2m', lat, at);
    case 'dewPoint':
      return truthOf('dew_point_2m', lat, at);
    case 'relativeHumidity':
      return truthOf('relative_humidity_2m', lat, at);
    case 'precipitation':
      return truthOf('precipitation', lat, after);
    case 'snowDepth':
      return 25;
    case 'windSpeed':
      return truthOf('wind_speed_10m', lat, at);
    case 'cloudCover':
      return truthOf('cloud_cover', lat, at);
    case 'radiation':
      return (truthOf('shortwave_radiation', lat, after) * 3_600) / 1e6;
    case 'soilTemperature':
      return truthOf('soil_temperature_6cm', lat, at);
    default:
      throw new Error(`${variable} is not of Open-Meteo`);
  }
}

const [gapFrom, gapTo] = [Date.UTC(2026, 1, 10, 3), Date.UTC(2026, 1, 10, 9)];

testWeatherProvider('open-meteo', async () => {
  const server = await startOpenMeteoServer({
    nowMs: () => NOW_MS,
    isGap: (_, timeS) =>
      (timeS * 1_000 >= gapFrom && timeS * 1_000 < gapTo) || timeS < Date.UTC(1950) / 1_000,
    isOutside: (lon) => lon < 0,
  });
  return {
    provider: makeProvider(server),
    nowMs: NOW_MS,
    point: POINT,
    area: toSquare(30, 50.1, 0.2),
    outside: { type: 'Point', coordinates: [-60, 10] },
    days: { from: '2025-12-30', to: '2026-01-02' },
    daysWithGaps: { from: '2026-02-09', to: '2026-02-11' },
    unknownDays: { from: '1945-01-01', to: '1945-01-03' },
    expect(variable, timeMs) {
      const shift = variable === 'precipitation' || variable === 'radiation' ? HOUR_MS : 0;
      const isGap = timeMs + shift >= gapFrom && timeMs + shift < gapTo;
      return isGap ? Number.NaN : expect(variable, timeMs);
    },
    stop: server.stop,
  };
});

const toSquare = (west: number, south: number, size: number) => {
  const [east, north] = [west + size, south + size];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  return { type: 'Polygon', coordinates: [ring] } as const;
};

/** In the order of their days: two are under way at a time. */
const toQueries = ({ requests }: OpenMeteoServer) =>
  requests
    .map(({ pathname, searchParams: q }) => [pathname, q.get('start_date'), q.get('end_date')])
    .toSorted(([, one], [, other]) => (one! < other! ? -1 : 1));

test('long histories combine years of the archive and days of the forecast, each requested once', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    const provider = makeProvider(server);
    const request = { ...history, from: '2024-03-05', to: '2026-05-20' };
    let [open, maxOpen] = [0, 0];
    server.fault = (_, response) => {
      open += 1;
      maxOpen = Math.max(maxOpen, open);
      response.on('finish', () => {
        open -= 1;
      });
      return false;
    };
    const found = await provider.readHistory(request);
    assert.deepEqual(toQueries(server), [
      ['/v1/archive', '2024-01-01', '2025-01-01'],
      ['/v1/archive', '2025-01-01', '2026-01-01'],
      ['/v1/archive', '2026-01-01', '2026-05-13'],
      ['/v1/forecast', '2026-05-13', '2026-05-21'],
    ]);
    const series = found!.series;
    assert.equal(series.startMs, Date.UTC(2024, 2, 5));
    assert.equal(series.stepCount, (Date.UTC(2026, 4, 20, 10) - series.startMs) / HOUR_MS, 'until now');
    for (const [variable, numbers] of Object.entries(series.values) as [WeatherVariable, Float64Array][]) {
      for (const [i, value] of numbers.entries()) {
        const timeMs = series.startMs + i * HOUR_MS;
        assert.ok(Math.abs(value - expect(variable, timeMs)) < 1e-9, `${variable} ${new Date(timeMs)}`);
      }
    }
    assert.equal(found!.lineage.correctedToM, 100);
    assert.equal(found!.lineage.source, 'open-meteo:best_match');
    await provider.readHistory({ ...request, from: '2024-06-01' });
    assert.equal(server.requests.length, 4, 'all of it was cached');
    assert.ok(maxOpen <= 2, `${maxOpen} requests at once`);
  } finally {
    await server.stop();
  }
});

test('a day in one month costs that month, and equal requests in flight share one call', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    const provider = makeProvider(server);
    const request = { ...history, from: '2020-02-10', to: '2020-02-10' };
    await Promise.all([provider.readHistory(request), provider.readHistory(request)]);
    assert.deepEqual(toQueries(server), [['/v1/archive', '2020-02-01', '2020-03-01']]);
  } finally {
    await server.stop();
  }
});

test('answers of recent months are cached for an hour, those of past years for days, forecasts for half an hour', async () => {
  let nowMs = NOW_MS;
  const server = await startOpenMeteoServer({ nowMs: () => nowMs });
  try {
    const provider = makeProvider(server, { nowMs: () => nowMs });
    const countAfter = async (waitMs: number, read: () => Promise<unknown>) => {
      await read();
      nowMs += waitMs;
      const before = server.requests.length;
      await read();
      return server.requests.length - before;
    };
    const old = () => provider.readHistory({ ...history, from: '2020-02-10', to: '2020-02-10' });
    const recent = () => provider.readHistory({ ...history, from: '2026-05-02', to: '2026-05-03' });
    const forecast = () => provider.readForecast({ where: POINT, hours: 72, nowMs });
    assert.equal(await countAfter(HOUR_MS * 10, old), 0);
    assert.equal(await countAfter(HOUR_MS - 1, recent), 0);
    assert.equal(await countAfter(HOUR_MS, recent), 1);
    assert.equal(await countAfter(HOUR_MS / 2 - 1, forecast), 0);
    assert.equal(await countAfter(HOUR_MS / 2, forecast), 1);
  } finally {
    await server.stop();
  }
});

test('a large area is the mean of a grid of locations, requested in one call', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    const provider = makeProvider(server);
    const where = toSquare(30, 48, 4);
    const found = await provider.readHistory({ ...history, where, from: '2020-02-10', to: '2020-02-10' });
    assert.equal(server.requests.length, 1);
    const lats = server.requests[0]!.searchParams.get('latitude')!.split(',').map(Number);
    assert.ok(lats.length > 9 && lats.length <= 25, `${lats.length} locations`);
    const weights = lats.map((lat) => Math.cos((lat * Math.PI) / 180));
    const total = weights.reduce((sum, weight) => sum + weight);
    const timeS = Date.UTC(2020, 1, 10, 6) / 1_000;
    const mean =
      lats.reduce((sum, lat, i) => sum + truthOf('temperature_2m', lat, timeS) * weights[i]!, 0) / total;
    assert.ok(Math.abs(found!.series.values.temperature![6]! - mean) < 1e-9);
    const elevation = weights.reduce((sum, weight, i) => sum + weight * (100 + 10 * i), 0) / total;
    assert.ok(Math.abs(found!.lineage.correctedToM! - elevation) < 1e-6);
  } finally {
    await server.stop();
  }
});

test('a forecast of one model starts with its run', async () => {
  const runMs = Date.UTC(2026, 4, 19, 18);
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS, runs: { dwd_icon_eu: runMs } });
  try {
    const models = { forecast: 'icon_eu', archive: null };
    const { series, lineage } = (await makeProvider(server, { models }).readForecast({
      where: POINT,
      hours: 72,
      nowMs: NOW_MS,
    }))!;
    assert.equal(lineage.runMs, runMs);
    assert.equal(lineage.source, 'open-meteo:icon_eu');
    assert.equal(series.startMs, runMs);
    assert.equal(series.stepCount, 72);
    assert.ok(!Number.isNaN(series.values.precipitation!.at(-1)!), 'the last hour has its sum');
    assert.equal(server.requests[1]!.searchParams.get('models'), 'icon_eu');
  } finally {
    await server.stop();
  }
});

test('a forecast ends after 16 days, and works without a run time', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    for (const forecast of [null, 'icon_eu']) {
      const models = { forecast, archive: null };
      const { series, lineage } = (await makeProvider(server, { models }).readForecast({
        where: POINT,
        hours: 500,
        nowMs: NOW_MS,
      }))!;
      assert.equal(lineage.runMs, null);
      assert.equal(series.startMs, Date.UTC(2026, 4, 20));
      assert.equal(series.stepCount, 16 * 24);
      assert.ok(
        Number.isNaN(series.values.precipitation!.at(-1)!),
        'the hour after the last one is not known',
      );
    }
  } finally {
    await server.stop();
  }
});

test('a variable that the model lacks, with `undefined` as its unit, is omitted', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS, isGap: (name) => name === 'snow_depth' });
  try {
    server.alter = (answer) => {
      answer.hourly_units.snow_depth = 'undefined';
      delete answer.elevation;
      return answer;
    };
    const found = await makeProvider(server).readHistory({
      ...history,
      from: '2020-02-10',
      to: '2020-02-10',
    });
    assert.equal('snowDepth' in found!.series.values, false);
    assert.equal(found!.lineage.correctedToM, null);
  } finally {
    await server.stop();
  }
});

test('each request carries the key', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS, runs: { dwd_icon_eu: NOW_MS } });
  try {
    const models = { forecast: 'icon_eu', archive: null };
    await makeProvider(server, { key: 'k&y', models }).readForecast({
      where: POINT,
      hours: 72,
      nowMs: NOW_MS,
    });
    assert.deepEqual(
      server.requests.map(({ searchParams }) => searchParams.get('apikey')),
      ['k&y', 'k&y'],
    );
  } finally {
    await server.stop();
  }
});

test('answers that do not fit into the cache are read again', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    const request = { ...history, from: '2020-02-10', to: '2020-02-10' };
    // Nine variables of a month of hours, with 8 bytes each.
    for (const [cacheBytes, requests] of [
      [9 * 29 * 24 * 8, 2],
      [9 * 29 * 24 * 8 + 1_000, 1],
    ] as const) {
      server.requests.length = 0;
      const provider = makeProvider(server, { cacheBytes });
      await provider.readHistory(request);
      await provider.readHistory(request);
      assert.equal(server.requests.length, requests, `${cacheBytes} bytes`);
    }
  } finally {
    await server.stop();
  }
});

test('values slightly outside the possible range are clamped', async () => {
  const server = await startOpenMeteoServer({ nowMs: () => NOW_MS });
  try {
    server.alter = (answer) => {
      answer.hourly.relative_humidity_2m!.fill(101);
      answer.hourly.precipitation!.fill(-0.1);
      return answer;
    };
    const found = await makeProvider(server).readHistory({
      ...history,
      from: '2020-02-10',
      to: '2020-02-10',
    });
    const { relativeHumidity, precipitation } = found!.series.values;
    assert.ok(relativeHumidity!.every((value) => value === 100));
    assert.ok(precipitation!.every((value) => value === 0));
  } finally {
    await server.stop();
  }
});
