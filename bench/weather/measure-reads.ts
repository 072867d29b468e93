import { makeCubes } from '../../src/cubes/index.ts';
import type { WeatherVariable } from '../../src/weather/index.ts';
import { makeGridProvider, makeWeather, WEATHER_VARIABLES } from '../../src/weather/index.ts';

/** Cells of a country at a fifth of a degree. */
const GRID = { west: 20, north: 52, lonStep: 0.2, latStep: 0.2, width: 80, height: 40 };
const YEARS = 12;
const FIRST_DAY = Date.UTC(2015, 0, 1) / 86_400_000;
const VARIABLES: readonly WeatherVariable[] = [
  ...(['temperatureMin', 'temperatureMax', 'vapourPressure', 'relativeHumidity'] as const),
  ...(['windSpeed', 'precipitation', 'snowDepth', 'cloudCover', 'radiation'] as const),
];

/** A field of a hundred hectares somewhere in the country; each number gives another one. */
function toField(number: number) {
  const [lon, lat] = [20.5 + ((number * 37) % 140) / 10, 45 + ((number * 53) % 60) / 10];
  const [width, height] = [0.014, 0.009];
  const ring = [
    [lon, lat],
    [lon + width, lat],
    [lon + width, lat + height],
    [lon, lat + height],
    [lon, lat],
  ] as [number, number][];
  return { type: 'Polygon', coordinates: [ring] } as const;
}

/** Writes years of days of all variables. */
async function writeYears(directory: string): Promise<void> {
  const cubes = makeCubes({ directory, subject: 'weather' });
  const writer = await cubes.openWriter('daily', { grid: GRID, stepHours: 24 });
  const cells = GRID.width * GRID.height;
  for (const variable of VARIABLES) {
    const fields = Array.from({ length: Math.round(YEARS * 365.25) }, (_, day) => ({
      step: FIRST_DAY + day,
      values: Float32Array.from(
        { length: cells },
        (_, cell) => 10 + 8 * Math.sin(day / 58 + cell / 500) + ((day * 7919 + cell * 104_729) % 64) / 64,
      ),
    }));
    await writer.write([{ variable, about: WEATHER_VARIABLES[variable], fields }], new Map());
  }
}

/** Milliseconds of the daily history of a field: medians of fields that were not read before, and of the same ones again. */
export async function measureReads(directory: string) {
  await writeYears(directory);
  const grids = {
    cubes: makeCubes({ directory, subject: 'weather' }),
    dayCubes: makeCubes({ directory, subject: 'weather-days' }),
  };
  const weather = makeWeather({
    providers: [makeGridProvider({ ...grids, heights: null })],
    heights: null,
    wallClockMs: Date.now,
    onFailure: (_, error) => {
      throw error;
    },
  });
  const read = async (field: number, from: string): Promise<number> => {
    const start = performance.now();
    const answer = await weather.readDays({ where: toField(field), from, to: '2026-11-14' });
    if (answer === null || answer.days.length < 300) throw new Error('the field has no weather');
    return performance.now() - start;
  };
  const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;
  const measure = async (from: string, first: number) => {
    const [fresh, again]: number[][] = [[], []];
    for (let field = first; field < first + 15; field++) fresh!.push(await read(field, from));
    for (let i = 0; i < 15; i++) again!.push(await read(first + 14, from));
    return { fresh: median(fresh!), again: median(again!) };
  };
  // The first reads compile the code.
  await measure('2025-11-15', 100);
  return { year: await measure('2025-11-15', 0), tenYears: await measure('2016-11-15', 40) };
}
