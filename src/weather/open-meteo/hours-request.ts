import type { AreaGeometry, LonLat, LonLatBounds } from '../../geo/index.ts';
import { areaBounds, isPointInArea } from '../../geo/index.ts';
import { DAY_MS } from '../../units.ts';
import type { WeatherLocation } from '../weather-provider.ts';
import type { WeatherVariable } from '../weather-series.ts';

/** The two kinds of addresses of an Open-Meteo server. */
export type OpenMeteoApi = 'forecast' | 'archive';

/** An hourly variable of Open-Meteo, and what it becomes here. */
export interface HourlyVariable {
  /** Its name in `hourly=`. */
  readonly name: string;
  /** What `hourly_units` must say. */
  readonly units: string;
  readonly variable: WeatherVariable;
  /** From its unit to ours. */
  readonly factor: number;
  /** Whether a value covers the hour before its time; ours cover the hour that begins. */
  readonly isOfPrecedingHour: boolean;
  /** Limits in its units; values outside cannot occur on Earth, so the answer is wrong. */
  readonly min: number;
  readonly max: number;
  /** Models overshoot a little, such as 101 % or -0.1 mm: such values become the nearest possible one. */
  readonly lowest: number;
  readonly highest: number;
}

/** Hours to be read in one request. */
export interface HoursRequest {
  readonly api: OpenMeteoApi;
  /** Null for the server's own choice. */
  readonly model: string | null;
  readonly locations: readonly LonLat[];
  readonly variables: readonly HourlyVariable[];
  /** Midnights of UTC; the end is not included. */
  readonly startMs: number;
  readonly endMs: number;
}

/** The path of each kind of data, below the address of the server. */
const PATHS = { forecast: '/v1/forecast', archive: '/v1/archive' } as const;

/** A day as 2026-05-02. */
const toDate = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Path and query of a request, without the key: equal requests have equal ones. */
export function toPath({ api, model, locations, variables, startMs, endMs }: HoursRequest): string {
  const query = [
    `latitude=${locations.map(([, lat]) => lat).join()}`,
    `longitude=${locations.map(([lon]) => lon).join()}`,
    `hourly=${variables.map(({ name }) => name).join()}`,
    `start_date=${toDate(startMs)}`,
    `end_date=${toDate(endMs - DAY_MS)}`,
    'timezone=GMT',
    'timeformat=unixtime',
    'wind_speed_unit=ms',
  ];
  if (model !== null) query.push(`models=${model}`);
  return `${PATHS[api]}?${query.join('&')}`;
}

/** Joules of an hour of one watt, in MJ. */
const MJ_OF_WATT_HOUR = 0.003_6;

const temperature = (name: string, variable: WeatherVariable): HourlyVariable => ({
  name,
  units: '°C',
  variable,
  factor: 1,
  isOfPrecedingHour: false,
  // The records are -89 and 57 °C; bare soil gets hotter, and very dry air has lower dew points.
  min: -150,
  max: 100,
  lowest: Number.NEGATIVE_INFINITY,
  highest: Number.POSITIVE_INFINITY,
});

const percent = (name: string, variable: WeatherVariable): HourlyVariable => ({
  name,
  units: '%',
  variable,
  factor: 1,
  isOfPrecedingHour: false,
  min: -10,
  max: 110,
  lowest: 0,
  highest: 100,
});

