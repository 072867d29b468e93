import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CubeGrid } from '../cubes/index.ts';
import { makeCubes } from '../cubes/index.ts';
import { HOUR_MS } from '../units.ts';
import { parseDay } from './daily-weather.ts';
import { makeGridProvider } from './grid-provider.ts';
import { testWeatherProvider } from './testing/weather-provider-contract.ts';
import type { WeatherVariable } from './weather-series.ts';
import { WEATHER_VARIABLES } from './weather-series.ts';

const GRID: CubeGrid = { west: 29, north: 51, lonStep: 0.5, latStep: 0.5, width: 6, height: 6 };
const FIRST = parseDay('2026-03-01') * 24;
const RUN = parseDay('2026-03-20') * 24;
const NOW = (RUN + 7) * HOUR_MS;

/** The same in all cells, so that every interpolation has it. */
const TRUTH: Readonly<Partial<Record<WeatherVariable, (hour: number) => number>>> = {
  temperature: (hour) => 8 + 6 * Math.sin((hour * Math.PI) / 12),
  dewPoint: (hour) => 2 + Math.cos(hour / 9),
  relativeHumidity: (hour) => 60 + (hour % 24),
  windSpeed: (hour) => 3 + (hour % 5) / 2,
  precipitation: (hour) => (hour % 6 === 0 ? 0.4 : 0),
  snowDepth: () => 0,
  soilTemperature: (hour) => 6 + Math.sin((hour * Math.PI) / 12),
  cloudCover: (hour) => hour % 100,
  radiation: (hour) => Math.max(0, Math.sin(((hour - 6) * Math.PI) / 12)),
};
/** Hours of the tenth of March without rain. */
const isGap = (variable: string, hour: number): boolean =>
  variable === 'precipitation' && Math.floor(hour / 24) === parseDay('2026-03-10');

async function write(
  directory: string,
  name: string,
  firstStep: number,
  count: number,
  runMs: number | null,
) {
  const cubes = makeCubes({ directory, subject: 'weather' });
  const kind = runMs === null ? 'history' : 'forecast';
  const writer = await cubes.openWriter(name, { grid: GRID, stepHours: 1, kind, runMs });
  const cells = GRID.width * GRID.height;
  const fields = Object.entries(TRUTH).map(([variable, value]) => ({
    variable,
    about: WEATHER_VARIABLES[variable as WeatherVariable],
    fields: Array.from({ length: count }, (_, i) => {
      const hour = firstStep + i;
      return {
        step: hour,
        values: new Float32Array(cells).fill(isGap(variable, hour) ? Number.NaN : value(hour)),
      };
    }),
  }));
  await writer.write(fields, new Map([[`${name}.nc`, '1']]));
}

testWeatherProvider('grid', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'swath-weather-'));
  await write(directory, 'era5', FIRST, 19 * 24, null);
  await write(directory, 'gfs-00', RUN, 181, RUN * HOUR_MS);
  await write(directory, 'gfs-18', RUN - 6, 181, (RUN - 6) * HOUR_MS);
  const grids = {
    cubes: makeCubes({ directory, subject: 'weather' }),
    dayCubes: makeCubes({ directory, subject: 'weather-days' }),
  };
  return {
    provider: makeGridProvider({ ...grids, heights: null }),
    nowMs: NOW,
    point: { type: 'Point', coordinates: [30.2, 50.1] },
    area: {
      type: 'Polygon',
      coordinates: [
        [
          [29.2, 49.2],
          [31.2, 49.2],
          [31.2, 50.7],
          [29.2, 50.7],
          [29.2, 49.2],
        ],
      ],
    },
    outside: { type: 'Point', coordinates: [-60, 10] },
    days: { from: '2026-03-03', to: '2026-03-05' },
    daysWithGaps: { from: '2026-03-09', to: '2026-03-11' },
    unknownDays: { from: '2027-03-09', to: '2027-03-11' },
    expect(variable, timeMs, stepHours) {
      // Days of half-hour clocks begin with the next whole hour.
      const hour = Math.round(timeMs / HOUR_MS);
      const value = TRUTH[variable];
      if (stepHours === 1)
        return value === undefined ? null : isGap(variable, hour) ? Number.NaN : value(hour);
      if (variable !== 'precipitation') return null;
      let sum = 0;
      for (let i = 0; i < 24; i++) sum += isGap(variable, hour + i) ? Number.NaN : value!(hour + i);
      return sum;
    },
    stop: async () => rmSync(directory, { recursive: true }),
  };
});
