import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LocalDays, LocalHours, WeatherLocation, WorldWeather } from '../../world/weather/index.ts';
import type { CubesConfig } from '../cubes/index.ts';
import type { LonLat } from '../geo/index.ts';
import { geometryBounds, isPointInArea } from '../geo/index.ts';
import { DAY_MS, HOUR_MS } from '../units.ts';
import type {
  ForecastRequest,
  HistoryRequest,
  ProvidedWeather,
  WeatherLineage,
  WeatherProvider,
  WeatherVariable,
  WeatherLocation as Where,
} from '../weather/index.ts';
import { joinHours } from '../weather/index.ts';
import { makeHasDemo } from './demo-data.ts';

interface DemoWeatherDeps {
  readonly config: CubesConfig;
  /** The wall clock: history ends, and the newest run of the forecast begins, before it. */
  readonly nowMs: () => number;
}

/** Name of the provider, and of the source in answers. */
const NAME = 'demo';
/** The climate of the world begins here. */
const FIRST_MS = Date.UTC(1980, 8, 2);
/** Model runs begin at 0, 6, 12 and 18 h UTC and reach a week and a half day. */
const RUN_EVERY_MS = 6 * HOUR_MS;
const RUN_HOURS = 180;
/** Hours that are computed in a row, some 10 ms, before others get their turn. */
const HOURS_AT_ONCE = 2_400;

type Sources<Columns> = Readonly<
  Partial<Record<WeatherVariable, readonly [column: keyof Columns, factor: number]>>
>;

/** Columns that days and hours have in common, with the factors that convert them to the units of answers. */
const SOURCES: Sources<Pick<LocalDays, keyof LocalDays & keyof LocalHours>> = {
  vapourPressure: ['vapourPressureHpa', 1],
  relativeHumidity: ['humidity', 100],
  windSpeed: ['windMs', 1],
  precipitation: ['rainMm', 1],
  snowDepth: ['snowDepthCm', 1],
  soilTemperature: ['soilC', 1],
  cloudCover: ['cloudiness', 100],
  radiation: ['radiationMj', 1],
};
const DAY_SOURCES: Sources<LocalDays> = {
  ...SOURCES,
  temperatureMin: ['minC', 1],
  temperatureMax: ['maxC', 1],
};
const HOUR_SOURCES: Sources<LocalHours> = {
  ...SOURCES,
  temperature: ['temperatureC', 1],
  dewPoint: ['dewPointC', 1],
};
const HOUR_VARIABLES = Object.keys(HOUR_SOURCES) as readonly WeatherVariable[];

/**
 * The weather of the demo world as a provider: computed from its climate for any days, with a forecast of every quarter
 * of a day. It answers inside of the world, as long as the data directory or the bucket has the demo.
 */
export function makeDemoWeather({ config, nowMs }: DemoWeatherDeps): WeatherProvider {
  let loading: Promise<WorldWeather> | undefined;
  // Loaded when the demo's weather is asked for: other services do without the demo world.
  const load = (): Promise<WorldWeather> =>
    (loading ??= import('../../world/weather/index.ts').then(({ makeWorldWeather }) => makeWorldWeather()));
  const hasDemo = makeHasDemo(config);
  const open = async (where: Where) => {
    if (!(await hasDemo())) return null;
    const world = await load();
    const location = toLocation(world, where);
    return location === null ? null : { world, location };
  };
  return {
    name: NAME,
    async readHistory(request) {
      const opened = await open(request.where);
      if (opened === null) return null;
      // Days of the world begin at its own midnight: those of another clock are made of hours.
      const isByDay = !request.isHourly && request.utcOffsetHours === opened.world.utcOffsetHours;
      return isByDay ? readDays(opened, request, nowMs()) : readHours(opened, request, nowMs());
    },
    async readForecast(request) {
      const opened = await open(request.where);
      return opened === null ? null : toForecast(opened, request);
    },
    async readExtent(where) {
      if ((await open(where)) === null) return null;
      const toText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
      return { from: toText(FIRST_MS), to: toText(nowMs() - DAY_MS) };
    },
  };
}

interface Opened {
  readonly world: WorldWeather;
  readonly location: WeatherLocation;
}

function readDays(
  { world, location }: Opened,
  request: HistoryRequest,
  nowMs: number,
): ProvidedWeather | null {
  const { utcOffsetHours } = world;
  // The day that is not over yet is the forecast's.
  const today = Math.floor((nowMs + utcOffsetHours * HOUR_MS) / DAY_MS);
  const firstDay = Math.max(FIRST_MS, toMs(request.from)) / DAY_MS;
  const stepCount = Math.min(toMs(request.to) / DAY_MS + 1, today) - firstDay;
  if (stepCount <= 0) return null;
  const days = world.days({ location, firstDay, count: stepCount });
  const startMs = firstDay * DAY_MS - utcOffsetHours * HOUR_MS;
  const values = pick(days, DAY_SOURCES, request.variables);
  return {
    series: { stepHours: 24, startMs, stepCount, utcOffsetHours, values },
    lineage: toLineage(location),
  };
}