/** Names and meanings are those of https://open-meteo.com/en/docs, "Hourly Parameter Definition". */
const COMMON: readonly HourlyVariable[] = [
  temperature('temperature_2m', 'temperature'),
  temperature('dew_point_2m', 'dewPoint'),
  percent('relative_humidity_2m', 'relativeHumidity'),
  {
    name: 'precipitation',
    units: 'mm',
    variable: 'precipitation',
    factor: 1,
    isOfPrecedingHour: true,
    min: -0.5,
    // The record of one hour is 305 mm.
    max: 500,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
  {
    name: 'snow_depth',
    units: 'm',
    variable: 'snowDepth',
    factor: 100,
    isOfPrecedingHour: false,
    min: -0.1,
    // Models let snow pile up on glaciers.
    max: 10_000,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
  {
    name: 'wind_speed_10m',
    units: 'm/s',
    variable: 'windSpeed',
    factor: 1,
    isOfPrecedingHour: false,
    min: 0,
    max: 150,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
  percent('cloud_cover', 'cloudCover'),
  {
    name: 'shortwave_radiation',
    units: 'W/m²',
    variable: 'radiation',
    factor: MJ_OF_WATT_HOUR,
    isOfPrecedingHour: true,
    min: -10,
    // The sun sends 1,361 W/m² to the top of the air, and clouds may focus some.
    max: 2_000,
    lowest: 0,
    highest: Number.POSITIVE_INFINITY,
  },
];

/** Depths of soil differ by model: https://open-meteo.com/en/docs/ecmwf-api and .../gfs-api. */
const SOIL_OF_MODELS: readonly (readonly [prefix: string, name: string])[] = [
  ['ecmwf_', 'soil_temperature_0_to_7cm'],
  ['gfs_', 'soil_temperature_0_to_10cm'],
  ['ncep_', 'soil_temperature_0_to_10cm'],
];

/** The name of the temperature of the upper 10 cm: a layer in the archive, a depth in most forecasts. */
function soilTemperatureOf(api: OpenMeteoApi, model: string | null): string {
  // https://open-meteo.com/en/docs/historical-weather-api: the first layer of ERA5 is 7 cm.
  if (api === 'archive') return 'soil_temperature_0_to_7cm';
  const known = SOIL_OF_MODELS.find(([prefix]) => model?.startsWith(prefix));
  return known?.[1] ?? 'soil_temperature_6cm';
}

/** The source of each of our variables, where it is not the variable of the same name. */
const SOURCES: Readonly<Partial<Record<WeatherVariable, WeatherVariable>>> = {
  temperatureMin: 'temperature',
  temperatureMax: 'temperature',
  vapourPressure: 'dewPoint',
};

/** The variables to request: those from which the wanted ones are made. */
export function planHourlyVariables(
  api: OpenMeteoApi,
  model: string | null,
  wanted: readonly WeatherVariable[],
): readonly HourlyVariable[] {
  const sources = new Set(wanted.map((variable) => SOURCES[variable] ?? variable));
  const all = [...COMMON, temperature(soilTemperatureOf(api, model), 'soilTemperature')];
  return all.filter(({ variable }) => sources.has(variable));
}

/** Global models have cells of about this size (https://open-meteo.com/en/docs): closer locations say the same. */
const SPACING_KM = 11;
/** Each location of a request counts as a request of its own. */
const MAX_LOCATIONS = 25;
const KM_OF_DEGREE = 111.2;

/** The locations whose mean is the weather of an area: one, or an even grid inside a large area. */
export function planLocations(where: WeatherLocation): readonly LonLat[] {
  if (where.type === 'Point') return [toAsked(where.coordinates)];
  const bounds = areaBounds(where);
  const middle: LonLat = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2];
  const size = sizeOf(bounds, middle[1]);
  if (size.widthKm < SPACING_KM && size.heightKm < SPACING_KM) return [toAsked(middle)];
  const inside = toGrid(bounds, size).filter((point) => isPointInArea(point, where));
  // A thin or bent area may miss the whole grid: then one of its corners is as near as any cell.
  return inside.length === 0 ? [toAsked(nearestCorner(where, middle))] : inside.map(toAsked);
}

interface SizeKm {
  readonly widthKm: number;
  readonly heightKm: number;
}

const sizeOf = ({ west, south, east, north }: LonLatBounds, lat: number): SizeKm => ({
  widthKm: (east - west) * KM_OF_DEGREE * Math.cos((lat * Math.PI) / 180),
  heightKm: (north - south) * KM_OF_DEGREE,
});

/** Middles of equal rectangles, as square as they can be. */
function toGrid({ west, south, east, north }: LonLatBounds, { widthKm, heightKm }: SizeKm): LonLat[] {
  let spacingKm = Math.max(SPACING_KM, Math.sqrt((widthKm * heightKm) / MAX_LOCATIONS));
  const count = (lengthKm: number): number => Math.max(1, Math.ceil(lengthKm / spacingKm));
  while (count(widthKm) * count(heightKm) > MAX_LOCATIONS) spacingKm *= 1.05;
  const [columns, rows] = [count(widthKm), count(heightKm)];
  const points: LonLat[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      points.push([
        west + ((column + 0.5) / columns) * (east - west),
        south + ((row + 0.5) / rows) * (north - south),
      ]);
    }
  }
  return points;
}

function nearestCorner(area: AreaGeometry, [lon, lat]: LonLat): LonLat {
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  const distance = (corner: LonLat): number => Math.hypot(corner[0] - lon, corner[1] - lat);
  return rings.flat().reduce((best, corner) => (distance(corner) < distance(best) ? corner : best));
}

/** Rounded to about 100 m, so that nearby requests share answers, and within ±180. */
const toAsked = ([lon, lat]: LonLat): LonLat => [
  round(lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon),
  round(lat),
];

/** Adding 0 turns -0 into 0, which is written alike. */
const round = (degrees: number): number => Math.round(degrees * 1_000) / 1_000 + 0;
