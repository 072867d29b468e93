import { workInOrder } from '../async/index.ts';
import type { DailyRequest, DailySource, JoinedVariable, ReadDaily, ShapeDays } from '../bulk/index.ts';
import type { SoilMoisture } from '../soil-moisture/index.ts';
import { DAY_MS } from '../units.ts';
import type { DerivedField, Weather, WeatherDay } from '../weather/index.ts';

interface DailyDeps {
  readonly weather: Pick<Weather, 'readDays'>;
  readonly soilMoisture: SoilMoisture;
}

/** Variables that are computed from others. */
const DERIVED = {
  referenceEvapotranspiration: 'referenceEvapotranspiration',
  waterBalance: 'waterBalance',
} as const satisfies Partial<Record<JoinedVariable, DerivedField>>;

const isDerived = (variable: JoinedVariable): variable is keyof typeof DERIVED =>
  Object.hasOwn(DERIVED, variable);

/** Shapes that are read at once: while one waits for a height or a server, others are computed. */
const AT_ONCE = 4;

/**
 * Builds the reading of days for tables of many shapes: the numbers of requests for each shape alone. Shapes come in the
 * order of a space-filling curve, so that neighbours find the cells of grids, and answers of servers, in the caches.
 */
export const makeReadDaily =
  (deps: DailyDeps): ReadDaily =>
  async ({ shapes, to, sources }, signal) => {
    const read: ShapeDays[] = [];
    for await (const days of workInOrder(shapes, { atOnce: AT_ONCE, signal }, (shape, shared) =>
      readShape({ shape, to, sources }, deps, shared),
    ))
      read.push(days);
    signal.throwIfAborted();
    return read;
  };

interface ShapeRequest extends Pick<DailyRequest, 'to' | 'sources'> {
  readonly shape: DailyRequest['shapes'][number];
}

async function readShape(
  { shape: { geometry: where, from }, to, sources }: ShapeRequest,
  { weather, soilMoisture }: DailyDeps,
  signal: AbortSignal,
): Promise<ShapeDays> {
  const toPlace = (date: string): number => Math.round((Date.parse(date) - Date.parse(from)) / DAY_MS);
  const dayCount = toPlace(to) + 1;
  const values = new Float64Array(dayCount * sources.length).fill(Number.NaN);
  const put = (source: number, date: string, value: number | null): void => {
    if (value !== null) values[source * dayCount + toPlace(date)] = value;
  };
  let utcOffsetHours = 0;
  if (sources.some(({ kind }) => kind !== 'soil-moisture')) {
    const derived = listDerived(sources);
    // A table has one sum of growing degrees.
    const degrees = sources.find((source) => source.kind === 'growing-degrees');
    const baseTemperature = degrees?.baseTemperature ?? 0;
    const found = await weather.readDays({ where, from, to, derived, baseTemperature, signal });
    utcOffsetHours = found?.utcOffsetHours ?? 0;
    for (const day of found?.days ?? [])
      for (const [i, source] of sources.entries()) put(i, day.date, toValue(day, source));
  }
  if (sources.some(({ kind }) => kind === 'soil-moisture')) {
    const found = await soilMoisture.read({ where, from, to });
    for (const day of found?.days ?? [])
      for (const [i, source] of sources.entries())
        if (source.kind === 'soil-moisture') put(i, day.date, day[source.layer]);
  }
  return { utcOffsetHours, values };
}

function listDerived(sources: readonly DailySource[]): readonly DerivedField[] {
  return sources.flatMap((source): DerivedField[] => {
    if (source.kind === 'growing-degrees') return ['growingDegreeDays'];
    return source.kind === 'weather' && isDerived(source.variable) ? [DERIVED[source.variable]] : [];
  });
}

function toValue(day: WeatherDay, source: DailySource): number | null {
  if (source.kind === 'growing-degrees') return day.derived.growingDegreeDays ?? null;
  if (source.kind === 'soil-moisture') return null;
  const { variable } = source;
  return isDerived(variable) ? (day.derived[DERIVED[variable]] ?? null) : day[variable];
}
