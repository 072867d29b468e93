import { makeAreas } from '../../../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../../../library/testing/memory-library.ts';
import type {
  DailyWeather,
  Forecast,
  HourlyWeather,
  Weather,
  WeatherDay,
  WeatherLineage,
  WeatherNormals,
} from '../../../weather/index.ts';
import { makeTestApp } from '../../testing/make-test-app.ts';

/** Where the numbers of the fake come from. */
export const LINEAGE: WeatherLineage = {
  source: 'grid:era5',
  runMs: Date.parse('2026-06-01T06:00:00Z'),
  method: 'interpolated',
  correctedToM: 231.6,
};

/** A frosty day, of which cloud cover is not known. */
export const DAY: WeatherDay = {
  date: '2026-01-31',
  temperatureMin: -4.123456,
  temperatureMax: 3.5,
  vapourPressure: 5.25,
  windSpeed: 2.75,
  rainfall: 0,
  snowDepth: 12.5,
  hardeningIndex: 1.25,
  criticalTemperature: -13.5,
  humidity: 81,
  cloudCover: null,
  derived: { growingDegreeDays: 0, waterBalance: null },
};

const days: DailyWeather = { days: [DAY], utcOffsetHours: -8, lineage: LINEAGE };

const hours: HourlyWeather = {
  hours: [
    { time: '2026-05-01T00:00:00Z', temperature: 7.25, precipitation: null, windSpeed: 3 },
    { time: '2026-05-01T01:00:00Z', temperature: 7, precipitation: 0.5, windSpeed: null },
  ],
  lineage: LINEAGE,
};

const normals: WeatherNormals = {
  firstYear: 2016,
  lastYear: 2025,
  days: [{ day: '05-02', years: 10, temperatureMin: 6.5, temperatureMax: 15.25, rainfall: null }],
  lineage: LINEAGE,
};

const forecast: Forecast = {
  lineage: LINEAGE,
  days: [
    { date: '2026-06-01', airMin: 9, airMax: 17.654321, landMin: 11, landMax: 14, details: null },
    {
      date: '2026-06-02',
      airMin: 8,
      airMax: 18,
      landMin: null,
      landMax: null,
      details: {
        humidity: null,
        snowDepth: 0,
        rain: [0, 0.5, 1, 1, 1, 1, 1.25, null],
        wind: [1, 2, 3, 4, 5, 6, 7, 8],
      },
    },
  ],
};

/** Questions that the fake was asked: the name of the method, and the request. */
export type Asked = readonly [method: keyof Weather, request: unknown];

/** The application over weather that is written down here, at 12 UTC of 1 June 2026; `answers` replace some of it. */
export function makeWeatherApp(answers: Partial<Weather> = {}) {
  const asked: Asked[] = [];
  const known: Weather = {
    readDays: async () => days,
    readHours: async () => hours,
    readNormals: async () => normals,
    readForecast: async () => forecast,
    readComingDays: async () => days,
    ...answers,
  };
  /** What a method answers, and what it was asked. */
  const record =
    <Request, Answer>(method: keyof Weather, answer: (request: Request) => Promise<Answer>) =>
    async (request: Request & { readonly signal?: AbortSignal }): Promise<Answer> => {
      const { signal: _, ...rest } = request;
      asked.push([method, rest]);
      return answer(request);
    };
  const weather: Weather = {
    readDays: record('readDays', known.readDays),
    readHours: record('readHours', known.readHours),
    readNormals: record('readNormals', known.readNormals),
    readForecast: record('readForecast', known.readForecast),
    readComingDays: record('readComingDays', known.readComingDays),
  };
  const app = makeTestApp({
    weather,
    now: () => new Date('2026-06-01T12:00:00Z'),
    areas: makeAreas({ store: makeMemoryAreas().store, ...unlimitedAreas }),
  });
  return { ...app, asked };
}

/** A field in the demo world. */
export const FIELD = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.404, 48.216],
      [-122.396, 48.216],
      [-122.396, 48.224],
      [-122.404, 48.224],
      [-122.404, 48.216],
    ],
  ],
};
