import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outline } from '../scenes/footprint.ts';
import { readWeather } from './weather.ts';

const outline: Outline = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};
const toDay = (date: string, rainfall: number | null) => ({
  date,
  temperature_min: 1,
  temperature_max: 9,
  rainfall,
});
const { signal } = new AbortController();

const makeParts = (answers: Readonly<Record<string, () => Response>>) => {
  const sent: [string, unknown][] = [];
  return {
    sent,
    parts: {
      async send(path: string, { body }: RequestInit) {
        sent.push([path, JSON.parse(String(body))]);
        return answers[path]?.() ?? new Response('{}', { status: 500 });
      },
      wait: async () => undefined,
    },
  };
};
const HISTORY = 'api/cz/backend/forecast-history';
const FORECAST = 'api/cz/backend/forecast';

test('history and forecast form one list without duplicate days, and name their source', async () => {
  const headers = { 'x-weather-source': 'grid:era5' };
  const { parts, sent } = makeParts({
    [HISTORY]: () =>
      Response.json([toDay('2026-05-30', 0.5), { date: '2026-05-31' }, toDay('2026-06-01', null)], {
        headers,
      }),
    [FORECAST]: () => Response.json([toDay('2026-06-01', 7), toDay('2026-06-02', 3)]),
  });
  const weather = await readWeather(
    parts,
    { outline, from: '2026-05-30', to: '2026-06-30', today: '2026-06-02' },
    signal,
  );
  assert.equal(weather.source, 'grid:era5');
  assert.deepEqual(
    weather.days.map(({ day, rainMm, isForecast }) => [day, rainMm, isForecast]),
    [
      ['2026-05-30', 0.5, false],
      ['2026-06-01', null, false],
      ['2026-06-02', 3, true],
    ],
  );
  assert.deepEqual(sent[0], [
    HISTORY,
    {
      geometry: outline,
      start_date: '2026-05-30',
      end_date: '2026-06-02',
      fields: ['growing_degree_days', 'reference_evapotranspiration', 'water_balance'],
    },
  ]);
});

test('a past period requests no forecast, and a location without weather is not a failure', async () => {
  const none = (): Response =>
    Response.json({ error: 'No source has weather.', code: 'no-weather' }, { status: 404 });
  const { parts, sent } = makeParts({ [HISTORY]: none });
  const period = { outline, from: '2026-05-30', to: '2026-06-01', today: '2026-06-02' };
  assert.deepEqual(await readWeather(parts, period, signal), { days: [], source: null });
  assert.deepEqual(
    sent.map(([path]) => path),
    [HISTORY],
  );
  const broken = makeParts({ [HISTORY]: () => Response.json({ error: 'Later.' }, { status: 503 }) });
  await assert.rejects(readWeather(broken.parts, period, signal), /Later/);
});