async function readHours(
  { world, location }: Opened,
  { from, to, utcOffsetHours, variables, signal }: HistoryRequest,
  nowMs: number,
): Promise<ProvidedWeather | null> {
  const toHour = (ms: number): number => Math.floor(ms / HOUR_MS);
  const first = toHour(Math.max(FIRST_MS, toMs(from) - utcOffsetHours * HOUR_MS));
  const midnight = Math.ceil(toMs(to) / HOUR_MS + 24 - utcOffsetHours);
  const stepCount = Math.min(midnight, toHour(nowMs)) - first;
  if (stepCount <= 0) return null;
  // The lowest and highest temperature of a day are those of its hours.
  const isRange = variables.includes('temperatureMin') || variables.includes('temperatureMax');
  const wanted = isRange ? [...new Set<WeatherVariable>([...variables, 'temperature'])] : variables;
  const values: Partial<Record<WeatherVariable, Float64Array>> = {};
  for (let done = 0; done < stepCount; done += HOURS_AT_ONCE) {
    const count = Math.min(HOURS_AT_ONCE, stepCount - done);
    const hours = world.hours({ location, startMs: (first + done) * HOUR_MS, count });
    const picked = pick(hours, HOUR_SOURCES, wanted);
    for (const [name, column] of Object.entries(picked) as [WeatherVariable, Float64Array][]) {
      values[name] ??= new Float64Array(stepCount);
      values[name].set(column, done);
    }
    await nextTurn();
    signal?.throwIfAborted();
  }
  const series = { stepHours: 1, startMs: first * HOUR_MS, stepCount, utcOffsetHours: 0, values } as const;
  return { series, lineage: toLineage(location) };
}

function toForecast(
  { world, location }: Opened,
  { hours, fromMs, nowMs }: ForecastRequest,
): ProvidedWeather | null {
  const toRun = (ms: number): number => Math.floor(ms / RUN_EVERY_MS) * RUN_EVERY_MS;
  const runMs = toRun(nowMs);
  const count = Math.min(hours, RUN_HOURS);
  if (runMs + count * HOUR_MS <= nowMs) return null;
  const startMs = Math.min(runMs, toRun(fromMs ?? runMs));
  // Each run before the newest one counts until the next.
  const parts = [];
  for (let ms = startMs; ms <= runMs; ms += RUN_EVERY_MS) {
    const run = world.forecast({ location, runMs: ms, count: ms === runMs ? count : RUN_EVERY_MS / HOUR_MS });
    parts.push({ startMs: ms, values: pick(run, HOUR_SOURCES, HOUR_VARIABLES) });
  }
  const stepCount = count + (runMs - startMs) / HOUR_MS;
  return {
    series: {
      stepHours: 1,
      startMs,
      stepCount,
      utcOffsetHours: 0,
      values: joinHours(parts, startMs, stepCount),
    },
    lineage: toLineage(location, runMs),
  };
}

/** Local midnight of a date as if it were UTC. */
const toMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** The columns of the variables that are known, in their units. */
function pick<Columns extends Readonly<Record<string, Float64Array>>>(
  columns: Columns,
  sources: Sources<Columns>,
  variables: readonly WeatherVariable[],
): Partial<Record<WeatherVariable, Float64Array>> {
  const values: Partial<Record<WeatherVariable, Float64Array>> = {};
  for (const variable of variables) {
    const source = sources[variable];
    if (source === undefined) continue;
    const [column, factor] = source;
    values[variable] = factor === 1 ? columns[column]! : columns[column]!.map((value) => value * factor);
  }
  return values;
}

/** Temperatures are computed for the height of the ground around a location, not for a cell of a grid. */
const toLineage = ({ heightM }: WeatherLocation, runMs: number | null = null): WeatherLineage => ({
  source: NAME,
  runMs,
  method: 'interpolated',
  correctedToM: Math.round(heightM),
});

/** Points a side that are looked at for the middle and the mean height of an area. */
const SAMPLES = 7;

/** The middle of a point or area with its mean height; null where it is not wholly in the world. */
function toLocation(world: WorldWeather, where: Where): WeatherLocation | null {
  const { west, south, east, north } = geometryBounds(where);
  const corners: readonly LonLat[] = [
    [west, south],
    [east, south],
    [west, north],
    [east, north],
  ];
  if (corners.some(([lon, lat]) => world.locate(lon, lat) === null)) return null;
  const at = (low: number, high: number, i: number): number => low + ((high - low) * (i + 0.5)) / SAMPLES;
  const points = Array.from({ length: SAMPLES * SAMPLES }, (_, i): LonLat => {
    const column = i % SAMPLES;
    return [at(west, east, column), at(south, north, (i - column) / SAMPLES)];
  });
  const inside = where.type === 'Point' ? [] : points.filter((point) => isPointInArea(point, where));
  const middle: LonLat = [(west + east) / 2, (south + north) / 2];
  const located = (inside.length === 0 ? [middle] : inside).flatMap(
    ([lon, lat]) => world.locate(lon, lat) ?? [],
  );
  const mean = (of: (location: WeatherLocation) => number): number =>
    located.reduce((sum, location) => sum + of(location), 0) / located.length;
  return { x: mean(({ x }) => x), y: mean(({ y }) => y), heightM: mean(({ heightM }) => heightM) };
}
