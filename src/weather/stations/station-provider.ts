import { geometryBounds } from '../../geo/index.ts';
import { HOUR_MS } from '../../units.ts';
import type {
  Heights,
  HistoryRequest,
  ProvidedWeather,
  WeatherLocation,
  WeatherProvider,
} from '../weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from '../weather-series.ts';
import { LAPSE_C_PER_M } from '../weather-series.ts';
import type { Station, StationSeries, StationStore } from './station-store.ts';

/** A station farther away than this says little about a field. */
const MAX_STATION_KM = 30;
const KM_PER_DEGREE = 111.195;
/** Variables that are corrected for the height of the ground. */
const CORRECTED: ReadonlySet<WeatherVariable> = new Set([
  ...(['temperature', 'temperatureMin', 'temperatureMax'] as const),
]);

interface StationProviderDeps {
  readonly stations: Pick<StationStore, 'list' | 'readStation'>;
  /** Heights of the ground in metres; null where none is known. */
  readonly heights?: Pick<Heights, 'at'>;
  readonly maxKm?: number;
}

/** Builds the provider that answers with the nearest station that has numbers of those days. */
export function makeStationProvider({
  stations,
  heights,
  maxKm = MAX_STATION_KM,
}: StationProviderDeps): WeatherProvider {
  return {
    name: 'stations',
    async readHistory(request) {
      const [longitude, latitude] = toMiddle(request.where);
      for (const { set, station } of await findNear(stations, longitude, latitude, maxKm)) {
        if (request.isHourly && station.stepHours !== 1) continue;
        const read = await stations.readStation(set, station.id);
        const series = read === null ? null : toSeries(read, request);
        if (series === null) continue;
        const height =
          station.elevationM === null ? null : ((await heights?.at(longitude, latitude)) ?? null);
        const lineage = {
          source: `stations:${set}`,
          runMs: null,
          method: 'nearest station',
          correctedToM: height,
        } as const;
        const answer: ProvidedWeather = { series, lineage };
        return height === null ? answer : { lineage, series: correct(series, height - station.elevationM!) };
      }
      return null;
    },
    readForecast: async () => null,
  };
}

function toMiddle(where: WeatherLocation): readonly [longitude: number, latitude: number] {
  if (where.type === 'Point') return [where.coordinates[0], where.coordinates[1]];
  const { west, south, east, north } = geometryBounds(where);
  return [(west + east) / 2, (south + north) / 2];
}

interface NearStation {
  readonly set: string;
  readonly station: Station;
  readonly km: number;
}

async function findNear(
  stations: StationProviderDeps['stations'],
  longitude: number,
  latitude: number,
  maxKm: number,
): Promise<readonly NearStation[]> {
  const near: NearStation[] = [];
  for (const { name: set, stations: all } of await stations.list()) {
    for (const station of all) {
      const km = toKm(longitude, latitude, station);
      if (km <= maxKm) near.push({ set, station, km });
    }
  }
  return near.toSorted((one, other) => one.km - other.km);
}

/** Exact enough over some tens of kilometres. */
function toKm(longitude: number, latitude: number, station: Station): number {
  const turn = ((((station.longitude - longitude + 180) % 360) + 360) % 360) - 180;
  const across = turn * Math.cos((latitude * Math.PI) / 180);
  return Math.hypot(across, station.latitude - latitude) * KM_PER_DEGREE;
}

/** The requested days; null if they have no values. */
function toSeries(
  { station, values }: StationSeries,
  { from, to, utcOffsetHours, variables }: HistoryRequest,
): WeatherSeries | null {
  const { stepHours, firstStep } = station;
  const offset = stepHours === 1 ? utcOffsetHours : 0;
  const toFirst = (day: string): number =>
    Math.floor((Date.parse(`${day}T00:00Z`) / HOUR_MS - offset) / stepHours);
  const start = toFirst(from);
  const stepCount = toFirst(to) + 24 / stepHours - start;
  const picked: Partial<Record<WeatherVariable, Float64Array>> = {};
  let hasValue = false;
  for (const variable of variables) {
    const all = values[variable];
    if (all === undefined) continue;
    const numbers = Float64Array.from(
      { length: stepCount },
      (_, i) => all[start + i - firstStep] ?? Number.NaN,
    );
    if (numbers.every((value) => Number.isNaN(value))) continue;
    picked[variable] = numbers;
    hasValue = true;
  }
  if (!hasValue) return null;
  // A day of a station is one of its own clock, so that it begins at its midnight.
  const startMs = stepHours === 1 ? start * HOUR_MS : (start * 24 - utcOffsetHours) * HOUR_MS;
  return {
    stepHours,
    startMs,
    stepCount,
    utcOffsetHours: stepHours === 1 ? 0 : utcOffsetHours,
    values: picked,
  };
}

function correct(series: WeatherSeries, higherM: number): WeatherSeries {
  const colder = LAPSE_C_PER_M * higherM;
  const values = Object.fromEntries(
    (Object.entries(series.values) as [WeatherVariable, Float64Array][]).map(([variable, numbers]) => [
      variable,
      CORRECTED.has(variable) ? numbers.map((value) => value - colder) : numbers,
    ]),
  );
  return { ...series, values };
}
